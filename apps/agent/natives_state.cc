// SPDX-License-Identifier: Apache-2.0
// The natives of the marks classes for state and files.
#include "apps/agent/agent.h"
#include "apps/agent/callers.h"
#include "apps/agent/hooks.h"
#include "apps/agent/java_text.h"
#include "apps/agent/jdk_globals.h"

using namespace rejig::agent;

#define REJIG_STATE_NATIVE(type, name) \
  extern "C" JNIEXPORT type JNICALL Java_java_lang__00024RejigState_##name

namespace {

// Of the setter: behind setting() and sets().
constexpr jint kSetterDepth = 2;

bool is_quiet(JNIEnv* jni) {
  return !agent->recorder.ready() ||
         __atomic_load_n(&agent->quiet, __ATOMIC_ACQUIRE) == jni;
}

}  // namespace

REJIG_STATE_NATIVE(void, setting)(JNIEnv* jni, jclass, jint what) {
  if (is_quiet(jni)) return;
  sets_global(agent->watcher, jni, static_cast<JdkGlobal>(what), kSetterDepth);
}

REJIG_STATE_NATIVE(void, began)(JNIEnv* jni, jclass, jint) {
  if (is_quiet(jni)) return;
  // The initializer is what called this.
  constexpr jint kInitializerDepth = 1;
  jmethodID method = nullptr;
  jlocation at = 0;
  jclass cls = nullptr;
  jvmtiEnv* ti = agent->watcher;
  char* signature = nullptr;
  if (ti->GetFrameLocation(nullptr, kInitializerDepth, &method, &at) !=
          JVMTI_ERROR_NONE ||
      ti->GetMethodDeclaringClass(method, &cls) != JVMTI_ERROR_NONE ||
      ti->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return;
  }
  std::string_view name(signature);
  if (name.size() > 2) {
    name.remove_prefix(1);
    name.remove_suffix(1);
    agent->recorder.began(name, cls);
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  jni->DeleteLocalRef(cls);
}

REJIG_STATE_NATIVE(void, configuring)(JNIEnv* jni, jclass, jobject logger) {
  if (is_quiet(jni)) return;
  sets_logger(agent->watcher, jni, logger);
}

REJIG_STATE_NATIVE(jboolean, meeting)(JNIEnv* jni, jclass, jint what) {
  if (is_quiet(jni)) return JNI_FALSE;
  // What test runners ask, they ask before every test.
  char asker[512];
  if (asking_class(agent->watcher, jni, asker, sizeof asker).empty()) {
    return JNI_FALSE;
  }
  return agent->recorder.found(kMet, name_of(static_cast<JdkGlobal>(what)),
                               jni) != 0
             ? JNI_TRUE
             : JNI_FALSE;
}

REJIG_STATE_NATIVE(void, toggling)
(JNIEnv* jni, jclass, jint what, jlong item) {
  if (is_quiet(jni)) return;
  char room[2048];
  agent->recorder.toggled(
      name_of(static_cast<JdkGlobal>(what)), static_cast<std::uint64_t>(item),
      writing_method(agent->watcher, jni, agent->recorder, room, sizeof room));
}

REJIG_STATE_NATIVE(void, leveling)
(JNIEnv* jni, jclass, jint what, jobject logger, jobject level) {
  if (is_quiet(jni)) return;
  char room[2048];
  agent->recorder.toggled(
      name_of(static_cast<JdkGlobal>(what)),
      level_item(agent->watcher, jni, logger, level),
      writing_method(agent->watcher, jni, agent->recorder, room, sizeof room));
}

REJIG_STATE_NATIVE(void, writing)(JNIEnv* jni, jclass, jstring name) {
  if (is_quiet(jni)) return;
  const Text text(jni, name);
  char room[2048];
  agent->recorder.writes(
      text.view(),
      writing_method(agent->watcher, jni, agent->recorder, room, sizeof room));
}

REJIG_STATE_NATIVE(jboolean, storing)(JNIEnv* jni, jclass, jstring name) {
  if (is_quiet(jni) || junit_keeps(agent->watcher, jni)) return JNI_FALSE;
  const Text text(jni, name);
  char room[2048];
  agent->recorder.writes(
      text.view(),
      writing_method(agent->watcher, jni, agent->recorder, room, sizeof room));
  return JNI_TRUE;
}

REJIG_STATE_NATIVE(void, changed)
(JNIEnv* jni, jclass, jstring name, jlong before, jlong after) {
  const Text text(jni, name);
  agent->recorder.changed(text.view(), static_cast<std::uint64_t>(before),
                          static_cast<std::uint64_t>(after));
}

// A report is the runner's; what the kernel has is nobody's.
extern "C" JNIEXPORT void JNICALL
Java_java_lang__00024RejigFiles_writing(JNIEnv* jni, jclass, jstring path) {
  if (is_quiet(jni)) return;
  const Text text(jni, path);
  const std::string_view name = text.view();
  if (starts_with(name, "/dev/") || starts_with(name, "/proc/") ||
      who_reads(agent->watcher, jni) == Reader::kRunner) {
    return;
  }
  char room[2048];
  agent->recorder.writes_file(
      name,
      writing_method(agent->watcher, jni, agent->recorder, room, sizeof room));
}
