# cmake -DCOMPILER=... -DINCLUDE=DIR -DFOLDER=core [-DFLAGS=...] -P check_headers.cmake
#
# Compiles each header of a folder as a translation unit of nothing else and lists all that fail.
file(GLOB_RECURSE headers "${INCLUDE}/linnet/${FOLDER}/*.hpp")
if(NOT headers)
  message("no headers in linnet/${FOLDER}")
endif()
set(failed 0)
foreach(header IN LISTS headers)
  execute_process(
    COMMAND "${COMPILER}" -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic -Wshadow -Wconversion
            -Wno-sign-conversion -Werror ${FLAGS} "-I${INCLUDE}" -include "${header}"
            -x c++ /dev/null
    RESULT_VARIABLE status ERROR_VARIABLE output)
  if(NOT status EQUAL 0)
    math(EXPR failed "${failed} + 1")
    message("${header} does not compile alone:\n${output}")
  endif()
endforeach()
list(LENGTH headers count)
if(failed GREATER 0)
  message(FATAL_ERROR "${failed} of ${count} headers of linnet/${FOLDER} do not compile alone")
endif()
message("${count} headers of linnet/${FOLDER} compile alone")
