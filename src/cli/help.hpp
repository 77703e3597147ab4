// SPDX-License-Identifier: MIT
// What --help shows: the verbs by question, examples first, everyday options on top.
#pragma once

#include <string>
#include <vector>

#include "cli/session.hpp"

namespace ritz::cli {

std::shared_ptr<CLI::FormatterBase> help_formatter();

// "help reduce" -> "reduce --help", "version" -> "--version"; other words as they are.
std::vector<std::string> in_plain_words(std::vector<std::string> words);

// For a verb that is another program's: "; ritz unfold X --method pca gives principal components". Empty: none known.
std::string instead_of(const std::string& verb);

}  // namespace ritz::cli
