// SPDX-License-Identifier: MIT
// Linear measurements ⟨M_k, K⟩ of a kernel K that look at a few entries each: a pair's entry, a pair's distance, the
// difference of two distances.
#pragma once

#include <vector>

#include "ritz/base/context.hpp"
#include "ritz/base/types.hpp"

namespace ritz {

struct EntryTerm {  // value·K_ij
  Index i, j;
  double value;
};

// m measurements of an n × n kernel. The distinct entries (i <= j) they look at are its *slots*; a measurement is a
// sparse row over slots, so that an entry shared by a thousand measurements is computed once.
class Measurements {
 public:
  Measurements() = default;
  // One list of terms a measurement; terms on the same entry (in either order) are added.
  Measurements(Index n, const std::vector<std::vector<EntryTerm>>& rows);

  Index size() const { return n_; }
  Index count() const { return rows_.rows(); }
  Index slots() const { return Index(slots_.size()); }
  struct Slot {
    Index i, j;  // i <= j
  };
  const std::vector<Slot>& slot_list() const { return slots_; }

  // ⟨M_k, K⟩ for all k from the values of K on the slots.
  Vector measure(const Vector& slot_values, const RunContext& context) const;
  // Σ_k y_k·M_k as what it adds to each slot: the entry (i, j), and (j, i) with it, of the symmetric matrix.
  Vector adjoint(const Vector& y, const RunContext& context) const;
  // K_ij on the slots for K = F·Fᵀ, F row-major n × r.
  Vector slot_values(const RowMatrix& F, const RunContext& context) const;
  // U_i·V_j + U_j·V_i on the slots: the symmetric matrix UVᵀ + VUᵀ.
  Vector slot_values(const RowMatrix& U, const RowMatrix& V, const RunContext& context) const;

 private:
  Index n_ = 0;
  std::vector<Slot> slots_;
  SparseRows rows_;     // m × slots: coefficient of K_ij
  SparseRows columns_;  // its transpose, scaled to entries of the symmetric matrix
};

// sign·K_ij of each pair.
struct SignedPair {
  Index i, j;
  double sign;
};
Measurements pair_entries(Index n, const std::vector<SignedPair>& pairs);
// K_ii + K_jj − 2K_ij of each pair (the sign is not looked at).
Measurements pair_distances(Index n, const std::vector<SignedPair>& pairs);

}  // namespace ritz
