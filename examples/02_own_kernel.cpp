// SPDX-License-Identifier: MIT
// A kernel that the library does not have: f(β) = 1 / (1 + β/s²) of the squared distance β, with its slope f′(β).
#include <cstdio>
#include <ritz/ritz.hpp>
#include <string>
#include <vector>

int main() {
  // Two classes that differ in the distance from the origin of features 1 and 2; feature 3 is noise.
  ritz::Rng rng(1, "rings");
  ritz::RowMatrix X = rng.normal_matrix(120, 3);
  std::vector<std::string> ring;
  for (ritz::Index i = 0; i < X.rows(); ++i) {
    X.row(i).head(2) *= (i % 2 == 0 ? 1.0 : 3.0) / X.row(i).head(2).norm();
    ring.push_back(i % 2 == 0 ? "inner" : "outer");
  }
  const ritz::Samples samples(X);

  const double width = 1.5, s2 = width * width;
  const ritz::KernelTerm cauchy = ritz::user_kernel(
      "cauchy", ritz::PairForm::difference, [=](double beta) { return 1 / (1 + beta / s2); },
      [=](double beta) { return -1 / (s2 * (1 + beta / s2) * (1 + beta / s2)); });

  ritz::RunContext context;
  const ritz::ism::Problem problem{samples, ritz::supervised_gamma(ritz::make_labels(ring)), {cauchy}};
  const ritz::ism::Result found = ritz::ism::solve(problem, {.dimension = 2}, context);

  std::printf("kernel %s: %s, curvature below 0: %s\n", ritz::kernel_text(problem.kernel).c_str(),
              found.summary.converged() ? "converged" : "not converged",
              found.certificate.curvature < 0 ? "yes" : "no");
  const double noise = found.W.row(2).norm();  // share of the third feature in the plane that was found
  std::printf("share of the noise feature below 0.2: %s\n", noise < 0.2 ? "yes" : "no");
  return found.summary.converged() && noise < 0.2 ? 0 : 1;
}
