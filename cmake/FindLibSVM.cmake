# LibSVM::LibSVM, support vector machines; CMake has no module for it. Installed with the package, which needs it too.
find_library(LibSVM_LIBRARY svm)
find_path(LibSVM_INCLUDE_DIR libsvm/svm.h)
mark_as_advanced(LibSVM_LIBRARY LibSVM_INCLUDE_DIR)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LibSVM REQUIRED_VARS LibSVM_LIBRARY LibSVM_INCLUDE_DIR)
if(LibSVM_FOUND AND NOT TARGET LibSVM::LibSVM)
  add_library(LibSVM::LibSVM UNKNOWN IMPORTED)
  set_target_properties(LibSVM::LibSVM PROPERTIES IMPORTED_LOCATION "${LibSVM_LIBRARY}"
                                                  INTERFACE_INCLUDE_DIRECTORIES "${LibSVM_INCLUDE_DIR}")
endif()
