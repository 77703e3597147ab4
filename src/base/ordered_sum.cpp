// SPDX-License-Identifier: MIT
#include <algorithm>
#include <bit>
#include <map>
#include <mutex>
#include <utility>

#include "base/world.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

namespace {

using Numbers = std::vector<double>;

void add_to(double* left, const double* right, Index length) {
  for (Index k = 0; k < length; ++k) left[k] += right[k];
}

// Node k of a level covers the shares [k·2^level, (k + 1)·2^level) that there are, and is the sum of its two children,
// of which the right one may not exist.
struct Node {
  int level;
  Index k;
  Index first() const { return k << level; }
  Index end(Index shares) const { return std::min(shares, (k + 1) << level); }
  Node left() const { return {level - 1, 2 * k}; }
  Node right() const { return {level - 1, 2 * k + 1}; }
  Node parent() const { return {level + 1, k / 2}; }
  auto operator<=>(const Node&) const = default;
};

class Tree {
 public:
  Tree(Index shares, Index length, const RunContext& context)
      : shares_(shares), length_(length), own_(own_shares(shares, context)), world_(sharing(context)) {}

  // The leaves of this rank, and every sum of two finished nodes within it, by whoever finishes the second.
  void grow(const Share& leaf, const RunContext& here) {
    for_each_tile(own_.size(), here, [&](Index t) {
      Numbers sum = cleared();
      leaf(own_.begin + t, sum.data(), here);
      climb({0, own_.begin + t}, std::move(sum));
    });
  }

  // The root, at its owner; what lies between ranks is added by the owner of a node's first share.
  Numbers root() { return joined({int(std::bit_width(std::uint64_t(shares_ - 1))), 0}); }
  int root_owner() const { return owner(0); }

 private:
  Index shares_, length_;
  Range own_;
  World* world_;
  std::mutex mutex_;
  std::map<Node, Numbers> finished_;
  std::vector<Numbers> free_;

  Numbers cleared() {
    Numbers sum;
    {
      const std::lock_guard lock(mutex_);
      if (!free_.empty()) sum = std::move(free_.back()), free_.pop_back();
    }
    sum.assign(std::size_t(length_), 0.0);
    return sum;
  }

  void climb(Node node, Numbers sum) {
    while (node.end(shares_) - node.first() < shares_) {
      const Node up = node.parent();
      const bool is_left = node.k % 2 == 0;
      if (up.first() < own_.begin || up.end(shares_) > own_.end) break;  // another rank has a part of it
      const Node sibling = is_left ? up.right() : up.left();
      if (sibling.first() < shares_) {
        Numbers other;
        {
          const std::lock_guard lock(mutex_);
          const auto found = finished_.find(sibling);
          if (found == finished_.end()) {
            finished_.emplace(node, std::move(sum));
            return;
          }
          other = std::move(found->second);
          finished_.erase(found);
        }
        if (!is_left) std::swap(sum, other);
        add_to(sum.data(), other.data(), length_);
        const std::lock_guard lock(mutex_);
        free_.push_back(std::move(other));
      }
      node = up;
    }
    const std::lock_guard lock(mutex_);
    finished_.emplace(node, std::move(sum));
  }

  int owner(Index share) const { return world_ ? int(((share + 1) * world_->size() - 1) / shares_) : 0; }

  Numbers joined(Node node) {
    const int first = owner(node.first()), last = owner(node.end(shares_) - 1), me = world_ ? world_->rank() : 0;
    if (me < first || me > last) return {};
    if (first == last) return std::move(finished_.at(node));
    Numbers sum = joined(node.left());
    if (node.right().first() >= shares_) return sum;
    Numbers right = joined(node.right());
    const int from = owner(node.right().first());
    if (from != first && me == from) world_->send(first, right.data(), right.size() * sizeof(double));
    if (me != first) return {};
    if (from != first) {
      right.resize(std::size_t(length_));
      world_->receive(from, right.data(), right.size() * sizeof(double));
    }
    add_to(sum.data(), right.data(), length_);
    return sum;
  }
};

}  // namespace

void ordered_sum(Index shares, Index length, const Share& leaf, double* total, const RunContext& context) {
  if (shares == 1) {  // by every rank
    const SingleThreadedBlas hold;
    std::fill_n(total, length, 0.0);
    context.poll();
    return leaf(0, total, context);
  }
  Tree tree(shares, length, context);
  run_own_part(context, [&](const RunContext& here) { tree.grow(leaf, here); });
  const std::vector<double> sum = tree.root();
  const int owner = tree.root_owner();
  World* world = sharing(context);
  if (!world || world->rank() == owner) std::copy_n(sum.data(), length, total);
  if (world) broadcast(*world, owner, total, std::size_t(length) * sizeof(double));
}

}  // namespace ritz
