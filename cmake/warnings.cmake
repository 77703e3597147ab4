# Warnings for our own code; Eigen and the others are SYSTEM includes. Eigen must not use threads of its own: the bits of
# its products would depend on their number.
add_library(ritz_warnings INTERFACE)
target_compile_options(ritz_warnings INTERFACE -Wall -Wextra -Wpedantic -Wnon-virtual-dtor -Woverloaded-virtual
                                                 -Wno-missing-field-initializers) # members have defaults
# clang's counts a parameter that has the name of a static member, which g++'s does not.
target_compile_options(ritz_warnings INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wshadow>)
target_compile_definitions(ritz_warnings INTERFACE EIGEN_DONT_PARALLELIZE)
