// SPDX-License-Identifier: MIT
// Bytes of what a run has in memory, exact to the last bit. One function says what is kept of a thing: it writes it and
// it reads it back.
//
//   void keep(Archive& archive, Summary& summary) { archive(summary.iterations, summary.message); }
//
// Numbers, enums, texts, Eigen's dense matrices, and vectors, maps, pairs, optionals, variants and arrays of such are
// known; everything else has a free function like that one, or a member keep(Archive&).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "ritz/base/types.hpp"

namespace ritz {

class Archive {
 public:
  Archive() = default;                                                             // writes
  explicit Archive(std::string_view earlier) : restores_(true), left_(earlier) {}  // reads what one wrote; borrowed

  bool restores() const { return restores_; }
  std::string take() { return std::move(bytes_); }

  // All of them, in this order. Reading throws bad_file where the bytes end too early or name sizes that cannot be.
  template <class... Things>
  void operator()(Things&... things) {
    (one(things), ...);
  }

 private:
  template <class T>
  void one(T& thing) {
    if constexpr (std::is_arithmetic_v<T> || std::is_enum_v<T>) {
      plain(&thing, sizeof thing);
    } else if constexpr (std::is_base_of_v<Eigen::PlainObjectBase<T>, T>) {
      Index rows = thing.rows(), cols = thing.cols();
      one(rows);
      one(cols);
      if (restores_) {
        require(rows >= 0 && cols >= 0 && (rows == 0 || std::size_t(cols) <= left_.size() / std::size_t(rows)));
        thing.resize(rows, cols);
      }
      plain(thing.data(), std::size_t(thing.size()) * sizeof(typename T::Scalar));
    } else if constexpr (requires { thing.keep(*this); }) {
      thing.keep(*this);
    } else {
      keep(*this, thing);
    }
  }

  void plain(void* data, std::size_t size);
  std::size_t count(std::size_t size);  // of a container; reading: at most as many as bytes are left
  static void require(bool plausible);

  friend void keep(Archive& archive, std::string& text);
  template <class T>
  friend void keep(Archive& archive, std::vector<T>& values);
  template <class T>
  friend void keep(Archive& archive, std::deque<T>& values);
  template <class K, class T>
  friend void keep(Archive& archive, std::map<K, T>& values);
  template <class... T>
  friend void keep(Archive& archive, std::variant<T...>& value);

  bool restores_ = false;
  std::string_view left_;
  std::string bytes_;
};

void keep(Archive& archive, std::string& text);
void keep(Archive& archive, SparseRows& matrix);

template <class A, class B>
void keep(Archive& archive, std::pair<A, B>& both) {
  archive(both.first, both.second);
}
template <class T, std::size_t N>
void keep(Archive& archive, std::array<T, N>& values) {
  for (T& value : values) archive(value);
}
template <class T>
void keep(Archive& archive, std::optional<T>& value) {
  bool there = value.has_value();
  archive(there);
  if (archive.restores()) value = there ? std::optional<T>(std::in_place) : std::nullopt;
  if (value) archive(*value);
}
template <class T>
void keep(Archive& archive, std::vector<T>& values) {
  static_assert(!std::is_same_v<T, bool>, "take a vector of char");
  const std::size_t size = archive.count(values.size());
  if (archive.restores()) values.assign(size, T{});
  if constexpr (std::is_arithmetic_v<T>)
    archive.plain(values.data(), size * sizeof(T));
  else
    for (T& value : values) archive(value);
}
template <class T>
void keep(Archive& archive, std::deque<T>& values) {
  const std::size_t size = archive.count(values.size());
  if (archive.restores()) values.assign(size, T{});
  for (T& value : values) archive(value);
}
template <class K, class T>
void keep(Archive& archive, std::map<K, T>& values) {
  const std::size_t size = archive.count(values.size());
  if (!archive.restores()) {
    for (auto& [key, value] : values) {
      K name = key;
      archive(name, value);
    }
    return;
  }
  values.clear();
  for (std::size_t i = 0; i < size; ++i) {
    K key{};
    archive(key);
    archive(values[key]);
  }
}
template <class... T>
void keep(Archive& archive, std::variant<T...>& value) {
  std::size_t index = value.index();
  archive(index);
  if (archive.restores()) {
    Archive::require(index < sizeof...(T));
    std::size_t at = 0;
    ((at++ == index ? void(value.template emplace<T>()) : void()), ...);
  }
  std::visit([&](auto& each) { archive(each); }, value);
}

}  // namespace ritz
