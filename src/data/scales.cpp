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

// "3 - Neutral", "2=mid", "(1) low", "low (1)": without the number.
std::string_view without_number(std::string_view text) {
  std::string_view rest = text;
  if (const std::size_t open = text.rfind('('); text.ends_with(')') && open != text.npos && open > 0) {
    const std::string_view inside = text.substr(open + 1, text.size() - open - 2);
    if (!inside.empty() && inside.size() <= 2 && digits_ahead(inside) == inside.size())
      return trim_all(text.substr(0, open));
  }
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
  for (std::size_t place = 0; (place = plain.find("’", place)) != plain.npos;)
    plain.replace(place, std::string_view("’").size(), 1, '\'');
  return plain;
}

// What stands in front of one and the same word, from none of it to all of it; the word alone is between.
constexpr std::array<std::string_view, 17> kDegrees = {
    "not at all", "not",   "hardly", "slightly", "a little", "a bit",  "somewhat",  "moderately", "fairly",
    "reasonably", "quite", "",       "very",     "highly",   "really", "extremely", "completely"};

// "not important", "slightly important", "important", "very important" in their order; empty: they are no such texts.
std::vector<std::string> degrees_in_order(std::span<const std::string> texts) {
  std::string stem;
  std::vector<std::pair<std::size_t, std::string>> found;
  for (const std::string& text : texts) {
    const std::string plain = plain_word(text);
    std::size_t best = kDegrees.size();
    for (std::size_t k = 0; k < kDegrees.size(); ++k)
      if (plain.starts_with(kDegrees[k]) && (kDegrees[k].empty() || plain.substr(kDegrees[k].size()).starts_with(' ')))
        if (best == kDegrees.size() || kDegrees[k].size() > kDegrees[best].size()) best = k;
    if (best == kDegrees.size()) return {};
    const std::string word = kDegrees[best].empty() ? plain : plain.substr(kDegrees[best].size() + 1);
    if (!found.empty() && word != stem) return {};
    stem = word;
    found.emplace_back(best, text);
  }
  std::ranges::sort(found);
  for (std::size_t k = 1; k < found.size(); ++k)
    if (found[k].first == found[k - 1].first) return {};
  std::vector<std::string> ordered;
  for (auto& [degree, text] : found) ordered.push_back(std::move(text));
  return ordered;
}

// "stage 1", "Grade III": the numbers of what is counted in steps.
std::vector<std::string> steps_in_order(std::span<const std::string> texts) {
  constexpr std::array<std::string_view, 10> kRoman = {"i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x"};
  std::vector<std::pair<double, std::string>> found;
  std::string first;
  for (const std::string& text : texts) {
    const std::string plain = plain_word(text);
    const std::size_t blank = plain.rfind(' ');
    if (blank == plain.npos) return {};
    const std::string word = plain.substr(0, blank), number = plain.substr(blank + 1);
    if (!among("stage grade level tier phase step stufe grad niveau nivel livello", word)) return {};
    if (!found.empty() && word != first) return {};
    first = word;
    const auto roman = std::ranges::find(kRoman, number);
    const auto value = roman == kRoman.end() ? read_double(number) : std::optional(double(roman - kRoman.begin()) + 1);
    if (!value) return {};
    found.emplace_back(*value, text);
  }
  std::ranges::sort(found);
  std::vector<std::string> ordered;
  for (auto& [number, text] : found) ordered.push_back(std::move(text));
  return ordered;
}

// The ends of "18-24", "10k to 20k", "<18", "under 18", "65+", "65 or older"; nothing when the text is no range.
struct Range {
  double low, high;
  bool closed() const { return std::isfinite(low) && std::isfinite(high); }
};

constexpr double kNoEnd = std::numeric_limits<double>::infinity();

std::optional<double> end_of_range(std::string_view text) {
  for (const std::string_view unit : {" years old", " years", " yrs", " jahre", " ans", " años", " y"})
    if (lower(text).ends_with(unit)) text.remove_suffix(unit.size());
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
  for (const std::string_view unit : {" years", " yrs", " jahre", " ans", " años"})
    if (small.ends_with(unit) && small.size() > unit.size() && small[small.size() - unit.size() - 1] == '+')
      return range_of(whole.substr(0, whole.size() - unit.size()));
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
      "strongly disagree,disagree,somewhat disagree,slightly disagree,neutral,neither,neither agree nor disagree,"
      "undecided,slightly agree,somewhat agree,agree,strongly agree",
      "disagree strongly,disagree moderately,disagree,disagree a little,neither agree nor disagree,neutral,agree a "
      "little,agree,agree moderately,agree strongly",
      "completely disagree,mostly disagree,disagree,neutral,neither agree nor disagree,agree,mostly agree,completely "
      "agree",
      "very dissatisfied,dissatisfied,somewhat dissatisfied,neutral,neither satisfied nor dissatisfied,somewhat "
      "satisfied,satisfied,very satisfied",
      "very difficult,difficult,neutral,easy,very easy",
      "very negative,negative,neutral,positive,very positive",
      "much worse,worse,somewhat worse,about the same,the same,same,somewhat better,better,much better",
      "not at all,a little,slightly,somewhat,moderately,quite a bit,considerably,very,very much,a lot,extremely",
      "not at all,several days,more than half the days,nearly every day",
      "never,less than once a year,yearly,once a year,a few times a year,monthly,once a month,a few times a month,"
      "weekly,once a week,a few times a week,several times a week,daily,every day,hourly",
      "not important,somewhat important,important,very important,essential",
      "ninguno,muy poco,poco,algo,bastante,mucho",
      "muy en desacuerdo,totalmente en desacuerdo,en desacuerdo,ni de acuerdo ni en desacuerdo,neutral,de acuerdo,"
      "muy de acuerdo,totalmente de acuerdo",
      "pas du tout d'accord,plutôt pas d'accord,pas d'accord,ni d'accord ni pas d'accord,neutre,plutôt d'accord,"
      "d'accord,tout à fait d'accord",
      "per niente d'accordo,poco d'accordo,né d'accordo né in disaccordo,abbastanza d'accordo,d'accordo,molto "
      "d'accordo",
      "discordo totalmente,discordo,nem concordo nem discordo,neutro,concordo,concordo totalmente",
      "stimme gar nicht zu,stimme überhaupt nicht zu,stimme nicht zu,stimme eher nicht zu,teils teils,teils/teils,"
      "neutral,stimme eher zu,stimme zu,stimme voll zu,stimme voll und ganz zu",
      "sehr unzufrieden,unzufrieden,eher unzufrieden,neutral,eher zufrieden,zufrieden,sehr zufrieden",
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
      "none,primary,elementary,less than high school,some high school,secondary,high school,high school graduate,some "
      "college,associate,associate degree,associate's degree,college,bachelor,bachelors,bachelor's,bachelor "
      "degree,bachelor's degree,master,masters,master's,master degree,master's degree,phd,doctorate,doctoral "
      "degree",
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
  for (const auto in_order : {degrees_in_order, steps_in_order})
    if (auto found = in_order(texts); !found.empty()) return found;
  return ranges_in_order(texts);
}

}  // namespace ritz::detail
