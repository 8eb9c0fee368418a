# Linnet::warnings: the warnings that our own targets build with. Not exported to consumers.
add_library(linnet_warnings INTERFACE)
target_compile_options(linnet_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LINNET_WARNINGS_AS_ERRORS}>>:-Werror>)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # With optimisation GCC 12 and 13 report these two inside its own std::string and std::variant
  # (GCC bugs 105329 and 105562), wherever strings are joined. Clang and the sanitizers look
  # for what they are about.
  target_compile_options(linnet_warnings INTERFACE
    $<$<COMPILE_LANGUAGE:CXX>:-Wno-restrict -Wno-maybe-uninitialized>)
endif()
add_library(Linnet::warnings ALIAS linnet_warnings)
