add_library(ritz_sanitizers INTERFACE)
if(RITZ_SANITIZE STREQUAL "thread")
  target_compile_options(ritz_sanitizers INTERFACE -fsanitize=thread -fno-omit-frame-pointer)
  target_link_options(ritz_sanitizers INTERFACE -fsanitize=thread)
elseif(RITZ_SANITIZE)
  # Null pointers and objects too small are the address sanitizer's catch as well; checking them twice on every access
  # costs a good part of the compile time of code that uses Eigen.
  target_compile_options(ritz_sanitizers INTERFACE -fsanitize=address,undefined -fno-sanitize=null,object-size
                                                   -fno-sanitize-recover=all -fno-omit-frame-pointer)
  target_link_options(ritz_sanitizers INTERFACE -fsanitize=address,undefined)
endif()
