# The targets that a consumer links, both in this build and from an installed package:
#   Linnet::runtime   the header-only runtime (Boost.Hana, nlohmann-json, threads)
#   Linnet::text      tokenizers and chat formats on top of it (PCRE2, utf8proc)
find_package(Threads REQUIRED)
find_package(Boost 1.74 REQUIRED)
find_package(nlohmann_json 3.11 REQUIRED)

add_library(linnet_runtime INTERFACE)
add_library(Linnet::runtime ALIAS linnet_runtime)
set_target_properties(linnet_runtime PROPERTIES EXPORT_NAME runtime)
target_include_directories(linnet_runtime INTERFACE
  $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_compile_features(linnet_runtime INTERFACE cxx_std_20)
# language.md section 12: `exact` numerics round every operation once; contraction into
# fused multiply-adds is chosen by the kernels, never by the C++ compiler.
target_compile_options(linnet_runtime INTERFACE $<$<COMPILE_LANGUAGE:CXX>:-ffp-contract=off>)
target_link_libraries(linnet_runtime INTERFACE
  Threads::Threads Boost::headers nlohmann_json::nlohmann_json)

add_library(linnet_text INTERFACE)
add_library(Linnet::text ALIAS linnet_text)
set_target_properties(linnet_text PROPERTIES EXPORT_NAME text)
include(LinnetTextLibraries)
target_link_libraries(linnet_text INTERFACE linnet_runtime Linnet::pcre2 Linnet::utf8proc)
