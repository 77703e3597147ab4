// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>

#include <set>

#include "ritz/tasks/task.hpp"

using namespace ritz;

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
