// SPDX-License-Identifier: MIT
#include <doctest/doctest.h>
#include <rapidcheck.h>

#include "backends/cpu/tile_parts.hpp"
#include "ritz/base/random.hpp"

using namespace ritz;

namespace {

template <class Number>
using Rows = Eigen::Matrix<Number, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// Those that this machine can run.
std::vector<const tile::Functions*> instruction_sets() {
  std::vector<const tile::Functions*> all = {&tile::generic::functions()};
#if defined(__x86_64__)
  const std::string best = tile::functions().instruction_set;
  if (best != "generic") all.push_back(&tile::avx2::functions());
  if (best == "avx512") all.push_back(&tile::avx512::functions());
#endif
  return all;
}

template <class Number>
void multiply(const tile::Functions& set, const tile::BlockProduct<Number>& product) {
  if constexpr (std::is_same_v<Number, double>)
    set.product(product);
  else
    set.single_product(product);
}

template <class Number>
void compare_with_eigen() {
  const Index m = *rc::gen::inRange<Index>(1, 40), n = *rc::gen::inRange<Index>(1, 120),
              k = *rc::gen::inRange<Index>(0, 300);
  const bool add = *rc::gen::arbitrary<bool>(), turned_a = *rc::gen::arbitrary<bool>(),
             turned_b = *rc::gen::arbitrary<bool>();
  Rng rng(*rc::gen::inRange<std::uint64_t>(0, 1000), "tile product");
  const Rows<Number> A = rng.normal_matrix(m, k).template cast<Number>(),
                     B = rng.normal_matrix(k, n).template cast<Number>(), A_turned = A.transpose(),
                     B_turned = B.transpose(), before = rng.normal_matrix(m, n + 2).template cast<Number>();
  const double rounding = double(std::numeric_limits<Number>::epsilon()) * double(k + 2) * (1 + double(k));
  for (const tile::Functions* set : instruction_sets()) {
    Rows<Number> C = before;  // two columns more than the product, which stay as they are
    multiply<Number>(*set,
                     {m, n, k, Number(-0.5), turned_a ? A_turned.data() : A.data(), turned_a ? 1 : k, turned_a ? m : 1,
                      turned_b ? B_turned.data() : B.data(), turned_b ? 1 : n, turned_b ? k : 1, C.data(), n + 2, add});
    Rows<Number> expected = Number(-0.5) * A * B;
    if (add) expected += before.leftCols(n);
    RC_ASSERT(double((C.leftCols(n) - expected).cwiseAbs().maxCoeff()) <= rounding);
    RC_ASSERT(C.rightCols(2) == before.rightCols(2));
  }
}

}  // namespace

TEST_CASE("products of blocks are those of Eigen for every instruction set, in both precisions") {
  CHECK(rc::check("double", compare_with_eigen<double>));
  CHECK(rc::check("single", compare_with_eigen<float>));
}

TEST_CASE("an entry of a product of blocks has the same bits in whichever block it stands") {
  const Index m = 21, n = 53, k = 200;
  const RowMatrix A = Rng(1, "A").normal_matrix(m, k), B = Rng(1, "B").normal_matrix(k, n);
  RowMatrix whole(m, n);
  tile::tile_gemm(m, n, k, 1.0, {A.data(), k}, Transpose::no, {B.data(), n}, Transpose::no, false, {whole.data(), n});
  for (Index i = 0; i < m; i += 4)
    for (Index j = 0; j < n; j += 5) {
      double entry = 0;
      tile::tile_gemm(1, 1, k, 1.0, {A.data() + i * k, k}, Transpose::no, {B.data() + j, n}, Transpose::no, false,
                      {&entry, 1});
      CHECK(entry == whole(i, j));
    }
}
