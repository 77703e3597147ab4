// SPDX-License-Identifier: MIT
#include "report/page/page.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iterator>

#include "base/controls.hpp"
#include "base/sha256.hpp"
#include "report/page/assets.hpp"
#include "report/plot/scatter_plot.hpp"
#include "report/plot/svg.hpp"

namespace ritz::page {

namespace {

using svg::escaped;
constexpr std::uint16_t kMissing = 65535;  // in a column
constexpr Index kStaticPoints = 2500;      // of the picture that stands where there is no script
constexpr std::size_t kNameBytes = 400'000;

template <class T>
std::string base64_of(const std::vector<T>& values) {
  static_assert(std::endian::native == std::endian::little);
  return base64(std::string_view(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)));
}

Json column_json(const Column& column) {
  double low = 0, high = 0;
  bool any = false;
  const auto drawn = [](double value) { return std::abs(value) <= svg::kLargestDrawn; };
  for (const double value : column.values) {
    if (!drawn(value)) continue;
    low = any ? std::min(low, value) : value;
    high = any ? std::max(high, value) : value;
    any = true;
  }
  std::vector<std::uint16_t> steps;
  for (const double value : column.values)
    steps.push_back(!drawn(value) ? kMissing
                    : high > low  ? std::uint16_t(std::lround(65534 * ((value - low) / (high - low))))
                                  : std::uint16_t(32767));
  if (!(high > low)) low -= 0.5, high += 0.5;
  return {{"name", column.name}, {"low", low}, {"high", high}, {"data", base64_of(steps)}};
}

Json group_json(const Grouping& group) {
  const bool wide = group.labels.classes() > 255;
  Json json = {
      {"name", group.name}, {"classes", group.labels.names}, {"counts", group.labels.counts()}, {"wide", wide}};
  if (wide)
    json["data"] = base64_of(std::vector<std::uint16_t>(group.labels.of.begin(), group.labels.of.end()));
  else
    json["data"] = base64_of(std::vector<std::uint8_t>(group.labels.of.begin(), group.labels.of.end()));
  return json;
}

// JSON inside <script>: "</script" and "<!--" must not be in it, what is no UTF-8 is replaced, and controls, which the
// script would put into the page as they are, are left out.
std::string inline_json(const Json& json) {
  std::string text = json_text(json), safe;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const std::size_t control = control_length(std::string_view(text).substr(i));
    if (text[i] == '<')
      safe += "\\u003c";
    else if (control == 0)
      safe += text[i];
    else
      i += control - 1;
  }
  return safe;
}

std::string static_picture(const Scatter& scatter) {
  const Index n = scatter.columns[0].values.size(), step = 1 + (n - 1) / kStaticPoints;
  const auto [x, y, colour] = scatter.views[0];
  ScatterPlot plot;
  plot.points.resize((n + step - 1) / step, x == y ? 1 : 2);
  const bool grouped = colour >= 0 && colour < int(scatter.groups.size());
  for (Index i = 0, r = 0; i < n; i += step, ++r) {
    plot.points(r, 0) = scatter.columns[std::size_t(x)].values[i];
    if (x != y) plot.points(r, 1) = scatter.columns[std::size_t(y)].values[i];
    if (grouped) plot.classes.push_back(scatter.groups[std::size_t(colour)].labels.of[std::size_t(i)]);
  }
  if (grouped) plot.class_names = scatter.groups[std::size_t(colour)].labels.names;
  plot.x_label = scatter.columns[std::size_t(x)].name;
  plot.y_label = scatter.columns[std::size_t(y)].name;
  plot.equal_scale = scatter.equal_scale;
  if (step > 1) plot.subtitle = fmt::format("every {} of {} samples", step, svg::grouped(n));
  return scatter_svg(plot);
}

void default_views(Scatter& scatter) {
  if (!scatter.views.empty()) return;
  const int columns = int(scatter.columns.size()), colour = scatter.groups.empty() ? -1 : 0;
  scatter.views.push_back({0, std::min(1, columns - 1), colour});
  if (columns > 2)
    scatter.views.push_back({columns - 2, columns - 1, colour});
  else
    scatter.views.push_back({0, std::min(1, columns - 1), scatter.groups.size() > 1 ? 1 : int(scatter.groups.size())});
}

// "0.5", "96.7 %", "0.91 ± 0.02", "–"; not "5 nearest neighbours".
bool is_number(const std::string& text) {
  return text == "–" || (text.find_first_not_of("0123456789.,+-e%± ") == std::string::npos &&
                         (text.empty() || text.find_first_of("0123456789") != std::string::npos));
}

