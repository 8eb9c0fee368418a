# Mistakes in a call of linnet_generate are configuration errors that say what is wrong.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(misuse "${WORK}/misuse")
file(REMOVE_RECURSE "${misuse}")

macro(configure expected case)
  run(${expected} "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/misuse" -B "${misuse}" ${options}
      "-DCASE=${case}" "-DLinnet_DIR=${runtime_prefix}/${LIBDIR}/cmake/Linnet" ${ARGN})
endmacro()

# Headers without a compiler: found on their own, refused where one is needed.
configure(SUCCEEDS nothing -DCMAKE_DISABLE_FIND_PACKAGE_LinnetCompiler=ON)
configure(FAILS fine)
says("linnet_generate(models): there is no Linnet compiler" "LinnetCompiler_DIR")

set(found -UCMAKE_DISABLE_FIND_PACKAGE_LinnetCompiler
          "-DLinnetCompiler_DIR=${compiler_prefix}/${LIBDIR}/cmake/LinnetCompiler")
configure(SUCCEEDS fine ${found})
configure(FAILS same_stem)
says("linnet_generate(models): two sources make net.linnet.hpp")
configure(FAILS no_sources)
says("linnet_generate(models): SOURCES is missing")
configure(FAILS no_target)
says("linnet_generate: TARGET is missing")
configure(FAILS not_linnet)
says("linnet_generate(models): net.txt is no .linnet file")
configure(FAILS emit)
says("linnet_generate(models): EMIT takes plan, not header")
configure(FAILS numerics)
says("linnet_generate(models): NUMERICS is exact, equivalent or fast, not quick")
configure(FAILS unknown)
says("linnet_generate: unknown arguments: OPTIMISE yes")
