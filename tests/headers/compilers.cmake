# LINNET_TEST_COMPILERS: every C++ compiler that tests which start a compiler themselves use, the
# one of the build first. Other compilers are used when they are installed.
set(LINNET_TEST_COMPILERS "${CMAKE_CXX_COMPILER}")
foreach(candidate IN ITEMS g++ clang++-19)
  find_program(LINNET_FOUND_COMPILER "${candidate}" NO_CACHE)
  if(LINNET_FOUND_COMPILER)
    file(REAL_PATH "${LINNET_FOUND_COMPILER}" real_candidate)
    file(REAL_PATH "${CMAKE_CXX_COMPILER}" real_own)
    if(NOT real_candidate STREQUAL real_own)
      list(APPEND LINNET_TEST_COMPILERS "${LINNET_FOUND_COMPILER}")
    endif()
  endif()
  unset(LINNET_FOUND_COMPILER)
endforeach()
