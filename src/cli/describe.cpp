// SPDX-License-Identifier: MIT
// ritz describe FILE: what is in a table, and what could be done with it.
#include "ritz/data/io.hpp"

#include <chrono>

#include "cli/session.hpp"
#include "data/field_values.hpp"
#include "data/source_names.hpp"
#include "tasks/loadings.hpp"

namespace ritz::cli {

namespace {

struct DescribeFlags {
  RunOptions run;
  DataSource source;
  std::string json;
};

constexpr Index kMostClasses = 30;

std::string lower_case(std::string text) {
  for (char& c : text) c = char(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

bool is_called(const ColumnFacts& facts, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, lower_case(facts.column.name)) != names.end();
}

bool is_text(const ColumnFacts& facts) {
  return facts.column.kind == ColumnKind::category || facts.column.kind == ColumnKind::flag;
}

// The column that most likely is what the others are to tell apart: by its name, else the last one if it has classes.
const ColumnFacts* likely_label(const TableFacts& table) {
  const auto fits = [&](const ColumnFacts& each) {
    return each.distinct > 1 && each.distinct <= kMostClasses && 2 * each.distinct <= table.rows &&
           (is_text(each) || each.low == std::floor(each.low));
  };
  for (const ColumnFacts& each : table.columns)
    if (fits(each) && each.why.empty() && each.column.kind != ColumnKind::id &&
        is_called(each, {"class", "label", "labels", "target", "species", "type", "category", "diagnosis", "outcome",
                         "y", "group", "survived"}))
      return &each;
  if (table.columns.empty()) return nullptr;
  const ColumnFacts& last = table.columns.back();
  return is_text(last) && fits(last) && last.why.empty() ? &last : nullptr;
}

const ColumnFacts* likely_target(const TableFacts& table) {
  for (const ColumnFacts& each : table.columns)
    if (each.column.kind == ColumnKind::number && each.distinct > kMostClasses &&
        is_called(each, {"target", "y", "price", "value", "medv", "outcome", "response", "score"}))
      return &each;
  return nullptr;
}

// A column as an option names it: by its number where its name holds a comma or is not its alone, and all are there.
std::string word_of(const TableFacts& table, const ReadOptions& read, const ColumnFacts& facts) {
  const std::string& name = facts.column.name;
  const auto same = [&](const ColumnFacts& each) { return each.column.name == name; };
  const bool plain = name.find(',') == name.npos && std::ranges::count_if(table.columns, same) == 1;
  if (plain || !read.columns.empty() || !read.drop_columns.empty()) return name;
  return std::to_string(&facts - table.columns.data() + 1);
}

// The options that every command needs; `known` is what a command without labels must not see as a feature.
std::string reading_options(const TableFacts& table, const ReadOptions& read, const ColumnFacts* known) {
  std::string rest;
  std::vector<std::string> out = read.drop_columns;
  bool gaps = false;
  for (const ColumnFacts& each : table.columns) {
    const bool gone = !each.why.empty() || (each.missing == table.rows && each.column.kind != ColumnKind::id);
    if (gone || &each == known) out.push_back(word_of(table, read, each));
    gaps |= !gone && &each != known && each.missing > 0 && each.column.kind != ColumnKind::id;
  }
  if (!out.empty()) rest += fmt::format(" --drop-column {}", shell_word(fmt::format("{}", fmt::join(out, ","))));
  for (const std::string& kind : read.kinds) rest += fmt::format(" --kind {}", shell_word(kind));
  if (!read.columns.empty())
    rest += fmt::format(" --columns {}", shell_word(fmt::format("{}", fmt::join(read.columns, ","))));
  if (gaps) rest += " --na median";
  return rest;
}

// Whether samples differ in anything but what is known of them.
bool has_features(const TableFacts& table, const ColumnFacts* known) {
  return std::ranges::any_of(table.columns, [&](const ColumnFacts& each) {
    return &each != known && each.why.empty() && each.column.kind != ColumnKind::id && each.distinct > 1;
  });
}

std::vector<std::string> suggestions(const TableFacts& table, const std::string& path, const ReadOptions& read) {
  constexpr Index kFewest = 4, kFewestOfClusters = 6;
  const Index n = table.rows;
  const ColumnFacts* label = likely_label(table);
  const ColumnFacts* target = label ? nullptr : likely_target(table);
  const ColumnFacts* known = label ? label : target;
  if (!has_features(table, known)) return {};
  std::vector<std::string> all;
  const std::string file = shell_word(path), rest = reading_options(table, read, nullptr);
  if (known && n >= kFewest) {
    const std::string column = shell_word(word_of(table, read, *known)), option = label ? "label" : "target";
    all.push_back(fmt::format("ritz reduce {} --{}-column {}{} --plot map.svg", file, option, column, rest));
    all.push_back(fmt::format("ritz depend {} --{}-column {}{}", file, option, column, rest));
    if (label) all.push_back(fmt::format("ritz recluster {} --given {} --clusters 2{}", file, column, rest));
  }
  if (n >= kFewestOfClusters)
    all.push_back(
        fmt::format("ritz reduce {} --clusters 2{} --plot map.svg", file, reading_options(table, read, known)));
  return all;
}

std::string time_text(double days) {
  const auto minutes = (long long)(std::floor(1440 * days + 1e-6));
  return fmt::format("{:02}:{:02}", minutes / 60, minutes % 60);
}

std::string date_text(double days) {
  const std::chrono::year_month_day date{std::chrono::sys_days(std::chrono::days((long long)(std::floor(days))))};
  return fmt::format("{:04}-{:02}-{:02}", int(date.year()), unsigned(date.month()), unsigned(date.day()));
}

// Texts may hold the ends of lines, and whole sentences.
std::string one_line(const std::string& text) {
  constexpr std::size_t kMost = 24;
  std::string line = excerpt(text, kMost);
  line = line.substr(1, line.size() - 2);  // its quotes
  return line;
}

std::string counts_text(const ColumnFacts& facts) {
  constexpr std::size_t kMost = 4;
  std::vector<std::string> shown;
  for (const auto& [text, count] : facts.counts)
    if (shown.size() < kMost) shown.push_back(fmt::format("{} {}", one_line(text), count));
  return fmt::format("{}{}", fmt::join(shown, ", "),
                     facts.counts.size() > kMost ? fmt::format(", … ({} in all)", facts.counts.size()) : "");
}

bool is_duration(const ColumnFacts& facts) {
  return std::ranges::any_of(facts.counts,
                             [](const auto& each) { return detail::duration_value(each.first).has_value(); });
}

std::string values_text(const ColumnFacts& facts, Index rows, std::size_t width) {
  if (!facts.why.empty()) return fmt::format("OF NO USE: {}", facts.why);
  if (facts.distinct == 0) return "no values at all";
  const std::string constant = facts.constant() ? "constant: " : "";
  if (facts.column.kind == ColumnKind::id)
    return facts.distinct + facts.missing < rows ? "codes that begin with zeros: left out"
           : facts.counts.empty()
               ? "names or counts the rows: left out"
               : fmt::format("names the rows ({}, …): left out", one_line(facts.counts.front().first));
  const bool date = facts.column.kind == ColumnKind::date, duration = date && is_duration(facts);
  const bool clock = date && facts.counts.front().first.find(':') != std::string::npos;
  if (date && facts.low >= 0 && facts.high <= 1 && (clock || !duration))
    return fmt::format("{}from {} to {}", constant, time_text(facts.low), time_text(facts.high));
  if (duration) return fmt::format("{}from {:.4g} to {:.4g} days", constant, facts.low, facts.high);
  if (facts.column.kind == ColumnKind::date)
    return fmt::format("{}from {} to {}", constant, date_text(facts.low), date_text(facts.high));
  if (!facts.counts.empty() && facts.column.kind != ColumnKind::number) return constant + counts_text(facts);
  if (facts.constant()) return fmt::format("constant: {:.4g}", facts.low);
  const std::string unit = facts.column.form.empty() ? "" : fmt::format(" (in '{}')", facts.column.form);
  const std::string range = fmt::format("from {:.4g} to {:.4g}", facts.low, facts.high);
  const std::string mean = fmt::format("{}, mean {:.4g}", range, facts.mean);
  for (const std::string& text : {fmt::format("{}, {} different{}", mean, facts.distinct, unit), mean + unit})
    if (text_width(text) <= width) return text;
  return range + unit;
}

std::string balance_text(const ColumnFacts& label, Index rows) {
  Index most = 0, least = rows;
  for (const auto& [text, count] : label.counts) most = std::max(most, count), least = std::min(least, count);
  return label.counts.empty() ? fmt::format("'{}': {} of them", label.column.name, label.distinct)
         : least == most
             ? fmt::format("'{}': {} of them, {} each", label.column.name, label.distinct, counted(most, "row"))
             : fmt::format("'{}': {} of them, {} to {} rows each", label.column.name, label.distinct, least, most);
}

// Columns that a screen has room for, those of no use among them; all of them on request.
TextTable columns_of(const TableFacts& table, std::size_t room) {
  constexpr std::size_t kLeast = 50, kMostWidth = 80, kName = 24, kBeside = 23;  // blanks, "category" and "missing"
  const std::size_t kWidth = std::clamp(terminal_width(), kLeast, kMostWidth);
  std::size_t name = text_width("column"), left = 0;
  for (const ColumnFacts& each : table.columns) {
    name = std::max(name, std::min(kName, text_width(each.column.name)));
    left += each.why.empty() ? 0 : 1;
  }
  TextTable columns{.columns = {"column", "kind", "missing", "values"}};
  const bool whole = table.columns.size() <= room;
  for (const ColumnFacts& each : table.columns) {
    left -= each.why.empty() ? 0 : 1;
    if (!whole && columns.rows.size() + (each.why.empty() ? left + 1 : 1) > room) continue;
    const std::size_t width = kWidth - kBeside - name;
    columns.rows.push_back({shortened(each.column.name, kName), std::string(to_string(each.column.kind)),
                            std::to_string(each.missing), shortened(values_text(each, table.rows, width), width)});
  }
  if (!whole)
    columns.notes.push_back(
        fmt::format("{} further columns: run.verbose shows all", table.columns.size() - columns.rows.size()));
  return columns;
}

std::string text_of(const TableFacts& table, const std::vector<std::string>& commands, bool all) {
  Lines lines;
  if (table.sparse) {
    lines.raw("{}: {} rows, {} columns, sparse\n", table.source, table.rows, table.sparse_columns);
    return lines.notes(table.notes).text();
  }
  Lines rest;
  if (const ColumnFacts* label = likely_label(table)) rest.add("classes", balance_text(*label, table.rows));
  if (table.incomplete > 0) rest.add("missing", "{} of {} rows lack a value", table.incomplete, table.rows);
  if (table.duplicates > 0)
    rest.add("duplicates", "{} the same as an earlier one",
             table.duplicates == 1 ? "1 row is" : fmt::format("{} rows are", table.duplicates));
  rest.notes(table.notes);
  for (const std::string& command : commands) rest.add(&command == &commands.front() ? "try" : "", command);
  constexpr Index kScreen = 24, kHead = 4;  // the heading, two lines of the table, one below it
  const Index room = kScreen - kHead - std::ranges::count(rest.text(), '\n');
  lines.raw("{}: {}, {}\n", table.source, counted(table.rows, "row"), counted(Index(table.columns.size()), "column"));
  lines.raw(table_text(columns_of(table, all ? table.columns.size() : std::size_t(std::max<Index>(room, 1)))));
  return lines.raw(rest.text()).text();
}

Json json_of(const TableFacts& table, const std::vector<std::string>& commands) {
  Json json = head_json("describe", "table");
  json["notes"] = table.notes;
  json["data"] = {{"n", table.rows},
                  {"d", table.sparse ? table.sparse_columns : Index(table.columns.size())},
                  {"sparse", table.sparse},
                  {"incomplete_rows", table.incomplete},
                  {"duplicate_rows", table.duplicates}};
  Json columns = Json::array();
  for (const ColumnFacts& each : table.columns) {
    Json one = {{"name", each.column.name},
                {"kind", to_string(each.column.kind)},
                {"missing", each.missing},
                {"distinct", each.distinct},
                {"constant", each.constant()}};
    if (!each.why.empty()) one["of_no_use"] = each.why;
    if (std::isfinite(each.low)) one.update({{"low", each.low}, {"high", each.high}, {"mean", each.mean}});
    constexpr std::size_t kMost = 100;
    for (std::size_t k = 0; k < std::min(kMost, each.counts.size()); ++k)
      one["counts"][each.counts[k].first] = each.counts[k].second;
    columns.push_back(std::move(one));
  }
  const ColumnFacts* label = likely_label(table);
  json["result"] = {{"columns", std::move(columns)},
                    {"label", label ? Json(label->column.name) : Json(nullptr)},
                    {"commands", commands}};
  return json;
}

}  // namespace

Verb add_describe(CLI::App& root) {
  auto flags = std::make_shared<DescribeFlags>();
  CLI::App& app =
      *root.add_subcommand("describe", "What a table holds: kinds of columns, gaps, classes, and what to try");
  add_data_flags(app, {.table = false}, flags->source);
  add_column_flags(app, flags->source.read, ColumnFlags::kinds);
  add_run_flags(app, flags->run, flags->json);
  return [flags] {
    require_outputs({{"json", flags->json, FileForm::json}}, flags->source.paths);
    const RunContext context = make_context(flags->run);
    const std::string& path = flags->source.paths.front();
    const TableFacts table = describe_table(path, flags->source.read, context);
    const std::vector<std::string> commands = suggestions(table, path, flags->source.read);
    say(flags->run, in_flags(text_of(table, commands, flags->run.verbose)));
    print_json(flags->json, json_of(table, commands));
    return ExitStatus::fine;
  };
}

}  // namespace ritz::cli
