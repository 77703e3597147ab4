# Target clang_syntax: does clang accept every source, without a warning? Nothing is compiled to code: the libraries'
# headers are precompiled once, and a source is looked at again only when it or a header of it has changed.
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
set(clang_flags -std=c++20 -fopenmp -DRITZ_VERSION="${PROJECT_VERSION}" -DRITZ_ISA=generic -DFMT_SHARED
                -DEIGEN_DONT_PARALLELIZE -I${PROJECT_SOURCE_DIR}/include -I${PROJECT_SOURCE_DIR}/src
                -I${PROJECT_SOURCE_DIR}/tests -isystem ${eigen_folder} ${warning_flags} -Werror)
add_custom_command(
  OUTPUT ${clang_folder}/libraries.pch
  COMMAND ${RITZ_CLANG} ${clang_flags} -x c++-header -fpch-instantiate-templates ${clang_folder}/libraries.hpp -o
          ${clang_folder}/libraries.pch
  DEPENDS ${clang_folder}/libraries.hpp
  COMMENT "clang: the libraries' headers"
  VERBATIM)

set(clang_stamps "")
file(GLOB_RECURSE clang_sources RELATIVE ${PROJECT_SOURCE_DIR} CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/src/*.cpp
     ${PROJECT_SOURCE_DIR}/bench/*.cpp ${PROJECT_SOURCE_DIR}/examples/*.cpp ${PROJECT_SOURCE_DIR}/tests/*.cpp)
list(FILTER clang_sources EXCLUDE REGEX "^tests/package/")
foreach(source IN LISTS clang_sources)
  string(REPLACE "/" "." stamp ${source})
  set(stamp ${clang_folder}/${stamp}.ok)
  add_custom_command(
    OUTPUT ${stamp}
    COMMAND ${RITZ_CLANG} ${clang_flags} -fsyntax-only -include-pch ${clang_folder}/libraries.pch -MD -MF ${stamp}.d -MT
            ${stamp} ${PROJECT_SOURCE_DIR}/${source}
    COMMAND ${CMAKE_COMMAND} -E touch ${stamp}
    DEPENDS ${PROJECT_SOURCE_DIR}/${source} ${clang_folder}/libraries.pch
    DEPFILE ${stamp}.d
    COMMENT "clang: ${source}"
    VERBATIM)
  list(APPEND clang_stamps ${stamp})
endforeach()
add_custom_target(clang_syntax DEPENDS ${clang_stamps})
