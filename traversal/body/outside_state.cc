// SPDX-License-Identifier: Apache-2.0
#include "traversal/body/outside_state.h"

namespace rejig::traversal {

namespace {

struct Outside {
  std::string_view owner;
  std::string_view name;  // begins with
  std::string_view what;  // as rows name it
};

// What sets something that the JVM keeps: the names are the recorder's
// (apps/agent/jdk_globals.cc), but for files and system properties as such.
constexpr Outside kOutside[] = {
    {"java/lang/System", "setProp", "kept properties"},
    {"java/lang/System", "clearProp", "kept properties"},
    {"java/lang/System", "getProperties", "kept properties"},
    {"java/lang/System", "setOut", "jvm standard streams"},
    {"java/lang/System", "setErr", "jvm standard streams"},
    {"java/lang/System", "setIn", "jvm standard streams"},
    {"java/lang/Thread", "setDefault", "jvm uncaught exceptions"},
    {"java/lang/Thread", "setContext", "jvm test thread"},
    {"java/lang/Thread", "setName", "jvm test thread"},
    {"java/lang/ClassLoader", "set", "jvm assertions"},
    {"java/lang/ClassLoader", "clear", "jvm assertions"},
    {"java/util/Locale", "setDefault", "kept locale"},
    {"java/util/TimeZone", "setDefault", "kept time zone"},
    {"java/net/URL", "setURL", "jvm url handlers"},
    {"java/net/URLConnection", "setDefault", "jvm url caches"},
    {"java/net/URLConnection", "setContent", "jvm content handlers"},
    {"java/net/URLConnection", "setFile", "jvm content handlers"},
    {"java/net/HttpURLConnection", "setFollow", "jvm redirects"},
    {"javax/net/ssl/HttpsURLConnection", "setDefault", "jvm tls defaults"},
    {"javax/net/ssl/SSLContext", "setDefault", "jvm ssl context"},
    {"java/net/CookieHandler", "setDefault", "jvm cookies"},
    {"java/net/ProxySelector", "setDefault", "jvm proxies"},
    {"java/net/Authenticator", "setDefault", "jvm authenticator"},
    {"java/net/ResponseCache", "setDefault", "jvm response cache"},
    {"java/security/Security", "addProvider", "jvm security providers"},
    {"java/security/Security", "insertProvider", "jvm security providers"},
    {"java/security/Security", "removeProvider", "jvm security providers"},
    {"java/security/Security", "setProperty", "jvm security properties"},
    {"java/beans/PropertyEditorManager", "", "jvm property editors"},
    {"java/sql/DriverManager", "register", "kept drivers"},
    {"java/sql/DriverManager", "deregister", "kept drivers"},
    {"java/util/logging/", "set", "kept logging"},
    {"java/util/logging/", "addHandler", "kept logging"},
    {"java/util/logging/", "removeHandler", "kept logging"},
    {"java/util/logging/LogManager", "re", "kept logging"},
    {"java/util/prefs/Preferences", "put", "kept preferences"},
    {"java/util/prefs/Preferences", "remove", "kept preferences"},
    {"java/util/prefs/Preferences", "clear", "kept preferences"},
    {"javax/management/", "registerMBean", "kept beans"},
    {"javax/management/", "unregisterMBean", "kept beans"},
    {"java/nio/file/Files", "write", "kept files"},
    {"java/nio/file/Files", "create", "kept files"},
    {"java/nio/file/Files", "copy", "kept files"},
    {"java/nio/file/Files", "move", "kept files"},
    {"java/nio/file/Files", "delete", "kept files"},
    {"java/nio/file/Files", "set", "kept files"},
    {"java/nio/file/Files", "newOutput", "kept files"},
    {"java/nio/file/Files", "newBufferedWriter", "kept files"},
    {"java/nio/file/Files", "newByteChannel", "kept files"},
    {"java/nio/channels/FileChannel", "open", "kept files"},
    {"java/io/FileOutputStream", "<init>", "kept files"},
    {"java/io/FileWriter", "<init>", "kept files"},
    {"java/io/PrintWriter", "<init>", "kept files"},
    {"java/io/PrintStream", "<init>", "kept files"},
    {"java/io/RandomAccessFile", "<init>", "kept files"},
    {"java/io/File", "delete", "kept files"},
    {"java/io/File", "create", "kept files"},
    {"java/io/File", "mkdir", "kept files"},
    {"java/io/File", "renameTo", "kept files"},
    {"java/io/File", "set", "kept files"},
    // Nobody knows what is called.
    {"java/lang/reflect/Method", "invoke", "kept anywhere"},
    {"java/lang/reflect/Field", "set", "kept anywhere"},
    {"java/lang/reflect/Constructor", "newInstance", "kept anywhere"},
    {"java/lang/Class", "newInstance", "kept anywhere"},
    {"java/lang/invoke/MethodHandle", "invoke", "kept anywhere"},
    {"java/util/ServiceLoader", "load", "kept anywhere"},
};

bool is_in(std::string_view owner, std::string_view of_table) {
  return of_table.ends_with('/') ? owner.starts_with(of_table)
                                 : owner == of_table;
}

struct Read {
  std::string_view owner;
  std::string_view name;  // begins with
  std::string_view state;
};

// What asks for something that the JVM keeps, or a file.
constexpr Read kReads[] = {
    {"java/lang/System", "getProp", "property "},
    {"java/lang/Integer", "getInteger", "property "},
    {"java/lang/Long", "getLong", "property "},
    {"java/lang/Boolean", "getBoolean", "property "},
    {"java/util/Locale", "getDefault", "kept locale"},
    {"java/util/TimeZone", "getDefault", "kept time zone"},
    {"java/time/ZoneId", "systemDefault", "kept time zone"},
    {"java/sql/DriverManager", "get", "kept drivers"},
    {"java/sql/DriverManager", "getConnection", "database "},
    {"java/util/logging/", "", "kept logging"},
    {"java/util/prefs/", "", "kept preferences"},
    {"javax/management/", "", "kept beans"},
    {"java/nio/file/Files", "", "file "},
    {"java/io/File", "", "file "},
    {"java/io/FileInputStream", "<init>", "file "},
    {"java/io/FileReader", "<init>", "file "},
    {"java/io/RandomAccessFile", "<init>", "file "},
    {"java/util/Scanner", "<init>", "file "},
    {"java/util/zip/ZipFile", "<init>", "file "},
    {"java/util/jar/JarFile", "<init>", "file "},
};

}  // namespace

std::string_view left_outside(std::string_view owner, std::string_view name) {
  for (const Outside& one : kOutside) {
    if (is_in(owner, one.owner) && name.starts_with(one.name)) return one.what;
  }
  return {};
}

void each_read_outside(std::string_view owner, std::string_view name,
                       const std::function<void(std::string_view)>& found) {
  for (const Read& one : kReads) {
    if (is_in(owner, one.owner) && name.starts_with(one.name)) found(one.state);
  }
}

}  // namespace rejig::traversal
