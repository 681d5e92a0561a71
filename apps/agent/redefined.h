// SPDX-License-Identifier: Apache-2.0
// Do the classes of the program still tell what is entered? An agent that
// changes a class that is loaded (Byte Buddy's ClassReloadingStrategy) may bring
// bytes of its own, and it comes behind us: then the class has no prefixes any
// more. Seen by looking at the code that the JVM has.
#pragma once

#include <jni.h>
#include <jvmti.h>

#include <string_view>

namespace rejig::agent {

// The class is being changed, with our prefixes or without.
void note_redefined(JNIEnv* jni, jclass cls, std::string_view name);
// Says of which classes the prefixes are gone; at the ends of scopes.
void look_at_redefined(jvmtiEnv* ti, JNIEnv* jni);

}  // namespace rejig::agent
