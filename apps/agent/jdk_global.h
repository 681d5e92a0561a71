// SPDX-License-Identifier: Apache-2.0
// Which of the things that the JDK keeps for the whole JVM? See jdk_globals.h.
#pragma once

namespace rejig::agent {

// Numbers in the table of hooks. What begins with "jvm" everybody may meet; the
// rest is met where hooks say so.
enum JdkGlobal : unsigned char {
  kLocale,
  kZone,
  kStreams,
  kUncaught,
  kThread,  // of the thread that runs tests
  kAssertions,
  kUrlFactory,
  kContentFactory,
  kUrlCaches,
  kFollow,
  kTls,
  kSslContext,
  kCookies,
  kProxy,
  kAuthenticator,
  kResponseCache,
  kSecurityProviders,
  kSecurityProperties,
  kEditors,
  kDrivers,
  kLogging,
  kPreferences,
  kBeans,
  kLogback,
  kJdkGlobals,
};

}  // namespace rejig::agent
