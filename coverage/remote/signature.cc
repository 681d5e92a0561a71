// SPDX-License-Identifier: Apache-2.0
#include "coverage/remote/signature.h"

#include <sodium.h>

#include <array>
#include <optional>

namespace rejig::coverage {

using base::Errc;
using base::Error;

namespace {

constexpr int kBase64 = sodium_base64_VARIANT_ORIGINAL;

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

template <std::size_t n>
std::optional<std::array<unsigned char, n>> decoded(std::string_view text) {
  std::array<unsigned char, n> out{};
  std::size_t size = 0;
  if (::sodium_base642bin(out.data(), out.size(), text.data(), text.size(),
                          " \t\n\r", &size, nullptr, kBase64) != 0 ||
      size != n) {
    return std::nullopt;
  }
  return out;
}

template <std::size_t n>
std::string encoded(const std::array<unsigned char, n>& bytes) {
  std::string out(sodium_base64_ENCODED_LEN(n, kBase64), '\0');
  ::sodium_bin2base64(out.data(), out.size(), bytes.data(), n, kBase64);
  out.pop_back();  // the NUL
  return out;
}

struct Pair {
  std::array<unsigned char, crypto_sign_PUBLICKEYBYTES> open{};
  std::array<unsigned char, crypto_sign_SECRETKEYBYTES> secret{};
};

base::Result<Pair> pair_of(const std::string& secret) {
  if (::sodium_init() < 0) {
    return Error{Errc::kUnsupported, "libsodium cannot be used", ""};
  }
  const auto seed = decoded<crypto_sign_SEEDBYTES>(secret);
  if (!seed) {
    return Error{Errc::kUsage, "the secret key is not 32 bytes in base64", ""};
  }
  Pair out;
  ::crypto_sign_seed_keypair(out.open.data(), out.secret.data(), seed->data());
  return out;
}

}  // namespace

base::Result<KeyPair> make_keys() {
  if (::sodium_init() < 0) {
    return Error{Errc::kUnsupported, "libsodium cannot be used", ""};
  }
  std::array<unsigned char, crypto_sign_SEEDBYTES> seed{};
  ::randombytes_buf(seed.data(), seed.size());
  const std::string secret = encoded(seed);
  REJIG_TRY(std::string open, open_key_of(secret));
  return KeyPair{std::move(open), secret};
}

base::Result<std::string> open_key_of(const std::string& secret) {
  REJIG_TRY(const Pair pair, pair_of(secret));
  return encoded(pair.open);
}

base::Result<std::string> signature_of(std::string_view text,
                                       const std::string& secret) {
  REJIG_TRY(const Pair pair, pair_of(secret));
  std::array<unsigned char, crypto_sign_BYTES> out{};
  ::crypto_sign_detached(out.data(), nullptr, bytes_of(text), text.size(),
                         pair.secret.data());
  return encoded(out);
}

bool is_signed(std::string_view text, const std::string& signature,
               const std::vector<std::string>& keys) {
  if (::sodium_init() < 0) return false;
  const auto given = decoded<crypto_sign_BYTES>(signature);
  if (!given) return false;
  for (const auto& key : keys) {
    const auto open = decoded<crypto_sign_PUBLICKEYBYTES>(key);
    if (open && ::crypto_sign_verify_detached(given->data(), bytes_of(text),
                                              text.size(),
                                              open->data()) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace rejig::coverage
