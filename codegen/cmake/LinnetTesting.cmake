# linnet_add_unit_test(NAME SOURCES ... [LIBRARIES ...] [LABELS ...])
# One doctest executable, one CTest test. Each executable's sources build as one unity unit
# unless it has a single source.
find_package(doctest REQUIRED)

# Where tools/fetch_model puts what the tests labelled `models` read.
set(LINNET_MODELS "$ENV{HOME}/.cache/linnet/models" CACHE PATH "Folder of fetched test models")
if(DEFINED ENV{LINNET_CACHE})
  set(LINNET_MODELS "$ENV{LINNET_CACHE}/models" CACHE PATH "" FORCE)
endif()

add_library(linnet_doctest_main OBJECT "${PROJECT_SOURCE_DIR}/tests/unit/doctest_main.cpp")
target_link_libraries(linnet_doctest_main PUBLIC doctest::doctest)

function(linnet_add_unit_test name)
  cmake_parse_arguments(arg "" "" "SOURCES;LIBRARIES;LABELS" ${ARGN})
  add_executable(${name} ${arg_SOURCES})
  target_link_libraries(${name} PRIVATE linnet_doctest_main doctest::doctest Linnet::warnings
                                        ${arg_LIBRARIES})
  target_compile_definitions(${name} PRIVATE
    LINNET_SOURCE_DIR="${PROJECT_SOURCE_DIR}")
  add_test(NAME ${name} COMMAND ${name} --no-intro)
  set_tests_properties(${name} PROPERTIES LABELS "unit;${arg_LABELS}" TIMEOUT 300)
endfunction()
