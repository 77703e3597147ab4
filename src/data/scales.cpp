// SPDX-License-Identifier: MIT
// Levels that have an order: scales in words, numbers in front of words, and ranges.
#include <algorithm>
#include <cmath>
#include <limits>

#include "data/field_letters.hpp"
#include "data/field_values.hpp"
#include "data/formats/format.hpp"

namespace ritz::detail {

namespace {

// "3 - Neutral", "2=mid", "(1) low": without the number in front.
std::string_view without_number(std::string_view text) {
  std::string_view rest = text;
  if (rest.starts_with('(')) rest.remove_prefix(1);
  const std::size_t digits = digits_ahead(rest);
  if (digits == 0 || digits > 2) return text;
  rest.remove_prefix(digits);
  const std::size_t words = rest.find_first_not_of(" -=.:)");
  return words == 0 || words == rest.npos ? text : rest.substr(words);
}

// A word of a scale as they are written below: small letters, blanks, no number in front.
std::string plain_word(std::string_view text) {
  std::string plain = lower(trim_all(without_number(text)));
  std::ranges::replace(plain, '_', ' ');
  return plain;
}

// The ends of "18-24", "10k to 20k", "<18", "under 18", "65+", "65 or older"; nothing when the text is no range.
struct Range {
  double low, high;
  bool closed() const { return std::isfinite(low) && std::isfinite(high); }
};

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

std::optional<double> end_of_range(std::string_view text) {
  const auto number = dressed_number(text, '.');
  return number && !number->limit ? in_unit(*number, "").value_or(number->value) : std::optional<double>();
}

std::optional<Range> range_of(std::string_view text) {
  const std::string small = lower(trim_all(text));
  const std::string_view whole = trim_all(text);
  for (const std::string_view below :
       {"<=", "≤", "<", "under ", "below ", "less than ", "up to ", "unter ", "bis ", "moins de ", "menos de "})
    if (small.starts_with(below))
      if (const auto high = end_of_range(whole.substr(below.size()))) return Range{-kNoEnd, *high};
  for (const std::string_view above : {">=", "≥", ">", "over ", "above ", "more than ", "über ", "plus de ", "más de "})
    if (small.starts_with(above))
      if (const auto low = end_of_range(whole.substr(above.size()))) return Range{*low, kNoEnd};
  for (const std::string_view more : {"+", " or more", " or older", " or over", " or above", " and more", " and older",
                                      " and over", " and above", " plus", " und mehr", " et plus", " y más"})
    if (small.ends_with(more))
      if (const auto low = end_of_range(whole.substr(0, whole.size() - more.size()))) return Range{*low, kNoEnd};
  for (const std::string_view between : {" - ", " – ", " to ", " bis ", "–", "—", "-"})
    if (const std::size_t place = whole.find(between, 1); place != whole.npos) {
      const auto low = end_of_range(whole.substr(0, place)), high = end_of_range(whole.substr(place + between.size()));
      if (low && high && *low < *high) return Range{*low, *high};
    }
  return std::nullopt;
}

// In the order of their lower ends; empty unless all are ranges that differ in them.
std::vector<std::string> ranges_in_order(std::span<const std::string> texts) {
  std::vector<std::pair<Range, std::string>> ranges;
  for (const std::string& text : texts) {
    const auto range = range_of(text);
    if (!range) return {};
    ranges.emplace_back(*range, text);
  }
  const auto before = [](const auto& a, const auto& b) {
    return a.first.low != b.first.low ? a.first.low < b.first.low : a.first.high < b.first.high;
  };
  std::ranges::sort(ranges, before);
  const auto alike = [](const auto& a, const auto& b) { return a.first.low == b.first.low; };
  const auto closed = std::ranges::count_if(ranges, [](const auto& each) { return each.first.closed(); });
  if (std::ranges::adjacent_find(ranges, alike) != ranges.end() || closed < 2) return {};
  std::vector<std::string> ordered;
  for (auto& [range, text] : ranges) ordered.push_back(std::move(text));
  return ordered;
}

}  // namespace

std::vector<std::string> on_scale(std::span<const std::string> texts) {
  constexpr std::string_view kScales[] = {
      "none,very low,low,medium-low,medium,moderate,medium-high,high,very high,extreme",
      "none,very low,low,below average,average,above average,high,very high",
      "none,minimal,mild,moderate,severe,very severe,critical",
      "tiny,small,medium,large,huge",
      "xxs,xs,s,m,l,xl,xxl,xxxl",
      "very poor,poor,fair,average,good,very good,excellent,outstanding",
      "very bad,bad,ok,good,very good,excellent",
      "terrible,bad,fair,good,great,excellent",
      "po,fa,ta,gd,ex",
      "never,rarely,seldom,occasionally,sometimes,often,usually,always",
      "strongly disagree,disagree,somewhat disagree,neutral,neither agree nor disagree,somewhat agree,agree,strongly "
      "agree",
      "very dissatisfied,dissatisfied,neutral,satisfied,very satisfied",
      "very unlikely,unlikely,neutral,likely,very likely",
      "slow,medium,fast",
      "short,medium,tall",
      "short,medium,long",
      "light,medium,heavy",
      "cold,cool,mild,warm,hot",
      "first,second,third,fourth,fifth",
      "beginner,intermediate,advanced,expert",
      "junior,senior,lead",
      "freshman,sophomore,junior,senior",
      "bronze,silver,gold,platinum",
      "low,med,high",
      "l,m,h",
      "very low,low,mid,high,very high",
      "no,mild,moderate,severe",
      "i,ii,iii,iv,v,vi",
      "zero,one,two,three,four,five,six",
      "baby,infant,toddler,child,teen,adolescent,young adult,adult,middle-aged,senior,elderly",
      "none,primary,elementary,secondary,high school,some "
      "college,associate,college,bachelor,bachelors,bachelor's,master,"
      "masters,master's,phd,doctorate",
      "sehr niedrig,niedrig,gering,mittel,hoch,sehr hoch",
      "sehr schlecht,schlecht,mittel,gut,sehr gut",
      "nie,selten,manchmal,oft,häufig,immer",
      "trifft gar nicht zu,trifft nicht zu,trifft eher nicht zu,teils/teils,teils teils,weder noch,trifft eher "
      "zu,trifft "
      "zu,trifft voll zu",
      "klein,mittel,groß",
      "très faible,faible,moyen,élevé,très élevé",
      "jamais,rarement,parfois,souvent,toujours",
      "muy bajo,bajo,medio,alto,muy alto",
      "nunca,raramente,a veces,a menudo,siempre",
      "molto basso,basso,medio,alto,molto alto"};
  if (texts.size() < 3) return {};
  for (std::string_view scale : kScales) {
    std::vector<std::string> found;
    while (!scale.empty()) {
      const std::string_view word = scale.substr(0, scale.find(','));
      scale.remove_prefix(std::min(word.size() + 1, scale.size()));
      const auto same = [&](const std::string& text) { return plain_word(text) == word; };
      const auto place = std::ranges::find_if(texts, same);
      if (place == texts.end()) continue;
      if (std::ranges::count_if(texts, same) > 1) return {};  // written in two ways
      found.push_back(*place);
    }
    if (found.size() == texts.size()) return found;
  }
  return ranges_in_order(texts);
}

}  // namespace ritz::detail