// What a picture shows, for those who do not see it.
std::string told(std::string_view title, const LinePlot& plot) {
  std::string text = fmt::format("{}: {} over {}", title, plot.y_label, plot.x_label);
  for (const LineSeries& series : plot.series)
    if (!series.x.empty())
      text += fmt::format("; {}{} points, from {} at {} to {} at {}", series.name.empty() ? "" : series.name + ": ",
                          series.x.size(), short_number(series.y.front()), short_number(series.x.front()),
                          short_number(series.y.back()), short_number(series.x.back()));
  return text;
}

std::string told(std::string_view title, const Histogram& shown) {
  const auto fullest = std::ranges::max_element(shown.counts);
  const double step = (shown.high - shown.low) / double(shown.counts.size()),
               from = shown.low + step * double(fullest - shown.counts.begin());
  std::string text =
      fmt::format("{}: {} from {} to {}, most of them between {} and {}", title, shown.x_label, short_number(shown.low),
                  short_number(shown.high), short_number(from), short_number(from + step));
  if (std::isfinite(shown.band[0]))
    text += fmt::format("; the band is {} to {}", short_number(shown.band[0]), short_number(shown.band[1]));
  if (std::isfinite(shown.mark)) text += fmt::format("; {}: {}", shown.mark_name, short_number(shown.mark));
  return text;
}

constexpr std::string_view light_class(Light light) {
  return std::array<std::string_view, 3>{"good", "fair", "bad"}[std::size_t(light)];
}

}  // namespace

std::string percent(double share) { return std::isfinite(share) ? fmt::format("{:.1f} %", 100 * share) : "–"; }
std::string short_number(double value) { return std::isfinite(value) ? fmt::format("{:.4g}", value) : "–"; }

void Page::open(std::string_view title, std::string_view note, Width width) {
  body_ += fmt::format("<section{}>\n<h2>{}</h2>\n", width == Width::half ? " class=\"half\"" : "", escaped(title));
  if (!note.empty()) body_ += fmt::format("<p>{}</p>\n", escaped(note));
}

Page& Page::text(std::string_view title, std::string_view paragraph) {
  open(title, paragraph);
  body_ += "</section>\n";
  return *this;
}

Page& Page::list(std::string_view title, const std::vector<std::string>& points) {
  if (points.empty()) return *this;
  open(title, "");
  body_ += "<ul>\n";
  for (const std::string& each : points) body_ += fmt::format("<li>{}</li>\n", escaped(each));
  body_ += "</ul>\n</section>\n";
  return *this;
}

Page& Page::table(std::string_view title, std::string_view note, const TextTable& table,
                  const std::vector<std::vector<Index>>& points) {
  if (table.rows.empty()) return *this;
  const auto numeric = [&](std::size_t column) {
    return std::ranges::all_of(table.rows,
                               [&](const auto& row) { return column >= row.size() || is_number(row[column]); });
  };
  std::string head, rows, more;
  std::vector<std::string_view> side;
  for (std::size_t c = 0; c < table.columns.size(); ++c) {
    side.push_back(numeric(c) ? " class=\"number\"" : "");
    head += fmt::format("<th scope=\"col\"{}>{}</th>", side[c], escaped(table.columns[c]));
  }
  for (std::size_t r = 0; r < table.rows.size(); ++r) {
    std::string& out = r < kMostRows ? rows : more;
    out += r < points.size() ? fmt::format("<tr data-points=\"{}\">", fmt::join(points[r], " ")) : "<tr>";
    for (std::size_t c = 0; c < table.columns.size(); ++c)
      out += fmt::format("<td{}>{}</td>", side[c], c < table.rows[r].size() ? escaped(table.rows[r][c]) : "");
    out += "</tr>\n";
  }
  const auto whole = [&](const std::string& body) {
    return fmt::format("<div class=\"wide\"><table><thead><tr>{}</tr></thead>\n<tbody>\n{}</tbody></table></div>\n",
                       head, body);
  };
  open(title, note, table.columns.size() > 4 ? Width::whole : Width::half);
  body_ += whole(rows);
  if (!more.empty())
    body_ +=
        fmt::format("<details><summary>{} more</summary>\n{}</details>\n", table.rows.size() - kMostRows, whole(more));
  for (const std::string& each : table.notes) body_ += fmt::format("<p>{}</p>\n", escaped(each));
  body_ += "</section>\n";
  return *this;
}

