# cmake -DCOMPILER=... -DCASE=FILE.cpp -DINCLUDE=DIR -P check_case.cmake
set(command "${COMPILER}" -std=c++20 -fsyntax-only -fno-exceptions -fno-rtti "-I${INCLUDE}"
            "${CASE}")
# Messages must be the same whatever the user's language.
set(ENV{LC_ALL} C)

execute_process(COMMAND ${command} RESULT_VARIABLE status ERROR_VARIABLE output)
if(NOT status EQUAL 0)
  message(FATAL_ERROR "the right form of ${CASE} does not compile:\n${output}")
endif()

execute_process(COMMAND ${command} -DLINNET_WRONG RESULT_VARIABLE status ERROR_VARIABLE output)
if(status EQUAL 0)
  message(FATAL_ERROR "the wrong form of ${CASE} compiles")
endif()
if(NOT output MATCHES "(^|\n)([^\n]*error: [^\n]*)")
  message(FATAL_ERROR "${CASE} fails without an error line:\n${output}")
endif()
set(first_error "${CMAKE_MATCH_2}")

file(STRINGS "${CASE}" expectations REGEX "^// EXPECT(-ANYWHERE)?: ")
if(NOT expectations)
  message(FATAL_ERROR "${CASE} expects nothing: it needs an `// EXPECT: text` line")
endif()
foreach(line IN LISTS expectations)
  if(line MATCHES "^// EXPECT: (.*)$")
    set(text "${CMAKE_MATCH_1}")
    set(where "${first_error}")
  elseif(line MATCHES "^// EXPECT-ANYWHERE: (.*)$")
    set(text "${CMAKE_MATCH_1}")
    set(where "${output}")
  endif()
  string(FIND "${where}" "${text}" position)
  if(position EQUAL -1)
    message(FATAL_ERROR "the first error of ${CASE} is\n  ${first_error}\n"
                        "and this is missing:\n  ${text}\n${output}")
  endif()
endforeach()
message("${first_error}")
