// SPDX-License-Identifier: Apache-2.0
// On whose behalf was the JDK asked? Looks at the stack of the current thread,
// from a hook downwards. When in doubt: the program asked.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <cstddef>
#include <string_view>

#include "apps/agent/recorder.h"

namespace rejig::agent {

// Is it the JDK or the recorder who want a class's name, and not its number: to
// name a lambda, for its package, to look up whether assertions are on? Who
// asked stands `depth` frames behind the native method.
bool asked_by_linkage(jvmtiEnv* ti, JNIEnv* jni, jint depth);

enum class Asker : unsigned char {
  kProgram,
  // JUnit's own engine looks at a test class, with nobody's code in between. Its
  // public helpers, which extensions and runners of others may call, do not
  // count as the engine.
  kRunner,
  // Class looks for the method that makes the constants of an enum.
  kConstants,
  // The module system reads a declaration.
  kModules,
};
// From found(), and the function of the marks class that called it.
Asker who_asked(jvmtiEnv* ti, JNIEnv* jni);

// The first class behind the JDK that asks, with dots; empty when there is
// none, or it is a part of a test runner, which `runner` says. Lives in `room`.
std::string_view asking_class(jvmtiEnv* ti, JNIEnv* jni, char* room,
                              std::size_t size, bool* runner = nullptr);

// The method of the program that is behind what is written now, as
// "p.C.m(I)V"; empty when there is none. Lives in `room`.
std::string_view writing_method(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder,
                                char* room, std::size_t size);
// Did the JDK itself call the setter? From a native method that was called by
// the function of the marks class in front of it.
bool jdk_calls(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder);
// Has the JDK been called by a library, and not by the program?
bool library_calls(jvmtiEnv* ti, JNIEnv* jni, Recorder& recorder);

// Is it JUnit itself that uses its store, and no extension of somebody else?
bool junit_keeps(jvmtiEnv* ti, JNIEnv* jni);
// Who looks at a file?
enum class Reader : unsigned char {
  kProgram,
  // The JVM's own class loaders define a class, whose bytes are seen there, or
  // open what they search.
  kClassLoading,
  kClassPath,
  // Another class loader, while it is asked for a class; what it searches.
  kLoader,
  kLoaderPath,
  // A test engine looks for test classes; a reporter makes its folder; a build
  // tool reads what it is told.
  kRunner,
  // Spring looks at what a class declares.
  kDeclarations,
  // Files.createDirectories: that the folder is there, or not, is all the same.
  kToMake,
  // Files.walk, Cucumber: the kind of each file.
  kWalk,
  kModules,
};
Reader who_reads(jvmtiEnv* ti, JNIEnv* jni);

}  // namespace rejig::agent
