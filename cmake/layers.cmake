# The order of the layers, lowest first; those on one line share a rank and may use each other. This is the only place
# where it is written: tools/check_layers.py reads it from here.
set(RITZ_LAYERS
    base
    linalg
    data
    graph cluster
    model
    pairs
    backends
    metrics
    algorithms oracles
    report
    tasks)
# Above the library, in the program alone.
set(RITZ_PROGRAM_LAYERS
    reproduce
    cli)

# One object library a layer, so that a layer and its tests build without the layers above it; all of them together are
# the one library `ritz`. ritz_dependencies is what every layer, its tests and the program compile and link against.
add_library(ritz_dependencies INTERFACE)
target_link_libraries(ritz_dependencies INTERFACE Eigen3::Eigen fmt::fmt OpenMP::OpenMP_CXX ZLIB::ZLIB LAPACKE::LAPACKE
                      LAPACK::LAPACK BLAS::BLAS LibSVM::LibSVM LBFGSB::LBFGSB nlohmann_json::nlohmann_json)
target_include_directories(ritz_dependencies INTERFACE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)

add_library(ritz)
add_library(ritz::ritz ALIAS ritz)
# Before 1.0 every minor version may change the binary interface.
set_target_properties(ritz PROPERTIES SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR} VERSION ${PROJECT_VERSION})
if(BUILD_SHARED_LIBS)
  target_link_options(ritz PRIVATE -Wl,--version-script=${PROJECT_SOURCE_DIR}/cmake/symbols.map -Wl,--no-undefined)
  set_property(TARGET ritz APPEND PROPERTY LINK_DEPENDS ${PROJECT_SOURCE_DIR}/cmake/symbols.map)
endif()
target_compile_features(ritz PUBLIC cxx_std_20)
target_include_directories(ritz PUBLIC $<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/include> $<INSTALL_INTERFACE:include>)
target_link_libraries(ritz PUBLIC Eigen3::Eigen PRIVATE OpenMP::OpenMP_CXX LAPACKE::LAPACKE LAPACK::LAPACK BLAS::BLAS
                                                        LibSVM::LibSVM LBFGSB::LBFGSB ZLIB::ZLIB fmt::fmt)

# For one file only: a definition everywhere would make the precompiled header useless to the tests.
set_source_files_properties(${PROJECT_SOURCE_DIR}/src/base/version.cpp PROPERTIES
                            COMPILE_DEFINITIONS RITZ_VERSION="${PROJECT_VERSION}" SKIP_PRECOMPILE_HEADERS ON
                            SKIP_UNITY_BUILD_INCLUSION ON)

# One translation unit a folder: most of a file's compile time goes to the same headers and the same instances of their
# templates, which a folder's files then share. What stands in unnamed namespaces of one folder needs different names.
function(ritz_one_unit_a_folder target)
  if(NOT RITZ_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(source IN LISTS sources)
    get_filename_component(folder ${source} DIRECTORY)
    file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
    string(REPLACE "/" "_" folder ${folder})
    set_property(SOURCE ${source} TARGET_DIRECTORY ${target} PROPERTY UNITY_GROUP ${folder})
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
endfunction()

# The script and the style of report pages, as string literals; the style names its dark colours twice.
foreach(asset SCRIPT:page.js DARK:dark.css STYLE:page.css)
  string(REPLACE ":" ";" asset ${asset})
  list(GET asset 0 name)
  list(GET asset 1 file)
  file(READ ${PROJECT_SOURCE_DIR}/src/report/page/${file} RITZ_PAGE_${name})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/report/page/${file})
endforeach()
string(CONFIGURE "${RITZ_PAGE_STYLE}" RITZ_PAGE_STYLE @ONLY)
configure_file(${PROJECT_SOURCE_DIR}/src/report/page/assets.cpp.in ${PROJECT_BINARY_DIR}/generated/page_assets.cpp @ONLY)

# Headers that are precompiled; once more for the layers from `report` up. These put results together and into words: they
# need no -O3, which would take a fifth longer to compile.
set(RITZ_HEADERS <Eigen/Dense> <Eigen/Sparse> <algorithm> <cmath> <functional> <map> <memory> <optional> <span> <string> <variant>
    <vector> <fmt/format.h>)
set(RITZ_UPPER_OPTIONS $<$<CONFIG:Release>:-O2>)

