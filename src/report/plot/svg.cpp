// SPDX-License-Identifier: MIT
#include "report/plot/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/controls.hpp"

namespace ritz::svg {

namespace {

constexpr double kTitleSize = 18, kSubtitleSize = 13;
constexpr double kBoldness = 1.16;  // bold letters are wider by this

// Bytes of the character that begins here, or 0 where it is not one that XML accepts: broken or overlong UTF-8, half a
// surrogate pair, a noncharacter.
std::size_t character_length(std::string_view text) {
  const auto byte = [&](std::size_t k) { return char32_t(static_cast<unsigned char>(text[k])); };
  const char32_t lead = byte(0);
  if (lead < 0x80) return 1;
  const std::size_t length = lead >> 5 == 0x6 ? 2 : lead >> 4 == 0xE ? 3 : lead >> 3 == 0x1E ? 4 : 0;
  if (length == 0 || length > text.size()) return 0;
  char32_t code = lead & (0x7Fu >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0) != 0x80) return 0;
    code = code << 6 | (byte(k) & 0x3F);
  }
  constexpr std::array<char32_t, 3> smallest = {0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  const bool noncharacter = code == 0xFFFE || code == 0xFFFF;
  return code < smallest[length - 2] || code > 0x10FFFF || surrogate || noncharacter ? 0 : length;
}

// One element a character; what XML does not accept is replaced, control characters become blanks or, where they turn
// the direction of the text around them, nothing.
std::vector<std::string> characters(std::string_view text) {
  std::vector<std::string> all;
  while (!text.empty()) {
    const std::size_t length = character_length(text);
    const std::string_view c = text.substr(0, length);
    if (control_length(c) == 0)
      all.emplace_back(length == 0 ? "\xEF\xBF\xBD" : c);
    else if (c < "\u202A")
      all.emplace_back(" ");
    text.remove_prefix(std::max<std::size_t>(1, length));
  }
  return all;
}

// Estimated, as no font is at hand, for the widest of the usual ones: text must not run out of its place.
double character_width(const std::string& c, double size) {
  constexpr std::string_view kNarrow = "iljtfr.,:;'|!()[] ", kWide = "mwMW@%";
  constexpr unsigned char kFirstIdeographs = 0xE3;  // lead byte of U+3000 and beyond
  if (static_cast<unsigned char>(c[0]) >= kFirstIdeographs) return size;
  if (c.size() == 1 && kNarrow.find(c[0]) != kNarrow.npos) return 0.38 * size;
  if (c.size() == 1 && kWide.find(c[0]) != kWide.npos) return 0.95 * size;
  return (c[0] >= 'A' && c[0] <= 'Z' ? 0.72 : 0.62) * size;
}

}  // namespace

std::string escaped(std::string_view text) {
  std::string safe;
  for (const std::string& c : characters(text)) {
    if (c == "&")
      safe += "&amp;";
    else if (c == "<")
      safe += "&lt;";
    else if (c == ">")
      safe += "&gt;";
    else if (c == "\"")
      safe += "&quot;";
    else
      safe += c;
  }
  return safe;
}

double text_width(std::string_view text, double size) {
  double width = 0;
  for (const std::string& c : characters(text)) width += character_width(c, size);
  return width;
}

std::string fitted(std::string_view text, double width, double size) {
  if (text_width(text, size) <= width) return std::string(text);
  std::string cut;
  double used = size;
  for (const std::string& c : characters(text)) {
    used += character_width(c, size);
    if (used > width) break;
    cut += c;
  }
  return cut + "…";
}

double Heading::width() const {
  constexpr double kWidest = 1600;
  return std::min(kWidest, 2 * kMargin + std::ceil(std::max(kBoldness * text_width(title, kTitleSize),
                                                            text_width(subtitle, kSubtitleSize))));
}

void put_text(Out out, double x, double y, std::string_view text, const TextStyle& style, double width) {
  if (text.empty()) return;
  const std::string shown = fitted(text, style.weight == "normal" ? width : width / kBoldness, style.size);
  fmt::format_to(out, R"(<text x="{:.1f}" y="{:.1f}" font-size="{:g}" fill="{}")", x, y, style.size, style.colour);
  if (style.anchor != "start") fmt::format_to(out, R"( text-anchor="{}")", style.anchor);
  if (style.weight != "normal") fmt::format_to(out, R"( font-weight="{}")", style.weight);
  if (style.halo)
    fmt::format_to(out, R"( stroke="#FFFFFF" stroke-width="3" stroke-linejoin="round" paint-order="stroke")");
  if (style.turn != 0) fmt::format_to(out, " transform=\"rotate({:g} {:.1f} {:.1f})\"", style.turn, x, y);
  fmt::format_to(out, ">{}", escaped(shown));
  if (shown != text) fmt::format_to(out, "<title>{}</title>", escaped(text));
  fmt::format_to(out, "</text>\n");
}

std::string grouped(Index count) {  // 60000 -> "60,000"
  std::string text = std::to_string(count);
  for (auto place = std::ptrdiff_t(text.size()) - 3; place > 0; place -= 3) text.insert(std::size_t(place), 1, ',');
  return text;
}

void open_document(Out out, double width, double height, const Heading& heading) {
  fmt::format_to(
      out,
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:g}\" height=\"{1:g}\" viewBox=\"0 0 {0:g} {1:g}\" "
      "font-family=\"Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif\" role=\"img\">\n",
      width, height);
  if (!heading.title.empty()) fmt::format_to(out, "<title>{}</title>\n", escaped(heading.title));
  fmt::format_to(out, "<rect width=\"{:g}\" height=\"{:g}\" fill=\"#FFFFFF\"/>\n", width, height);
  const double room = width - 2 * kMargin;
  put_text(out, kMargin, kMargin + 16, heading.title, {.size = kTitleSize, .colour = "#1A1A1A", .weight = "600"}, room);
  put_text(out, kMargin, kMargin + (heading.title.empty() ? 12 : 38), heading.subtitle,
           {.size = kSubtitleSize, .colour = "#595959"}, room);
}

