// SPDX-License-Identifier: MIT
#include "model/kernel_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace ritz {

namespace {

constexpr std::string_view kOpenWeight = "auto";

[[noreturn]] void reject(std::string_view text, std::string_view why) {
  throw Error(ErrorCode::bad_option, fmt::format("kernel \"{}\": {}; write for example gaussian(sigma=median) or "
                                                 "0.7*gaussian(sigma=2)+0.3*polynomial(degree=3,offset=1)",
                                                 text, why));
}

// Splits at `separator` outside parentheses.
std::vector<std::string> split_outside(std::string_view whole, std::string_view text, char separator) {
  std::vector<std::string> parts(1);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    depth += c == '(' ? 1 : c == ')' ? -1 : 0;
    if (depth < 0) reject(whole, "unmatched ')'");
    // "1e+3*linear": a sign inside a number does not separate terms
    const bool exponent = c == '+' && i >= 2 && (text[i - 1] == 'e' || text[i - 1] == 'E') &&
                          (std::isdigit(static_cast<unsigned char>(text[i - 2])) || text[i - 2] == '.');
    if (c == separator && depth == 0 && !exponent)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  if (depth != 0) reject(whole, "unmatched '('");
  for (std::string& part : parts) part = trimmed(part);
  return parts;
}

template <std::size_t I = 0>
KernelVariant kernel_named(std::string_view whole, std::string_view name) {
  if constexpr (I == std::variant_size_v<KernelTypes>) {
    throw Error(ErrorCode::bad_option,
                fmt::format("kernel \"{}\": there is no kernel '{}'{}", whole, name, suggestion(name, kernel_names())));
  } else {
    using K = std::variant_alternative_t<I, KernelTypes>;
    return kListed<K> && K::name == name ? KernelVariant(K{}) : kernel_named<I + 1>(whole, name);
  }
}

// What other programs call them.
constexpr std::array<std::array<std::string_view, 2>, 3> kOtherNames = {
    {{"rbf", "gaussian"}, {"gauss", "gaussian"}, {"poly", "polynomial"}}};
constexpr std::array<std::array<std::string_view, 2>, 2> kOtherParameters = {{{"coef0", "offset"}, {"width", "sigma"}}};

template <class Names>
std::string usual_name(const Names& names, const std::string& name) {
  for (const auto& [other, usual] : names)
    if (other == name) return std::string(usual);
  return name;
}

// A kernel's own word goes before what others call something.
std::string parameter_named(const KernelVariant& kernel, const std::string& given) {
  const auto own = std::visit([]<class K>(const K&) { return field_names<K>(); }, kernel);
  return std::ranges::count(own, given) ? given : usual_name(kOtherParameters, given);
}

// exp(−γβ) is exp(−β/2σ²) for σ = 1/√(2γ).
std::string width_of_gamma(std::string_view whole, const std::string& gamma) {
  const auto value = read_double(trimmed(gamma));
  if (!value || !(*value > 0) || !std::isfinite(*value))
    reject(whole, fmt::format("gamma is '{}'; it must be a positive number", trimmed(gamma)));
  return number_text(1 / std::sqrt(2 * *value));
}

KernelTerm parse_term(std::string_view whole, const std::string& text) {
  KernelTerm term;
  std::string rest = text;
  const std::size_t star = rest.find('*'), open = rest.find('(');
  if (star != std::string::npos && star < open) {
    const std::string text_of_weight = trimmed(std::string_view(rest).substr(0, star));
    term.open_weight = text_of_weight == kOpenWeight;
    const auto weight = term.open_weight ? std::optional(1.0) : read_double(text_of_weight);
    if (!weight || !(*weight > 0) || !(*weight <= 1e12))
      reject(whole, fmt::format("the weight '{}' must be a positive number or '{}'", text_of_weight, kOpenWeight));
    term.weight = *weight;
    rest = trimmed(std::string_view(rest).substr(star + 1));
  }
  const std::size_t bracket = rest.find('(');
  if (bracket != std::string::npos && !rest.ends_with(')')) reject(whole, "a ')' is missing at the end of a term");
  const std::string name = trimmed(rest.substr(0, bracket));
  if (name.empty()) reject(whole, "a kernel's name is missing");
  KernelVariant kernel = kernel_named(whole, usual_name(kOtherNames, name));
  const std::string inside =
      bracket == std::string::npos ? "" : trimmed(rest.substr(bracket + 1, rest.size() - bracket - 2));
  if (inside.empty()) {
    term.kernel = kernel;
    return term;
  }
  for (const std::string& item : split_outside(whole, inside, ',')) {
    const std::size_t equals = item.find('=');
    if (equals == std::string::npos) reject(whole, fmt::format("'{}' is not of the form name=value", item));
    const std::string parameter = parameter_named(kernel, trimmed(item.substr(0, equals)));
    const std::string value = item.substr(equals + 1);
    if (parameter == "gamma" && std::holds_alternative<Gaussian>(kernel))
      set(std::get<Gaussian>(kernel), "sigma", width_of_gamma(whole, value));
    else
      std::visit([&](auto& each) { set(each, parameter, value); }, kernel);
  }
  std::visit([](const auto& each) { check(each); }, kernel);
  term.kernel = kernel;
  return term;
}

// Calls visit with each kernel that text can name.
template <class Visit>
void for_each_listed(const Visit& visit) {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    const auto one = [&]<class K>(const K& kernel) {
      if constexpr (kListed<K>) visit(kernel);
    };
    (one(std::variant_alternative_t<I, KernelTypes>{}), ...);
  }
  (std::make_index_sequence<std::variant_size_v<KernelTypes>>());
}

}  // namespace

