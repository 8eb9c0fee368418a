# Linnet as a part of somebody else's project.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(subproject "${WORK}/subproject")
file(REMOVE_RECURSE "${subproject}")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer" DESTINATION "${subproject}")
set(project "${subproject}/consumer")
set(host_compiler "-DLinnetCompiler_DIR=${compiler_prefix}/${LIBDIR}/cmake/LinnetCompiler")

# add_subdirectory: the compiler would be built along with it. Building it takes minutes, so here
# is only looked at what would be done: our tests and examples are no part of it.
run(SUCCEEDS "${CMAKE_COMMAND}" -S "${project}" -B "${subproject}/whole" ${options}
    -DLINNET_FROM=subdirectory "-DLINNET_SOURCE=${SOURCE}")
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${subproject}/whole" --target help)
says("shifted_generate" "linnet:")
says_nothing_of("test_" "chat:" "check_cases")
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${subproject}/whole" --target consumer -- -n)
says("Linking CXX executable linnet" "Generating shifted.linnet.hpp")

# add_subdirectory with a compiler that is installed already: the program itself.
run(SUCCEEDS "${CMAKE_COMMAND}" -S "${project}" -B "${subproject}/build" ${options}
    -DLINNET_FROM=subdirectory "-DLINNET_SOURCE=${SOURCE}" -DLINNET_BUILD_COMPILER=OFF
    ${host_compiler})
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${subproject}/build" --target consumer)
run(SUCCEEDS "${subproject}/build/consumer")
says("0 wrong")
