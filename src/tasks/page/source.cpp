// SPDX-License-Identifier: MIT
#include "tasks/page/source.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/fail.hpp"
#include "report/plot/svg.hpp"
#include "ritz/tasks/task.hpp"

namespace ritz::page {

namespace {

constexpr double kColumnBytes = 1.2e6;  // of all columns of a scatter section together, in base64
constexpr Index kMostAxes = 8, kMostFeatures = 6;

std::string text_of(const Json& value) {
  if (value.is_string()) return value.get<std::string>();
  if (value.is_number_float()) return short_number(value.get<double>());
  if (value.is_boolean()) return value.get<bool>() ? "yes" : "no";
  if (value.is_null()) return "–";
  if (value.is_array()) {
    std::string text;
    for (const Json& each : value) text.append(text.empty() ? "" : ", ").append(text_of(each));
    return text;
  }
  return json_text(value);
}

// Numbers of many digits cut to four; whole numbers as they are.
std::string with_short_numbers(const std::string& text) {
  constexpr std::size_t kLong = 7;
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find_first_not_of("0123456789.", i), text.size());
    const std::string part = text.substr(i, end - i);
    const auto value = part.size() > kLong && part.find('.') != part.npos ? read_double(part) : std::nullopt;
    out += value ? short_number(*value) : end > i ? part : text.substr(i, 1);
    i = std::max(end, i + 1);
  }
  return out;
}

Vector column_of(const Dataset& data, Index j) {
  if (const auto* stored = std::get_if<StoredRows>(&data.samples))
    return stored->with_columns({j}).block({0, data.rows()}).col(0);
  if (!data.sparse()) return data.dense().col(j);
  Vector values(data.rows());
  for (Index i = 0; i < data.rows(); ++i) values[i] = std::get<SparseRows>(data.samples).coeff(i, j);
  return values;
}

// Positive numbers of which the first few would press all others flat.
bool wide(const std::vector<double>& values) {
  if (values.empty()) return false;
  const auto [least, most] = std::ranges::minmax(values);
  return least > 0 && most > 100 * least;
}

void add_convergence(const Json& facts, Page& page) {
  const std::vector<double> steps = numbers(facts, "trace.iteration");
  const auto curve = [&](const char* column, AxisScale scale, const Page::Curve& told) {
    const std::vector<double> values = numbers(facts, std::string("trace.") + column);
    if (told.title.empty() || values.size() != steps.size() || values.size() < 2 ||
        std::ranges::none_of(values, [](double v) { return std::isfinite(v); }))
      return;
    LinePlot plot;
    plot.x_label = "iteration";
    plot.y_label = told.label;
    plot.y_scale = scale;
    LineSeries series{""};
    series.x = steps;
    series.y = values;
    plot.series = {std::move(series)};
    page.lines(told.title, told.note, plot);
  };
  const std::vector<double> objective = numbers(facts, "trace.objective");
  curve("objective", wide(objective) ? AxisScale::log10 : AxisScale::linear, page.objective);
  curve("measure", AxisScale::log10, page.measure);
}

void add_provenance(const Source& from, std::string_view verb, Page& page) {
  const Json& facts = from.facts;
  TextTable options;
  options.columns = {"option", "as used", "as asked for"};
  for (const auto& [name, value] : at(facts, "options").items()) {
    const Json& given = at(facts, "given." + name);
    const bool chosen = !given.is_null() && given != value;
    options.rows.push_back(
        {name, with_short_numbers(text_of(value)), chosen ? with_short_numbers(text_of(given)) : ""});
  }
  page.table("Options", "All of them, as they were used; the last column where the program chose by itself.", options);
  TextTable made;
  made.columns = {"", ""};
  made.rows.push_back({"program", fmt::format("Ritz {}", words(facts, "ritz"))});
  made.rows.push_back({"method", words(facts, "method")});
  for (const auto& [name, value] : at(facts, "used").items())
    if (name != "threads") made.rows.push_back({name, with_short_numbers(text_of(value))});
  for (const auto& [name, value] : at(facts, "data").items())
    if (!value.is_structured())
      made.rows.push_back({name == "n"      ? "samples"
                           : name == "d"    ? "features"
                           : name == "hash" ? "hash of the data"
                                            : fmt::format("data: {}", name),
                           text_of(value)});
  const std::string steps = text_of(at(facts, "iterations"));
  made.rows.push_back({"ended", fmt::format("{} after {} iteration{}: {}", words(facts, "status"), steps,
                                            steps == "1" ? "" : "s", words(facts, "message"))});
  page.table("How it was made", "The same data, options and version give the same numbers, bit for bit.", made);
  if (!from.command.empty())
    page.command("Do it again", "This command repeats the run.", from.command);
  else
    page.text("Do it again",
              fmt::format("ritz {} with the options above, on data with the hash above, repeats the run.", verb));
}

}  // namespace

