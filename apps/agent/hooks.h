// SPDX-License-Identifier: Apache-2.0
// Which methods of the JDK and of test runners tell the recorder something, and
// what? A table: class, method, descriptor where it matters, the function of
// the marks class that is called, and with which of the method's arguments.
// A method that a JDK does not have is simply not there; tests/agent checks
// for each JDK that each fact is seen.
#pragma once

#include "apps/agent/rewriter.h"

namespace rejig::agent {

// Kinds of facts in row files (ROWS.md).
enum FactKind : unsigned char {
  kReflected = 1,     // a class whose members, annotations or kind were read
  kCreated = 2,       // a class, instance made without `new` in the program
  kCreatable = 3,     // a class, instances may be made later, unseen
  kAskedClass = 4,    // a class name given to Class.forName
  kMissingClass = 5,  // a class name that was, or may have been, not found
  kResource = 6,      // a resource name looked up
  kFile = 7,          // a file or folder whose content was opened
  kStack = 8,         // stack traces were looked at
  kMessage = 9,       // a helpful NullPointerException message was computed
  kChild = 10,        // a process was started
  kNative = 11,       // a native library was loaded
  kLoadedClass = 12,  // a class name given to a class loader, also by the JVM
  kAttributes = 13,   // a file whose attributes were read
  kExists = 14,       // a file that was asked to be there
  kVariable = 15,     // an environment variable that was read, with its digest
  kInitialized = 16,  // as 1, and reflection initializes it
  kConstants = 17,    // an enum whose constants the JDK asked for
  kListed = 18,       // a class whose methods or fields were listed or searched
  kMakesShared = 19,  // a framework makes what it keeps for later tests
  kUsesShared = 20,   // it may have handed out what it kept
  kRealPath = 21,     // a path whose links were followed
  kEntry = 22,        // archive!/entry, read through a jar: URL
  kDeclared = 23,     // a class file of which only declarations were read
  kRedefined = 24,    // a class of the program that lost its prefixes
  kChangedState = 25,  // a class whose static fields hold something else now
  kKept = 26,         // what the JDK or a framework keeps under this name
  kAskedBy = 27,      // a library's class, a blank, the resource that it looked up
  kLeftThere = 28,     // state that holds something else now, and who wrote it
  kMet = 29,           // state that was met
  kWalked = 30,       // not in row files: 14 or 13, by who asks
  kRemoved = 31,      // not in row files: 7 or 14, by what is there
  kProperty = 40,      // not in row files: 29, of a system property
  kByRunner = 32,     // added: the test runner asked, and nobody else
  kToMake = 32,       // added to kExists: a folder that is made if need be
  kAbsent = 64,       // added to a file: nothing was there
  kByLoader = 128,    // added to a file: a class loader, for classes
};

// Events of test runners.
enum RunnerEvent : unsigned char {
  kEngine = 1,
  kTestStarted = 2,
  kTestFinished = 3,
  kTestFailed = 4,
  kTestAborted = 5,
  kSuiteStarted = 6,
  kSuiteFinished = 7,
  kTest3Started = 8,
  kTest3Finished = 9,
};

struct HookedClass;

// The hooks of this class, or nullptr.
const HookedClass* hooks_of(std::string_view class_name);

// Which of its hooks are needed: some are in place of others.
enum Needed : unsigned char {
  kNames = 1,         // the one in Class.getName()
  kEachListing = 2,   // where the members of one class are listed
  kFirstListing = 4,  // where a look-up begins; listing.h
};
struct Hooking {
  const HookedClass* hooked = nullptr;
  unsigned needed = 0;
};
// Do its hooks see files and resources? They are put in when the JVM is up:
// agents and launchers read before anything of the program runs.
bool is_early(const HookedClass* hooked);
// Is a fact of that kind kept until the recorder wakes?
bool is_kept_early(unsigned kind);
// Does this class belong to the JDK (and not to a test runner or framework)?
bool is_of_jdk(const HookedClass* hooked);

// The PrefixFor of a Hooking.
bool hook_prefix(void* hooking, const MethodHead& method, Prefix& prefix);

}  // namespace rejig::agent
