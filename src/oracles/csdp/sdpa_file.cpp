// SPDX-License-Identifier: MIT
#include "oracles/csdp/sdpa_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>
#include <optional>
#include <tuple>

#include "ritz/base/error.hpp"

namespace ritz {

namespace {

// Upper triangle, sorted, one entry a place, without zeros: CSDP takes a second one for a mistake.
std::vector<SdpEntry> tidied(std::vector<SdpEntry> entries) {
  const auto place = [](const SdpEntry& entry) { return std::tuple(entry.block, entry.row, entry.column); };
  for (SdpEntry& entry : entries)
    if (entry.row > entry.column) std::swap(entry.row, entry.column);
  std::ranges::stable_sort(entries, {}, place);
  std::vector<SdpEntry> tidy;
  for (const SdpEntry& entry : entries) {
    if (!tidy.empty() && place(tidy.back()) == place(entry))
      tidy.back().value += entry.value;
    else
      tidy.push_back(entry);
  }
  std::erase_if(tidy, [](const SdpEntry& entry) { return entry.value == 0; });
  return tidy;
}

void write_entries(std::string& text, std::size_t number, const std::vector<SdpEntry>& entries) {
  for (const SdpEntry& entry : tidied(entries))
    fmt::format_to(std::back_inserter(text), "{} {} {} {} {:.17g}\n", number, entry.block + 1, entry.row + 1,
                   entry.column + 1, entry.value);
}

void check_entries(const std::vector<SdpEntry>& entries, const std::vector<Index>& blocks, const std::string& where) {
  for (const SdpEntry& entry : entries) {
    const bool block_known = entry.block >= 0 && entry.block < Index(blocks.size());
    const Index size = block_known ? blocks[std::size_t(entry.block)] : 0;
    const auto inside = [&](Index place) { return place >= 0 && place < std::abs(size); };
    if (!inside(entry.row) || !inside(entry.column) || (size < 0 && entry.row != entry.column))
      throw Error(ErrorCode::bad_shape, fmt::format("{} has an entry ({}, {}) in block {}, which is not in its blocks",
                                                    where, entry.row, entry.column, entry.block));
    if (!std::isfinite(entry.value)) throw Error(ErrorCode::not_finite, fmt::format("{} is not finite", where));
  }
}

// Numbers with blanks between them.
class Numbers {
 public:
  explicit Numbers(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}
  template <class T>
  std::optional<T> next() {
    only_blanks_left();
    T value{};
    const auto [rest, failure] = std::from_chars(at_, end_, value);
    if (failure != std::errc{}) return std::nullopt;
    at_ = rest;
    return value;
  }
  bool only_blanks_left() {
    while (at_ != end_ && (*at_ == ' ' || *at_ == '\n')) ++at_;
    return at_ == end_;
  }

 private:
  const char* at_;
  const char* end_;
};

double value_at(const std::vector<Matrix>& X, const std::vector<Index>& blocks, const SdpEntry& entry) {
  const Matrix& block = X[std::size_t(entry.block)];
  return blocks[std::size_t(entry.block)] < 0 ? block(entry.row, 0) : block(entry.row, entry.column);
}

}  // namespace

void check_sdp(const SdpProblem& problem) {
  if (problem.constraints.empty() || problem.blocks.empty())
    throw Error(ErrorCode::bad_shape, "a semidefinite program needs at least one block and one constraint");
  if (problem.constraints.size() != problem.right.size())
    throw Error(ErrorCode::bad_shape, fmt::format("there are {} constraints but {} right-hand sides",
                                                  problem.constraints.size(), problem.right.size()));
  if (std::ranges::count(problem.blocks, 0) > 0)
    throw Error(ErrorCode::bad_shape, "a block of a semidefinite program has size 0");
  check_entries(problem.objective, problem.blocks, "the objective");
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) {
    const std::string where = fmt::format("constraint {}", i + 1);
    check_entries(problem.constraints[i], problem.blocks, where);
    if (tidied(problem.constraints[i]).empty())
      throw Error(ErrorCode::bad_shape, fmt::format("{} has no entries other than 0", where));
    if (!std::isfinite(problem.right[i]))
      throw Error(ErrorCode::not_finite, fmt::format("the right-hand side of {} is not finite", where));
  }
}

std::string sdpa_text(const SdpProblem& problem) {
  std::string text = fmt::format("{}\n{}\n", problem.constraints.size(), problem.blocks.size());
  for (const Index size : problem.blocks) fmt::format_to(std::back_inserter(text), "{} ", size);
  text += '\n';
  for (const double value : problem.right) fmt::format_to(std::back_inserter(text), "{:.17g} ", value);
  text += '\n';
  write_entries(text, 0, problem.objective);
  for (std::size_t i = 0; i < problem.constraints.size(); ++i) write_entries(text, i + 1, problem.constraints[i]);
  return text;
}

bool read_solution(std::string_view text, const SdpProblem& problem, SdpSolution& solution) {
  Numbers numbers(text);
  solution.y.resize(Index(problem.right.size()));
  for (double& value : solution.y) {
    const auto read = numbers.next<double>();
    if (!read) return false;
    value = *read;
  }
  solution.X.clear();
  for (const Index size : problem.blocks) solution.X.push_back(Matrix::Zero(std::abs(size), size < 0 ? 1 : size));
  while (!numbers.only_blanks_left()) {
    const auto matrix = numbers.next<int>();
    const auto block = numbers.next<Index>(), row = numbers.next<Index>(), column = numbers.next<Index>();
    const auto value = numbers.next<double>();
    if (!value || !matrix || !block || !row || !column || *block < 1 || *block > Index(problem.blocks.size()))
      return false;
    Matrix& X = solution.X[std::size_t(*block - 1)];
    if (*row < 1 || *column < 1 || *row > X.rows() || *column > X.rows()) return false;
    if (*matrix != 2) continue;
    if (problem.blocks[std::size_t(*block - 1)] < 0)
      X(*row - 1, 0) = *value;
    else
      X(*row - 1, *column - 1) = X(*column - 1, *row - 1) = *value;
  }
  // The program prints eight digits of the objectives: here are all.
  solution.primal = solution.dual = 0;
  for (const SdpEntry& entry : problem.objective)
    solution.primal += (entry.row == entry.column ? 1 : 2) * entry.value * value_at(solution.X, problem.blocks, entry);
  for (Index i = 0; i < solution.y.size(); ++i) solution.dual += problem.right[std::size_t(i)] * solution.y[i];
  return true;
}

}  // namespace ritz
