# cmake -DNVCC=... -DINCLUDE=DIR -DSOURCE=core.cu -DOUTPUT=core.o -P check_nvcc.cmake
#
# Every core header, found here, goes into one translation unit: nvcc starts slowly.
file(GLOB headers "${INCLUDE}/linnet/core/*.hpp")
set(flags "")
foreach(header IN LISTS headers)
  # Boost.Hana is for host programs that ask for it.
  if(NOT header MATCHES "/hana\\.hpp$")
    list(APPEND flags -include "${header}")
  endif()
endforeach()
execute_process(
  COMMAND "${NVCC}" -std=c++20 --expt-relaxed-constexpr -c -Werror all-warnings ${flags} "-I${INCLUDE}" "${SOURCE}"
          -o "${OUTPUT}"
  RESULT_VARIABLE status OUTPUT_VARIABLE output ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "nvcc does not compile the core headers:\n${output}")
endif()
