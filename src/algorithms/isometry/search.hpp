// SPDX-License-Identifier: MIT
// The search in two layers. Column generation meets a band at one rank: the rank is tried on a working set of pairs;
// where that succeeds, a sweep over all pairs brings the worst ones in, until it finds none beyond the band. A rank
// that fails on the working set fails on all pairs, so that most of the search never sweeps. The rank search says which
// rank is tried next, from which Ψ and on how many points.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "algorithms/isometry/parts.hpp"

namespace ritz::isometry {

class ColumnGeneration {
 public:
  ColumnGeneration(const Problem& problem, const Options& options, const RunContext& context);

  Index points() const { return reduced_.X.rows(); }
  Index columns() const { return reduced_.X.cols(); }
  const WorkingSet& set() const { return set_; }
  Matrix back(const Matrix& psi) const { return reduced_.back(psi); }  // to the given columns
  Matrix forth(const Matrix& psi) const { return reduced_.forth(psi); }
  void keep(const std::vector<char>& kept) { set_.keep(kept); }
  // The pairs of the working set that lie nearest to the edges of the band, as a set of their own.
  WorkingSet tightest(const Matrix& psi, Index most) const;

  // Numbers of leading points whose pairs are looked at, one level after the other; the last is all of them.
  std::vector<Index> levels() const;
  void enter(Index points);
  void first_pairs(Index all_at_once);  // all pairs of the level where they are so few
  void first_pairs();

  Sweep sweep(const Matrix& psi, double band);
  void take(const Sweep& found, Index most = std::numeric_limits<Index>::max());  // of its worst pairs
  // Ψ with the rows of the start within the band on all pairs of the level: reached, and the distortion is that of all
  // pairs; or where it ended. Throws Interrupted.
  Attempt reach(const Matrix& start, double band);

  // Starts, scaled so that the extreme ratios of the working set centre on 1.
  Matrix principal(Index rank) const;
  Matrix principal_rows(Index rank) const;                             // not scaled
  Matrix truncated(const Matrix& psi, Index rank) const;               // leading rows, principal where they are few
  Matrix disturbed(const Matrix& psi, Index rank, int number) const;   // one of these two, turned at random
  Matrix with_more_rows(Matrix psi, Index count, double delta) const;  // where they lower the hinge most

  // What changes from step to step, for the loops of the search.
  void keep(Archive& archive);

  int patience = 0;  // sweeps in which the excess over the band must halve; 0: any number

  int sweeps = 0;      // so far
  int iterations = 0;  // of all solves
  std::map<std::string, double> seconds;

 private:
  Attempt attempt(const Matrix& start, double delta, double enough) const;
  void prune(const Matrix& psi, double band);
  void centre(Matrix& psi) const;

  const Options& options_;
  const RunContext& context_;
  Reduced reduced_;
  std::vector<WeightedPair> listed_;  // empty: all pairs
  WorkingSet set_;
  Index level_points_ = 0;
  RowMatrix leading_;  // the points of a level that has not all of them
  std::unique_ptr<DistanceSweep> meter_;
};

struct Nest {
  Matrix psi;    // in the coordinates of the search
  Vector scale;  // logarithms of the factors of its prefixes
};

// The least distortion that is found for prefixes of so many rows, each counted in a unit of its own; one prefix is all
// rows. Level by level: the first from the start given, later ones from what was found for fewer points.
class LeastDistortion {
 public:
  LeastDistortion(ColumnGeneration& pairs, std::vector<Index> ranks, Vector units, const RunContext& context);
  void level(const Matrix& start);  // throws Interrupted; what is best stays that of the level before until then
  void keep(Archive& archive) { archive(best.psi, best.scale, worst, iterations); }

  Nest best;
  double worst = kUnknown;  // of best, over all pairs of the level: the largest distortion of a prefix, in its unit
  int iterations = 0;

 private:
  static constexpr double kWidestBand = 0.999;
  Index count() const { return Index(ranks_.size()); }
  Index first_row(Index j) const { return j == 0 ? 0 : ranks_[std::size_t(j - 1)]; }
  auto block(const Matrix& psi, Index j) const {
    return psi.middleRows(first_row(j), ranks_[std::size_t(j)] - first_row(j));
  }
  std::vector<Vector> off(const Nest& nest) const;
  Vector centred(const Matrix& psi) const;
  double sharpen(Nest& nest, double first);  // from this β on; gives the largest of the working set
  double measured(const Nest& nest, double on_set);

  ColumnGeneration& pairs_;
  std::vector<Index> ranks_;
  Vector units_;
  const RunContext& context_;
};

// A state machine: a move tries at most one rank and names the move that follows it.
class RankSearch {
 public:
  RankSearch(ColumnGeneration& pairs, const Options& options, const RunContext& context);

  static std::vector<std::string> columns() { return {"reached", "points", "working_pairs", "sweeps", "steps"}; }
  StepReport step();  // moves until a rank has been tried, or nothing is left to do

  const Matrix& best() const { return best_; }      // within the band; empty: none yet
  const Matrix& failed() const { return failed_; }  // of the rank asked for, the least distortion that was found
  const std::vector<Trial>& trials() const { return trials_; }
  double trace_bound() const { return trace_bound_; }  // of the relaxation
  void keep(Archive& archive);

 private:
  using Move = void (RankSearch::*)();
  double delta() const { return options_.distortion; }
  bool given() const { return options_.rank > 0; }
  Index d() const { return pairs_.columns(); }
  Matrix truncated(Index rank) const { return pairs_.truncated(best_, rank); }
  bool try_rank(const Matrix& start);
  void looked(Index rank, double distortion, bool reached);
  void enter(std::size_t level);
  void lose();

  void begin();
  void relax();          // the convex relaxation, with column generation
  void bisect();         // for the smallest rank
  void last_chances();   // for one row less, from elsewhere
  void at_given_rank();  // from principal components, from random starts, and down from more rows
  void next_level();
  void again();      // the given rank on more points
  void grow();       // more points, more rows
  void shrink();     // fewer rows with the working set of the last level
  void make_lean();  // a small trace with what a rank leaves free
  void least();      // distortion at the given rank, which does not reach the one asked for
  void end();

  ColumnGeneration& pairs_;
  const Options& options_;
  const RunContext& context_;
  const std::vector<Index> sizes_;
  std::size_t level_ = 0;
  Move next_ = &RankSearch::begin;
  std::optional<StepReport> report_;  // of the last move
  bool ended_ = false, lost_ = false;

  Matrix best_, failed_;
  double best_distortion_ = kUnknown, failed_distortion_ = kUnknown, trace_bound_ = kUnknown;
  Attempt last_;
  std::vector<Trial> trials_;

  Index low_ = 0, high_ = 0, rank_ = 0;  // of a bisection: infeasible, feasible, next
  Index start_of_last_ = 0;              // rank whose Ψ the last try of the bisection was cut from
  int number_ = 0;                       // of the starts at one rank, or of the rounds
  Index first_rank_ = 0, rank_before_ = 0;
  double rows_per_doubling_ = 2;  // of the points, of the last level
  std::optional<LeastDistortion> least_;
};

}  // namespace ritz::isometry
