// SPDX-License-Identifier: Apache-2.0
// Which static fields that can hold something else later did these methods
// meet, and whose are they? Classes that keep state, by name; the methods whose
// code names a static field of one, or of a class below one. What a look at a
// class said last time is kept here; the look itself is the host's.
//
// Knows no JVM. All functions may be called from any thread.
#pragma once

#include <pthread.h>

#include "apps/agent/memory.h"

namespace rejig::agent {

// What the static fields of a class hold, in short.
struct StateOf {
  std::uint64_t digest = 0;
  bool known = false;  // false: it cannot be told, so it may be another one
};

class Statics {
 public:
  Statics();
  ~Statics();
  Statics(const Statics&) = delete;
  Statics& operator=(const Statics&) = delete;

  // The code of the method names static fields of the classes with these names.
  bool touches(std::uint32_t method, const Ids& names);
  bool inherits(std::uint32_t name, const Ids& supers);
  // Of a library: its code names those classes. Of the program: the code of the
  // method calls static methods, or names static fields, of these.
  bool refers(std::uint32_t name, const Ids& names);
  bool asks(std::uint32_t method, const Ids& names);
  // A class that keeps state is there; `mirror` is the host's.
  bool add(std::uint32_t name, void* mirror, StateOf state);
  // It has been initialized: what it holds is where everybody begins.
  template <class Same>
  void begin(std::uint32_t name, StateOf state, Same&& same) {
    pthread_mutex_lock(&mutex_);
    for (std::uint32_t i = first(name); i != 0; i = keepers_[i - 1].next) {
      if (same(keepers_[i - 1].mirror)) keepers_[i - 1].state = state;
    }
    pthread_mutex_unlock(&mutex_);
  }
  bool empty() const {
    return __atomic_load_n(&count_, __ATOMIC_ACQUIRE) == 0;
  }

  // The classes of libraries that the methods ask, each once.
  template <class Each>
  void each_asked(const Ids& methods, Each&& each) {
    pthread_mutex_lock(&mutex_);
    ++round_;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      const std::uint32_t m = methods[i];
      if (m >= asks_size_ || asks_[m] == 0) continue;
      for (const std::uint32_t* n = lists_ + asks_[m]; *n != 0; ++n) {
        if (!is_library(*n) || names_[*n].round == round_) continue;
        names_[*n].round = round_;
        each(*n);
      }
    }
    pthread_mutex_unlock(&mutex_);
  }
  // As look(), at these classes of libraries, and when `far` at what their code
  // names, and what is named there.
  template <class Look, class Changed>
  void look_at_libraries(const Ids& names, bool far, Look&& at,
                         Changed&& changed) {
    pthread_mutex_lock(&mutex_);
    ++round_;
    for (std::size_t i = 0; i < names.size(); ++i) {
      visit(names[i], at, changed, 0);
      if (!far) continue;
      each_near(names[i], [&](std::uint32_t near) {
        visit(near, at, changed, 0);
        each_near(near, [&](std::uint32_t next) {
          visit(next, at, changed, 0);
          return true;
        });
        return true;
      });
    }
    pthread_mutex_unlock(&mutex_);
  }
  // Is it one of those?
  bool reaches(std::uint32_t name, std::uint32_t other);

  // Looks once at every class that one of the methods may have met, and tells
  // the names of those that hold something else than the last time.
  template <class Look, class Changed>
  void look(const Ids& methods, Look&& at, Changed&& changed) {
    pthread_mutex_lock(&mutex_);
    ++round_;
    for (std::size_t i = 0; i < methods.size(); ++i) {
      for (const std::uint32_t* n = names_of(methods[i]); n != nullptr && *n != 0;
           ++n) {
        visit(*n, at, changed, 0);
      }
    }
    pthread_mutex_unlock(&mutex_);
  }

 private:
  struct Keeper {
    std::uint32_t next;  // of the same name; 0 ends
    void* mirror;
    StateOf state;
  };
  struct Name {
    std::uint32_t keeper = 0;  // first, number + 1
    std::uint32_t supers = 0;  // where its list begins in lists_; 0: none
    std::uint32_t refers = 0;  // the same; of libraries only
    std::uint32_t round = 0;
  };
  static constexpr unsigned kDeepest = 1000;

  std::uint32_t first(std::uint32_t name) const {
    return name < names_size_ ? names_[name].keeper : 0;
  }
  const std::uint32_t* names_of(std::uint32_t method) const {
    if (method >= methods_size_ || methods_[method] == 0) return nullptr;
    return lists_ + methods_[method];
  }
  template <class Look, class Changed>
  void visit(std::uint32_t name, Look& at, Changed& changed, unsigned depth) {
    if (name >= names_size_ || names_[name].round == round_) return;
    names_[name].round = round_;
    bool other = false;
    for (std::uint32_t i = names_[name].keeper; i != 0;) {
      Keeper& k = keepers_[i - 1];
      const StateOf now = at(k.mirror);
      other |= !now.known || !k.state.known || now.digest != k.state.digest;
      k.state = now;
      i = k.next;
    }
    if (other) changed(name);
    if (depth == kDeepest || names_[name].supers == 0) return;
    for (const std::uint32_t* s = lists_ + names_[name].supers; *s != 0; ++s) {
      visit(*s, at, changed, depth + 1);
    }
  }
  bool is_library(std::uint32_t name) const {
    return name < names_size_ && names_[name].refers != 0;
  }
  // Until `each` says no.
  template <class Each>
  void each_near(std::uint32_t name, Each&& each) const {
    if (!is_library(name)) return;
    for (const std::uint32_t* n = lists_ + names_[name].refers; *n != 0; ++n) {
      if (is_library(*n) && !each(*n)) return;
    }
  }
  bool room_for(std::uint32_t name);
  // Where the list begins; 0 without memory.
  std::uint32_t keep(const Ids& list);

  pthread_mutex_t mutex_;
  std::uint32_t round_ = 0;
  std::uint32_t* methods_ = nullptr;
  std::size_t methods_size_ = 0;
  std::uint32_t* asks_ = nullptr;
  std::size_t asks_size_ = 0;
  Name* names_ = nullptr;
  std::size_t names_size_ = 0;
  Keeper* keepers_ = nullptr;
  std::uint32_t count_ = 0;
  std::size_t room_ = 0;
  std::uint32_t* lists_ = nullptr;  // each ends with 0
  std::size_t lists_used_ = 1;
  std::size_t lists_size_ = 0;
};

}  // namespace rejig::agent
