// SPDX-License-Identifier: MIT
// The list a new loss joins.
#pragma once

#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "model/losses/hinge.hpp"
#include "model/losses/linear.hpp"
#include "model/losses/square.hpp"
#include "model/losses/square_hinge.hpp"

namespace ritz {

using AnyLoss = std::variant<LinearLoss, SquareHinge, Hinge, SquareLoss>;  // a new loss joins here

std::vector<std::string> loss_names();
AnyLoss make_loss(std::string_view name, double penalty);  // bad_option for a name that is not in the list
std::string_view loss_name(const AnyLoss& loss);

}  // namespace ritz
