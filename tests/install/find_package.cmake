# A consumer on the installed packages, which lie in prefixes of their own: builds, runs, and its
# program with a wrong shape does not compile.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
file(REMOVE_RECURSE "${consumer}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer" DESTINATION "${WORK}")
run(SUCCEEDS "${CMAKE_COMMAND}" -S "${consumer}" -B "${consumer}/build" ${options}
    "-DCMAKE_PREFIX_PATH=${runtime_prefix}\;${compiler_prefix}")
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${consumer}/build")
run(SUCCEEDS "${consumer}/build/consumer")
says("0 wrong")
if(NOT EXISTS "${consumer}/build/shifted.linnet/shifted.plan.json")
  message(FATAL_ERROR "EMIT plan wrote no plan")
endif()

run(FAILS "${CMAKE_COMMAND}" --build "${consumer}/build" --target wrong_shape)
string(REGEX MATCH "[^\n]*error: [^\n]*" output "${output}")
says("WrongArgument<" "\"x, axis 1\"" "\"expected 4\"" "\"got 5\"")
