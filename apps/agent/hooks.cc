// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/hooks.h"

#include <utility>

#include "apps/agent/hooks_table.h"
#include "apps/agent/jdk_global.h"

namespace rejig::agent {
namespace {

constexpr char kGetMethod[] =
    "(Ljava/lang/Class;Ljava/lang/String;[Ljava/lang/Class;)"
    "Ljava/lang/reflect/Method;";

// Which class of rejig-junit.jar `filter` calls.
enum Skipper : unsigned char { kJUnit4, kJUnit3, kPlatform, kTestNG };

constexpr Hook kClassHooks[] = {
    {"forName", "(Ljava/lang/String;Z", "asked", kWithFlags, {0, 1}, kAskedClass},
    {"forName", "(Ljava/lang/String;", "text", kOne, {0, -1}, kAskedClass},
    {"forName", "(Ljava/lang/Module;", "text", kOne, {1, -1}, kMissingClass},
    {"privateGetDeclaredMethods", "(Z)", "listed", kWithFlags, {0, 1}, kListed, kFirstListing},
    {"privateGetDeclaredFields", "(Z)", "listed", kWithFlags, {0, 1}, kListed, kFirstListing},
    {"getDeclaredPublicMethods", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"getMethod0", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"findMethod", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"getMethods", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"getField", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"getFields", nullptr, "type", kOne, {0, -1}, kListed, kFirstListing},
    {"privateGetDeclaredMethods", nullptr, "type", kOne, {0, -1}, kListed, kEachListing},
    {"privateGetPublicMethods", nullptr, "type", kOne, {0, -1}, kListed, kEachListing},
    {"privateGetDeclaredFields", nullptr, "type", kOne, {0, -1}, kListed, kEachListing},
    {"privateGetPublicFields", nullptr, "type", kOne, {0, -1}, kListed, kEachListing},
    {"getInterfaces", nullptr, "type", kOne, {0, -1}, kReflected},
    {"getSimpleName", nullptr, "type", kOne, {0, -1}, kReflected},
    {"getCanonicalName", nullptr, "type", kOne, {0, -1}, kReflected},
    {"privateGetDeclaredConstructors", nullptr, "type", kOne, {0, -1}, kReflected},
    {"annotationData", "()", "type", kOne, {0, -1}, kReflected},
    {"getGenericInfo", "()", "type", kOne, {0, -1}, kReflected},
    {"getEnclosingMethodInfo", "()", "type", kOne, {0, -1}, kReflected},
    {"getDeclaringClass", "()", "type", kOne, {0, -1}, kReflected},
    {"getDeclaredClasses", "()", "type", kOne, {0, -1}, kReflected},
    {"getClasses", "()", "type", kOne, {0, -1}, kReflected},
    {"getRecordComponents", "()", "type", kOne, {0, -1}, kReflected},
    {"isRecord", "()", "type", kOne, {0, -1}, kReflected},
    {"accessFlags", "()", "type", kOne, {0, -1}, kReflected},
    {"getNestHost", "()", "type", kOne, {0, -1}, kReflected},
    {"getNestMembers", "()", "type", kOne, {0, -1}, kReflected},
    {"getPermittedSubclasses", "()", "type", kOne, {0, -1}, kReflected},
    {"getAnnotatedSuperclass", "()", "type", kOne, {0, -1}, kReflected},
    {"getAnnotatedInterfaces", "()", "type", kOne, {0, -1}, kReflected},
    {"getEnumConstantsShared", "()", "type", kOne, {0, -1}, kConstants},
    {"enumConstantDirectory", "()", "type", kOne, {0, -1}, kConstants},
    {"getResource", nullptr, "resource", kTwo, {0, 1}, kResource},
    {"getResourceAsStream", nullptr, "resource", kTwo, {0, 1}, kResource},
    // Only where class_names.h cannot do without.
    {"getName", "()", "name", kOne, {0, -1}, kReflected, kNames},
};
constexpr Hook kFieldHooks[] = {
    {"getFieldAccessor", nullptr, "member", kOne, {0, -1}, kInitialized},
    {"getOverrideFieldAccessor", nullptr, "member", kOne, {0, -1}, kInitialized},
};
// Invoking a method of an interface initializes the interface; nothing else
// shows it.
constexpr Hook kMethodHooks[] = {
    {"invoke", nullptr, "invoked", kOne, {0, -1}, kAskedClass},
};
constexpr Hook kConstructorHooks[] = {
    {"newInstance", nullptr, "member", kOne, {0, -1}, kCreated},
    {"newInstanceWithCaller", nullptr, "member", kOne, {0, -1}, kCreated},
};
constexpr Hook kObjectStreamClassHooks[] = {
    {"newInstance", "()", "stream", kOne, {0, -1}, kCreated},
    {"lookup", "(Ljava/lang/Class;Z)", "type", kOne, {0, -1}, kInitialized},
};
constexpr Hook kUnsafeHooks[] = {
    {"allocateInstance", nullptr, "type", kOne, {1, -1}, kCreated},
    {"ensureClassInitialized", nullptr, "type", kOne, {1, -1}, kInitialized},
};
// What programs use to make instances without constructors; object streams
// have their own factory from JDK 9 on and are seen at newInstance.
constexpr Hook kReflectionFactoryHooks[] = {
    {"newConstructorForSerialization",
     nullptr,
     "type",
     kOne,
     {1, -1},
     kCreatable},
};
constexpr Hook kLookupHooks[] = {
    {"findConstructor", nullptr, "type", kOne, {1, -1}, kCreatable},
    {"unreflectConstructor", nullptr, "member", kOne, {1, -1}, kCreatable},
    {"unreflect*", "(Ljava/lang/reflect/", "member", kOne, {1, -1}, kInitialized},
    {"ensureInitialized", nullptr, "type", kOne, {1, -1}, kInitialized},
    {"findClass", nullptr, "text", kOne, {1, -1}, kLoadedClass},
    {"find*", "(Ljava/lang/Class;", "type", kOne, {1, -1}, kInitialized},
};
// What the JDK keeps for the next who asks: the question counts.
constexpr Hook kProxyHooks[] = {
    {"newProxyInstance", "(Ljava/lang/ClassLoader;[Ljava/lang/Class;", "types",
     kOne, {1, -1}, kReflected},
    {"getProxyClass", nullptr, "types", kOne, {1, -1}, kReflected},
};
constexpr Hook kIntrospectorHooks[] = {
    {"getBeanInfo", "(Ljava/lang/Class;", "type", kOne, {0, -1}, kReflected},
};
constexpr Hook kBundleHooks[] = {
    {"getBundle", "(Ljava/lang/String;Ljava/util/Locale;", "bundle", kTwo,
     {0, 1}, kResource},
    {"getBundle", "(Ljava/lang/String;", "bundle", kOne, {0, -1}, kResource},
};
constexpr Hook kCharsetHooks[] = {
    {"forName", "(Ljava/lang/String;", "charset", kOne, {0, -1}, kKept},
    {"isSupported", "(Ljava/lang/String;", "charset", kOne, {0, -1}, kKept},
};
constexpr Hook kUrlHooks[] = {
    {"getURLStreamHandler", "(Ljava/lang/String;", "protocol", kOne, {0, -1},
     kKept},
    {"setURLStreamHandlerFactory", nullptr, "State.sets", kNumber, {-1, -1},
     kUrlFactory},
};
constexpr Hook kMissingClassHooks[] = {
    {"<init>", "(Ljava/lang/String;", "text", kOne, {1, -1}, kMissingClass},
};
constexpr Hook kClassLoaderHooks[] = {
    {"loadClass", "(Ljava/lang/String;)", "text", kOne, {1, -1}, kLoadedClass},
    {"setDefaultAssertionStatus", nullptr, "State.sets", kNumber, {-1, -1}, kAssertions},
    {"setPackageAssertionStatus", nullptr, "State.sets", kNumber, {-1, -1}, kAssertions},
    {"setClassAssertionStatus", nullptr, "State.sets", kNumber, {-1, -1}, kAssertions},
    {"clearAssertionStatus", nullptr, "State.sets", kNumber, {-1, -1}, kAssertions},
    // JDK 8.
    {"loadLibrary0", "(Ljava/lang/Class;Ljava/io/File;)", "Files.library", kTwo,
     {0, 1}, kNative},
    {"getResource", "(Ljava/lang/String;", "text", kOne, {1, -1}, kResource},
    {"getResources", "(Ljava/lang/String;", "text", kOne, {1, -1}, kResource},
    {"resources", "(Ljava/lang/String;", "text", kOne, {1, -1}, kResource},
    {"getResourceAsStream",
     "(Ljava/lang/String;",
     "text",
     kOne,
     {1, -1},
     kResource},
};
constexpr Hook kFindResourceHooks[] = {
    {"findResource*", "(Ljava/lang/String;)", "text", kOne, {1, -1}, kResource},
};
constexpr Hook kModuleHooks[] = {
    {"getDescriptor", nullptr, "module", kOne, {0, -1}, kResource},
    {"getAnnotation*", nullptr, "module", kOne, {0, -1}, kResource},
    {"getDeclaredAnnotations", nullptr, "module", kOne, {0, -1}, kResource},
    {"getPackages", nullptr, "packages", kOne, {0, -1}, kResource},
    {"getResourceAsStream", nullptr, "text", kOne, {1, -1}, kResource},
};
constexpr Hook kPackageHooks[] = {
    {"getImplementation*", "()", "manifest", kNumber, {-1, -1}, kResource},
    {"getSpecification*", "()", "manifest", kNumber, {-1, -1}, kResource},
    {"isCompatibleWith", nullptr, "manifest", kNumber, {-1, -1}, kResource},
};
constexpr Hook kServiceLoaderHooks[] = {
    {"load", "(Ljava/lang/Class;", "service", kOne, {0, -1}, kResource},
    {"load", "(Ljava/lang/ModuleLayer;", "service", kOne, {1, -1}, kResource},
};
constexpr Hook kThrowableHooks[] = {
    {"getOurStackTrace", nullptr, "thing", kNumber, {-1, -1}, kStack},
};
constexpr Hook kThreadHooks[] = {
    {"getStackTrace", nullptr, "thing", kNumber, {-1, -1}, kStack},
    {"getAllStackTraces", nullptr, "thing", kNumber, {-1, -1}, kStack},
    {"setDefaultUncaughtExceptionHandler", nullptr, "State.sets", kNumber, {-1, -1}, kUncaught},
    {"setContextClassLoader", nullptr, "State.thread", kOne, {0, -1}, kThread},
    {"setName", nullptr, "State.thread", kOne, {0, -1}, kThread},
    {"setUncaughtExceptionHandler", nullptr, "State.thread", kOne, {0, -1}, kThread},
};
constexpr Hook kStackWalkerHooks[] = {
    {"walk", nullptr, "thing", kNumber, {-1, -1}, kStack},
    {"forEach", nullptr, "thing", kNumber, {-1, -1}, kStack},
    {"getCallerClass", nullptr, "thing", kNumber, {-1, -1}, kStack},
};
constexpr Hook kNullPointerHooks[] = {
    {"getMessage", nullptr, "thing", kNumber, {-1, -1}, kMessage},
};
constexpr Hook kOpenHooks[] = {
    {"open", "(Ljava/lang/String;", "Files.file", kOne, {1, -1}, kFile},
};
constexpr Hook kRandomHooks[] = {
    {"open", "(Ljava/lang/String;I)", "Files.random", kWithFlags, {1, 2}, kFile},
};
constexpr Hook kWriteHooks[] = {
    {"open", "(Ljava/lang/String;", "Files.written", kOne, {1, -1}, kExists},
};
// Making, moving and removing say whether something was there.
constexpr Hook kNioHooks[] = {
    {"open", "(Lsun/nio/fs/UnixPath;II)", "Files.opened", kWithFlags, {0, 1}, kFile},
    {"open", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kFile},
    {"opendir", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kFile},
    // Of JDK 17: the kind of file, and nothing else.
    {"stat", "(Lsun/nio/fs/UnixPath;)I", "Files.file", kOne, {0, -1}, kExists},
    {"stat*", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kWalked},
    {"lstat", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kWalked},
    {"readlink", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kAttributes},
    {"realpath", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kRealPath},
    {"access", "(Lsun/nio/fs/UnixPath;I", "Files.accessed", kWithFlags, {0, 1}, kExists},
    {"exists", "(Lsun/nio/fs/UnixPath;", "Files.file", kOne, {0, -1}, kExists},
    {"mkdir", "(Lsun/nio/fs/UnixPath;", "Files.made", kOne, {0, -1}, kExists},
    {"unlink", "(Lsun/nio/fs/UnixPath;", "Files.changed", kOne, {0, -1}, kExists},
    {"rmdir", "(Lsun/nio/fs/UnixPath;", "Files.changed", kOne, {0, -1}, kFile},
    // What is there can be read by its other name.
    {"rename", "(Lsun/nio/fs/UnixPath;", "Files.moved", kTwo, {0, 1}, kFile},
    {"link", "(Lsun/nio/fs/UnixPath;", "Files.moved", kTwo, {0, 1}, kFile},
    {"symlink", "([BLsun/nio/fs/UnixPath;", "Files.made", kOne, {1, -1}, kExists},
    {"chmod", "(Lsun/nio/fs/UnixPath;", "Files.changed", kOne, {0, -1}, kExists},
    {"chown", "(Lsun/nio/fs/UnixPath;", "Files.changed", kOne, {0, -1}, kExists},
    {"utimes", "(Lsun/nio/fs/UnixPath;", "Files.changed", kOne, {0, -1}, kExists},
};
// The device and number of two files are compared by where their links lead.
constexpr Hook kProviderHooks[] = {
    {"isSameFile", nullptr, "Files.both", kTwo, {1, 2}, kRealPath},
};
constexpr Hook kFileHooks[] = {
    {"exists", "()", "Files.file", kOne, {0, -1}, kExists},
    {"isDirectory", "()", "Files.file", kOne, {0, -1}, kExists},
    {"isFile", "()", "Files.file", kOne, {0, -1}, kExists},
    {"isHidden", "()", "Files.file", kOne, {0, -1}, kExists},
    {"canRead", "()", "Files.file", kOne, {0, -1}, kAttributes},
    {"canWrite", "()", "Files.file", kOne, {0, -1}, kAttributes},
    {"canExecute", "()", "Files.file", kOne, {0, -1}, kAttributes},
    {"lastModified", "()", "Files.file", kOne, {0, -1}, kAttributes},
    {"length", "()", "Files.file", kOne, {0, -1}, kAttributes},
    {"list", nullptr, "Files.file", kOne, {0, -1}, kFile},
    {"listFiles", nullptr, "Files.file", kOne, {0, -1}, kFile},
    {"getCanonicalPath", "()", "Files.file", kOne, {0, -1}, kRealPath},
    {"createNewFile", "()", "Files.made", kOne, {0, -1}, kExists},
    {"mkdir", "()", "Files.made", kOne, {0, -1}, kExists},
    {"delete", "()", "Files.changed", kOne, {0, -1}, kRemoved},
    {"renameTo", nullptr, "Files.moved", kTwo, {0, 1}, kFile},
    {"setLastModified", nullptr, "Files.changed", kOne, {0, -1}, kExists},
    {"setReadOnly", nullptr, "Files.changed", kOne, {0, -1}, kExists},
    {"setWritable", "(ZZ)", "Files.changed", kOne, {0, -1}, kExists},
    {"setReadable", "(ZZ)", "Files.changed", kOne, {0, -1}, kExists},
    {"setExecutable", "(ZZ)", "Files.changed", kOne, {0, -1}, kExists},
    {"createTempFile", "(Ljava/lang/String;Ljava/lang/String;Ljava/io/File;)",
     "Files.file", kOne, {2, -1}, kExists},
};
// An archive by URL: the JDK keeps those that it opened.
constexpr Hook kJarUrlHooks[] = {
    {"connect", "()", "Files.entry", kOne, {0, -1}, kEntry},
    {"getJarFile", "()", "Files.archive", kOne, {0, -1}, kEntry},
};
constexpr Hook kFilesHooks[] = {
    {"find", nullptr, "Files.finds", kNumber, {-1, -1}, kAttributes},
};
constexpr Hook kSystemHooks[] = {
    {"getenv", "(Ljava/lang/String;)", "text", kOne, {0, -1}, kVariable},
    {"getenv", "()", "thing", kNumber, {-1, -1}, kVariable},
    {"getProperty", "(Ljava/lang/String;", "State.reads", kOne, {0, -1}, kProperty},
    {"getProperties", "()", "State.properties", kNumber, {-1, -1}, kMet},
    {"setProperty", nullptr, "State.writes", kOne, {0, -1}, kProperty},
    {"clearProperty", nullptr, "State.writes", kOne, {0, -1}, kProperty},
    {"setProperties", nullptr, "State.touched", kNumber, {-1, -1}, kProperty},
    {"setIn", nullptr, "State.sets", kNumber, {-1, -1}, kStreams},
    {"setOut", nullptr, "State.sets", kNumber, {-1, -1}, kStreams},
    {"setErr", nullptr, "State.sets", kNumber, {-1, -1}, kStreams},
};
constexpr Hook kProcessHooks[] = {
    {"environment", "()", "thing", kNumber, {-1, -1}, kVariable},
    {"start", nullptr, "child", kNumber, {-1, -1}, kChild},
};
// By the name that the program gave, and each file that was tried for it.
constexpr Hook kRuntimeHooks[] = {
    {"load0", "(Ljava/lang/Class;", "Files.library", kTwo, {1, 2}, kNative},
    {"loadLibrary0", "(Ljava/lang/Class;", "Files.library", kTwo, {1, 2}, kNative},
};
constexpr Hook kLibraryHooks[] = {
    {"loadLibrary", "(Ljava/lang/Class;Ljava/io/File;)", "Files.library", kTwo,
     {1, 2}, kNative},
};
constexpr Hook kRawLibraryHooks[] = {
    {"load", nullptr, "Files.file", kOne, {1, -1}, kNative},
};

constexpr Hook kRunNotifierHooks[] = {
    {"fireTestStarted", nullptr, "junit4", kOne, {1, -1}, kTestStarted},
    {"fireTestFinished", nullptr, "junit4", kOne, {1, -1}, kTestFinished},
    {"fireTestFailure", nullptr, "mark", kNumber, {-1, -1}, kTestFailed},
    {"fireTestAssumptionFailed",
     nullptr,
     "mark",
     kNumber,
     {-1, -1},
     kTestAborted},
    {"fireTestSuiteStarted", nullptr, "junit4", kOne, {1, -1}, kSuiteStarted},
    {"fireTestSuiteFinished", nullptr, "junit4", kOne, {1, -1}, kSuiteFinished},
};
constexpr Hook kRunnerHooks[] = {
    {"run",
     "(Lorg/junit/runner/notification/RunNotifier;)V",
     "filter",
     kOne,
     {0, -1},
     kJUnit4},
    // It looks at the class for every test of JUnit 3, as runTest() does: that
    // it is they who ask need not be read off the stack.
    {"getAnnotations", "(Ljunit/framework/TestCase;)", "getMethod", kGetMethod,
     {-1, -1}, 0, 0, "java/lang/Class"},
};
constexpr Hook kTestCaseHooks[] = {
    {"runTest", "()V", "getMethod", kGetMethod, {-1, -1}, 0, 0,
     "java/lang/Class"},
};
constexpr Hook kTestSuiteHooks[] = {
    {"run",
     "(Ljunit/framework/TestResult;)V",
     "filter",
     kOne,
     {0, -1},
     kJUnit3},
};
// A JUnit Platform before 1.7 looks for no filters by itself.
constexpr Hook kRequestHooks[] = {
    {"getPostDiscoveryFilters", "()", "filter", kOne, {0, -1}, kPlatform},
};
constexpr Hook kExitCodeHooks[] = {
    {"hasTests", "()Z", "filter", kOne, {0, -1}, kTestNG},
    {"noTestsFound", "()Z", "filter", kOne, {0, -1}, kTestNG},
};
constexpr Hook kTestResultHooks[] = {
    {"startTest", nullptr, "junit3", kOne, {1, -1}, kTest3Started},
    {"endTest", nullptr, "junit3", kOne, {1, -1}, kTest3Finished},
    {"addError", nullptr, "mark", kNumber, {-1, -1}, kTestFailed},
    {"addFailure", nullptr, "mark", kNumber, {-1, -1}, kTestFailed},
};
constexpr Hook kEngineHooks[] = {
    {"*", nullptr, "mark", kNumber, {-1, -1}, kEngine},
};

// Spring's tests share application contexts: who asks for one may get what an
// earlier test made, and has done all that making it did.
constexpr Hook kContextLoaderHooks[] = {
    {"loadContextInternal", nullptr, "thing", kNumber, {-1, -1}, kMakesShared},
    {"loadContext", nullptr, "thing", kNumber, {-1, -1}, kUsesShared},
};
constexpr Hook kContextCacheHooks[] = {
    {"put", nullptr, "thing", kNumber, {-1, -1}, kMakesShared},
    {"get", nullptr, "thing", kNumber, {-1, -1}, kUsesShared},
};

// What extensions make once for all who use the same store.
constexpr Hook kStoreHooks[] = {
    {"getOrComputeIfAbsent", nullptr, "stored", kOne, {1, -1}, kKept},
    {"computeIfAbsent", nullptr, "stored", kOne, {1, -1}, kKept},
    {"get", "(Ljava/lang/Object;", "State.got", kOne, {1, -1}, kMet},
};
// Stores of a test go with it; what is put into one of a class stays.
constexpr Hook kValuesHooks[] = {
    {"put", "(Ljava/lang/Object;Ljava/lang/Object;Ljava/lang/Object;)", "State.put", kTwo, {0, 2}, kLeftThere},
    {"put", "(Lorg/junit/jupiter/api/extension/ExtensionContext$Namespace;", "State.put", kTwo, {0, 2}, kLeftThere},
    {"remove", "(Ljava/lang/Object;Ljava/lang/Object;", "State.removed", kTwo, {0, 2}, kLeftThere},
    {"remove", "(Lorg/junit/jupiter/api/extension/ExtensionContext$Namespace;", "State.removed", kTwo, {0, 2}, kLeftThere},
    {"close*", "()", "State.closed", kOne, {0, -1}, kLeftThere},
};

constexpr HookedClass kHooked[] = {
    REJIG_HOOKED("java/lang/Class", true, kClassHooks),
    REJIG_HOOKED("java/lang/reflect/Field", true, kFieldHooks),
    REJIG_HOOKED("java/lang/reflect/Method", true, kMethodHooks),
    REJIG_HOOKED("java/lang/reflect/Constructor", true, kConstructorHooks),
    REJIG_HOOKED("java/io/ObjectStreamClass", true, kObjectStreamClassHooks),
    REJIG_HOOKED("sun/misc/Unsafe", true, kUnsafeHooks),
    REJIG_HOOKED("sun/reflect/ReflectionFactory", true,
                 kReflectionFactoryHooks),
    REJIG_HOOKED("java/lang/invoke/MethodHandles$Lookup", true, kLookupHooks),
    REJIG_HOOKED("java/lang/reflect/Proxy", true, kProxyHooks),
    REJIG_HOOKED("java/beans/Introspector", true, kIntrospectorHooks),
    REJIG_HOOKED("java/util/ResourceBundle", true, kBundleHooks),
    REJIG_HOOKED("java/nio/charset/Charset", true, kCharsetHooks),
    REJIG_HOOKED("java/net/URL", true, kUrlHooks),
    REJIG_HOOKED("java/lang/ClassNotFoundException", true, kMissingClassHooks),
    REJIG_HOOKED("java/lang/NoClassDefFoundError", true, kMissingClassHooks),
    REJIG_HOOKED("java/lang/ClassLoader", true, kClassLoaderHooks),
    REJIG_HOOKED("java/net/URLClassLoader", true, kFindResourceHooks),
    REJIG_HOOKED("jdk/internal/loader/BuiltinClassLoader", true,
                 kFindResourceHooks),
    REJIG_HOOKED("java/lang/Module", true, kModuleHooks),
    REJIG_HOOKED("java/lang/Package", true, kPackageHooks),
    REJIG_HOOKED("java/util/ServiceLoader", true, kServiceLoaderHooks),
    REJIG_HOOKED("java/lang/Throwable", true, kThrowableHooks),
    REJIG_HOOKED("java/lang/Thread", true, kThreadHooks),
    REJIG_HOOKED("java/lang/StackWalker", true, kStackWalkerHooks),
    REJIG_HOOKED("java/lang/NullPointerException", true, kNullPointerHooks),
    REJIG_HOOKED("java/io/FileInputStream", true, kOpenHooks),
    REJIG_HOOKED("java/io/RandomAccessFile", true, kRandomHooks),
    REJIG_HOOKED("java/io/FileOutputStream", true, kWriteHooks),
    REJIG_HOOKED("sun/nio/fs/UnixNativeDispatcher", true, kNioHooks),
    REJIG_HOOKED("sun/nio/fs/UnixFileSystemProvider", true, kProviderHooks),
    REJIG_HOOKED("java/io/File", true, kFileHooks),
    REJIG_HOOKED("java/nio/file/Files", true, kFilesHooks),
    REJIG_HOOKED("sun/net/www/protocol/jar/JarURLConnection", true,
                 kJarUrlHooks),
    REJIG_HOOKED("java/lang/System", true, kSystemHooks),
    REJIG_HOOKED("java/lang/ProcessBuilder", true, kProcessHooks),
    REJIG_HOOKED("java/lang/Runtime", true, kRuntimeHooks),
    REJIG_HOOKED("org/junit/jupiter/engine/execution/NamespaceAwareStore",
                 false, kStoreHooks),
    REJIG_HOOKED("org/junit/platform/engine/support/store/"
                 "NamespacedHierarchicalStore",
                 false, kValuesHooks),
    REJIG_HOOKED("org/junit/jupiter/engine/execution/ExtensionValuesStore",
                 false, kValuesHooks),
    REJIG_HOOKED("jdk/internal/loader/NativeLibraries", true, kLibraryHooks),
    REJIG_HOOKED("jdk/internal/loader/RawNativeLibraries", true,
                 kRawLibraryHooks),
    REJIG_HOOKED("org/junit/runner/notification/RunNotifier", false,
                 kRunNotifierHooks),
    REJIG_HOOKED("org/junit/runners/ParentRunner", false, kRunnerHooks),
    REJIG_HOOKED("org/junit/internal/runners/JUnit38ClassRunner", false,
                 kRunnerHooks),
    REJIG_HOOKED("junit/framework/TestCase", false, kTestCaseHooks),
    REJIG_HOOKED("junit/framework/TestResult", false, kTestResultHooks),
    REJIG_HOOKED("junit/framework/TestSuite", false, kTestSuiteHooks),
    REJIG_HOOKED("org/junit/platform/launcher/core/DefaultDiscoveryRequest",
                 false, kRequestHooks),
    REJIG_HOOKED("org/testng/internal/ExitCodeListener", false, kExitCodeHooks),
    REJIG_HOOKED("org/junit/runner/JUnitCore", false, kEngineHooks),
    REJIG_HOOKED("org/junit/platform/launcher/core/LauncherFactory", false,
                 kEngineHooks),
    REJIG_HOOKED("org/testng/TestNG", false, kEngineHooks),
    REJIG_HOOKED("org/springframework/test/context/cache/"
                 "DefaultCacheAwareContextLoaderDelegate",
                 false, kContextLoaderHooks),
    REJIG_HOOKED("org/springframework/test/context/cache/DefaultContextCache",
                 false, kContextCacheHooks),
};

bool name_matches(const char* pattern, std::string_view name) {
  std::string_view p(pattern);
  if (p.back() != '*') return p == name;
  p.remove_suffix(1);
  return starts_with(name, p);
}

}  // namespace

const HookedClass* hooks_of(std::string_view class_name) {
  for (const HookedClass& h : kHooked) {
    if (class_name == h.name) return &h;
  }
  return state_hooks_of(class_name);
}

bool is_early(const HookedClass* hooked) {
  for (const Hook* table :
       {static_cast<const Hook*>(kOpenHooks), static_cast<const Hook*>(kRandomHooks),
        static_cast<const Hook*>(kWriteHooks),
        static_cast<const Hook*>(kNioHooks), static_cast<const Hook*>(kProviderHooks),
        static_cast<const Hook*>(kFileHooks), static_cast<const Hook*>(kFilesHooks),
        static_cast<const Hook*>(kJarUrlHooks), static_cast<const Hook*>(kClassLoaderHooks),
        static_cast<const Hook*>(kFindResourceHooks), static_cast<const Hook*>(kRuntimeHooks),
        static_cast<const Hook*>(kLibraryHooks)}) {
    if (hooked->hooks == table) return true;
  }
  return false;
}

bool is_kept_early(unsigned kind) {
  switch (kind) {
    case kResource:
    case kFile:
    case kNative:
    case kAttributes:
    case kExists:
    case kRealPath:
    case kEntry:
    case kWalked:
    case kRemoved:
      return true;
    default:
      return false;
  }
}

bool is_of_jdk(const HookedClass* hooked) { return hooked->of_jdk; }

bool hook_prefix(void* context, const MethodHead& method, Prefix& prefix) {
  const auto* hooking = static_cast<const Hooking*>(context);
  for (unsigned i = 0; i < hooking->hooked->count; ++i) {
    const Hook& h = hooking->hooked->hooks[i];
    if (h.only != 0 && (h.only & hooking->needed) == 0) continue;
    if (!name_matches(h.method, method.name)) continue;
    if (h.descriptor != nullptr &&
        !starts_with(method.descriptor, h.descriptor)) {
      continue;
    }
    prefix.hook = h.call;
    for (const auto& [part, owner] :
         {std::pair<std::string_view, std::string_view>{"Files.", kFilesClass},
          {"State.", kStateClass}}) {
      if (!starts_with(prefix.hook, part)) continue;
      prefix.hook.remove_prefix(part.size());
      prefix.owner = owner;
    }
    prefix.descriptor = h.call_descriptor;
    prefix.load_count = 0;
    prefix.second_is_int = h.call_descriptor == kWithFlags;
    if (h.instead_of != nullptr) prefix.instead_of = h.instead_of;
    for (const signed char slot : h.slots) {
      if (slot >= 0) {
        prefix.loads[prefix.load_count++] = static_cast<unsigned char>(slot);
      }
    }
    prefix.has_number = true;
    prefix.number = h.number;
    return true;
  }
  return false;
}

}  // namespace rejig::agent