AnyKernel::AnyKernel() {
  static const auto linear = std::make_shared<const KernelVariant>();
  held_ = linear;
}

AnyKernel::AnyKernel(const KernelVariant& kernel) : held_(std::make_shared<const KernelVariant>(kernel)) {}

KernelSum parse_kernel(std::string_view text) {
  KernelSum sum;
  for (const std::string& part : split_outside(text, text, '+')) {
    if (part.empty()) reject(text, "a term is empty");
    sum.push_back(parse_term(text, part));
    if (sum.back().open_weight != sum.front().open_weight)
      reject(text, fmt::format("some weights are '{}' and some are not; the weights chosen have no common scale with "
                               "given ones, so write '{}' for all terms or for none",
                               kOpenWeight, kOpenWeight));
  }
  return sum;
}

std::string kernel_text(const KernelSum& sum) {
  std::string text;
  for (const KernelTerm& term : sum) {
    if (!text.empty()) text += '+';
    if (term.open_weight)
      text += fmt::format("{}*", kOpenWeight);
    else if (term.weight != 1)
      text += number_text(term.weight) + '*';
    text += name_of(term.kernel);
    std::visit(
        [&](const auto& kernel) {
          std::string inside;
          for (const auto& [name, value] : text_values(kernel))
            inside += (inside.empty() ? "" : ",") + name + "=" + value;
          if (!inside.empty()) text += '(' + inside + ')';
        },
        *term.kernel);
  }
  return text;
}

std::vector<std::string> kernel_names() {
  std::vector<std::string> names;
  for_each_listed([&]<class K>(const K&) { names.emplace_back(K::name); });
  return names;
}

std::vector<ListedKernel> listed_kernels() {
  std::vector<ListedKernel> all;
  for_each_listed([&]<class K>(const K& kernel) {
    KernelTerm term;
    term.kernel = KernelVariant(kernel);
    all.push_back({kernel_text({term}), option_rows<K>()});
  });
  return all;
}

std::string_view name_of(const AnyKernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::string_view {
        if constexpr (requires { k.title; })
          return k.title;
        else
          return k.name;
      },
      *kernel);
}

PairForm form_of(const AnyKernel& kernel) {
  return std::visit([](const auto& k) { return k.form; }, *kernel);
}

double value_at_zero(const AnyKernel& kernel) {
  return std::visit([](const auto& k) { return k.value(0.0); }, *kernel);
}

double start_slope(const AnyKernel& kernel) {
  return std::visit(
      [](const auto& k) {
        const double slope = k.slope(0.0);
        return slope != 0 ? slope : double(k.trend);
      },
      *kernel);
}

bool has_constant_slope(const AnyKernel& kernel) {
  return std::holds_alternative<Linear>(*kernel) || std::holds_alternative<Squared>(*kernel);
}

bool is_per_sample(const AnyKernel& kernel) {
  return std::visit([](const auto& k) { return k.per_sample; }, *kernel);
}

bool set_widths(AnyKernel& kernel, const std::function<void(Bandwidth&)>& change) {
  bool any = false;
  KernelVariant changed = *kernel;
  std::visit(
      [&](auto& k) {
        for (const FieldValue& field : field_values(k))
          if (auto* width = field.as<Bandwidth>()) change(*width), any = true;
      },
      changed);
  if (any) kernel = changed;
  return any;
}

bool set_widths(KernelSum& kernel, const Bandwidth& width) {
  bool any = false;
  for (KernelTerm& term : kernel) any |= set_widths(term.kernel, [&](Bandwidth& each) { each = width; });
  return any;
}

bool has_open_width(const AnyKernel& kernel) {
  bool open = false;
  std::visit(
      [&](const auto& k) {
        for (const FieldValue& field : field_values(k))
          if (const auto* width = field.as<Bandwidth>()) open |= !width->resolved();
      },
      *kernel);
  return open;
}

bool has_positive_values(const KernelSum& kernel) {
  return std::ranges::all_of(kernel, [](const KernelTerm& term) {
    return std::visit(
        []<class K>(const K&) {
          if constexpr (requires { K::positive; })
            return K::positive;
          else
            return false;
        },
        *term.kernel);
  });
}

std::optional<PolynomialParts> polynomial_parts(const AnyKernel& kernel) {
  const auto* polynomial = std::get_if<Polynomial>(&*kernel);
  if (!polynomial) return std::nullopt;
  return PolynomialParts{polynomial->degree, polynomial->offset, polynomial->scale};
}

std::optional<Bandwidth> gaussian_width(const KernelSum& kernel) {
  const auto* gaussian = kernel.size() == 1 ? std::get_if<Gaussian>(&*kernel.front().kernel) : nullptr;
  if (!gaussian) return std::nullopt;
  return gaussian->sigma;
}

std::optional<SlopeMultiple> value_per_slope(const AnyKernel& kernel) {
  return std::visit(
      [](const auto& k) -> std::optional<SlopeMultiple> {
        if constexpr (requires { k.value_per_slope(); })
          return k.value_per_slope();
        else
          return std::nullopt;
      },
      *kernel);
}

bool has_open_weights(const KernelSum& sum) {
  return std::ranges::any_of(sum, [](const KernelTerm& term) { return term.open_weight; });
}

bool is_resolved(const KernelSum& sum, long n) {
  if (has_open_weights(sum)) return false;
  for (const KernelTerm& term : sum) {
    if (has_open_width(term.kernel)) return false;
    if (is_per_sample(term.kernel) && (!term.sample_scale || long(term.sample_scale->size()) != n)) return false;
  }
  return true;
}

static_assert([]<class... K>(std::type_identity<std::variant<K...>>) {
  return (PairKernel<K> && ...);
}(std::type_identity<KernelTypes>{}));

}  // namespace ritz
