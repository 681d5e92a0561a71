// SPDX-License-Identifier: Apache-2.0
// What do the static fields of a class hold, and all that is below? A digest
// of the values, read through JNI, which runs no code of the program (JVMTI's
// own walk over the heap costs JDK 17 a look at the whole heap). Equal digests: nothing that a program can tell apart has
// changed (identity and address aside). What is too large to be walked time and
// again, or cannot be walked, is not known.
// Not descended into: strings have their characters, classes their identity;
// class loaders, threads, modules, the JDK's internals and loggers are what
// they are. A ThreadLocal has the values of all threads.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include "apps/agent/statics.h"

namespace rejig::agent {

// An environment of its own, since tags are. False: nothing can be looked at.
bool attach_state(JavaVM* vm);
// At VMInit.
void init_state(JNIEnv* jni);

// `mirror` is any reference to the class.
StateOf state_of(void* mirror);
// The same of an object and all below it, or of null.
StateOf state_of_object(jobject o);
bool same_class(void* mirror, void* cls);

}  // namespace rejig::agent
