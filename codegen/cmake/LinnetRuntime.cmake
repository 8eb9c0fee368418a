# Linnet::runtime: the header-only runtime. Linnet::text adds the tokenizers, which need PCRE2.
add_library(linnet_runtime INTERFACE)
add_library(Linnet::runtime ALIAS linnet_runtime)
set_target_properties(linnet_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(linnet_runtime INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(linnet_runtime INTERFACE cxx_std_20)
# language.md section 12: `exact` numerics round every operation once; contraction into
# fused multiply-adds is chosen by the kernels, never by the C++ compiler.
target_compile_options(linnet_runtime INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
find_package(Threads REQUIRED)
target_link_libraries(linnet_runtime INTERFACE Threads::Threads)
