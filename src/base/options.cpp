// SPDX-License-Identifier: MIT
#include "ritz/base/options.hpp"

#include <algorithm>

namespace ritz {

void append_without(FieldValues& all, const FieldValues& inner, const std::array<std::string_view, 8>& without) {
  std::ranges::copy_if(inner, std::back_inserter(all), [&](const FieldValue& field) {
    return std::ranges::find(without, field.name) == without.end();
  });
}

std::string flag_name(std::string_view field_name) {
  std::string flag(field_name);
  std::ranges::replace(flag, '_', '-');
  return flag;
}

std::vector<std::string> field_names(const FieldValues& fields) {
  std::vector<std::string> names;
  for (const FieldValue& field : fields) names.emplace_back(field.name);
  return names;
}

void check(std::string_view table, const FieldValues& fields) {
  for (const auto& [name, help, form, value, low, high] : fields)
    if (low && !form->within(value, low, high))
      throw Error(ErrorCode::bad_option, std::string(table) + '.' + std::string(name) + " is " + form->print(value) +
                                             "; it must lie in [" + form->print(low) + ", " + form->print(high) + ']');
}

void set(std::string_view table, const FieldValues& fields, std::string_view name, std::string_view text) {
  std::string wanted(name);
  std::ranges::replace(wanted, '-', '_');
  bool found = false;
  for (const FieldValue& field : fields) {
    if (field.name != wanted) continue;
    found = true;
    if (!field.form->parse(trimmed(text), field.value))
      throw Error(ErrorCode::bad_option, std::string(table) + '.' + wanted + ": cannot read '" + std::string(text) +
                                             "'; expected " + field.form->kind());
  }
  if (!found)
    throw Error(ErrorCode::bad_option, std::string(table) + " has no option '" + std::string(name) + "'" +
                                           suggestion(wanted, field_names(fields)));
}

void take_fields(const FieldValues& from, const FieldValues& to) {
  for (const FieldValue& mine : to)
    for (const FieldValue& theirs : from)
      if (mine.name == theirs.name && mine.form == theirs.form) mine.form->assign(theirs.value, mine.value);
}

std::vector<std::pair<std::string, std::string>> text_values(const FieldValues& fields) {
  std::vector<std::pair<std::string, std::string>> values;
  for (const FieldValue& field : fields) values.emplace_back(field.name, field.form->print(field.value));
  return values;
}

std::vector<OptionRow> option_rows(const FieldValues& defaults) {
  std::vector<OptionRow> all;
  for (const auto& [name, help, form, value, low, high] : defaults)
    all.push_back({std::string(name), form->kind(), std::string(help), form->print(value), low ? form->print(low) : "",
                   low ? form->print(high) : "", form->flag, form->choices()});
  return all;
}

}  // namespace ritz
