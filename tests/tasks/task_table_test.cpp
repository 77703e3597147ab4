// SPDX-License-Identifier: MIT
#include "ritz/tasks/task.hpp"

#include <doctest/doctest.h>

#include <set>

#include "support/errors.hpp"
#include "tasks/center/task.hpp"
#include "tasks/depend/task.hpp"
#include "tasks/isometry/task.hpp"
#include "tasks/kernel/task.hpp"
#include "tasks/recluster/task.hpp"
#include "tasks/reduce/task.hpp"
#include "tasks/unfold/task.hpp"

using namespace ritz;
using namespace ritz::test;

namespace {

// What a row may be given beside its default: every choice, both ends of its range, numbers that print long, words that
// stand for values, and texts that JSON has to escape.
std::vector<std::string> texts_for(const OptionRow& row) {
  std::vector<std::string> texts = {row.standard, "0.1",        "7",    "1e-05", "0.30000000000000004",
                                    "auto",       "0.5*median", "true", "false"};
  if (row.low.empty() && !row.flag && row.choices.empty()) texts.push_back("a \"quoted\", ü\\text");
  texts.insert(texts.end(), row.choices.begin(), row.choices.end());
  if (!row.low.empty()) texts.insert(texts.end(), {row.low, row.high});
  return texts;
}

// A value of a JSON object, as a line of a configuration file has it.
std::string text_of(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

template <class Options>
void check_round_trips(const std::vector<OptionRow>& rows) {
  REQUIRE(field_names<Options>().size() == rows.size());
  for (const OptionRow& row : rows) {
    CAPTURE(row.name);
    int taken = 0;
    for (const std::string& text : texts_for(row)) {
      Options first, again;
      if (complaint([&] {
            set(first, row.name, text);
            check(first);
          }).code)
        continue;  // no value of this row
      ++taken;
      CAPTURE(text);

      const Json json = Json::parse(options_json(first).dump());
      for (const auto& [name, value] : json.items())
        if (!value.is_null()) set(again, name, text_of(value));

      CHECK(text_values(again) == text_values(first));
    }
    CHECK(taken >= (row.flag ? 2 : row.choices.empty() ? 1 : int(row.choices.size())));
  }
}

template <class T>
void check_task(std::set<std::string>& seen) {
  const Task& task = task_named(T::verb);
  CAPTURE(task.verb);
  check_round_trips<typename T::Options>(task.options);
  check_round_trips<typename T::Sizes>(task.sizes);
  seen.insert(task.verb);
}

}  // namespace

TEST_CASE("no task names two of its options, inputs or outputs alike") {
  for (const Task& task : tasks()) {
    CAPTURE(task.verb);
    std::set<std::string> names = {"labels", "label_column", "id_column", "drop_column", "na", "json", "config"};
    const auto is_new = [&](const std::string& name) { return names.insert(name).second; };
    for (const OptionRow& row : task.options) CHECK_MESSAGE(is_new(row.name), row.name);
    for (const InputRow& row : task.inputs) CHECK_MESSAGE(is_new(row.name), row.name);
    for (const OutputRow& row : task.outputs) CHECK_MESSAGE(is_new(row.option), row.option);
  }
}

TEST_CASE("every value of every option survives the way into the struct, through JSON and back") {
  std::set<std::string> seen;
  check_task<reduce::ReduceTask>(seen);
  check_task<recluster::ReclusterTask>(seen);
  check_task<kernel::KernelTask>(seen);
  check_task<unfold::UnfoldTask>(seen);
  check_task<isometry::IsometryTask>(seen);
  check_task<center::CenterTask>(seen);
  check_task<depend::DependTask>(seen);
  CHECK(seen.size() == tasks().size());
}

TEST_CASE("a value outside an option's range is refused in a sentence that names it") {
  for (const Task& task : tasks())
    for (const OptionRow& row : task.options) {
      if (row.low.empty()) continue;
      CAPTURE(task.verb);
      CAPTURE(row.name);
      for (const std::string& text : {std::string("nan"), "-" + row.high + "1", row.high + "1", std::string("many")}) {
        const auto found = complaint([&] { task.check_options({{row.name, text}}); });
        CAPTURE(found.message);
        REQUIRE(found.code.has_value());
        CHECK(*found.code == ErrorCode::bad_option);
        CHECK(found.says("." + row.name));
        CHECK(found.message.find('\n') == std::string::npos);
      }
    }
}
