// SPDX-License-Identifier: MIT
// `ritz list`: what the tables of the library hold.

#include <iostream>

#include "cli/session.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/model/kernel_sum.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cli {

namespace {

Json row_json(const OptionRow& row) {
  Json json = {{"name", row.name}, {"kind", row.kind}, {"help", row.help}, {"default", row.standard}};
  if (!row.low.empty()) json["low"] = row.low, json["high"] = row.high;
  json["flag"] = row.flag;
  json["choices"] = row.choices;
  return json;
}

template <class Row, class Make>
Json rows_json(const std::vector<Row>& rows, const Make& make) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back(make(row));
  return all;
}

std::string_view form_name(FileForm form) {
  constexpr std::array<std::string_view, 6> kNames = {"matrix", "labels", "text", "picture", "model", "json"};
  return kNames[std::size_t(form)];
}

Json task_json(const Task& task) {
  const DataRow& data = task.data;
  return {{"verb", task.verb},
          {"method", task.method},
          {"summary", task.summary},
          {"data",
           {{"name", data.name},
            {"help", data.help},
            {"required", data.required},
            {"several", data.several},
            {"table", data.table},
            {"labels", data.labels},
            {"ids", data.ids}}},
          {"inputs", rows_json(task.inputs,
                               [](const InputRow& row) -> Json {
                                 return {{"name", row.name},
                                         {"help", row.help},
                                         {"value_name", row.value_name},
                                         {"required", row.required},
                                         {"repeated", row.repeated}};
                               })},
          {"options", rows_json(task.options, row_json)},
          {"sizes", rows_json(task.sizes, row_json)},
          {"outputs",
           rows_json(
               task.outputs,
               [](const OutputRow& row) -> Json {
                 return {{"kind", row.kind}, {"option", row.option}, {"help", row.help}, {"form", form_name(row.form)}};
               })},
          {"transform", bool(task.transform)},
          {"predict", bool(task.predict)}};
}

Json kernels_json() {
  return rows_json(listed_kernels(), [](const ListedKernel& kernel) -> Json {
    return {{"text", kernel.text}, {"parameters", rows_json(kernel.parameters, row_json)}};
  });
}

// A list: its name, its facts, and how they are told.
struct List {
  std::string name;
  Json (*facts)();
  std::string (*line)(const Json& row);
};

std::string text_of(const Json& row, const char* key) { return row[key].get<std::string>(); }

std::string rows_text(const Json& rows) {
  std::string text;
  for (const Json& row : rows) text += fmt::format("    {:<18} {}\n", text_of(row, "name"), text_of(row, "help"));
  return text;
}

const std::vector<List>& lists() {
  static const std::vector<List> all = {
      {"tasks", [] { return rows_json(tasks(), task_json); },
       [](const Json& row) { return fmt::format("{:<14} {}\n", text_of(row, "verb"), text_of(row, "summary")); }},
      {"options", [] { return rows_json(tasks(), task_json); },
       [](const Json& row) { return text_of(row, "verb") + '\n' + rows_text(row["options"]); }},
      {"kernels", kernels_json,
       [](const Json& row) { return text_of(row, "text") + '\n' + rows_text(row["parameters"]); }},
      {"sets",
       [] {
         return rows_json(synthetic_sets(), [](const SyntheticSet& set) -> Json {
           return {{"name", set.name}, {"description", set.description}};
         });
       },
       [](const Json& row) { return fmt::format("{:<14} {}\n", text_of(row, "name"), text_of(row, "description")); }},
      {"formats",
       [] {
         return rows_json(formats(), [](const FormatFacts& format) -> Json {
           return {{"name", format.name},
                   {"endings", format.endings},
                   {"writes_samples", format.writes_samples},
                   {"writes_labels", format.writes_labels},
                   {"help", format.help}};
         });
       },
       [](const Json& row) {
         const std::string endings = fmt::format("{}", fmt::join(row["endings"].get<std::vector<std::string>>(), " "));
         return fmt::format("{:<13} {:<23} {:<12} {}\n", text_of(row, "name"), endings,
                            row["writes_samples"].get<bool>() ? "read, write" : "read", text_of(row, "help"));
       }},
      {"backends",
       [] {
         Json rows = Json::array();
         for (const Backend* backend : backends())
           rows.push_back({{"name", backend->name()},
                           {"available", backend->available()},
                           {"description", backend->description()}});
         return rows;
       },
       [](const Json& row) {
         return fmt::format("{:<8} {:<13} {}\n", text_of(row, "name"),
                            row["available"].get<bool>() ? "available" : "not available", text_of(row, "description"));
       }}};
  return all;
}

ExitStatus work_list(const std::string& what, const std::string& json) {
  std::vector<std::string> known;
  for (const List& list : lists()) {
    known.push_back(list.name);
    if (list.name != what) continue;
    const Json facts = list.facts();
    if (json.empty())
      for (const Json& row : facts) std::cout << list.line(row);
    if (json.empty() && what == "kernels")
      std::cout << "sums: 0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)\n";
    print_json(json, facts);
    return ExitStatus::fine;
  }
  throw Error(ErrorCode::bad_option, "there is no list '" + what + "'" + suggestion(what, known));
}

}  // namespace

Verb add_list(CLI::App& root) {
  auto what = std::make_shared<std::string>(), json = std::make_shared<std::string>();
  std::string names;
  for (const List& list : lists()) names += (names.empty() ? "" : ", ") + list.name;
  CLI::App& app = *root.add_subcommand("list", "List " + names);
  app.add_option("WHAT", *what, names)->required();
  add_output(app, "--json", *json, "print it as JSON; --json=FILE writes it to a file")->type_name("[=FILE]");
  return [what, json] { return work_list(*what, *json); };
}

}  // namespace ritz::cli
