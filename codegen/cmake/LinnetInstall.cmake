# Two packages: Linnet, the headers and linnet_generate, and LinnetCompiler, the host program
# with the standard library. A cross build takes Linnet from its sysroot and LinnetCompiler
# from the host.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

set(linnet_package "${PROJECT_BINARY_DIR}/package")
set(linnet_cmake "${PROJECT_SOURCE_DIR}/codegen/cmake")

# In this build, find_package(Linnet) of the examples finds the targets that exist already.
file(WRITE "${linnet_package}/LinnetConfig.cmake"
  "if(NOT TARGET Linnet::runtime)\n  message(FATAL_ERROR \"the build tree of Linnet is no package for other projects: install it, or use add_subdirectory\")\nendif()\nset(Linnet_VERSION ${PROJECT_VERSION})\n")
set(Linnet_DIR "${linnet_package}" CACHE PATH "The package inside this build" FORCE)
mark_as_advanced(Linnet_DIR)

install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/linnet" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}"
  COMPONENT runtime FILES_MATCHING PATTERN "*.hpp" PATTERN "*.inc" PATTERN "*.cuh")
install(TARGETS linnet_runtime linnet_text EXPORT LinnetTargets COMPONENT runtime)
install(EXPORT LinnetTargets NAMESPACE Linnet:: DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Linnet"
  COMPONENT runtime)
configure_package_config_file("${linnet_cmake}/LinnetConfig.cmake.in"
  "${linnet_package}/install/LinnetConfig.cmake"
  INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Linnet")
write_basic_package_version_file("${linnet_package}/install/LinnetConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
install(FILES
  "${linnet_package}/install/LinnetConfig.cmake"
  "${linnet_package}/install/LinnetConfigVersion.cmake"
  "${linnet_cmake}/LinnetGenerate.cmake"
  "${linnet_cmake}/LinnetTextLibraries.cmake"
  DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/Linnet" COMPONENT runtime)

if(TARGET linnet)
  install(TARGETS linnet EXPORT LinnetCompilerTargets COMPONENT compiler)
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/stdlib/" DESTINATION "${CMAKE_INSTALL_DATADIR}/linnet/stdlib"
    COMPONENT compiler FILES_MATCHING PATTERN "*.linnet")
  install(EXPORT LinnetCompilerTargets NAMESPACE linnet:: COMPONENT compiler
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/LinnetCompiler")
  configure_package_config_file("${linnet_cmake}/LinnetCompilerConfig.cmake.in"
    "${linnet_package}/install/LinnetCompilerConfig.cmake"
    INSTALL_DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/LinnetCompiler")
  # A program of the host, whatever machine the build is for: hence the independence.
  write_basic_package_version_file("${linnet_package}/install/LinnetCompilerConfigVersion.cmake"
    COMPATIBILITY SameMinorVersion ARCH_INDEPENDENT)
  install(FILES
    "${linnet_package}/install/LinnetCompilerConfig.cmake"
    "${linnet_package}/install/LinnetCompilerConfigVersion.cmake"
    DESTINATION "${CMAKE_INSTALL_LIBDIR}/cmake/LinnetCompiler" COMPONENT compiler)
endif()
