// SPDX-License-Identifier: Apache-2.0
// Which test did what? Every entered method, loaded class and fact goes to the
// scopes that are open: to all open tests, and to those open containers that
// have nothing open inside them (a fixture runs there). What happens with
// nothing open belongs to the session, scope 0. Inside the dynamic extent of a
// class initializer it also goes to the initializer's own row, since the work
// is done once and used by many tests. When tests overlap, scopes that begin
// beside others are joined to them: more is attributed, never less.
//
// Knows no JVM: threads and classes are opaque. All functions may be called
// from any thread; none calls back into Java but through Host.
#pragma once

#include <pthread.h>

#include <string_view>

#include "apps/agent/class_log.h"

namespace rejig::agent {

// What happened in one scope or initializer since it was last written.
struct Work {
  Ids methods;
  Ids loads;  // class numbers
  Ids facts;
  Ids receivers;
  bool empty() const {
    return methods.size() == 0 && loads.size() == 0 && facts.size() == 0 &&
           receivers.size() == 0;
  }
};

enum class ScopeKind : unsigned char { kContainer = 1, kTest = 2 };
enum class Result : unsigned char { kPass = 0, kFail = 1, kSkip = 2 };
using Thread = const void*;

template <class Key>
class Table;

// What the recorder asks of the JVM; called with the recorder's lock held.
struct Host {
  // A new epoch begins: what was marked in the last one, of this many methods.
  void (*collect)(std::uint32_t epoch, std::uint32_t methods,
                  Ids& marked) = nullptr;
  // The method need not be told again in this epoch with this receiver.
  void (*mark_receiver)(std::uint32_t method, void* cls) = nullptr;
  // The class whose <clinit> the current thread has just entered, or nullptr.
  void* (*initializing_class)() = nullptr;
  bool (*is_initialized)(void* cls) = nullptr;
  void (*release_class)(void* cls) = nullptr;
  ClassLog::Spawn spawn = nullptr;
  // What do the static fields of this class hold?
  StateOf (*state_of)(void* mirror) = nullptr;
  bool (*same_class)(void* mirror, void* cls) = nullptr;
  // What is at this path, in short? 0: nothing.
  std::uint64_t (*state_of_file)(std::string_view path) = nullptr;
};

struct ClassSlot {
  std::uint32_t number = 0;
  std::uint32_t first_method = 0;
  std::string_view name;  // lives as long as the recorder
  bool known = false;     // recorded before, same name and bytes
  bool refused = false;   // no method numbers left
};

class Recorder {
 public:
  static constexpr std::uint32_t kMaxMethods = 1 << 19;

  Recorder();
  ~Recorder();

  // JVM facts: key, zero, value, zero … two zeros. With receivers, received()
  // is called for every method that is not static.
  bool start(std::string_view directory, std::string_view suite,
             const char* properties, const Host& host,
             bool receivers = false);
  bool started() const { return started_; }
  // What is found before is the session's. And there is a file.
  bool ready() const { return ready_; }
  void finish();

  std::uint32_t source(std::string_view location);
  // Numbers for a class and its methods with code.
  ClassSlot reserve(std::string_view name, Bytes cls, std::uint32_t methods,
                    bool external);
  // What the class's bytes say goes into the file when there is time, and
  // before anything that uses the numbers.
  void publish(const ClassSlot& slot, Bytes cls, Origin origin,
               std::string_view reason, std::uint32_t source,
               bool with_methods);
  // At once, of a class that was read or has no bytes.
  void publish(const ClassSlot& slot, const ClassInfo& info,
               const Digest& digest, Origin origin, std::string_view reason,
               std::uint32_t source, bool with_methods);
  void loaded(std::uint32_t class_number, Thread thread);
  // A class that was loaded before the recorder woke, bytes unknown.
  void early(std::string_view name, std::uint32_t source, Origin origin);
  // A class initializer was entered; it comes to its end.
  void initializes(std::uint32_t method, Thread thread);
  // This class has static fields that can hold something else later.
  void keeps_state(const ClassSlot& slot, bool has_initializer);
  enum class Keeps : unsigned char { kNothing, kFromInitializer, kFromStart };
  Keeps keeps_state(std::string_view name);
  // Such a class was made: what it holds is looked at from now on.
  void prepared(std::string_view name, void* mirror, StateOf state);
  // Of a library: what it keeps begins here.
  void began(std::string_view name, void* cls);
  void initialized(std::uint32_t method, Thread thread);
  // The epoch in which this need not be told again; 0 when it must be. The
  // name of the receiver's class is empty when it says nothing.
  std::uint32_t received(std::uint32_t method, std::string_view name,
                         void* cls, Thread thread);
  std::uint32_t found(unsigned kind, std::string_view text, Thread thread);
  // Has anybody found it before?
  bool knows(unsigned kind, std::string_view text);
  // Do all classes of that name (with dots) that were published come from
  // elsewhere?
  bool is_of_library(std::string_view name);
  // Has the program a class of that name (with dots)?
  bool is_of_program(std::string_view name);

  // What is kept under a name outside static fields of the program: a system
  // property, a file. Who writes it (a method of the program, or nothing) is said
  // before it changes; the scopes that are open then have left it when they end
  // and it is not what it was when it first changed in them.
  void writes(std::string_view name, std::string_view writer);
  void changed(std::string_view name, std::uint64_t before,
               std::uint64_t after);
  // By an exclusive or.
  void toggled(std::string_view name, std::uint64_t item,
               std::string_view writer);
  void writes_file(std::string_view path, std::string_view writer);

