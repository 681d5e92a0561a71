// SPDX-License-Identifier: Apache-2.0
// Who says so? ed25519 over a text. Keys are base64; the secret one is the 32
// bytes of its seed. A build without libsodium can check nothing, so it takes
// nothing for signed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "classfile/base/result.h"

namespace rejig::coverage {

struct KeyPair {
  std::string open;    // base64, for rejig.toml
  std::string secret;  // base64
};
base::Result<KeyPair> make_keys();
base::Result<std::string> open_key_of(const std::string& secret);

base::Result<std::string> signature_of(std::string_view text,
                                       const std::string& secret);
// By one of these open keys.
bool is_signed(std::string_view text, const std::string& signature,
               const std::vector<std::string>& keys);

}  // namespace rejig::coverage
