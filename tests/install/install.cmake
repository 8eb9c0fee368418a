# Installs the two packages into prefixes of their own.
include("${CMAKE_CURRENT_LIST_DIR}/common.cmake")
file(REMOVE_RECURSE "${WORK}")
run(SUCCEEDS "${CMAKE_COMMAND}" --install "${BUILD}" --component runtime --prefix "${runtime_prefix}")
run(SUCCEEDS "${CMAKE_COMMAND}" --install "${BUILD}" --component compiler --prefix "${compiler_prefix}")

file(GLOB_RECURSE programs "${runtime_prefix}/bin/*")
file(GLOB_RECURSE headers "${compiler_prefix}/include/*")
if(programs OR headers)
  message(FATAL_ERROR "the packages are mixed up: ${programs} ${headers}")
endif()
# The installed program uses the library that is installed beside it.
file(WRITE "${WORK}/probe.linnet"
  "module probe\nuse std.nn.linear::{linear}\npub fn f(x: Tensor[2; f32], w: Tensor[2, 2; f32]) -> Tensor[2; f32] {\n    return linear(x, w)\n}\n")
run(SUCCEEDS "${compiler_prefix}/bin/linnet" cpp "${WORK}/probe.linnet"
    -o "${WORK}/probe.linnet.hpp" --depfile "${WORK}/probe.d")
file(READ "${WORK}/probe.d" output)
says("${compiler_prefix}/share/linnet/stdlib/nn/linear.linnet")