Page& Page::bars(std::string_view title, std::string_view note, const std::vector<BarGroup>& groups) {
  double low = 0, high = 0;
  bool any = false;
  for (const BarGroup& group : groups)
    for (const Bar& bar : group.bars)
      for (const double value : {bar.value, bar.low, bar.high})
        if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value), any = true;
  if (!any) return *this;
  const auto at = [&](double value) { return high > low ? 100 * (value - low) / (high - low) : 0.0; };
  open(title, note, groups.size() == 1 ? Width::half : Width::whole);
  body_ += "<div class=\"columns\">\n";
  for (const BarGroup& group : groups) {
    body_ += fmt::format("<div>{}\n<div class=\"bars\">\n",
                         group.name.empty() ? "" : fmt::format("<h3>{}</h3>", escaped(group.name)));
    for (const Bar& bar : group.bars) {
      const double from = at(std::min(0.0, bar.value)), to = at(std::max(0.0, bar.value));
      const std::string name = escaped(bar.name);
      body_ += fmt::format(
          "<span title=\"{0}\">{0}</span><span class=\"track\"><b{1} style=\"left:{2:.2f}%;width:{3:.2f}%\"></b>", name,
          bar.value < 0 ? " class=\"minus\"" : "", from, to - from);
      if (low < 0) body_ += fmt::format("<u style=\"left:{:.2f}%\"></u>", at(0));
      if (std::isfinite(bar.low) && std::isfinite(bar.high))
        body_ += fmt::format(
            "<i style=\"left:{:.2f}%;width:{:.2f}%\" title=\"{:.3g} to {:.3g}\"></i><span class=\"unseen\">from {:.3g} "
            "to {:.3g}</span>",
            at(bar.low), at(bar.high) - at(bar.low), bar.low, bar.high, bar.low, bar.high);
      body_ +=
          fmt::format("</span><span>{}</span>\n", std::isfinite(bar.value) ? fmt::format("{:.3g}", bar.value) : "–");
    }
    body_ += "</div></div>\n";
  }
  body_ += "</div>\n</section>\n";
  return *this;
}

Page& Page::lines(std::string_view title, std::string_view note, const LinePlot& plot) {
  LinePlot small = plot;  // half a page wide, and its words as large as those around it
  small.width = 380, small.height = 230;
  open(title, note, Width::half);
  body_ += fmt::format("<figure class=\"picture\" role=\"img\" aria-label=\"{}\">{}</figure>\n</section>\n",
                       escaped(told(title, plot)), line_svg(small));
  return *this;
}

Page& Page::histogram(std::string_view title, std::string_view note, const Histogram& shown) {
  constexpr double kWidth = 600, kHeight = 300, kSide = 40, kTop = 26, kBase = 246;
  if (shown.counts.empty() || !(shown.high > shown.low)) return *this;
  double low = shown.low, high = shown.high;
  for (const double value : {shown.band[0], shown.band[1], shown.mark})
    if (std::isfinite(value)) low = std::min(low, value), high = std::max(high, value);
  const svg::Axis axis = svg::fitting_axis(low, high);
  const double step = (shown.high - shown.low) / double(shown.counts.size()),
               most = std::max(1.0, *std::ranges::max_element(shown.counts));
  const auto x = [&](double value) { return kSide + (kWidth - 2 * kSide) * axis.share(value); };
  open(title, note, Width::half);
  body_ += fmt::format("<figure class=\"picture own\"><svg viewBox=\"0 0 {} {}\" role=\"img\" aria-label=\"{}\">\n",
                       kWidth, kHeight, escaped(told(title, shown)));
  if (std::isfinite(shown.band[0]))
    body_ += fmt::format("<rect class=\"band\" x=\"{:.1f}\" y=\"{}\" width=\"{:.1f}\" height=\"{}\"/>\n",
                         x(shown.band[0]), kTop, x(shown.band[1]) - x(shown.band[0]), kBase - kTop);
  for (std::size_t b = 0; b < shown.counts.size(); ++b) {
    if (shown.counts[b] <= 0) continue;
    const double from = shown.low + step * double(b), tall = std::max(1.0, (kBase - kTop - 8) * shown.counts[b] / most);
    body_ += fmt::format(
        "<rect class=\"bin\" x=\"{:.2f}\" y=\"{:.1f}\" width=\"{:.2f}\" height=\"{:.1f}\"><title>{:.4g} to "
        "{:.4g}: {}</title></rect>\n",
        x(from), kBase - tall, std::max(0.6, x(from + step) - x(from) - 0.6), tall, from, from + step,
        svg::grouped(Index(shown.counts[b])));
  }
  for (const double edge : shown.band)
    if (std::isfinite(edge)) body_ += fmt::format("<path class=\"edge\" d=\"M{:.1f} {}V{}\"/>\n", x(edge), kTop, kBase);
  if (std::isfinite(shown.mark))
    body_ += fmt::format(
        "<path class=\"mark\" d=\"M{0:.1f} {1}V{2}\"/><text class=\"marked\" x=\"{0:.1f}\" y=\"{3}\" "
        "text-anchor=\"middle\">{4}</text>\n",
        x(shown.mark), kTop, kBase, kTop - 9, escaped(shown.mark_name));
  body_ += fmt::format("<path class=\"axis\" d=\"M{} {}H{}\"/>\n", kSide, kBase, kWidth - kSide);
  for (const double value : svg::tick_values(axis))
    body_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n", x(value), kBase + 18,
                         svg::tick_text(value, axis));
  body_ += fmt::format("<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{}</text>\n</svg></figure>\n</section>\n",
                       kWidth / 2, kBase + 44, escaped(shown.x_label));
  return *this;
}

