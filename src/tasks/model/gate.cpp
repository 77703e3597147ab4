// SPDX-License-Identifier: MIT
#include "tasks/model/gate.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "tasks/model/access.hpp"

namespace ritz {

using namespace model_access;

namespace {

// The sizes that arrays share, by name: the first array that names one sets it.
class Sizes {
 public:
  void require(const std::string& array, const char* what, const std::string& form, Index found) {
    Index number = 0;
    const auto [end, error] = std::from_chars(form.data(), form.data() + form.size(), number);
    if (error == std::errc() && end == form.data() + form.size()) {
      if (found != number) reject(fmt::format("has an array '{}' of {} {}, not {}", array, found, what, number));
      return;
    }
    const bool one_more = form.ends_with("+1");
    const std::string name = one_more ? form.substr(0, form.size() - 2) : form;
    const Index size = found - (one_more ? 1 : 0);
    const auto [known, fresh] = known_.try_emplace(name, size);
    if (size < 0 || known->second != size)
      reject(fmt::format("has arrays that do not fit together: '{}' has {} {}, expected {}", array, found, what,
                         known->second + (one_more ? 1 : 0)));
  }
  bool knows(const std::string& name) const { return known_.contains(name); }
  Index at(const std::string& name) const {
    const auto found = known_.find(name);
    return found == known_.end() ? 0 : found->second;
  }

 private:
  std::map<std::string, Index> known_;
};

bool allowed(double value, const ArrayForm& form) {
  switch (form.entries) {
    case Entries::any:
      return true;
    case Entries::numbers:  // samples of 1e150, and their means, among them
      return std::isfinite(value * value);
    case Entries::not_negative:
      return value >= 0 && std::isfinite(value);
    case Entries::places:
      return value >= 0 && value < 0x1p53 && value == std::floor(value);
  }
  return false;
}

void require_entries(const ArrayForm& form, const Matrix& array, Index below) {
  const Index columns = form.columns < 0 ? array.cols() : form.columns;
  for (Index c = 0; c < array.cols(); ++c)
    for (Index i = 0; i < array.rows(); ++i) {
      const double value = array(i, c);
      const bool fine = c < columns ? allowed(value, form) && (form.below.empty() || value < double(below))
                                    : std::abs(value) <= kLargestEntry;
      if (!fine)
        reject(fmt::format("holds a number that is out of range: row {}, column {} of '{}' is {}", i + 1, c + 1,
                           form.name, number_text(value)));
    }
}

const Json* found_fact(const Json& info, const std::string& path) {
  const Json* at = &info;
  for (std::size_t from = 0; from <= path.size();) {
    const std::size_t dot = std::min(path.find('.', from), path.size());
    const std::string key = path.substr(from, dot - from);
    if (!at->is_object() || !at->contains(key)) return nullptr;
    at = &at->at(key);
    from = dot + 1;
  }
  return at;
}

bool fits(const Json& value, const FactForm& form) {
  switch (form.kind) {
    case FactKind::text:
      return value.is_string();
    case FactKind::flag:
      return value.is_boolean();
    case FactKind::texts:
      return value.is_array() && std::ranges::all_of(value, [](const Json& each) { return each.is_string(); });
    case FactKind::number_or_none:
      if (value.is_null()) return true;
      [[fallthrough]];
    case FactKind::number:
      return value.is_number() && value.get<double>() >= form.low && value.get<double>() <= form.high;
    case FactKind::whole:
      return value.is_number_integer() && value.get<double>() >= form.low && value.get<double>() <= form.high;
  }
  return false;
}

}  // namespace

void require_form(const ModelFile& model, const ModelForm& form) {
  for (const std::vector<std::string>& names : form.one_of) {
    const auto there = std::ranges::count_if(names, [&](const std::string& n) { return model.arrays.contains(n); });
    if (there > 1) reject(fmt::format("has both '{}' and '{}'", names[0], names[1]));
  }
  Sizes sizes;
  for (const ArrayForm& each : form.arrays) {
    const auto found = model.arrays.find(each.name);
    const bool wanted = each.with.empty() ? each.required : model.arrays.contains(each.with);
    if (found == model.arrays.end()) {
      if (wanted) reject(fmt::format("has no array '{}'; its method is '{}'", each.name, model.method));
      continue;
    }
    sizes.require(each.name, "rows", each.rows, found->second.rows());
    sizes.require(each.name, "columns", each.cols, found->second.cols());
  }
  for (const char* size : {"n", "d", "q", "k"})
    if (sizes.knows(size) && sizes.at(size) == 0) reject("has arrays without entries");
  for (const ArrayForm& each : form.arrays)
    if (const auto found = model.arrays.find(each.name); found != model.arrays.end())
      require_entries(each, found->second, sizes.at(each.below));
  for (const auto& [name, array] : model.arrays)
    if (std::ranges::find(form.arrays, name, &ArrayForm::name) == form.arrays.end())
      reject(fmt::format("has an array '{}' that is no part of '{}' models", name, model.method));
  if (form.facts.empty()) return;
  const Json info = info_of(model);
  for (const FactForm& each : form.facts) {
    const Json* value = found_fact(info, each.path);
    if (!value && !each.required) continue;
    const std::string name = each.path.substr(each.path.rfind('.') + 1);
    if (!value) reject(fmt::format("does not say its {}", name));
    if (!fits(*value, each)) reject(fmt::format("says of its {} what cannot be", name));
  }
}

void append_samples_form(ModelForm& form, bool required) {
  std::vector<ArrayForm> samples = {{"mean", "d", "1"},
                                    {"factor", "d", "1", Entries::not_negative},
                                    {.name = "X", .rows = "n", .cols = "d", .required = false},
                                    {.name = "X_values", .rows = "entries", .cols = "1", .required = false},
                                    {"X_starts", "n+1", "1", Entries::places},
                                    {"X_columns", "entries", "1", Entries::places, "d"}};
  samples[0].required = samples[1].required = required;
  samples[1].with = required ? "" : "mean";
  samples[4].with = samples[5].with = "X_values";
  for (ArrayForm& each : samples) form.arrays.push_back(std::move(each));
  form.one_of.push_back({"X", "X_values"});
}

void require_finite(const RowMatrix& rows, const std::string& source) {
  for (Index i = 0; i < rows.rows(); ++i)
    if (!rows.row(i).allFinite())
      throw Error(
          ErrorCode::not_finite,
          fmt::format("{}: row {} has no finite place in the model's space: its values are too large", source, i + 1));
}

}  // namespace ritz
