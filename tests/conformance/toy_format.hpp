// SPDX-License-Identifier: MIT
#pragma once

namespace ritz::test {

// One more format, in one file and with one row: it is in the list as long as the program runs, so that all that holds
// for every format is tried on it too.
void add_toy_format();

}  // namespace ritz::test
