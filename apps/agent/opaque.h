// SPDX-License-Identifier: Apache-2.0
// Of which objects is it enough to know which one it is? Of what is not the
// program's, or changes by being used: what they hold is not looked into.
#pragma once

#include <initializer_list>
#include <string_view>

#include "apps/agent/memory.h"

namespace rejig::agent {

// By the signature of the class.
inline bool is_opaque(std::string_view signature) {
  if (ends_with(signature, "MDCAdapter;")) return false;
  for (const std::string_view head :
       {"Ljava/lang/invoke/", "Ljava/lang/reflect/", "Ljava/lang/Module",
        "Ljava/lang/ThreadGroup;", "Ljdk/internal/", "Lsun/",
        "Ljava/util/logging/", "Ljava/security/", "Lorg/slf4j/",
        "Lch/qos/logback/", "Lorg/apache/logging/", "Lorg/apache/log4j/",
        "Lorg/apache/commons/logging/", "Lorg/jboss/logging/"}) {
    if (starts_with(signature, head)) return true;
  }
  return false;
}

}  // namespace rejig::agent
