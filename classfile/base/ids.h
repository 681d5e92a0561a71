// SPDX-License-Identifier: Apache-2.0
// Which number names this thing? A 4-byte Id<Tag> that converts to no other
// Id and to no integer by accident. Ids are dense and given in sorted order of
// what they name, so they are equal on every run.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <utility>
#include <vector>

namespace rejig::base {

template <class Tag>
class Id {
 public:
  constexpr Id() = default;
  constexpr explicit Id(std::uint32_t raw) : raw_(raw) {}
  static constexpr Id of(std::size_t index) {
    return Id(static_cast<std::uint32_t>(index));
  }
  static constexpr Id none() { return Id(); }

  constexpr std::uint32_t raw() const { return raw_; }
  constexpr std::size_t index() const { return raw_; }
  constexpr bool valid() const { return raw_ != kNone; }
  constexpr explicit operator bool() const { return valid(); }

  friend constexpr bool operator==(Id, Id) = default;
  friend constexpr auto operator<=>(Id, Id) = default;

 private:
  static constexpr std::uint32_t kNone =
      std::numeric_limits<std::uint32_t>::max();
  std::uint32_t raw_ = kNone;
};

// A vector indexed by one kind of Id only.
template <class I, class T>
class IdVector {
 public:
  using const_reference = typename std::vector<T>::const_reference;
  using reference = typename std::vector<T>::reference;

  IdVector() = default;
  explicit IdVector(std::size_t n, const T& value = T()) : items_(n, value) {}

  reference operator[](I id) { return items_[id.index()]; }
  const_reference operator[](I id) const { return items_[id.index()]; }
  I push_back(T value) {
    items_.push_back(std::move(value));
    return I::of(items_.size() - 1);
  }
  std::size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(I id) const { return id.index() < items_.size(); }
  void resize(std::size_t n) { items_.resize(n); }
  void resize(std::size_t n, const T& value) { items_.resize(n, value); }
  void reserve(std::size_t n) { items_.reserve(n); }
  I next_id() const { return I::of(items_.size()); }

  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  std::vector<T>& raw() { return items_; }
  const std::vector<T>& raw() const { return items_; }

 private:
  std::vector<T> items_;
};

}  // namespace rejig::base

template <class Tag>
struct std::hash<rejig::base::Id<Tag>> {
  std::size_t operator()(rejig::base::Id<Tag> id) const noexcept {
    return id.raw() * std::size_t{0x9e3779b97f4a7c15};
  }
};
