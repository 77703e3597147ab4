// SPDX-License-Identifier: MIT
// One self-contained HTML page about a result: a question and its answer, a verdict with a light, and sections below
// each other. Nothing here knows a task. A page asks for nothing from outside (its Content-Security-Policy forbids it),
// can be read without script, printed, and used by keyboard; every name on it is escaped. The same input gives the same
// text.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/envelope.hpp"
#include "report/plot/line_plot.hpp"
#include "report/table.hpp"
#include "ritz/data/dataset.hpp"
#include "ritz/graph/graph.hpp"

namespace ritz::page {

enum class Light { good, fair, bad };
struct Verdict {
  Light light = Light::bad;
  std::string word;     // "proven"
  std::string meaning;  // in a sentence or two
};

struct Bar {
  std::string name;
  double value = 0;
  double low = kUnknown, high = kUnknown;  // of an interval around it; NaN: none
};
struct BarGroup {  // drawn to one scale, beside the others of its section
  std::string name;
  std::vector<Bar> bars;
};

struct Histogram {
  std::string x_label;
  double low = 0, high = 1;                        // of the first and last bin
  std::vector<double> counts;                      // at most a few hundred
  std::array<double, 2> band{kUnknown, kUnknown};  // shaded; NaN: none
  double mark = kUnknown;                          // a line at this value, with its name
  std::string mark_name;
};

struct Column {
  std::string name;
  Vector values;  // one a point; what is not finite is not drawn
};
struct Grouping {
  std::string name;
  Labels labels;  // one a point
};
struct Scatter {
  std::string title, note;
  std::vector<Column> columns;            // what may go across, up, or tell the colour; at least one
  std::vector<Grouping> groups;           // what else may tell the colour, with a legend
  std::vector<std::string> names;         // of the points; empty: their numbers
  std::vector<std::array<int, 3>> views;  // column across, column up, colour (group, or groups + column, or −1)
  std::vector<Edge> edges;
  bool equal_scale = false;  // a unit is as long on both axes
};

class Page {
 public:
  std::string kind;  // "ritz reduce"
  std::string question, answer;
  Verdict verdict;
  std::vector<std::pair<std::string, std::string>> figures;  // a few short facts: name and value
  // What the curves of objective and measure over the iterations say of this task; without a title there is none.
  struct Curve {
    std::string title, note, label;
  };
  Curve objective{"How the objective settled", "It should run flat at the end.", "objective"};
  Curve measure{"How far from settled",
                "What the stopping rule looks at, on a logarithmic scale: the fit ends where it falls below the "
                "tolerance.",
                "measure"};

  Page& text(std::string_view title, std::string_view paragraph);
  Page& list(std::string_view title, const std::vector<std::string>& points);  // nothing without points
  // Columns whose entries are numbers stand to the right. Nothing without rows; more than kMostRows are folded away.
  // points: for each row the points of the first scatter section that it is about, which can then be shown there.
  Page& table(std::string_view title, std::string_view note, const TextTable& table,
              const std::vector<std::vector<Index>>& points = {});
  Page& bars(std::string_view title, std::string_view note, const std::vector<BarGroup>& groups);
  Page& lines(std::string_view title, std::string_view note, const LinePlot& plot);
  Page& histogram(std::string_view title, std::string_view note, const Histogram& histogram);
  // Two linked views, where not told otherwise: the first two columns, and the last two. A column of a few numbers
  // stays exact to 1/65,534 of its range.
  Page& scatter(Scatter scatter);
  Page& command(std::string_view title, std::string_view note, std::string_view command);
  std::string html() const;

 private:
  enum class Width { whole, half };  // half: beside another where there is room
  void open(std::string_view title, std::string_view note, Width width = Width::whole);
  std::string body_;
  Json points_ = Json::array();  // of the scatter sections
};

inline constexpr std::size_t kMostRows = 12;

std::string percent(double share);       // "96.7 %"
std::string short_number(double value);  // four digits; "–" where it is not finite

}  // namespace ritz::page
