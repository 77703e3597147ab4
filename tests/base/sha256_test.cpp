// SPDX-License-Identifier: MIT
#include "base/sha256.hpp"

#include <doctest/doctest.h>

#include <string>

namespace ritz {

TEST_CASE("sha256_gives_the_digests_of_FIPS_180_4") {
  CHECK(hexadecimal(sha256("")) == "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  CHECK(hexadecimal(sha256("abc")) == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  CHECK(hexadecimal(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")) ==
        "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  CHECK(hexadecimal(sha256(std::string(1'000'000, 'a'))) ==
        "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST_CASE("the_digest_does_not_depend_on_how_the_bytes_come") {
  const std::string text(200, 'x');
  for (const std::size_t cut : {0, 1, 55, 56, 63, 64, 65, 128, 199}) {
    Sha256 hash;
    hash.add(text.substr(0, cut));
    hash.add(text.substr(cut));

    CHECK(hash.finish() == sha256(text));
  }
}

TEST_CASE("base64_gives_the_texts_of_RFC_4648") {
  CHECK(base64("") == "");
  CHECK(base64("f") == "Zg==");
  CHECK(base64("fo") == "Zm8=");
  CHECK(base64("foo") == "Zm9v");
  CHECK(base64("foobar") == "Zm9vYmFy");
  CHECK(base64("\xff\xfe") == "//4=");
}

}  // namespace ritz
