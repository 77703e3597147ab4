// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/session.hpp"
#include "ritz/data/io.hpp"
#include "ritz/data/synthetic.hpp"
#include "ritz/model/kernel_list.hpp"
#include "ritz/pairs/backend.hpp"

namespace ritz::cli {

namespace {

void list_kernels() {
  [&]<std::size_t... I>(std::index_sequence<I...>) {
    (
        [] {
          using K = std::variant_alternative_t<I, AnyKernel>;
          KernelTerm term;
          term.kernel = K{};
          if (kListed<K>) std::cout << kernel_text({term}) << '\n';
          for_each_field(std::get<K>(term.kernel), [](const auto& each, const auto&) {
            std::cout << fmt::format("    {:<12} {}\n", each.name, each.help);
          });
        }(),
        ...);
  }
  (std::make_index_sequence<std::variant_size_v<AnyKernel>>());
  std::cout << "sums: 0.7*gaussian(sigma=median)+0.3*polynomial(degree=3,offset=1)\n";
}

Json json_of(const FormatFacts& format) {
  return {{"name", format.name},
          {"endings", format.endings},
          {"writes_samples", format.writes_samples},
          {"writes_labels", format.writes_labels},
          {"help", format.help}};
}

void list_formats(bool as_json) {
  Json all = Json::array();
  for (const FormatFacts& format : formats()) {
    all.push_back(json_of(format));
    if (!as_json)
      std::cout << fmt::format("{:<13} {:<23} {:<12} {}\n", format.name, fmt::join(format.endings, " "),
                               format.writes_samples ? "read, write" : "read", format.help);
  }
  std::cout << (as_json ? json_text(all, 2) + '\n' : "each also gzipped, with a further .gz\n");
}

ExitStatus work(const std::string& what, bool as_json) {
  const std::vector<std::string> known = {"kernels", "sets", "formats", "backends"};
  if (as_json && what != "formats") throw Error(ErrorCode::bad_option, "--json is for the list of formats");
  if (what == "kernels") {
    list_kernels();
  } else if (what == "sets") {
    for (const SyntheticSet& set : synthetic_sets()) std::cout << fmt::format("{:<14} {}\n", set.name, set.description);
  } else if (what == "formats") {
    list_formats(as_json);
  } else if (what == "backends") {
    for (const Backend* backend : backends())
      std::cout << fmt::format("{:<8} {:<13} {}\n", backend->name(),
                               backend->available() ? "available" : "not available", backend->description());
  } else {
    throw Error(ErrorCode::bad_option, "there is no list '" + what + "'" + suggestion(what, known));
  }
  return ExitStatus::fine;
}

}  // namespace

Verb add_list(CLI::App& root) {
  auto what = std::make_shared<std::string>();
  auto as_json = std::make_shared<bool>(false);
  CLI::App* app = root.add_subcommand("list", "List kernels, synthetic sets, file formats or backends");
  app->add_option("WHAT", *what, "kernels, sets, formats or backends")->required();
  app->add_flag("--json", *as_json, "the list of formats as JSON");
  return [what, as_json] { return work(*what, *as_json); };
}

}  // namespace ritz::cli
