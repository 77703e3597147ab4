// SPDX-License-Identifier: MIT
#include "reproduce/papers.hpp"

#include "reproduce/gmeb/gmeb.hpp"
#include "reproduce/ism_ikdr/ism_ikdr.hpp"
#include "reproduce/ism_kdac/ism_kdac.hpp"
#include "reproduce/near_isometric/near_isometric.hpp"
#include "reproduce/simplenpkl/simplenpkl.hpp"

namespace ritz::reproduce {

namespace {

using Texts = std::map<std::string, std::string>;

template <class Options>
Options options_from(const Texts& texts) {
  Options options;
  for (const auto& [name, text] : texts) set(options, name, text);
  check(options);
  return options;
}

template <class Options>
Paper paper(std::string name, std::string title, std::string pictures,
            Reproduction (*measure)(const Options&, RunContext&, const Tell&)) {
  return {std::move(name),
          std::move(title),
          std::move(pictures),
          option_rows<Options>(),
          [](const Texts& texts) { options_from<Options>(texts); },
          [](const Texts& texts) { return ritz::options_json(options_from<Options>(texts)); },
          [measure](const Texts& texts, RunContext& context, const Tell& tell) {
            return measure(settled(options_from<Options>(texts)), context, tell);
          }};
}

}  // namespace

const std::vector<Paper>& papers() {
  static const std::vector<Paper> all = {
      paper("ism-ikdr", "Tables 4 and 5 and Figure 1b of 'Solving Interpretable Kernel Dimension Reduction'",
            "SVG picture of Figure 1b", ism_ikdr),
      paper("ism-kdac", "Table 1 and Figure 3 of 'Iterative Spectral Method for Alternative Clustering'",
            "SVG picture of Figure 3", ism_kdac),
      paper("simplenpkl",
            "Tables 2 to 5 and 7 to 9, Figures 1, 2, 3 and 5 of 'A Family of Simple Non-Parametric Kernel Learning "
            "Algorithms'",
            "SVG picture of the figure; of several, each in a file of its own: FILE-figure1.svg, …", simplenpkl),
      paper("near-isometric",
            "Tables 7.1, 7.2 and 7.3 and Figure 7.2 of 'Practical Algorithms for Learning Near-Isometric Linear "
            "Embeddings'",
            "SVG picture of Figure 7.2", near_isometric),
      paper("gmeb",
            "Section 5.1 and Figures 5 to 10 of 'On a Minimum Enclosing Ball of a Collection of Linear Subspaces'",
            "SVG pictures, each in a file of its own: FILE-figure5a.svg, …", gmeb)};
  return all;
}

}  // namespace ritz::reproduce
