// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <cmath>

#include "tasks/projection/report.hpp"
#include "tasks/recluster/task.hpp"

namespace ritz::recluster {

namespace {

void add_candidate(Lines& lines, const Alternative& other, std::size_t number) {
  const TuneStep& step = other.candidate.step;
  lines.add("candidate",
            fmt::format("another one: sizes {}, quality {:.4g}, separation {:.3g}, novelty {:.3f}, score {:.3g}{}; "
                        "recluster.views {} fits it",
                        sizes_text(other.labels.counts()), step.quality, step.separation, other.novelty, step.score,
                        std::isfinite(other.nmi) ? fmt::format(", NMI {:.3f} with the truth", other.nmi) : "", number));
}

std::string view_text(const View& found) {
  const Summary& summary = found.fit.summary;
  const kdac::Result& solved = found.solved;
  const Index q = found.fit.W.cols(), k = found.clusters->labels.classes();
  Lines lines;
  lines.raw(fmt::format("{} samples, {} features, {} clusters unlike the given ones, in {}\n", found.n, found.d, k,
                        counted(q, "dimension")));
  lines.add("kernel", fmt::format("{}, lambda {}", kernel_text(found.kernel), number_text(found.lambda)));
  lines.ending(summary, fmt::format("{} rounds, {} (residual {:.1e})", summary.iterations, summary.message,
                                    found.fit.certificate.first_order));
  lines.add("clusters",
            fmt::format("sizes {}; {}", sizes_text(found.clusters->labels.counts()), found.clusters->labelled_by));
  lines.add("quality",
            fmt::format("HSIC(XW, U) {:.6g} of at most {}, spectral gap {:.3g} ({:.6g} against {:.6g})", solved.quality,
                        k, solved.gap, found.spectrum[std::size_t(k - 1)], found.spectrum.back()));
  for (std::size_t i = 0; i < found.given.size(); ++i)
    lines.add("novelty",
              fmt::format("NMI {:.3f} with given clustering {} (0: new, 1: the same)", solved.novelty[i], i + 1));
  lines.add("cost", fmt::format("{:.8g} = {} * {:.6g} - {:.6g}", solved.cost, number_text(found.lambda),
                                solved.hsic_given, solved.quality));
  if (const auto tuned = summary.used.find("tune"); tuned != summary.used.end()) lines.add("tuned", tuned->second);
  if (std::isfinite(found.nmi)) lines.add("NMI, truth", fmt::format("{:.3f}", found.nmi));
  for (std::size_t i = 0; i < found.alternatives.size(); ++i) add_candidate(lines, found.alternatives[i], i + 2);
  lines.add("certificate", projection::certificate_text(found.fit.certificate)).notes(summary.notes);
  return lines.raw(projection::axes_text(found, ReclusterTask::verb)).time(summary).text();
}

}  // namespace

std::string ReclusterTask::text(const Fit<ReclusterTask>& fit) {
  const ReclusterResult& found = fit.result;
  std::string text;
  for (std::size_t v = 0; v < found.views.size(); ++v) {
    if (fit.options.views > 1) text += fmt::format("view {}: ", v + 1);
    text += view_text(found.views[v]);
  }
  if (!found.ended.empty()) text += found.ended + '\n';
  return text;
}

}  // namespace ritz::recluster
