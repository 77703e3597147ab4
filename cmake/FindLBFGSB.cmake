# LBFGSB::LBFGSB, the authors' L-BFGS-B (Fortran, no header); CMake has no module for it. Installed with the package,
# which needs it too.
find_library(LBFGSB_LIBRARY lbfgsb)
mark_as_advanced(LBFGSB_LIBRARY)
include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(LBFGSB REQUIRED_VARS LBFGSB_LIBRARY)
if(LBFGSB_FOUND AND NOT TARGET LBFGSB::LBFGSB)
  add_library(LBFGSB::LBFGSB UNKNOWN IMPORTED)
  set_target_properties(LBFGSB::LBFGSB PROPERTIES IMPORTED_LOCATION "${LBFGSB_LIBRARY}")
endif()
