// SPDX-License-Identifier: Apache-2.0
// What does the JDK keep once for the whole JVM, that anybody may set: the
// default locale, standard output, the drivers of databases? Hooks in the
// setters say when something is about to be set; from then on it is looked at
// whenever a scope begins or ends, through JNI, which runs no code. What nobody
// sets costs nothing.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <cstdint>

#include "apps/agent/jdk_global.h"

namespace rejig::agent {

const char* name_of(JdkGlobal what);

// A method that sets it was entered. `depth`: of that method's frame.
void sets_global(jvmtiEnv* ti, JNIEnv* jni, JdkGlobal what, jint depth);
// What to toggle when a logger of logback gets another level.
std::uint64_t level_item(jvmtiEnv* ti, JNIEnv* jni, jobject logger,
                         jobject level);
// The logger is about to be told something; nullptr: any of them.
void sets_logger(jvmtiEnv* ti, JNIEnv* jni, jobject logger);
// What has been set since the last time?
void look_at_globals(jvmtiEnv* ti, JNIEnv* jni);

}  // namespace rejig::agent
