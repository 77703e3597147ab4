// SPDX-License-Identifier: MIT
#include <cstdio>
#include <ritz/ritz.hpp>

int main() {
  ritz::Generated set = ritz::generate("sectors", {}, 0);
  ritz::RunContext context;
  const ritz::reduce::ReduceResult found =
      ritz::reduce::fit(set.data, {}, {.dim = {2}, .kernel = "polynomial(degree=2)"}, context);
  std::printf("%d dimensions after %d iterations\n", int(found.embedding.cols()), found.fit.summary.iterations);
  return found.fit.summary.converged() ? 0 : 1;
}
