# Builds for another machine. A toolchain file says that this is one, though the programs are this
# machine's: enough for the compiler to be looked for on the host and not to be built.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
set(cross "${WORK}/cross")
file(REMOVE_RECURSE "${cross}")
set(host_compiler "-DLinnetCompiler_DIR=${compiler_prefix}/${LIBDIR}/cmake/LinnetCompiler")

run(SUCCEEDS "${CMAKE_COMMAND}" -S "${CMAKE_CURRENT_LIST_DIR}/cross" -B "${cross}/pointers"
    -G Ninja ${host_compiler})
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${cross}/pointers")
says("language 0.1")

# FetchContent, offline: the source comes from a folder.
file(WRITE "${cross}/toolchain.cmake" "set(CMAKE_SYSTEM_NAME Linux)\nset(CMAKE_SYSTEM_PROCESSOR other)\n")
file(COPY "${CMAKE_CURRENT_LIST_DIR}/consumer" DESTINATION "${cross}")
run(SUCCEEDS "${CMAKE_COMMAND}" -S "${cross}/consumer" -B "${cross}/build" ${options}
    "-DCMAKE_TOOLCHAIN_FILE=${cross}/toolchain.cmake" ${host_compiler} -DLINNET_FROM=fetch
    "-DFETCHCONTENT_SOURCE_DIR_LINNET=${SOURCE}" -DFETCHCONTENT_FULLY_DISCONNECTED=ON)
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${cross}/build" 
    --target CMakeFiles/consumer.dir/elsewhere.cpp.o)
run(SUCCEEDS "${CMAKE_COMMAND}" --build "${cross}/build" --target help)
says_nothing_of("codegen/")
