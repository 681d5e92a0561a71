// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/statics.h"

#include "apps/agent/locked.h"

namespace rejig::agent {
namespace {

// Room for `wanted` elements, new ones zero.
template <class T>
bool grow(T*& data, std::size_t& size, std::size_t wanted) {
  if (wanted <= size) return true;
  std::size_t next = size == 0 ? 256 : size * 2;
  while (next < wanted) next *= 2;
  void* p = std::realloc(static_cast<void*>(data), next * sizeof(T));
  if (p == nullptr) return false;
  data = static_cast<T*>(p);
  std::memset(static_cast<void*>(data + size), 0, (next - size) * sizeof(T));
  size = next;
  return true;
}

}  // namespace

Statics::Statics() { pthread_mutex_init(&mutex_, nullptr); }

Statics::~Statics() {
  std::free(methods_);
  std::free(asks_);
  std::free(names_);
  std::free(keepers_);
  std::free(lists_);
  pthread_mutex_destroy(&mutex_);
}

bool Statics::room_for(std::uint32_t name) {
  return grow(names_, names_size_, std::size_t{name} + 1);
}

std::uint32_t Statics::keep(const Ids& list) {
  if (!grow(lists_, lists_size_, lists_used_ + list.size() + 1)) return 0;
  const auto at = static_cast<std::uint32_t>(lists_used_);
  for (std::size_t i = 0; i < list.size(); ++i) lists_[lists_used_++] = list[i];
  lists_[lists_used_++] = 0;
  return at;
}

bool Statics::touches(std::uint32_t method, const Ids& names) {
  const Locked locked(mutex_);
  if (!grow(methods_, methods_size_, std::size_t{method} + 1)) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!room_for(names[i])) return false;
  }
  return (methods_[method] = keep(names)) != 0;
}

bool Statics::inherits(std::uint32_t name, const Ids& supers) {
  const Locked locked(mutex_);
  if (!room_for(name)) return false;
  for (std::size_t i = 0; i < supers.size(); ++i) {
    if (!room_for(supers[i])) return false;
  }
  return (names_[name].supers = keep(supers)) != 0;
}

bool Statics::refers(std::uint32_t name, const Ids& names) {
  const Locked locked(mutex_);
  if (!room_for(name)) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!room_for(names[i])) return false;
  }
  return (names_[name].refers = keep(names)) != 0;
}

bool Statics::asks(std::uint32_t method, const Ids& names) {
  const Locked locked(mutex_);
  if (!grow(asks_, asks_size_, std::size_t{method} + 1)) return false;
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (!room_for(names[i])) return false;
  }
  return (asks_[method] = keep(names)) != 0;
}

bool Statics::reaches(std::uint32_t name, std::uint32_t other) {
  const Locked locked(mutex_);
  bool out = name == other;
  each_near(name, [&](std::uint32_t near) {
    out = out || near == other;
    each_near(near, [&](std::uint32_t next) {
      out = out || next == other;
      return !out;
    });
    return !out;
  });
  return out;
}

bool Statics::add(std::uint32_t name, void* mirror, StateOf state) {
  const Locked locked(mutex_);
  if (!room_for(name) || !grow(keepers_, room_, std::size_t{count_} + 1)) {
    return false;
  }
  keepers_[count_] = {names_[name].keeper, mirror, state};
  const std::uint32_t count = count_ + 1;
  names_[name].keeper = count;
  __atomic_store_n(&count_, count, __ATOMIC_RELEASE);
  return true;
}

}  // namespace rejig::agent
