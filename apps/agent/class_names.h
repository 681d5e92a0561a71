// SPDX-License-Identifier: Apache-2.0
// Who reads the name of an anonymous or local class, which is the compiler's
// numbering? Class.getName() is called so often that nothing may stand in front
// of it. But it keeps what a native method said: that one is taken over, and the
// kept names of such classes are dropped whenever an epoch begins. Other
// classes are named as ever.
#pragma once

#include <jni.h>

#include <string_view>

namespace rejig::agent {

// "p/A$1", "p/A$1Local$B": a digit behind a `$`.
bool is_numbered(std::string_view name);

// False: this JVM has no such method, and a hook in getName() is needed.
bool take_class_names(JNIEnv* jni);
// The next who asks this class is seen.
void drop_class_name(JNIEnv* jni, jclass cls);
// The same for all classes that were asked in this epoch.
void drop_class_names(JNIEnv* jni);

}  // namespace rejig::agent
