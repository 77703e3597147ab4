# Target clang_syntax: does clang accept every source, without a warning? Nothing is compiled to code: the libraries'
# headers are precompiled once, the files of a folder of src/ are looked at together, as RITZ_UNITY compiles them, and only
# when one of them or a header has changed. clang_syntax_tests does the same for tests, benchmarks and examples, one by one.
find_program(RITZ_CLANG NAMES clang++-14 clang++)
if(NOT RITZ_CLANG)
  return()
endif()

set(clang_folder ${PROJECT_BINARY_DIR}/clang_syntax)
file(CONFIGURE OUTPUT ${clang_folder}/libraries.hpp CONTENT [[
#include <fmt/format.h>
#include <Eigen/Dense>
#include <Eigen/Sparse>
#include <algorithm>
#include <array>
#include <charconv>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <numeric>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <unordered_map>
#include <variant>
#include <vector>
]])
get_target_property(eigen_folder Eigen3::Eigen INTERFACE_INCLUDE_DIRECTORIES)
get_target_property(warning_flags ritz_warnings INTERFACE_COMPILE_OPTIONS)
list(FILTER warning_flags EXCLUDE REGEX "GNU")
set(clang_flags -std=c++20 -fopenmp -DRITZ_VERSION="${PROJECT_VERSION}" -DRITZ_ISA=generic -DFMT_SHARED
                -DEIGEN_DONT_PARALLELIZE -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                -I${PROJECT_SOURCE_DIR}/tests -isystem ${eigen_folder} ${warning_flags} -Werror)
foreach(folder IN LISTS MPI_CXX_INCLUDE_DIRS)
  list(APPEND clang_flags -isystem ${folder})
endforeach()
add_custom_command(
  OUTPUT ${clang_folder}/libraries.pch
  COMMAND ${RITZ_CLANG} ${clang_flags} -x c++-header -fpch-instantiate-templates ${clang_folder}/libraries.hpp -o
          ${clang_folder}/libraries.pch
  DEPENDS ${clang_folder}/libraries.hpp
  COMMENT "clang: the libraries' headers"
  VERBATIM)


# look_at(TARGET NAME FILE): one more file that TARGET depends on.
function(look_at target name file)
  set(stamp ${clang_folder}/${name}.ok)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${RITZ_CLANG} ${clang_flags} -fsyntax-only -include-pch ${clang_folder}/libraries.pch -MD -MF ${stamp}.d -MT
            ${stamp} ${file}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${file} ${clang_folder}/libraries.pch
    DEPFILE ${stamp}.d
    COMMENT "clang: ${name}"
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY stamps_of_${target} ${stamp})
endfunction()

file(GLOB_RECURSE clang_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp)
set(clang_folders "")
foreach(source IN LISTS clang_sources)
  get_filename_component(folder ${source} DIRECTORY)
  if(folder MATCHES "/mpi$" AND NOT RITZ_MPI)
    continue()
  endif()
  file(RELATIVE_PATH folder ${PROJECT_SOURCE_DIR} ${folder})
  string(REPLACE "/" "." folder ${folder})
  list(APPEND clang_folders ${folder})
  string(APPEND unit_${folder} "#include \"${source}\"\n")
endforeach()
list(REMOVE_DUPLICATES clang_folders)
foreach(folder IN LISTS clang_folders)
  file(CONFIGURE OUTPUT ${clang_folder}/${folder}.cpp CONTENT "${unit_${folder}}")
  look_at(clang_syntax ${folder} ${clang_folder}/${folder}.cpp)
endforeach()

file(GLOB_RECURSE clang_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/bench/*.cpp ${PROJECT_SOURCE_DIR}/examples/*.cpp
     ${PROJECT_SOURCE_DIR}/tests/*.cpp)
list(FILTER clang_sources EXCLUDE REGEX "/tests/package/")
foreach(source IN LISTS clang_sources)
  file(RELATIVE_PATH name ${PROJECT_SOURCE_DIR} ${source})
  string(REPLACE "/" "." name ${name})
  look_at(clang_syntax_tests ${name} ${source})
endforeach()

foreach(target clang_syntax clang_syntax_tests)
  get_property(stamps GLOBAL PROPERTY stamps_of_${target})
  add_custom_target(${target} DEPENDS ${stamps})
endforeach()
