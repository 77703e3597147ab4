// SPDX-License-Identifier: MIT
// An element by our signed index: at(names, i) for names[std::size_t(i)].
#pragma once

#include <cassert>
#include <cstddef>
#include <utility>

#include "ritz/base/types.hpp"

namespace ritz {

template <class Container>
constexpr decltype(auto) at(Container&& container, Index i) {
  assert(i >= 0 && std::size_t(i) < container.size());
  return std::forward<Container>(container)[std::size_t(i)];
}

}  // namespace ritz
