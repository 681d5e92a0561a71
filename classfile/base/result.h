// SPDX-License-Identifier: Apache-2.0
// How does a function say that it failed? With Result<T>: a value, or an Error
// that names what was found, what was allowed, and where.
// Dropping a Result is a compiler warning. Nothing here throws.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace rejig::base {

enum class Errc {
  kIo,           // the operating system refused
  kNotFound,     // a named thing is not there
  kMalformed,    // bytes that break their format
  kUnsupported,  // well-formed, but not ours to read
  kLimit,        // a bound of ours was met
  kUsage,        // the caller asked for something impossible
};

struct Error {
  Errc code = Errc::kMalformed;
  std::string what;   // the value found and its legal range
  std::string where;  // "app.jar!/a/B.class @0x1f3", or empty

  std::string message() const {
    return where.empty() ? what : where + ": " + what;
  }
};

[[noreturn]] inline void check_failed(const char* expr, const char* file,
                                      int line) {
  std::fprintf(stderr, "rejig: internal error: %s at %s:%d\n", expr, file,
               line);
  std::abort();
}

// Only for our own bugs, never for input.
#define REJIG_CHECK(cond)                                        \
  (static_cast<bool>(cond)                                       \
       ? static_cast<void>(0)                                    \
       : ::rejig::base::check_failed(#cond, __FILE__, __LINE__))

template <class T>
class [[nodiscard]] Result {
 public:
  Result(T value) : state_(std::in_place_index<0>, std::move(value)) {}
  Result(Error error) : state_(std::in_place_index<1>, std::move(error)) {}

  bool ok() const { return state_.index() == 0; }
  explicit operator bool() const { return ok(); }

  T& value() & {
    REJIG_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  const T& value() const& {
    REJIG_CHECK(ok());
    return *std::get_if<0>(&state_);
  }
  T&& value() && {
    REJIG_CHECK(ok());
    return std::move(*std::get_if<0>(&state_));
  }
  T& operator*() & { return value(); }
  const T& operator*() const& { return value(); }
  T&& operator*() && { return std::move(*this).value(); }
  T* operator->() { return &value(); }
  const T* operator->() const { return &value(); }

  const Error& error() const& {
    REJIG_CHECK(!ok());
    return *std::get_if<1>(&state_);
  }
  Error&& error() && {
    REJIG_CHECK(!ok());
    return std::move(*std::get_if<1>(&state_));
  }

 private:
  std::variant<T, Error> state_;
};

struct Unit {};

template <>
class [[nodiscard]] Result<void> : public Result<Unit> {
 public:
  Result() : Result<Unit>(Unit{}) {}
  Result(Error error) : Result<Unit>(std::move(error)) {}
};

#define REJIG_CONCAT_(a, b) a##b
#define REJIG_CONCAT(a, b) REJIG_CONCAT_(a, b)

// REJIG_TRY(auto x, f()); : x is f()'s value, or this function returns its error.
#define REJIG_TRY_(tmp, decl, expr)               \
  auto tmp = (expr);                              \
  if (!tmp.ok()) return std::move(tmp).error();   \
  decl = std::move(tmp).value()
#define REJIG_TRY(decl, ...) \
  REJIG_TRY_(REJIG_CONCAT(rejig_try_, __LINE__), decl, (__VA_ARGS__))

// The same for a Result whose value is not needed.
#define REJIG_TRY_VOID(...)                                         \
  do {                                                              \
    auto rejig_try_void = (__VA_ARGS__);                            \
    if (!rejig_try_void.ok()) return std::move(rejig_try_void).error(); \
  } while (false)

}  // namespace rejig::base
