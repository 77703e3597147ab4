# Warnings for our own code; Eigen and the others are SYSTEM includes.
add_library(ritz_warnings INTERFACE)
target_compile_options(ritz_warnings INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual
                                                 -Wno-missing-field-initializers) # members have defaults
