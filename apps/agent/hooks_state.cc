// SPDX-License-Identifier: Apache-2.0
// Hooks in classes of the JDK that keep something for the whole JVM.
#include "apps/agent/hooks_table.h"
#include "apps/agent/jdk_global.h"

namespace rejig::agent {
namespace {

constexpr Hook sets(const char* method, unsigned char what) {
  return {method, nullptr, "State.sets", kNumber, {-1, -1}, what};
}
constexpr Hook meets(const char* method, unsigned char what) {
  return {method, nullptr, "State.meets", kNumber, {-1, -1}, what};
}

constexpr Hook touches(const char* method) {
  return {method, nullptr, "State.touched", kNumber, {-1, -1}, kProperty};
}

constexpr Hook kPropertiesHooks[] = {
    touches("put*"),     touches("remove"),       touches("clear"),
    touches("compute*"), touches("replace*"),     touches("merge"),
    touches("keySet"),   touches("entrySet"),     touches("values"),
    touches("load*"),    touches("setProperty")};
constexpr Hook kLocaleHooks[] = {sets("setDefault", kLocale),
                                 meets("getDefault", kLocale)};
constexpr Hook kZoneHooks[] = {sets("setDefault", kZone),
                               meets("getDefault*", kZone)};
constexpr Hook kConnectionHooks[] = {
    sets("setContentHandlerFactory", kContentFactory),
    sets("setFileNameMap", kContentFactory),
    sets("setDefaultUseCaches", kUrlCaches),
    sets("setDefaultAllowUserInteraction", kUrlCaches)};
constexpr Hook kHttpHooks[] = {sets("setFollowRedirects", kFollow)};
constexpr Hook kHttpsHooks[] = {sets("setDefaultSSLSocketFactory", kTls),
                                sets("setDefaultHostnameVerifier", kTls)};
constexpr Hook kSslHooks[] = {sets("setDefault", kSslContext)};
constexpr Hook kCookieHooks[] = {sets("setDefault", kCookies)};
constexpr Hook kProxyHooks[] = {sets("setDefault", kProxy)};
constexpr Hook kAuthenticatorHooks[] = {sets("setDefault", kAuthenticator)};
constexpr Hook kResponseHooks[] = {sets("setDefault", kResponseCache)};
constexpr Hook kSecurityHooks[] = {
    sets("insertProviderAt", kSecurityProviders),
    sets("removeProvider", kSecurityProviders),
    sets("setProperty", kSecurityProperties)};
constexpr Hook kEditorHooks[] = {sets("registerEditor", kEditors),
                                 sets("setEditorSearchPath", kEditors)};
constexpr Hook kDriverHooks[] = {
    sets("registerDriver", kDrivers),  sets("deregisterDriver", kDrivers),
    sets("setLoginTimeout", kDrivers), sets("setLogWriter", kDrivers),
    meets("getDriver*", kDrivers),
    meets("drivers", kDrivers),        meets("getLog*", kDrivers),
    // What the database holds, whoever put it there.
    {"getConnection", "(Ljava/lang/String;", "State.connects", kOne, {0, -1},
     kKept}};
constexpr Hook kLoggerHooks[] = {
    {"setLevel", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"addHandler", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"removeHandler", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"setFilter", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"setUseParentHandlers", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"setParent", nullptr, "State.logger", kOne, {0, -1}, kLogging},
    {"isLoggable", nullptr, "State.logs", kOne, {0, -1}, kLogging},
    meets("getLevel", kLogging),
    meets("getHandlers", kLogging),
    meets("getFilter", kLogging),
    meets("getUseParentHandlers", kLogging)};
constexpr Hook kHandlerHooks[] = {sets("setLevel", kLogging),
                                  sets("setFilter", kLogging),
                                  sets("setFormatter", kLogging)};
constexpr Hook kLogManagerHooks[] = {sets("reset", kLogging),
                                     sets("readConfiguration", kLogging),
                                     sets("updateConfiguration", kLogging)};
constexpr Hook kPreferenceHooks[] = {
    sets("put", kPreferences),          sets("remove", kPreferences),
    sets("removeNode", kPreferences),   sets("clear", kPreferences),
    meets("get", kPreferences),         meets("keys", kPreferences),
    meets("nodeExists", kPreferences),  meets("childrenNames", kPreferences)};
constexpr Hook kBeanServerHooks[] = {
    {"registerMBean", nullptr, "State.toggles", kOne, {2, -1}, kBeans},
    {"createMBean", nullptr, "State.toggles", kOne, {2, -1}, kBeans},
    {"unregisterMBean", nullptr, "State.toggles", kOne, {1, -1}, kBeans},
    meets("getAttribute*", kBeans),
    meets("invoke", kBeans),
    meets("isRegistered", kBeans),
    meets("query*", kBeans),
    meets("getMBean*", kBeans),
    meets("getObjectInstance", kBeans)};

constexpr Hook kLogbackHooks[] = {
    {"setLevel", nullptr, "State.level", kTwo, {0, 1}, kLogback},
    {"addAppender", nullptr, "State.part", kOne, {1, -1}, kLogback},
    {"detachAppender", "(Lch/qos/logback/core/Appender;)", "State.part", kOne,
     {1, -1}, kLogback},
    sets("setAdditive", kLogback),
    sets("detachAndStopAllAppenders", kLogback),
    meets("isTraceEnabled", kLogback),
    meets("isDebugEnabled", kLogback),
    meets("isInfoEnabled", kLogback),
    meets("isWarnEnabled", kLogback),
    meets("isErrorEnabled", kLogback),
    meets("filterAndLog*", kLogback),
    meets("getLevel", kLogback),
    meets("getEffectiveLevel", kLogback),
    meets("iteratorForAppenders", kLogback),
    meets("getAppender", kLogback)};

constexpr HookedClass kHooked[] = {
    REJIG_HOOKED("ch/qos/logback/classic/Logger", false, kLogbackHooks),
    REJIG_HOOKED("java/util/Properties", true, kPropertiesHooks),
    REJIG_HOOKED("java/util/Locale", true, kLocaleHooks),
    REJIG_HOOKED("java/util/TimeZone", true, kZoneHooks),
    REJIG_HOOKED("java/net/URLConnection", true, kConnectionHooks),
    REJIG_HOOKED("java/net/HttpURLConnection", true, kHttpHooks),
    REJIG_HOOKED("javax/net/ssl/HttpsURLConnection", true, kHttpsHooks),
    REJIG_HOOKED("javax/net/ssl/SSLContext", true, kSslHooks),
    REJIG_HOOKED("java/net/CookieHandler", true, kCookieHooks),
    REJIG_HOOKED("java/net/ProxySelector", true, kProxyHooks),
    REJIG_HOOKED("java/net/Authenticator", true, kAuthenticatorHooks),
    REJIG_HOOKED("java/net/ResponseCache", true, kResponseHooks),
    REJIG_HOOKED("java/security/Security", true, kSecurityHooks),
    REJIG_HOOKED("java/beans/PropertyEditorManager", true, kEditorHooks),
    REJIG_HOOKED("java/sql/DriverManager", true, kDriverHooks),
    REJIG_HOOKED("java/util/logging/Logger", true, kLoggerHooks),
    REJIG_HOOKED("java/util/logging/Handler", true, kHandlerHooks),
    REJIG_HOOKED("java/util/logging/LogManager", true, kLogManagerHooks),
    REJIG_HOOKED("java/util/prefs/AbstractPreferences", true,
                 kPreferenceHooks),
    REJIG_HOOKED("com/sun/jmx/interceptor/DefaultMBeanServerInterceptor", true,
                 kBeanServerHooks),
};

}  // namespace

const HookedClass* state_hooks_of(std::string_view class_name) {
  for (const HookedClass& h : kHooked) {
    if (class_name == h.name) return &h;
  }
  return nullptr;
}

}  // namespace rejig::agent
