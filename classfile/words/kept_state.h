// SPDX-License-Identifier: Apache-2.0
// Can the static fields of a class hold something else after its initializer?
// Asked of all its fields. The recorder looks at such classes, and the
// comparison asks what changed code may leave in them: both by this one answer.
// For both it has no library behind it.
#pragma once

#include <string_view>

namespace rejig::classfile {

// Nobody can change what such a value holds, or what it holds says nothing of
// the program: where loggers write.
inline bool holds_for_ever(std::string_view type) {
  if (type.size() == 1) return true;
  for (const std::string_view one :
       {"Ljava/lang/String;", "Ljava/lang/Integer;", "Ljava/lang/Long;",
        "Ljava/lang/Boolean;", "Ljava/lang/Character;", "Ljava/lang/Byte;",
        "Ljava/lang/Short;", "Ljava/lang/Float;", "Ljava/lang/Double;",
        "Ljava/lang/Class;", "Ljava/math/BigInteger;",
        "Ljava/math/BigDecimal;", "Ljava/util/regex/Pattern;",
        "Ljava/util/Locale;", "Ljava/util/UUID;",
        "Ljava/nio/charset/Charset;", "Ljava/lang/invoke/MethodHandle;",
        "Ljava/lang/invoke/VarHandle;", "[Ljava/io/ObjectStreamField;",
        "Lorg/slf4j/Logger;", "Ljava/util/logging/Logger;",
        "Lorg/apache/commons/logging/Log;",
        "Lorg/apache/logging/log4j/Logger;", "Ljava/lang/System$Logger;",
        "Lorg/jboss/logging/Logger;"}) {
    if (type == one) return true;
  }
  for (const std::string_view head :
       {"Ljava/time/",
        "Ljava/util/concurrent/atomic/AtomicReferenceFieldUpdater",
        "Ljava/util/concurrent/atomic/AtomicIntegerFieldUpdater",
        "Ljava/util/concurrent/atomic/AtomicLongFieldUpdater"}) {
    if (type.substr(0, head.size()) == head) return true;
  }
  return false;
}

// Is what this class of a library keeps in static fields anything to programs?
// Test frameworks, tools and the runtimes of languages count and cache; the JDK
// is looked at in its own way. "a/b/C".
inline bool keeps_for_programs(std::string_view name) {
  for (const std::string_view head :
       {"java/", "javax/", "jdk/", "sun/", "com/sun/", "org/junit/", "junit/",
        "org/hamcrest/", "org/opentest4j/", "org/apiguardian/", "org/testng/",
        "org/mockito/", "net/bytebuddy/", "org/objenesis/", "org/jacoco/",
        "org/objectweb/asm/", "kotlin/", "kotlinx/", "scala/", "groovy/",
        "org/codehaus/groovy/", "org/apache/groovy/", "org/spockframework/",
        "org/apache/maven/", "org/gradle/", "worker/org/gradle/",
        "org/slf4j/LoggerFactory", "org/slf4j/helpers/Sub",
        "ch/qos/logback/core/", "org/apache/logging/", "rejig/"}) {
    if (name.substr(0, head.size()) == head) return false;
  }
  return true;
}

class KeptState {
 public:
  void field(unsigned access, std::string_view type) {
    constexpr unsigned kStatic = 0x0008, kFinal = 0x0010, kSynthetic = 0x1000,
                       kEnum = 0x4000;
    const bool can_change = (access & kFinal) == 0 || !holds_for_ever(type);
    if ((access & kStatic) == 0) {
      parts_change_ = parts_change_ || can_change;
    } else if ((access & kEnum) != 0) {
      own_constants_ = true;
    } else if ((access & kSynthetic) == 0) {
      changes_ = changes_ || can_change;
    }
  }
  // Fields of an instance can.
  bool parts() const { return parts_change_; }
  explicit operator bool() const {
    return changes_ || (own_constants_ && parts_change_);
  }

 private:
  bool changes_ = false;
  bool own_constants_ = false;  // an enum's
  bool parts_change_ = false;   // fields of instances
};

}  // namespace rejig::classfile