const Json& at(const Json& facts, std::string_view path) {
  static const Json kNothing;
  const Json* here = &facts;
  while (!path.empty()) {
    const std::size_t dot = std::min(path.find('.'), path.size());
    const std::string key(path.substr(0, dot));
    if (!here->is_object() || !here->contains(key)) return kNothing;
    here = &here->at(key);
    path.remove_prefix(std::min(path.size(), dot + 1));
  }
  return *here;
}

double number(const Json& facts, std::string_view path) {
  const Json& value = at(facts, path);
  return value.is_number() ? value.get<double>() : kUnknown;
}

Index whole(const Json& facts, std::string_view path) {
  const double value = number(facts, path);
  return std::abs(value) < 0x1p53 ? Index(value) : 0;
}

std::string words(const Json& facts, std::string_view path) {
  const Json& value = at(facts, path);
  return value.is_null() ? "" : text_of(value);
}

std::vector<double> numbers(const Json& facts, std::string_view path) {
  std::vector<double> values;
  const Json& list = at(facts, path);
  if (!list.is_array()) return values;
  for (const Json& each : list) values.push_back(each.is_number() ? each.get<double>() : kUnknown);
  return values;
}

bool converged(const Json& facts) { return words(facts, "status") == "converged"; }

Verdict not_converged(const Json& facts) {
  return {
      Light::bad, "Not converged",
      fmt::format("The work ended early ({}). What is shown is the best so far: more iterations, more time or a larger "
                  "tolerance would let it finish.",
                  words(facts, "message"))};
}

Verdict bounded(const Json& facts, double value, double bound, double tolerance, std::string_view what) {
  if (!converged(facts)) return not_converged(facts);
  const double gap = std::abs(value - bound), share = gap / std::max(std::abs(value), 1e-300);
  if (!std::isfinite(gap))
    return {Light::fair, "Settled",
            fmt::format("The search has settled, but there is no bound to compare {} with.", what)};
  if (gap <= std::max(tolerance, 1e-9) * (1 + std::abs(value)) * 1.01)
    return {Light::good, "Proven",
            fmt::format(
                "The optimum lies between {:.6g} and {:.6g}: nothing, found by whatever method, is better than {} by "
                "more than {:.2g} %. Both ends are computed independently.",
                std::min(value, bound), std::max(value, bound), what, 100 * share)};
  return {
      Light::fair, "Bounded",
      fmt::format("The best possible value lies between {:.6g} and {:.6g}. The search has settled at one end; a gap of "
                  "{:.2g} % is left, so that something a little better may exist.",
                  std::min(value, bound), std::max(value, bound), 100 * share)};
}

