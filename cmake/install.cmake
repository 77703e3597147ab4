# What `cmake --install` lays down: headers, library, program, a CMake package (find_package(ritz CONFIG), target
# ritz::ritz) and ritz.pc. A static library hands its own dependencies on; a shared one needs only Eigen's headers.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/ritz)

install(TARGETS ritz EXPORT ritz-targets
        LIBRARY COMPONENT library NAMELINK_COMPONENT development
        ARCHIVE COMPONENT development)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/include/ritz DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} COMPONENT development
        FILES_MATCHING PATTERN "*.hpp")
if(NOT RITZ_PACKAGE) # a Debian package has its licence elsewhere, and compresses its manual
  install(FILES ${PROJECT_SOURCE_DIR}/LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/licenses/ritz)
  install(DIRECTORY ${PROJECT_SOURCE_DIR}/share/man/man1 DESTINATION ${CMAKE_INSTALL_MANDIR})
endif()
install(FILES ${PROJECT_SOURCE_DIR}/share/bash-completion/completions/ritz COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
install(FILES ${PROJECT_SOURCE_DIR}/share/zsh/site-functions/_ritz COMPONENT program
        DESTINATION ${CMAKE_INSTALL_DATADIR}/zsh/vendor-completions)
if(TARGET ritz_program)
  file(RELATIVE_PATH library_from_program /${CMAKE_INSTALL_BINDIR} /${CMAKE_INSTALL_LIBDIR})
  if(NOT RITZ_PACKAGE) # where the library lies in a folder of the system
    set_target_properties(ritz_program PROPERTIES INSTALL_RPATH "$ORIGIN/${library_from_program}")
  endif()
  install(TARGETS ritz_program COMPONENT program)
endif()

# Modules lie where the program and the shared library look for them.
set(module_dir lib/ritz)
if(RITZ_PACKAGE)
  set(module_dir ${CMAKE_INSTALL_LIBDIR}/ritz)
endif()
if(TARGET ritz_mpi)
  install(TARGETS ritz_mpi DESTINATION ${module_dir} COMPONENT mpi OPTIONAL)
endif()
if(RITZ_CUDA_MODULE)
  install(FILES ${RITZ_CUDA_MODULE} DESTINATION ${module_dir} COMPONENT cuda)
endif()

install(EXPORT ritz-targets NAMESPACE ritz:: DESTINATION ${package_dir} COMPONENT development)
configure_package_config_file(${PROJECT_SOURCE_DIR}/cmake/ritz-config.cmake.in ritz-config.cmake
                              INSTALL_DESTINATION ${package_dir} NO_SET_AND_CHECK_MACRO)
write_basic_package_version_file(ritz-config-version.cmake COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ritz-config.cmake ${CMAKE_CURRENT_BINARY_DIR}/ritz-config-version.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindLAPACKE.cmake ${PROJECT_SOURCE_DIR}/cmake/FindLibSVM.cmake
              ${PROJECT_SOURCE_DIR}/cmake/FindLBFGSB.cmake
        DESTINATION ${package_dir} COMPONENT development)

# "/usr/lib/…/libopenblas.so" -> "-lopenblas", with "-L" where the linker would not look there by itself.
function(linker_flags out)
  set(flags "")
  foreach(library IN LISTS ARGN)
    if(NOT IS_ABSOLUTE "${library}")
      list(APPEND flags ${library})
      continue()
    endif()
    get_filename_component(folder ${library} DIRECTORY)
    get_filename_component(name ${library} NAME_WE)
    if(NOT folder IN_LIST CMAKE_CXX_IMPLICIT_LINK_DIRECTORIES)
      list(APPEND flags -L${folder})
    endif()
    string(REGEX REPLACE "^lib" "-l" name ${name})
    list(APPEND flags ${name})
  endforeach()
  list(REMOVE_DUPLICATES flags)
  list(JOIN flags " " flags)
  set(${out} "${flags}" PARENT_SCOPE)
endfunction()
linker_flags(pc_libs_private ${LAPACKE_LIBRARY} ${LAPACK_LIBRARIES} ${BLAS_LIBRARIES} ${LibSVM_LIBRARY} ${LBFGSB_LIBRARY} ${OpenMP_CXX_FLAGS})
# A shared library brings its own: pkg-config would look for their files even where nobody links against them.
set(pc_requires_private "fmt zlib")
if(BUILD_SHARED_LIBS)
  set(pc_requires_private "")
endif()
file(RELATIVE_PATH pc_prefix /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
string(REGEX REPLACE "/$" "" pc_prefix ${pc_prefix})
configure_file(${PROJECT_SOURCE_DIR}/cmake/ritz.pc.in ritz.pc @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/ritz.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig COMPONENT development)
if(RITZ_PACKAGE)
  include(cmake/package.cmake)
endif()
