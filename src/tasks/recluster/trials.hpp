// SPDX-License-Identifier: MIT
// Settings that are tried on a part of the samples, and what is remembered of them.
#pragma once

#include "base/stopwatch.hpp"
#include "tasks/recluster/tune.hpp"

namespace ritz::recluster {

inline constexpr double kSameClusters = 0.5;  // NMI from which on two clusterings are one

struct Trial {
  double multiple = 0, share = 0;  // σ/median, λ/balanced
  kdac::Result result;
  double score = 0;
  std::size_t place = 0;  // in the path
  Index columns() const { return result.found.W.cols(); }
};
double agreement(const Trial& a, const Trial& b);

class Trials {
 public:
  // Every step that is tried goes to `path`, which is borrowed.
  Trials(const Samples& X, const std::vector<Labels>& given, const kdac::Options& how, const TuneOptions& options,
         std::vector<TuneStep>& path, RunContext& context);
  // The same part and path, with one clustering more to differ from, and nothing kept yet.
  Trials(const Trials& before, Labels more);
  Trials(const Trials&) = delete;
  Trials& operator=(const Trials&) = delete;

  void solve_roughly();  // a setting is tried, not solved: few rounds
  void solve_well();
  void plan(int steps) { planned_ = steps; }  // how many will be tried, for the observer

  Trial attempt(double multiple, double share, Index q, const Matrix& start, const std::string& kind);
  // Few rounds may pass by a good place and not stay: what is kept is solved, and judged again.
  void settle();
  // By stability, too, the best first, until the best is one that was judged: none that was not scores higher (or eight
  // were). The others are dropped.
  void judge();
  // Mean agreement of labels from resamples, carried over to all samples of the part.
  double stability(const Trial& trial);
  Matrix ordered(const Trial& trial);  // W in the basis that diagonalises WᵀΦW, largest first

  const std::vector<Trial>& kept() const { return kept_; }  // the best settings of each dimension, best first
  const Trial& best() const;
  const Trial& best_of(Index q) const;
  std::vector<Trial> take_met();  // the best of each clustering that was met, best first
  double median() const { return median_; }
  double unit() const { return unit_; }  // of λ for all samples: the balanced one
  const Samples& samples() const { return samples_; }
  Index clusters() const { return how_.clusters; }
  TuneStep& step(const Trial& trial) { return path_[trial.place]; }

 private:
  kdac::Options how_;
  TuneOptions options_;
  RunContext& context_;
  Part part_;
  Samples samples_;
  double unit_, median_;
  std::vector<TuneStep>& path_;
  std::vector<Trial> kept_, met_;
  Stopwatch watch_;
  int planned_ = 1;

  kdac::Result fit(const Part& part, const Samples& X, double multiple, double share, Index q, const Matrix& start);
  KernelSum kernel(double multiple) const;
  void keep(const Trial& trial);
  void remember(const Trial& trial);
  void report(double score);
};

}  // namespace ritz::recluster
