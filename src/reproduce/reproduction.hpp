// SPDX-License-Identifier: MIT
// The papers whose tables and figures are measured again, a row each (`ritz reproduce` and its help read the table),
// and what the measurements share.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/stopwatch.hpp"
#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "reproduce/data_folder.hpp"
#include "ritz/base/random.hpp"
#include "tasks/row.hpp"

namespace ritz::reproduce {

struct Figure {
  std::string name;  // "figure1b": for the file's name, where there are several
  std::string svg;
};

struct Reproduction {
  std::deque<TextTable> tables;  // each stays where it is when others are added
  std::vector<Figure> figures;
  Json rows = Json::array();  // one object a measured cell, with the paper's
  std::string ended;          // why it is incomplete; empty: it is not
};

using Tell = std::function<void(const std::string&)>;  // called with a line before every measurement

// The same measurement several times.
struct Spread {
  std::vector<double> values;
  void add(double value) { values.push_back(value); }
  double mean() const;       // NaN without values
  double deviation() const;  // of the population; NaN without values
  // "mean ± deviation", the mean in the format of one number; no deviation of a single value, "-" without values.
  std::string text(std::string_view number) const;
  std::string percent() const;  // of shares: "97.4 ± 0.2"
};

// A context that ends after `seconds`, or when the whole run does.
RunContext limited(const RunContext& context, double seconds);

bool contains(const std::vector<std::string>& list, std::string_view name);

// The known names that a list stands for: "all" for all of them, the part of a name before or after a '-' for all that
// have it. Throws bad_option naming the option.
std::vector<std::string> expanded(const std::vector<std::string>& asked, std::span<const std::string_view> known,
                                  std::string_view option);

// One measurement of a paper.
template <class Options>
struct Run {
  const Options& options;
  RunContext& context;
  const Tell& told;
  Reproduction found{};

  bool asked(std::string_view part) const { return contains(options.parts, part); }
  template <class... Args>
  void tell(fmt::format_string<Args...> line, Args&&... args) const {
    told(fmt::format(line, std::forward<Args>(args)...));
  }
  TextTable& table(std::string title, std::vector<std::string> columns, std::vector<std::string> notes = {}) {
    return found.tables.emplace_back(TextTable{std::move(title), std::move(columns), {}, std::move(notes)});
  }
  void keep(Json row) { found.rows.push_back(std::move(row)); }
  void draw(std::string name, const LinePlot& plot) { found.figures.push_back({std::move(name), line_svg(plot)}); }
  std::string over_budget() const { return fmt::format("> {}", seconds_text(options.budget)); }  // "> 60 s"
  // work(context of the budget); nothing where the budget ended before there was a result.
  template <class Work>
  auto within_budget(Work&& work) -> std::optional<std::invoke_result_t<Work, RunContext&>> {
    RunContext inner = limited(context, options.budget);
    try {
      auto result = work(inner);
      context.poll();
      return result;
    } catch (const Interrupted&) {
      context.poll();  // of the whole run
      return std::nullopt;
    }
  }
};

struct Paper {
  std::string name, title;  // "gmeb", and what is measured
  std::string pictures;     // what the pictures show
  std::vector<OptionRow> options;
  // Options by name and text, put into the form that the measurement wants; throws bad_option.
  std::function<void(const std::map<std::string, std::string>& texts)> check_options;
  std::function<Json(const std::map<std::string, std::string>& texts)> options_json;
  // Ctrl-C: what is finished so far.
  std::function<Reproduction(const std::map<std::string, std::string>& texts, RunContext& context, const Tell& tell)>
      run;
};
const std::vector<Paper>& papers();

// From a paper's own options and measurement to its row; `settled` spells out every name of the options. Tables without
// a row are left out.
template <class R, class Options>
Paper paper(std::string name, std::string title, std::string pictures, Options (*settled)(Options),
            void (*measure)(R&)) {
  using Texts = std::map<std::string, std::string>;
  return {std::move(name),
          std::move(title),
          std::move(pictures),
          option_rows<Options>(),
          [](const Texts& texts) { options_from<Options>(texts); },
          [](const Texts& texts) { return ritz::options_json(options_from<Options>(texts)); },
          [settled, measure](const Texts& texts, RunContext& context, const Tell& tell) {
            const Options options = settled(options_from<Options>(texts));
            R run{{options, context, tell}};
            try {
              measure(run);
            } catch (const Interrupted& interrupted) {
              run.found.ended = interrupted.text();
            }
            std::erase_if(run.found.tables, [](const TextTable& table) { return table.rows.empty(); });
            return std::move(run.found);
          }};
}

}  // namespace ritz::reproduce
