// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <iostream>
#include <memory>

#include "cli/session.hpp"
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

ExitStatus work(const std::string& what) {
  const std::vector<std::string> known = {"kernels", "sets", "backends"};
  if (what == "kernels") {
    list_kernels();
  } else if (what == "sets") {
    for (const SyntheticSet& set : synthetic_sets()) std::cout << fmt::format("{:<14} {}\n", set.name, set.description);
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
  root.add_subcommand("list", "List kernels, synthetic sets or backends")
      ->add_option("WHAT", *what, "kernels, sets or backends")
      ->required();
  return [what] { return work(*what); };
}

}  // namespace ritz::cli
