# linnet_generate(TARGET name SOURCES file.linnet...
#                 [ROOT Block] [NUMERICS exact|equivalent|fast] [EMIT plan] [OUT_HEADERS var])
#
# Makes `name`, an INTERFACE library with one generated header a source, in an include folder
# of its own. The header of `a/b.linnet` is `b.linnet.hpp`; that of a package's `lib.linnet` is
# `name.linnet.hpp`. Headers are made again when the source, any module that it imports, the
# standard library or the compiler changes. Errors in a source fail the build with its
# diagnostics.
function(linnet_generate)
  cmake_parse_arguments(arg "" "TARGET;ROOT;NUMERICS;OUT_HEADERS" "SOURCES;EMIT" ${ARGN})
  if(arg_UNPARSED_ARGUMENTS)
    string(JOIN " " unknown ${arg_UNPARSED_ARGUMENTS})
    message(FATAL_ERROR "linnet_generate: unknown arguments: ${unknown}")
  endif()
  if(NOT arg_TARGET)
    message(FATAL_ERROR "linnet_generate: TARGET is missing")
  endif()
  if(NOT arg_SOURCES)
    message(FATAL_ERROR "linnet_generate(${arg_TARGET}): SOURCES is missing")
  endif()
  if(NOT TARGET linnet::compiler)
    message(FATAL_ERROR
      "linnet_generate(${arg_TARGET}): there is no Linnet compiler. Install the package "
      "LinnetCompiler for this machine, or set LinnetCompiler_DIR to the folder of its "
      "LinnetCompilerConfig.cmake.")
  endif()
  foreach(what IN LISTS arg_EMIT)
    if(NOT what STREQUAL "plan")
      message(FATAL_ERROR "linnet_generate(${arg_TARGET}): EMIT takes plan, not ${what}")
    endif()
  endforeach()

  set(options "")
  if(arg_ROOT)
    list(APPEND options --root "${arg_ROOT}")
  endif()
  set(numerics "")
  if(arg_NUMERICS)
    if(NOT arg_NUMERICS MATCHES "^(exact|equivalent|fast)$")
      message(FATAL_ERROR "linnet_generate(${arg_TARGET}): NUMERICS is exact, equivalent or fast, "
                          "not ${arg_NUMERICS}")
    endif()
    set(numerics --numerics "${arg_NUMERICS}")
  endif()

  set(folder "${CMAKE_CURRENT_BINARY_DIR}/${arg_TARGET}.linnet")
  file(MAKE_DIRECTORY "${folder}")
  set(headers "")
  set(outputs "")
  foreach(source IN LISTS arg_SOURCES)
    get_filename_component(path "${source}" ABSOLUTE)
    get_filename_component(file "${path}" NAME)
    string(REGEX REPLACE "\\.linnet$" "" stem "${file}")
    if(stem STREQUAL file)
      message(FATAL_ERROR "linnet_generate(${arg_TARGET}): ${source} is no .linnet file")
    endif()
    if(stem STREQUAL "lib")
      set(stem "${arg_TARGET}")
    endif()
    set(header "${folder}/${stem}.linnet.hpp")
    if(header IN_LIST headers)
      message(FATAL_ERROR
        "linnet_generate(${arg_TARGET}): two sources make ${stem}.linnet.hpp; "
        "give them targets of their own")
    endif()
    list(APPEND headers "${header}")
    list(APPEND outputs "${header}")
    file(RELATIVE_PATH shown "${CMAKE_SOURCE_DIR}" "${path}")
    add_custom_command(
      OUTPUT "${header}"
      COMMAND linnet::compiler cpp ${options} ${numerics} --depfile "${header}.d" -o "${header}"
              "${path}"
      DEPENDS "${path}" linnet::compiler
      DEPFILE "${header}.d"
      COMMENT "Generating ${stem}.linnet.hpp from ${shown}"
      VERBATIM)
    if("plan" IN_LIST arg_EMIT)
      set(plan "${folder}/${stem}.plan.json")
      list(APPEND outputs "${plan}")
      add_custom_command(
        OUTPUT "${plan}"
        COMMAND linnet::compiler plan ${options} ${numerics} -o "${plan}" "${path}"
        DEPENDS "${header}"
        COMMENT "Writing ${stem}.plan.json"
        VERBATIM)
    endif()
  endforeach()

  add_custom_target(${arg_TARGET}_generate DEPENDS ${outputs})
  add_library(${arg_TARGET} INTERFACE)
  add_dependencies(${arg_TARGET} ${arg_TARGET}_generate)
  target_include_directories(${arg_TARGET} INTERFACE "$<BUILD_INTERFACE:${folder}>")
  target_link_libraries(${arg_TARGET} INTERFACE Linnet::runtime)
  if(arg_OUT_HEADERS)
    set(${arg_OUT_HEADERS} "${headers}" PARENT_SCOPE)
  endif()
endfunction()
