// SPDX-License-Identifier: Apache-2.0
// The characters of a Java string, as row files have them. Lives as long as
// this does.
#pragma once

#include <jni.h>

#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

class Text {
 public:
  Text(JNIEnv* jni, jstring s) {
    if (s == nullptr) return;
    const auto bytes = static_cast<std::size_t>(jni->GetStringUTFLength(s));
    char* p = bytes < sizeof short_ ? short_ : arena_.array<char>(bytes + 1);
    if (p == nullptr) return;
    jni->GetStringUTFRegion(s, 0, jni->GetStringLength(s), p);
    view_ = {p, bytes};
  }
  std::string_view view() const { return view_; }

 private:
  char short_[256];  // most are no longer: no memory is asked for
  Arena arena_;
  std::string_view view_;
};

}  // namespace rejig::agent