Page& Page::scatter(Scatter scatter) {
  const Index n = scatter.columns.empty() ? 0 : scatter.columns[0].values.size();
  if (n == 0) return *this;
  if (scatter.columns.size() == 1) scatter.columns.push_back({"sample", Vector::LinSpaced(n, 1, double(n))});
  default_views(scatter);
  std::size_t bytes = 0;
  for (const std::string& name : scatter.names) bytes += name.size() + 3;
  Json json = {{"n", n}, {"columns", Json::array()}, {"groups", Json::array()}, {"equal", scatter.equal_scale}};
  json["names"] = scatter.names.empty() || bytes > kNameBytes ? Json(nullptr) : Json(scatter.names);
  for (const Column& column : scatter.columns) json["columns"].push_back(column_json(column));
  for (const Grouping& group : scatter.groups) json["groups"].push_back(group_json(group));
  json["views"] = scatter.views;
  if (!scatter.edges.empty()) {
    std::vector<std::uint32_t> ends;
    for (const Edge& edge : scatter.edges) ends.insert(ends.end(), {std::uint32_t(edge.i), std::uint32_t(edge.j)});
    json["edges"] = base64_of(ends);
  }
  points_.push_back(std::move(json));
  open(scatter.title, scatter.note);
  body_ += fmt::format(
      "<div class=\"scatter\"></div>\n<noscript><figure class=\"picture\" role=\"img\" "
      "aria-label=\"{}\">{}</figure></noscript>\n</section>\n",
      escaped(scatter.title), static_picture(scatter));
  return *this;
}

Page& Page::command(std::string_view title, std::string_view note, std::string_view command) {
  open(title, note);
  body_ += fmt::format(
      "<pre id=\"command\">{}</pre>\n<button type=\"button\" id=\"copy\" hidden>Copy</button>\n</section>\n",
      escaped(command));
  return *this;
}

std::string Page::html() const {
  std::string tiles;
  for (const auto& [name, value] : figures)
    tiles += fmt::format("<div><dt>{}</dt><dd>{}</dd></div>\n", escaped(name), escaped(value));
  std::string script = "\n";
  script += kScript;
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'; "
      "script-src "
      "'sha256-{sha}'; img-src data:; base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{question}</title>\n"
      "<style>{style}</style>\n</head>\n<body>\n"
      "<header><div>\n<div class=\"kind\"><b>{kind}</b><button type=\"button\" id=\"theme\" hidden>Light or "
      "dark</button></div>\n"
      "<h1>{question}</h1>\n<p class=\"answer\">{answer}</p>\n"
      "<div class=\"verdict {light}\" role=\"status\"><i aria-hidden=\"true\"></i><p><strong>{word}.</strong> "
      "<span>{meaning}</span></p></div>\n<dl class=\"figures\">\n{tiles}</dl>\n</div></header>\n<main>\n{body}</main>\n"
      "<footer><div>Made by Ritz. This page is one file: it asks for nothing from outside.</div></footer>\n"
      "<script type=\"application/json\" id=\"data\">{points}</script>\n<script>{script}</script>\n</body>\n</html>\n",
      fmt::arg("sha", base64(sha256(script))), fmt::arg("question", escaped(question)), fmt::arg("style", kStyle),
      fmt::arg("kind", escaped(kind)), fmt::arg("answer", escaped(answer)),
      fmt::arg("light", light_class(verdict.light)), fmt::arg("word", escaped(verdict.word)),
      fmt::arg("meaning", escaped(verdict.meaning)), fmt::arg("tiles", tiles), fmt::arg("body", body_),
      fmt::arg("points", inline_json(points_)), fmt::arg("script", script));
}

}  // namespace ritz::page
