# Linnet::warnings: the warnings that our own targets build with. Not exported to consumers.
add_library(linnet_warnings INTERFACE)
target_compile_options(linnet_warnings INTERFACE
  $<$<COMPILE_LANGUAGE:CXX>:-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion>
  $<$<AND:$<COMPILE_LANGUAGE:CXX>,$<BOOL:${LINNET_WARNINGS_AS_ERRORS}>>:-Werror>)
add_library(Linnet::warnings ALIAS linnet_warnings)
