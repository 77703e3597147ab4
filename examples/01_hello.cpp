// SPDX-License-Identifier: MIT
// From a matrix of samples and their classes to the directions that tell the classes apart.
#include <cstdio>
#include <ritz/ritz.hpp>
#include <string>
#include <vector>

int main() {
  // Ninety samples of five features. The class shows in the difference of features 2 and 4; the rest is noise.
  ritz::Rng rng(1, "hello");
  ritz::Dataset data;
  ritz::RowMatrix X = rng.normal_matrix(90, 5);
  std::vector<std::string> species;
  for (ritz::Index i = 0; i < X.rows(); ++i) {
    const double level = double(i % 3) - 1;  // −1, 0 or 1
    X(i, 1) += 2 * level;
    X(i, 3) -= 2 * level;
    species.push_back(level < 0 ? "low" : level > 0 ? "high" : "middle");
  }
  data.samples = X;
  data.feature_names = {"age", "petal", "noise", "sepal", "height"};
  data.labels = ritz::make_labels(species);

  ritz::RunContext context;  // all cores, seed 0
  const ritz::reduce::ReduceResult found = ritz::reduce::fit(data, {}, {.dim = {1}, .holdout = 0.3}, context);

  std::printf("%s after %d iterations, residual below 1e-6: %s\n",
              found.fit.summary.converged() ? "converged" : "not converged", found.fit.summary.iterations,
              found.fit.certificate.first_order <= 1e-6 ? "yes" : "no");
  for (const ritz::Index i : ritz::strongest_features(found.fit.W.col(0), 2))
    std::printf("%+.2f %s\n", found.fit.W(i, 0), found.feature_names[std::size_t(i)].c_str());
  const double share = found.holdout.accuracy_after;  // of samples that were kept out of the fit
  std::printf("5-NN on one dimension: %.0f %% right\n", 100 * share);

  return found.fit.summary.converged() && share > 0.7 ? 0 : 1;
}
