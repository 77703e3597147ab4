// SPDX-License-Identifier: MIT
#include "ritz/base/checkpoint.hpp"

#include <algorithm>
#include <cstring>
#include <memory>

#include "base/world.hpp"
#include "ritz/base/error.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

void Archive::require(bool plausible) {
  if (!plausible) throw Error(ErrorCode::bad_file, "what was kept of the run does not fit it");
}

void Archive::plain(void* data, std::size_t size) {
  if (size == 0) return;
  if (!restores_) {
    bytes_.append(static_cast<const char*>(data), size);
    return;
  }
  require(size <= left_.size());
  std::memcpy(data, left_.data(), size);
  left_.remove_prefix(size);
}

std::size_t Archive::count(std::size_t size) {
  std::uint64_t number = size;
  plain(&number, sizeof number);
  require(!restores_ || number <= left_.size());
  return std::size_t(number);
}

void keep(Archive& archive, std::string& text) {
  text.resize(archive.count(text.size()));
  archive.plain(text.data(), text.size());
}

void keep(Archive& archive, SparseRows& matrix) {
  matrix.makeCompressed();
  Index rows = matrix.rows(), cols = matrix.cols();
  const auto count = std::size_t(matrix.nonZeros());
  std::vector<int> begin(matrix.outerIndexPtr(), matrix.outerIndexPtr() + rows + 1),
      columns(matrix.innerIndexPtr(), matrix.innerIndexPtr() + count);
  std::vector<double> values(matrix.valuePtr(), matrix.valuePtr() + count);
  archive(rows, cols, begin, columns, values);
  if (archive.restores())
    matrix =
        Eigen::Map<const SparseRows>(rows, cols, Index(values.size()), begin.data(), columns.data(), values.data());
}

// Where bytes are kept, what is inside is of a later part of the stage: a loop's later steps.
struct Checkpoint::Record {
  std::string name, bytes;
  std::vector<std::unique_ptr<Record>> inside;
  std::size_t next = 0;  // that will be entered

  void keep(Archive& archive, int depth = 0) {
    constexpr int kDeepest = 100;
    if (depth > kDeepest) throw Error(ErrorCode::bad_file, "its stages are nested too deeply");
    archive(name, bytes);
    std::uint64_t count = inside.size();
    archive(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      if (archive.restores()) inside.push_back(std::make_unique<Record>());
      inside[std::size_t(i)]->keep(archive, depth + 1);
    }
  }
};

namespace {

constexpr std::chrono::duration<double> kBetweenStates(1);  // of a loop: its trace grows with its steps

}  // namespace

Checkpoint::Checkpoint(std::function<void(const std::string& bytes)> write, double minutes)
    : write_(std::move(write)),
      between_(60 * minutes),
      root_(std::make_unique<Record>()),
      now_(root_.get()),
      news_(true) {}

Checkpoint::~Checkpoint() = default;

void Checkpoint::restore(std::string_view bytes) {
  Archive archive(bytes);
  root_ = std::make_unique<Record>();
  now_ = root_.get();
  archive(*root_);
}

void Checkpoint::flush() {
  if (news_) write();
}

void Checkpoint::write() {
  Archive archive;
  archive(*root_);
  try {
    write_(archive.take());
    news_ = false;
    trouble_.clear();
  } catch (const Error& error) {  // what is optional never costs the result
    trouble_ = error.what();
  }
  written_ = Clock::now();
}

Checkpoint::Scope::Scope(const RunContext& context, std::string_view name, Inside inside) : context_(context) {
  if (!context.checkpoint || inside_a_tile()) return;
  owner_ = context.checkpoint;
  if (interrupted()) disturbed();
  hides_ = inside == Inside::hidden;
  if (!owner_->disturbed_ && owner_->hidden_ == 0) {
    parent_ = owner_->now_;
    auto& all = parent_->inside;
    if (parent_->next < all.size() && all[parent_->next]->name != name) all.resize(parent_->next);  // another history
    if (parent_->next == all.size()) {
      all.push_back(std::make_unique<Record>());
      all.back()->name = name;
    }
    record_ = all[parent_->next++].get();
    owner_->now_ = record_;
  }
  owner_->hidden_ += hides_;
}

Checkpoint::Scope::~Scope() {
  if (!owner_) return;
  owner_->hidden_ -= hides_;
  if (record_) owner_->now_ = parent_;
}

const std::string* Checkpoint::Scope::earlier() const {
  return record_ && !record_->bytes.empty() ? &record_->bytes : nullptr;
}

void Checkpoint::Scope::took(int iterations) {
  if (iterations == 0) ++owner_->stages_;
  owner_->iterations_ += iterations;
}

bool Checkpoint::Scope::due() const {
  return record_ && !owner_->disturbed_ && (owner_->between_.count() == 0 || Clock::now() - kept_ >= kBetweenStates);
}

void Checkpoint::Scope::keep(std::string bytes) {
  if (!record_ || owner_->disturbed_) return;
  record_->bytes = std::move(bytes);
  record_->inside.clear();
  record_->next = 0;
  owner_->news_ = true;
  kept_ = Clock::now();
  if (kept_ - owner_->written_ >= owner_->between_) owner_->write();
}

void Checkpoint::Scope::disturbed() {
  if (owner_) owner_->disturbed_ = true;
}

// Among ranks only what all agree on counts, which loops tell.
bool Checkpoint::Scope::interrupted() const {
  if (context_.world) return false;
  return (context_.cancel && context_.cancel->load(std::memory_order_relaxed)) ||
         (context_.deadline != Clock::time_point::max() && Clock::now() > context_.deadline);
}

}  // namespace ritz