Axis fitting_axis(double smallest, double largest) {
  constexpr double kConstant = 1e-9;  // a relative spread below this is rounding, and ticks could not show it
  constexpr double kPadding = 0.04;
  constexpr double kTicks = 6;
  const double magnitude = std::max(std::abs(smallest), std::abs(largest));
  const double spread = largest - smallest;
  const bool constant = spread <= std::max(kConstant * magnitude, kSmallestDrawn);
  const double room = constant ? (magnitude > kSmallestDrawn ? 0.1 * magnitude : 1) : kPadding * spread;
  Axis axis{smallest - room, largest + room, 1};
  const double raw = (axis.high - axis.low) / kTicks;
  const double power = std::pow(10, std::floor(std::log10(raw)));
  const double factor = raw / power;
  axis.step = power * (factor <= 1 ? 1 : factor <= 2 ? 2 : factor <= 2.5 ? 2.5 : factor <= 5 ? 5 : 10);
  return axis;
}

std::vector<double> tick_values(const Axis& axis) {
  std::vector<double> values;
  const double first = std::ceil(axis.low / axis.step), last = std::floor(axis.high / axis.step);
  for (double k = first; k <= last; ++k) values.push_back(k == 0 ? 0 : k * axis.step);
  return values;
}

std::string superscript(int number) {
  constexpr std::array<std::string_view, 10> digits = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  std::string text = number < 0 ? "⁻" : "";
  for (const char c : std::to_string(std::abs(number))) text += digits[std::size_t(c - '0')];
  return text;
}

std::string tick_text(double value, const Axis& axis) {
  constexpr double kPlainBelow = 1e6, kPlainStep = 1e-4;
  if (value == 0) return "0";
  const std::string sign = value < 0 ? "−" : "";
  // Place of the last digit that ticks differ in; steps of 2.5 need one more.
  int step_power = int(std::floor(std::log10(axis.step) + 1e-9));
  if (std::abs(axis.step / std::pow(10, step_power) - 2.5) < 1e-6) --step_power;
  if (std::max(std::abs(axis.low), std::abs(axis.high)) < kPlainBelow && axis.step >= kPlainStep)
    return sign + fmt::format("{:.{}f}", std::abs(value), std::max(0, -step_power));
  const int power = int(std::floor(std::log10(std::abs(value)) + 1e-9));
  const double mantissa = std::abs(value) / std::pow(10, power);
  return sign + fmt::format("{:.{}f}·10{}", mantissa, std::max(0, power - step_power), superscript(power));
}

void put_marker(Out out, Shape shape, double x, double y, double r) {
  switch (shape) {
    case Shape::circle:
      fmt::format_to(out, R"(<circle cx="{:.1f}" cy="{:.1f}" r="{:.2f}"/>)", x, y, r);
      break;
    case Shape::square: {
      const double a = 0.9 * r;
      fmt::format_to(out, R"(<rect x="{:.1f}" y="{:.1f}" width="{:.2f}" height="{:.2f}"/>)", x - a, y - a, 2 * a,
                     2 * a);
      break;
    }
    case Shape::triangle:
      fmt::format_to(out, R"(<path d="M{:.1f} {:.1f}l{:.2f} {:.2f}h{:.2f}z"/>)", x, y - 1.25 * r, 1.25 * r, 2.1 * r,
                     -2.5 * r);
      break;
    case Shape::diamond: {
      const double a = 1.3 * r;
      fmt::format_to(out, R"(<path d="M{0:.1f} {1:.1f}l{2:.2f} {2:.2f}l{3:.2f} {2:.2f}l{3:.2f} {3:.2f}z"/>)", x, y - a,
                     a, -a);
      break;
    }
    case Shape::cross:
    case Shape::plus: {
      const double a = 1.2 * r, w = 0.4 * r;
      fmt::format_to(
          out,
          R"(<path d="M{:.1f} {:.1f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}v{:.2f}h{:.2f}z")",
          x - w, y - a, 2 * w, a - w, a - w, 2 * w, w - a, a - w, -2 * w, w - a, w - a, -2 * w, a - w);
      if (shape == Shape::cross) fmt::format_to(out, " transform=\"rotate(45 {:.1f} {:.1f})\"", x, y);
      fmt::format_to(out, "/>");
      break;
    }
  }
}

void open_marker_group(Out out, int c, double opacity, double radius, std::string_view colour) {
  constexpr double kRoomyRadius = 2.2;
  if (colour.empty()) colour = colour_of(c);
  fmt::format_to(out, R"(<g fill="{}" fill-opacity="{:.2f}")", colour, opacity);
  // Yellow needs an edge on white; others take a thin white one, which parts neighbours where there is room for it.
  if (colour == "#F0E442")
    fmt::format_to(out, R"( stroke="#8A8000" stroke-width="{:.2f}")", 0.2 * radius);
  else if (radius >= kRoomyRadius)
    fmt::format_to(out, R"( stroke="#FFFFFF" stroke-width="0.6")");
  fmt::format_to(out, ">");
}

}  // namespace ritz::svg
