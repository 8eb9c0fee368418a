# What is made again, and when.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(build "${CMAKE_COMMAND}" --build "${consumer}/build")
run(SUCCEEDS ${build})
says("no work to do")

# A module that the source imports: its header and what includes it are made again, others not.
file(TOUCH "${consumer}/shifted/src/parts.linnet")
run(SUCCEEDS ${build})
says("Generating shifted.linnet.hpp" "main.cpp.o" "elsewhere.cpp.o" "Linking CXX executable consumer")
says_nothing_of("Generating counted.linnet.hpp")
run(SUCCEEDS ${build})
says("no work to do")

# A module of the standard library counts, too.
file(TOUCH "${compiler_prefix}/share/linnet/stdlib/nn/linear.linnet")
run(SUCCEEDS ${build} --target shifted_generate counted_generate)
says("Generating shifted.linnet.hpp" "Generating counted.linnet.hpp")

# An error in an imported module fails the build and is shown where it is.
set(parts "${consumer}/shifted/src/parts.linnet")
file(READ "${parts}" good)
string(REPLACE "x + 1.0" "x + missing" bad "${good}")
file(WRITE "${parts}" "${bad}")
run(FAILS ${build} --target shifted_generate)
says("error E" "`missing`" "${parts}:5:16")
run(FAILS ${build} --target shifted_generate)
says("${parts}:5:16")

file(WRITE "${parts}" "${good}")
run(SUCCEEDS ${build})
run(SUCCEEDS "${consumer}/build/consumer")
says("0 wrong")
