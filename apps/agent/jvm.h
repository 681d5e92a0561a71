// SPDX-License-Identifier: Apache-2.0
// What does the agent ask the running JVM? Where a class comes from, which
// initializer has just been entered, whether it is done. Nothing here runs
// code of the program. Functions may be called from any attached thread.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <new>

#include "apps/agent/options.h"
#include "apps/agent/recorder.h"

namespace rejig::agent {

struct CodeSource {
  std::uint32_t source = 0;  // number in the row file; 0: none
  bool internal = false;     // its path is below an internal root
  bool known = false;        // there is a location at all
};

class Jvm {
 public:
  // At VMInit. False: the JVM lacks what is needed.
  bool init(JavaVM* vm, jvmtiEnv* jvmti, JNIEnv* jni);
  // Defines the marks class in the boot loader.
  bool define_marks(JNIEnv* jni);
  // Initializes the marks class; from then on epochs can be told.
  void find_marks(JNIEnv* jni, bool receivers);
  void collect(std::uint32_t epoch, std::uint32_t methods, Ids& marked);
  // Nobody needs to be woken any more.
  void woke();
  void mark_receiver(std::uint32_t method, jclass cls);
  // Tells the recorder which system properties are others now. Runs code of the
  // marks classes, so nobody may hold the recorder's lock.
  void look_at_properties();

  CodeSource code_source(JNIEnv* jni, jobject protection_domain,
                         const Options& options, Recorder& recorder);
  jobject protection_domain(JNIEnv* jni, jclass cls);

  // A system property, empty when there is none.
  std::string_view property(JNIEnv* jni, const char* key, Arena& arena);
  void add_property(std::string_view key, std::string_view value);
  // key, zero, value, zero … zero; lives as long as the process.
  const char* properties() const { return properties_; }
  bool is_supported() const { return supported_; }
  JNIEnv* env() const;
  jvmtiEnv* jvmti() const { return jvmti_; }

  Host host();

 private:
  void collect_properties(JNIEnv* jni);
  std::string_view location(JNIEnv* jni, jobject protection_domain,
                            Arena& arena);
  static jshortArray marks_of(JNIEnv* jni, jclass cls);

  JavaVM* vm_ = nullptr;
  jvmtiEnv* jvmti_ = nullptr;
  jclass marks_ = nullptr;
  jclass receivers_ = nullptr;
  jclass state_ = nullptr;
  jmethodID look_ = nullptr;
  jclass more_marks_ = nullptr;
  jfieldID epoch_ = nullptr;
  jfieldID asleep_ = nullptr;
  jshortArray seen_ = nullptr;
  jshortArray seen_too_ = nullptr;  // of method numbers from kFirstMarks on
  jobjectArray last_ = nullptr;
  jmethodID clear_ = nullptr;
  jmethodID get_code_source_ = nullptr;
  jmethodID get_location_ = nullptr;
  jmethodID get_protocol_ = nullptr;
  jmethodID get_path_ = nullptr;
  jmethodID get_domain_ = nullptr;
  bool supported_ = true;
  char properties_[32768] = {};
  std::size_t properties_size_ = 0;

  struct Domain {
    Domain* next;
    jweak domain;
    jint hash;
    CodeSource source;
  };
  static constexpr unsigned kBuckets = 1024;
  Domain* domains_[kBuckets] = {};
  Arena arena_;
  pthread_mutex_t mutex_ = PTHREAD_MUTEX_INITIALIZER;
};

// The one of this process, since JVMTI callbacks carry no context; it is never
// destroyed, because JVM threads outlive the library's destructors. First
// called while there is one thread.
Jvm& jvm();

// What is at this path, in short? 0: nothing.
std::uint64_t state_of_file(std::string_view path);

}  // namespace rejig::agent
