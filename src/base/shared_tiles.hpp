// SPDX-License-Identifier: MIT
// Tiles whose results have no size that is known beforehand, each found by one rank and told to all.
#pragma once

#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "base/world.hpp"
#include "ritz/base/parallel.hpp"

namespace ritz {

// Numbers and lists of them as bytes, and back in the same order.
class Packed {
 public:
  template <class T>
  void operator()(T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    text_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    std::size_t size = list.size();
    (*this)(size);
    text_.append(reinterpret_cast<const char*>(list.data()), size * sizeof(T));
  }
  const std::string& text() const { return text_; }

 private:
  std::string text_;
};
class Unpacked {
 public:
  explicit Unpacked(const std::string& text) : at_(text.data()) {}
  template <class T>
  void operator()(T& value) {
    std::memcpy(&value, at_, sizeof value);
    at_ += sizeof value;
  }
  template <class T>
  void operator()(std::vector<T>& list) {
    std::size_t size = 0;
    (*this)(size);
    list.resize(size);
    if (size > 0) std::memcpy(list.data(), at_, size * sizeof(T));
    at_ += size * sizeof(T);
  }

 private:
  const char* at_;
};

// Has task(t, tile, here) fill each tile at one rank; then all ranks have them all. tile.parts(io) calls io with every
// number and list of a tile.
template <class Tile, class Task>
void fill_tiles(std::vector<Tile>& tiles, const RunContext& context, const Task& task) {
  const Index count = Index(tiles.size());
  const Range own = own_shares(count, context);
  run_own_part(context, [&](const RunContext& here) {
    for_each_tile(own.size(), here, [&](Index t) { task(own.begin + t, tiles[std::size_t(own.begin + t)], here); });
  });
  if (!sharing(context) || count == 1) return;
  Packed mine;
  for (Index t = own.begin; t < own.end; ++t) tiles[std::size_t(t)].parts(mine);
  const std::vector<std::string> all = gathered(mine.text(), context);
  const Index size = context.world->size();
  for (Index rank = 0; rank < size; ++rank) {
    if (rank == context.world->rank()) continue;
    Unpacked from(all[std::size_t(rank)]);
    for (Index t = rank * count / size; t < (rank + 1) * count / size; ++t) tiles[std::size_t(t)].parts(from);
  }
}

}  // namespace ritz
