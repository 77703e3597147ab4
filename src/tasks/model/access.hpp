// SPDX-License-Identifier: MIT
// Reading what a model file holds: every array and fact is asked for by name, and what does not fit is said.
#pragma once

#include <cmath>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "base/fail.hpp"
#include "report/envelope.hpp"
#include "ritz/tasks/model.hpp"

namespace ritz::model_access {

[[noreturn]] inline void reject(const std::string& why) { throw Error(ErrorCode::bad_file, "the model " + why); }

inline const Matrix& array(const ModelFile& model, std::string_view name) {
  const auto found = model.arrays.find(std::string(name));
  if (found == model.arrays.end()) reject(fmt::format("has no array '{}'; its method is '{}'", name, model.method));
  return found->second;
}

inline const Matrix& column(const ModelFile& model, std::string_view name, Index rows) {
  const Matrix& found = array(model, name);
  if (found.rows() != rows || found.cols() != 1) reject("has arrays that do not fit together");
  return found;
}

// Whole numbers from 0 below `limit`, stored as doubles.
inline std::vector<Index> numbers(const Matrix& stored, Index limit) {
  if (stored.cols() < 1 && stored.rows() > 0) reject("has arrays that do not fit together");
  std::vector<Index> values;
  for (Index i = 0; i < stored.rows(); ++i) {
    const double value = stored(i, 0);
    if (!(value >= 0) || value >= double(limit) || value != std::floor(value))
      reject("holds a number that is out of range");
    values.push_back(Index(value));
  }
  return values;
}

inline Json info_of(const ModelFile& model) {
  try {
    return Json::parse(model.info);
  } catch (const Json::exception&) {
    reject("is altered: its description is not readable");
  }
}

// What JSON holds may be 1e300, of which a cast to a whole number makes anything.
template <class T>
T taken(const Json& value) {
  if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>) {
    constexpr double kEnd = 0x1p53;  // whole numbers below have exact doubles
    if (value.is_number_float() && !(std::abs(value.get<double>()) < kEnd))
      reject("holds a number that is out of range");
  }
  return value.get<T>();
}

template <class T>
T fact(const Json& info, const char* first, const char* second = nullptr) {
  try {
    return taken<T>(second ? info.at(first).at(second) : info.at(first));
  } catch (const Json::exception&) {
    reject(fmt::format("does not say its {}", second ? second : first));
  }
}

inline double number_or_unknown(const Json& info, const char* first, const char* second) {
  const Json value = fact<Json>(info, first, second);
  return value.is_number() ? value.get<double>() : kUnknown;
}

inline Matrix as_column(const auto& values) {
  Matrix column(Index(values.size()), 1);
  for (std::size_t i = 0; i < values.size(); ++i) column(Index(i), 0) = double(values[i]);
  return column;
}

}  // namespace ritz::model_access
