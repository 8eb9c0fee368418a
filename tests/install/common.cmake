# What the scripts of this folder share. Each is run as
#   cmake -DBUILD=... -DWORK=... -DCXX=... -DLAUNCHER=... -DSOURCE=... -DLIBDIR=...
#         -P SCRIPT.cmake
# BUILD: the build tree of Linnet, WORK: a folder for the tests, SOURCE: the root of Linnet.
set(ENV{LC_ALL} C)
set(runtime_prefix "${WORK}/runtime")
set(compiler_prefix "${WORK}/compiler")
set(consumer "${WORK}/consumer")
set(options -G Ninja "-DCMAKE_CXX_COMPILER=${CXX}" "-DCMAKE_CXX_COMPILER_LAUNCHER=${LAUNCHER}"
            -DCMAKE_BUILD_TYPE= -DCMAKE_CXX_FLAGS=-O0)

# fail(TEXT): fails the test, after what the last command wrote.
macro(fail)
  message("${output}")
  message(FATAL_ERROR ${ARGN})
endmacro()

# run(SUCCEEDS|FAILS COMMAND...): runs it, fails the test unless it ends as expected, and leaves
# all that it wrote in `output`.
macro(run expected)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE status OUTPUT_VARIABLE output
                  ERROR_VARIABLE output)
  string(JOIN " " command ${ARGN})
  if("${expected}" STREQUAL "SUCCEEDS" AND NOT status EQUAL 0)
    fail("failed with ${status}: ${command}")
  elseif("${expected}" STREQUAL "FAILS" AND status EQUAL 0)
    fail("should have failed: ${command}")
  endif()
endmacro()

# says(TEXT...): the last output holds each of the texts, wherever its lines are broken.
macro(says)
  string(REGEX REPLACE "[ \n]+" " " flat "${output}")
  foreach(text IN ITEMS ${ARGN})
    string(FIND "${flat}" "${text}" found)
    if(found EQUAL -1)
      fail("missing above: ${text}")
    endif()
  endforeach()
endmacro()

macro(says_nothing_of)
  foreach(text IN ITEMS ${ARGN})
    string(FIND "${output}" "${text}" found)
    if(NOT found EQUAL -1)
      fail("unwanted above: ${text}")
    endif()
  endforeach()
endmacro()
