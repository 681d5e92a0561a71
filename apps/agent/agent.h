// SPDX-License-Identifier: Apache-2.0
// What do callbacks and natives share? The one agent of this process, made in
// Agent_OnLoad and never destroyed, because JVM threads outlive the library's
// destructors. For agent.cc and natives.cc only.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include "apps/agent/jvm.h"
#include "apps/agent/options.h"
#include "apps/agent/recorder.h"
#include "apps/agent/runner_events.h"

namespace rejig::agent {

enum State : int { kAsleep, kWaking, kAwake };

struct Agent {
  JavaVM* vm = nullptr;
  jvmtiEnv* watcher = nullptr;
  jvmtiEnv* retransformer = nullptr;
  Arena arena;
  Options options;
  Recorder recorder;
  RunnerEvents events{recorder};
  bool live = false;
  bool broken = false;  // the row file could not be made
  bool warned = false;
  bool names_need_hook = false;
  std::string_view skip_file;
  JNIEnv* quiet = nullptr;  // the thread that asks what may be skipped
  int state = kAsleep;
};

extern Agent* agent;

// On the first call: starts recording and puts hooks into the JDK's classes.
void wake(JNIEnv* jni);

}  // namespace rejig::agent