  // parent -1: the innermost open container of the thread, else the outermost.
  std::uint32_t begin(ScopeKind kind, std::int64_t parent, std::string_view id,
                      Thread thread);
  void end(std::uint32_t scope, Result result, Thread thread);
  // A result that is known before the end; the worst one counts.
  void worsen(std::uint32_t scope, Result result);
  // The same for a container, or for everything open when the number is 0.
  void worsen_open(std::uint32_t scope, Result result);
  // 0 when there is none.
  std::uint32_t open_test(Thread thread);
  std::uint32_t innermost(Thread thread);
  // A runner inside a test says that a test of its own begins or ends: true
  // when that is so, and nothing else is to be done.
  bool inner_test_begins(Thread thread);
  bool inner_test_ends(Thread thread);
  std::uint32_t find_open(ScopeKind kind, std::string_view id);

  void lost(std::string_view why);

 private:
  struct Scope;
  struct Init;
  struct ClassKey;
  struct FactKey;
  struct ReceiverKey;
  struct Global;
  struct Note;

  class Locked;

  void write_work(Record kind, std::uint32_t number, bool done, Work& work);
  static void worsen(Scope& scope, Result result);
  void write_containers();
  void write_inits();
  void choose_targets();
  // What was entered since the last time goes to who was open meanwhile, and to
  // all initializers that are running, since marks do not say which thread.
  void take_marks();
  // What static fields hold now that held something else the last time goes to
  // who is open; after take_marks().
  void look_at_state();
  // Whoever has a field as an object may write it without naming it.
  void reached_by_reflection(std::string_view dotted);
  void look_at_reached();
  FactKey* change_of(std::uint32_t class_name);
  void note_change(std::uint32_t class_name);
  // The same of libraries. What is named by the program's code is looked at
  // when a scope begins or ends; what is behind it when there is time, and then
  // whoever may have changed it since the last time has done so.
  void look_at_libraries();
  void look_behind();
  void note_library(std::uint32_t class_name);
  void tell(std::uint32_t scope, std::uint32_t fact);
  Global* global_of(std::string_view name);
  std::string_view writer_name(std::string_view writer, std::string_view known);
  bool is_target(const Scope& scope) const;
  template <class Change>
  void note(Global& g, Change&& change);
  void turn(Global& g, std::uint64_t before, std::uint64_t after);
  // What a scope leaves behind when it ends.
  void settle(Scope& s);
  void join_neighbours(Scope& fresh, Thread thread);
  void add_neighbour(std::uint32_t number);
  // True when the thread is inside every initializer that is running. Those
  // that ended by an exception are found here.
  bool inside_all_inits(Thread thread);
  void open_init(std::uint32_t method, Thread thread);
  // Writes the row of *at, which ends here.
  void close_init(Init** at);
  void add_to_scopes(Ids Work::*list, std::uint32_t value);
  void add_to_inits(Ids Work::*list, std::uint32_t value, Thread thread);
  void lose(std::string_view why);
  void flush();
  Scope* scope(std::uint32_t number);
  Scope* innermost_of(Thread thread);
  Scope* test_of(Thread thread);
  bool make_facts();
  FactKey* fact_of(unsigned kind, std::string_view text);
  ReceiverKey* receiver_of(std::uint32_t method, std::uint32_t name);
  static std::uint64_t now();

  pthread_mutex_t mutex_;
  Host host_;
  Arena names_;
  RowFile file_;
  Statics statics_;
  ClassLog log_{file_, statics_};
  Records rows_;
  Records early_;  // facts that were found before it started
  bool started_ = false;
  bool ready_ = false;  // tables and file are there
  bool lost_ = false;
  std::uint32_t epoch_ = 1;
  Ids marked_;
  Ids unlooked_;  // methods entered since the last look at static fields
  Ids changed_;   // names of classes that held something else at that look
  Ids reached_;   // names of classes that reflection reached
  Ids asked_;     // classes of libraries that were asked since then
  Ids behind_;    // scopes, and what they asked, since the last look behind
  std::uint64_t looked_for_ = 0;  // microseconds
  std::uint64_t began_at_ = 0;
  std::uint32_t next_method_ = 0;
  std::uint32_t next_scope_ = 1;
  std::uint32_t next_fact_ = 1;
  std::uint32_t* method_class_ = nullptr;  // class number
  // With receivers: epoch in which the open scopes got it.
  std::uint32_t* told_ = nullptr;
  Work session_;
  Scope* open_ = nullptr;  // all open scopes, newest first
  Work** targets_ = nullptr;
  std::size_t target_count_ = 0;
  std::size_t target_capacity_ = 0;
  Init* inits_ = nullptr;
  Table<ClassKey>* classes_ = nullptr;
  Table<ReceiverKey>* receivers_ = nullptr;
  Table<Global>* globals_ = nullptr;
  FactKey** facts_ = nullptr;
  // The tests that ran last; ended is 0 while one is open.
  struct Neighbour {
    std::uint32_t scope = 0;
    std::uint64_t ended = 0;
  };
  static constexpr std::size_t kNeighbours = 1024;
  Neighbour neighbours_[kNeighbours];
  std::size_t neighbour_count_ = 0;
  struct Seen {
    Thread thread = nullptr;
    std::uint64_t at = 0;
  };
  static constexpr unsigned kSeen = 256;
  Seen last_event_[kSeen];
};

}  // namespace rejig::agent
