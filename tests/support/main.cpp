// SPDX-License-Identifier: MIT
// Both words: the header is precompiled, and takes the first from the second only where it has not been read yet.
#define DOCTEST_CONFIG_IMPLEMENT
#define DOCTEST_CONFIG_IMPLEMENT_WITH_MAIN
#include <doctest/doctest.h>
