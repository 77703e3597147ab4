// SPDX-License-Identifier: MIT
#include "oracles/csdp/sdp.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/child_process.hpp"
#include "base/memory.hpp"
#include "base/stopwatch.hpp"
#include "oracles/csdp/sdpa_file.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/text.hpp"

namespace ritz {

namespace {

class ScratchFolder {
 public:
  ScratchFolder() {
    std::error_code failure;
    // Nothing where there is no such folder: then the current one has to do.
    const auto parent = std::filesystem::temp_directory_path(failure);
    path_ = parent / "ritz-sdp-XXXXXX";  // the pattern that mkdtemp fills in
    if (!mkdtemp(path_.data()))
      throw Error(ErrorCode::unwritable, fmt::format("cannot make a temporary folder {}: {}; the environment variable "
                                                     "TMPDIR chooses another place",
                                                     path_, std::strerror(errno)));
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }

  const std::string& path() const { return path_; }
  void write(const char* name, const std::string& content) const {
    std::ofstream out(fmt::format("{}/{}", path_, name), std::ios::binary);
    out << content << std::flush;
    if (!out) throw Error(ErrorCode::unwritable, fmt::format("cannot write {}/{}: no space left?", path_, name));
  }
  std::string content_of(const char* name) const {
    std::ifstream in(fmt::format("{}/{}", path_, name), std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
  }

 private:
  std::string path_;
};

// The program reads this file from the folder it runs in. Tolerances, iterations and perturbobj are ours, the rest its
// defaults: with the default perturbation of the objective the gap stays at 1e-7 to 1e-8 on our problems.
std::string parameter_text(const SdpOptions& options) {
  return fmt::format(
      "axtol={0:g}\natytol={0:g}\nobjtol={0:g}\npinftol=1.0e8\ndinftol=1.0e8\nmaxiter={1}\nminstepfrac=0.90\n"
      "maxstepfrac=0.97\nminstepp=1.0e-8\nminstepd=1.0e-8\nusexzgap=1\ntweakgap=0\naffine=0\nprintlevel=1\n"
      "perturbobj=0\nfastmode=0\n",
      options.tolerance, options.max_iterations);
}

struct Verdict {
  SdpStatus status;
  const char* words;
};

// By CSDP's exit status, as its manual lists them.
constexpr std::array<Verdict, 10> kVerdicts = {{
    {SdpStatus::solved, "solved"},
    {SdpStatus::primal_infeasible, "the primal problem is infeasible"},
    {SdpStatus::dual_infeasible, "the dual problem is infeasible"},
    {SdpStatus::nearly_solved, "solved, though not to the full accuracy"},
    {SdpStatus::max_iterations, "the iteration limit is reached"},
    {SdpStatus::stuck, "stuck at the edge of primal feasibility"},
    {SdpStatus::stuck, "stuck at the edge of dual feasibility"},
    {SdpStatus::stuck, "no progress"},
    {SdpStatus::numerical_failure, "a matrix became singular"},
    {SdpStatus::numerical_failure, "a number became infinite or undefined"},
}};

std::string last_line(const std::string& output) {
  const std::string text = trimmed(output);
  return text.substr(text.find_last_of('\n') + 1);
}

}  // namespace

bool usable(SdpStatus status) { return status == SdpStatus::solved || status == SdpStatus::nearly_solved; }

std::string csdp_path() { return program_on_path("csdp"); }

double csdp_bytes(const SdpProblem& problem) {
  const double m = double(problem.constraints.size());
  double numbers = m * m;
  for (const Index size : problem.blocks) numbers += 11.0 * (size < 0 ? double(-size) : double(size) * double(size));
  return 8 * numbers;
}

SdpSolution solve_sdp(const SdpProblem& problem, const SdpOptions& options, const RunContext& context) {
  check_sdp(problem);
  if (!(options.tolerance > 0) || options.max_iterations < 1)
    throw Error(ErrorCode::bad_option,
                fmt::format("csdp's tolerance is {} and its iteration limit {}; both must be positive",
                            number_text(options.tolerance), options.max_iterations));
  const std::string program = csdp_path();
  if (program.empty())
    throw Error(ErrorCode::unsupported, "solver csdp needs the program csdp; install the package coinor-csdp");
  require_memory(
      csdp_bytes(problem), context,
      fmt::format("csdp with {} constraints and {} blocks", problem.constraints.size(), problem.blocks.size()));
  const ScratchFolder folder;
  folder.write("problem.dat-s", sdpa_text(problem));
  folder.write("param.csdp", parameter_text(options));
  RunContext cores;
  cores.threads = options.threads;
  const std::string threads = std::to_string(resolved_threads(cores));

  SdpSolution solution;
  const Stopwatch watch;
  const ChildEnd end = run_child({program,
                                  {"problem.dat-s", "solution"},
                                  folder.path(),
                                  {{"OMP_NUM_THREADS", threads}, {"OPENBLAS_NUM_THREADS", threads}}},
                                 context);
  solution.seconds = watch.seconds();

  if (end.signal != 0)
    throw Error(ErrorCode::bad_file,
                fmt::format("{} was ended by signal {} ({})", program, end.signal, strsignal(end.signal)));
  if (end.code < 0 || end.code >= int(kVerdicts.size()))
    throw Error(ErrorCode::bad_file, fmt::format("{} ended with status {}, which it should not; its last line was '{}'",
                                                 program, end.code, last_line(end.output)));
  const Verdict& verdict = kVerdicts[std::size_t(end.code)];
  solution.status = verdict.status;
  solution.message = fmt::format("csdp: {}", verdict.words);
  if (!read_solution(folder.content_of("solution"), problem, solution))
    throw Error(ErrorCode::bad_file,
                fmt::format("{} ended with status {} ({}) but its solution file cannot be read; its last line was '{}'",
                            program, end.code, verdict.words, last_line(end.output)));
  return solution;
}

}  // namespace ritz
