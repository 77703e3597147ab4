// SPDX-License-Identifier: MIT
// Settings judged by held-out evidence, a fold at a time: all see the same folds, so that two of them are compared
// sample by sample, and one that is clearly behind is left before all folds are fitted (a race: O. Maron, A. Moore,
// The racing algorithm, 1997).
#pragma once

#include <map>

#include "tasks/reduce/told.hpp"

namespace ritz::reduce {

// What k-NN in the space of a setting loses on each sample: the share of its neighbours that are of another class, for
// numbers the squared error over the variance. So 1 less the mean is the share of right neighbours, or R². The share
// tells more of a sample than whether most of them are right, and orders settings by fewer samples.
struct Judged {
  TriedSetting setting;
  std::vector<double> losses{};  // a sample; unknown: its fold was not looked at
  Index right = 0;               // samples whose class was found
  int folds = 0;                 // looked at
  bool failed = false;           // it cannot be fitted
  bool left = false;             // clearly behind

  Score score() const;
};

// How much less `other` loses than `one` on the samples of both, with its standard error.
Score advantage(const Judged& other, const Judged& one);

class Judge {
 public:
  Judge(const Evidence& evidence, const RunContext& context);

  int folds() const { return folds_; }
  Judged entry(const TriedSetting& setting) const;
  // The next fold of an entry. Of each scale the samples of all folds are prepared once, unless they are wide; of each
  // fold the covariances are decomposed once.
  void judge(Judged& entry, RunContext& context);
  // All folds of all entries but those that fall clearly behind the best of them, or behind `leader` where there is
  // one, whose folds have all been looked at; and but those that are no better so far than the same setting in fewer
  // dimensions.
  void race(const std::vector<Judged*>& entries, const Judged* leader, RunContext& context);

 private:
  struct Part {
    Problem train;
    projection::ScaledSamples test;
    Told told;
  };
  using Key = std::tuple<int, Scaling, double, WhitenBy>;

  Part prepared(const TriedSetting& setting, int fold, const RunContext& context);
  Part& part(const TriedSetting& setting, int fold, const RunContext& context);

  bool wide() const;

  const Evidence& evidence_;
  std::vector<int> fold_of_;
  int folds_ = 0;
  Eigen::RowVectorXd variances_;  // of the targets
  std::map<Key, Part> kept_;
  std::map<int, projection::Whitening::Spectra> spectra_;
  std::map<Key, std::string> kernels_;  // of each scale, with the width in its first fold: it hardly differs in others
};

}  // namespace ritz::reduce