Scatter placed(const Source& from, const RowMatrix& Z, std::string_view axis, const Vector& weight) {
  Scatter scatter;
  const Index n = Z.rows();
  const Index room = std::max<Index>(2, Index(kColumnBytes / (2.67 * double(std::max<Index>(1, n)))));
  for (Index c = 0; c < std::min({Z.cols(), kMostAxes, room}); ++c)
    scatter.columns.push_back({fmt::format("{} {}", axis, c + 1), Vector(Z.col(c))});
  const int axes = int(scatter.columns.size());
  const Dataset* data = from.data && from.data->rows() == n ? from.data : nullptr;
  if (data) {
    std::vector<Index> order(std::size_t(data->cols()));
    std::iota(order.begin(), order.end(), Index(0));
    if (weight.size() == data->cols())
      std::ranges::stable_sort(order, [&](Index a, Index b) { return weight[a] > weight[b]; });
    for (const Index j : order) {
      if (Index(scatter.columns.size()) >= std::min(room, axes + kMostFeatures)) break;
      scatter.columns.push_back({data->feature_names[std::size_t(j)], column_of(*data, j)});
    }
    scatter.names = data->ids;
    if (data->labels.size() == n) scatter.groups.push_back({"class", data->labels});
  }
  for (const Grouping& group : from.groups)
    if (group.labels.size() == n) scatter.groups.push_back(group);
  const int features = int(scatter.columns.size()) - axes, colour = 0;  // the first group, or column
  for (const Column& column : from.columns)
    if (column.values.size() == n) scatter.columns.push_back(column);
  if (axes == 0) return scatter;
  const auto found = std::ranges::find(scatter.groups, "found cluster", &Grouping::name);
  const int up = axes > 1 ? 1 : features > 0 ? axes : 0;
  scatter.views = {{0, up, found == scatter.groups.end() ? colour : int(found - scatter.groups.begin())}};
  if (features > 1)
    scatter.views.push_back({axes, axes + 1, colour});
  else if (axes > 2)
    scatter.views.push_back({0, 2, colour});
  else
    scatter.views.push_back({0, up, scatter.groups.size() > 1 ? 1 : int(scatter.groups.size())});
  return scatter;
}

bool same_samples(const Source& from) { return !from.data || words(from.facts, "data.hash") == data_hash(*from.data); }

std::string sample_name(const Source& from, Index i) {
  const bool named = from.data && i >= 0 && i < Index(from.data->ids.size());
  return named ? from.data->ids[std::size_t(i)] : fmt::format("sample {}", i);
}

PairTable::PairTable(const Source& source, const std::vector<std::string>& more)
    : from(source), same(same_samples(source)) {
  table.columns = {"sample", "and"};
  table.columns.insert(table.columns.end(), more.begin(), more.end());
}

void PairTable::add(Index i, Index j, const std::vector<std::string>& more) {
  const auto name = [&](Index k) { return same ? sample_name(from, k) : fmt::format("sample {}", k); };
  std::vector<std::string>& row = table.rows.emplace_back(std::vector<std::string>{name(i), name(j)});
  row.insert(row.end(), more.begin(), more.end());
  if (same) points.push_back({i, j});
}

TextTable table_of(const Json& rows, const std::vector<std::pair<std::string, std::string>>& columns) {
  TextTable table;
  for (const auto& [key, name] : columns) table.columns.push_back(name);
  if (!rows.is_array()) return table;
  for (const Json& row : rows) {
    std::vector<std::string>& cells = table.rows.emplace_back();
    for (const auto& [key, name] : columns) cells.push_back(text_of(at(row, key)));
  }
  return table;
}

std::string joined(const std::vector<std::string>& names, std::size_t most) {
  std::string text;
  const std::size_t shown = names.size() <= most ? names.size() : most - 1;
  for (std::size_t i = 0; i < shown; ++i) text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  if (shown < names.size()) text += fmt::format(" and {} more", names.size() - shown);
  return text;
}

std::string written(std::string_view verb, std::string_view summary, const Source& from, const Tell& tell,
                    const RunContext& context) {
  Page page;
  page.kind = fmt::format("ritz {}", verb);
  page.question = summary;
  page.answer = words(from.facts, "message");
  page.verdict =
      converged(from.facts) ? Verdict{Light::fair, "Settled", "The search has settled."} : not_converged(from.facts);
  try {
    if (tell) tell(from, page, context);
    add_convergence(from.facts, page);
    std::vector<std::string> notes;
    for (const Json& each : at(from.facts, "notes"))
      notes.push_back(in_words_of(text_of(each), [](const std::string& name) { return "--" + flag_name(name); }));
    page.list("Worth knowing", notes);
    add_provenance(from, verb, page);
  } catch (const Json::exception&) {
    fail(ErrorCode::bad_file, "the model's description is not one that this version wrote");
  }
  return page.html();
}

}  // namespace ritz::page