set(RITZ_LAYER_TARGETS "")
foreach(layer IN LISTS RITZ_LAYERS)
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/${layer}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "/(isa|mpi)/") # compiled once an instruction set, and as a module, below
  if(NOT sources)
    continue()
  endif()
  if(layer STREQUAL report)
    list(APPEND sources ${PROJECT_BINARY_DIR}/generated/page_assets.cpp)
  endif()
  add_library(ritz_${layer} OBJECT ${sources})
  target_link_libraries(ritz_${layer} PRIVATE ritz_dependencies ritz_warnings ritz_sanitizers)
  ritz_one_unit_a_folder(ritz_${layer})
  if(layer STREQUAL base)
    target_precompile_headers(ritz_base PRIVATE ${RITZ_HEADERS})
  elseif(layer STREQUAL report) # and all above it
    target_compile_options(ritz_report PRIVATE ${RITZ_UPPER_OPTIONS})
    target_precompile_headers(ritz_report PRIVATE ${RITZ_HEADERS} <nlohmann/json.hpp>)
  elseif(layer STREQUAL tasks)
    target_compile_options(ritz_tasks PRIVATE ${RITZ_UPPER_OPTIONS})
    target_precompile_headers(ritz_tasks REUSE_FROM ritz_report)
  else()
    target_precompile_headers(ritz_${layer} REUSE_FROM ritz_base)
  endif()
  list(APPEND RITZ_LAYER_TARGETS ritz_${layer})
  target_sources(ritz PRIVATE $<TARGET_OBJECTS:ritz_${layer}>)
endforeach()

# The elementwise kernels of the pair engine: the same file for each instruction set, the best one the machine has is
# picked at run time. No Eigen inside, so that nothing of these flags leaks into inline functions shared with others.
# Sets OBJECTS; folders given after it come before those of the library.
function(ritz_instruction_sets prefix objects)
  file(GLOB isa_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/backends/cpu/isa/*.cpp)
  set(isa_list generic)
  if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(APPEND isa_list avx2 avx512)
  endif()
  set(isa_flags_generic "")
  set(isa_flags_avx2 -mavx2 -mfma)
  set(isa_flags_avx512 -mavx512f -mavx512dq -mavx512vl -mavx512bw -mfma -mprefer-vector-width=512)
  set(found "")
  foreach(isa IN LISTS isa_list)
    add_library(${prefix}_${isa} OBJECT EXCLUDE_FROM_ALL ${isa_sources})
    target_include_directories(${prefix}_${isa} PRIVATE ${ARGN} ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
    target_compile_definitions(${prefix}_${isa} PRIVATE RITZ_ISA=${isa})
    # No errno and no traps, so that sqrt and comparisons vectorise; sums keep their order (no -ffast-math).
    # clang says where sanitizers keep a loop from being vectorised.
    target_compile_options(${prefix}_${isa} PRIVATE -O3 -fopenmp-simd -fno-math-errno -fno-trapping-math ${isa_flags_${isa}}
                                                    $<$<CXX_COMPILER_ID:Clang>:-Wno-pass-failed>)
    target_link_libraries(${prefix}_${isa} PRIVATE ritz_warnings ritz_sanitizers)
    list(APPEND found $<TARGET_OBJECTS:${prefix}_${isa}>)
  endforeach()
  set(${objects} "${found}" PARENT_SCOPE)
endfunction()
ritz_instruction_sets(ritz_isa RITZ_ISA_OBJECTS)
target_sources(ritz PRIVATE ${RITZ_ISA_OBJECTS})
target_link_libraries(ritz PRIVATE $<BUILD_INTERFACE:ritz_sanitizers>)

# Modules, which the program looks for in ../lib/ritz beside itself.
if(RITZ_MPI)
  find_package(MPI REQUIRED COMPONENTS CXX)
  find_package(Threads REQUIRED)
  add_library(ritz_mpi MODULE ${PROJECT_SOURCE_DIR}/src/backends/mpi/mpi_world.cpp)
  target_include_directories(ritz_mpi PRIVATE ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src)
  target_compile_definitions(ritz_mpi PRIVATE RITZ_VERSION="${PROJECT_VERSION}" OMPI_SKIP_MPICXX)
  target_link_libraries(ritz_mpi PRIVATE MPI::MPI_CXX Threads::Threads ritz_warnings)
  set_target_properties(ritz_mpi PROPERTIES LIBRARY_OUTPUT_DIRECTORY ${PROJECT_BINARY_DIR}/lib/ritz)
endif()
