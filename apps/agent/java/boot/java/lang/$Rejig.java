// SPDX-License-Identifier: Apache-2.0
package java.lang;

import jdk.internal.vm.annotation.DontInline;
import jdk.internal.vm.annotation.ForceInline;

/**
 * What was entered since the last change of tests? The prefix of every recorded method sets a mark in {@link #MARKS};
 * the agent collects and clears the marks when a test, or a class initializer, begins or ends. The prefix of what was
 * loaded before the agent woke calls {@link #hit}, which wakes it.
 *
 * <p>It lives in java.lang and the boot loader, where every class can see it whatever its loader
 * (OSGi passes on java.* only) and whatever its module. No method here runs code of the program.
 *
 * <p>Marks are plain memory: whoever begins a test and hands work to another thread synchronizes with it, and so the
 * thread sees them cleared. A loop without any call or synchronization belongs to the test in which it began.
 */
public final class $Rejig {
    private $Rejig() {}

    static final int METHODS = 1 << 19;
    static final int FIRST = 1 << 17;

    /** Not 0 when a method was seen in this epoch. Programs rarely store shorts, so compiled code may keep what it read of theirs. */
    public static final short[] MARKS = new short[FIRST];

    static volatile boolean asleep = true;

    static volatile int epoch = 1;

    static final int EXISTS = 14;
    static final int ATTRIBUTES = 13;
    private static final int ENGINE = 1;
    private static final int MISSING_CLASS = 5;
    private static final int LOADED_CLASS = 12;
    private static final int LISTED = 18;
    private static final int KEPT = 26;
    private static final int BY_RUNNER = 32;

    private static final int CACHE = 1 << 12;
    private static final Fact[] FACTS = new Fact[CACHE];

    private static final class Fact {
        final int epoch;
        final int kind;
        final String text;

        Fact(int epoch, int kind, String text) {
            this.epoch = epoch;
            this.kind = kind;
            this.text = text;
        }
    }

    private static final int NAMES = 1 << 11;
    private static final Name[] NAMED = new Name[NAMES];

    private static final Name[] TYPES = new Name[NAMES];

    private static final class Name extends java.lang.ref.WeakReference<Class<?>> {
        final int epoch;
        final int kind;

        Name(Class<?> c, int epoch, int kind) {
            super(c);
            this.epoch = epoch;
            this.kind = kind;
        }
    }

    @ForceInline
    public static void hit(int id) {
        if (MARKS[id] == 0) {
            note(MARKS, id);
        }
    }

    /** Seldom called, and not to be compiled into every method. */
    @DontInline
    private static void note(short[] marks, int id) {
        beAwake();
        marks[id] = 1;
    }

    /** The marks of what comes late in a large program; loaded only then. */
    public static final class More {
        private More() {}

        public static final short[] MARKS = new short[METHODS - FIRST];

        @ForceInline
        public static void hit(int id) {
            if (MARKS[id] == 0) {
                note(MARKS, id);
            }
        }
    }

    /** What hit needs when receivers are recorded; loaded only then. */
    private static final class Receivers {
        private Receivers() {}

        /** The class of the object that a method was last called on, or null when it was not seen in this epoch; the agent's, too. */
        static final Class<?>[] LAST = new Class<?>[METHODS];

        static final int PAIRS = 1 << 14;
        static final Receiver[] SEEN = new Receiver[PAIRS];

        static void clear(int methods) {
            java.util.Arrays.fill(LAST, 0, methods, null);
        }
    }

    private static final class Receiver extends java.lang.ref.WeakReference<Class<?>> {
        final int id;
        final int epoch;

        Receiver(Class<?> c, int id, int epoch) {
            super(c);
            this.id = id;
            this.epoch = epoch;
        }
    }

    @ForceInline
    public static void hit(Object self, int id) {
        Class<?> c = self.getClass();
        if (Receivers.LAST[id] != c) {
            again(c, id);
        }
    }

    @DontInline
    private static void again(Class<?> c, int id) {
        int slot = (System.identityHashCode(c) * 31 + id) & (Receivers.PAIRS - 1);
        Receiver known = Receivers.SEEN[slot];
        if (known != null && known.id == id && known.epoch == epoch && known.get() == c) {
            return;
        }
        int seen = received(id, c);
        if (seen != 0) {
            Receivers.SEEN[slot] = new Receiver(c, id, seen);
        }
    }

    // What JDK methods are asked. Arguments are the methods' own, still unchecked: null is usual.

    @DontInline
    public static void text(Object text, int kind) {
        if (text instanceof String) {
            fact(kind, (String) text);
        }
    }

    /** Class.forName with a choice. */
    @DontInline
    public static void asked(Object name, int initialize, int kind) {
        text(name, initialize != 0 ? kind : LOADED_CLASS);
    }

    @DontInline
    public static void types(Object types, int kind) {
        if (types instanceof Class[]) {
            for (Class<?> c : (Class<?>[]) types) {
                type(c, kind);
            }
        }
    }

    /** The thread in which JUnit lists members, and nobody else. */
    private static Thread lister;

    /** Class.getMethod, where JUnit calls it. */
    @DontInline
    public static java.lang.reflect.Method getMethod(Class<?> c, String name, Class<?>[] types) throws NoSuchMethodException {
        if (System.getSecurityManager() != null) {
            return c.getMethod(name, types);
        }
        lister = Thread.currentThread();
        try {
            return c.getMethod(name, types);
        } finally {
            lister = null;
        }
    }

    @DontInline
    public static void type(Object type, int kind) {
        if (kind == LISTED && lister == Thread.currentThread()) {
            kind += BY_RUNNER;
        }
        if (type instanceof Class && !asleep) {
            Class<?> c = (Class<?>) type;
            if (c.getClassLoader() == null) {
                return;
            }
            int slot = (System.identityHashCode(c) * 31 + kind) & (NAMES - 1);
            Name known = TYPES[slot];
            if (known != null && (known.epoch == epoch || known.epoch < 0) && known.kind == kind && known.get() == c) {
                return;
            }
            int seen = (kind & ~BY_RUNNER) == LISTED ? told(c, kind) : found(kind, c.getName());
            if (seen != 0) {
                TYPES[slot] = new Name(c, seen, kind);
            }
        }
    }

    /** As found; what a library's class inherits may be the program's. */
    private static int told(Class<?> c, int kind) {
        int seen = found(kind, c.getName());
        if (seen < 0) {
            Class<?> up = c.getSuperclass();
            if (up != null && up.getClassLoader() != null && told(up, kind) >= 0) {
                seen = 0;
            }
            for (Class<?> one : c.getInterfaces()) {
                if (one.getClassLoader() != null && told(one, kind) >= 0) {
                    seen = 0;
                }
            }
        }
        return seen;
    }

    /** What is public is told where a look-up begins. */
    @DontInline
    public static void listed(Object type, int publicOnly, int kind) {
        if (publicOnly == 0) {
            type(type, kind);
        }
    }

    /** The names of anonymous and local classes are the compiler's numbering: reading one is looking at the class. */
    @DontInline
    public static void name(Object type, int kind) {
        if (!(type instanceof Class)) {
            return;
        }
        Class<?> c = (Class<?>) type;
        if (c.getClassLoader() == null) {
            return;
        }
        int slot = System.identityHashCode(c) & (NAMES - 1);
        Name known = NAMED[slot];
        if (known != null && (known.epoch == epoch || known.epoch < 0) && known.get() == c) {
            return;
        }
        int seen = named(c, kind);
        if (seen != 0) {
            NAMED[slot] = new Name(c, seen, kind);
        }
    }

    @DontInline
    public static void member(Object member, int kind) {
        if (member instanceof java.lang.reflect.Member) {
            type(((java.lang.reflect.Member) member).getDeclaringClass(), kind);
        }
    }

    /** Initializes an interface, whose methods are run by others. */
    @DontInline
    public static void invoked(Object method, int kind) {
        if (method instanceof java.lang.reflect.Method) {
            Class<?> c = ((java.lang.reflect.Method) method).getDeclaringClass();
            if (c.isInterface()) {
                type(c, kind);
            }
        }
    }

    @DontInline
    public static void stream(Object description, int kind) {
        if (description instanceof java.io.ObjectStreamClass) {
            type(((java.io.ObjectStreamClass) description).forClass(), kind);
        }
    }

    @DontInline
    public static void resource(Object base, Object name, int kind) {
        if (base instanceof Class && name instanceof String) {
            String s = (String) name;
            if (s.startsWith("/")) {
                fact(kind, s.substring(1));
                return;
            }
            String c = ((Class<?>) base).getName();
            int dot = c.lastIndexOf('.');
            fact(kind, dot < 0 ? s : c.substring(0, dot + 1).replace('.', '/') + s);
        }
    }

    @DontInline
    public static void bundle(Object base, int kind) {
        bundle(base, null, kind);
    }

    /** A bundle is looked for once, as a class and as a resource for each part of the locale. */
    @DontInline
    public static void bundle(Object base, Object locale, int kind) {
        if (!(base instanceof String) || ((String) base).startsWith("sun.") || ((String) base).startsWith("com.sun.")) {
            return;
        }
        fact(KEPT, "bundle " + base);
        candidate((String) base, kind);
        candidates((String) base, java.util.Locale.getDefault(), kind);
        if (locale instanceof java.util.Locale) {
            candidates((String) base, (java.util.Locale) locale, kind);
        }
    }

    private static void candidates(String base, java.util.Locale locale, int kind) {
        String name = base;
        String[] parts = {locale.getLanguage(), locale.getCountry(), locale.getVariant()};
        for (String part : parts) {
            name = name + "_" + part;
            if (!part.isEmpty()) {
                candidate(name, kind);
            }
        }
    }

    private static void candidate(String name, int kind) {
        fact(MISSING_CLASS, name);
        fact(kind, name.replace('.', '/') + ".properties");
    }

    /** Providers are asked once for what is no charset of the JDK. ANSI_X3.4-1968 is US-ASCII where there is no locale. */
    @DontInline
    public static void charset(Object name, int kind) {
        if (name instanceof String) {
            String s = (String) name;
            if (!s.regionMatches(true, 0, "UTF-", 0, 4) && !s.regionMatches(true, 0, "ISO-8859-", 0, 9)
                    && !s.equalsIgnoreCase("US-ASCII") && !s.equalsIgnoreCase("ANSI_X3.4-1968")) {
                fact(kind, "charset " + s);
            }
        }
    }

    /** The handler of a protocol is made once. */
    @DontInline
    public static void protocol(Object name, int kind) {
        if (name instanceof String) {
            String s = (String) name;
            if (!s.equals("file") && !s.equals("jar") && !s.equals("http") && !s.equals("https") && !s.equals("jrt")) {
                fact(kind, "url handler " + s);
            }
        }
    }

    /** What an extension of JUnit keeps under a key is made for whoever comes first. */
    @DontInline
    public static void stored(Object key, int kind) {
        String name = key instanceof String ? (String) key : key instanceof Class ? ((Class<?>) key).getName()
                : key == null ? "" : key.getClass().getName();
        fact(kind, "junit store " + name);
    }

    @DontInline
    public static void service(Object type, int kind) {
        if (type instanceof Class) {
            fact(kind, "META-INF/services/" + ((Class<?>) type).getName());
        }
    }

    @DontInline
    public static void manifest(int kind) {
        fact(kind, "META-INF/MANIFEST.MF");
    }

    /** What a module of the program declares. */
    @DontInline
    public static void module(Object module, int kind) {
        String name = String.valueOf(module);
        if (name.startsWith("module ") && !name.startsWith("module java.") && !name.startsWith("module jdk.")) {
            fact(kind, "module-info.class");
        }
    }

    @DontInline
    public static void packages(Object module, int kind) {
        module(module, kind);
        String name = String.valueOf(module);
        if (name.startsWith("module ") && !name.startsWith("module java.") && !name.startsWith("module jdk.")) {
            fact(kind, "**/");
        }
    }

    @DontInline
    public static void thing(int kind) {
        fact(kind, "");
    }

    /** Surefire asks once a second, by `ps`, whether its parent lives, on a thread of its own. */
    @DontInline
    public static void child(int kind) {
        String thread = Thread.currentThread().getName();
        if (!thread.startsWith("surefire-forkedjvm-ping-") && !thread.equals("surefire-process-checker")) {
            fact(kind, "");
        }
    }

    /** Of what happens before the program, files, resources and libraries are kept. */
    private static boolean isEarly(int kind) {
        return kind == 6 || kind == 7 || kind == 11 || kind >= ATTRIBUTES && kind <= EXISTS
                || kind >= 21 && kind != $RejigState.MET && kind != $RejigState.PROPERTY;
    }

    static void fact(int kind, String text) {
        if (asleep && !isEarly(kind)) {
            return;
        }
        int slot = (text.hashCode() * 31 + kind) & (CACHE - 1);
        Fact known = FACTS[slot];
        int now = epoch;
        if (known != null && known.epoch == now && known.kind == kind && known.text.equals(text)) {
            return;
        }
        int seen = found(kind, text);
        if (seen != 0) {
            FACTS[slot] = new Fact(seen, kind, text);
        }
    }

    // What test runners say; see rejig.junit for the JUnit Platform and TestNG.

    @DontInline
    public static void junit4(Object description, int event) {
        if (reporters > 0) {
            return;
        }
        runner(event, description == null ? "" : description.toString());
    }

    @DontInline
    public static void junit3(Object test, int event) {
        if (reporters > 0) {
            return;
        }
        runner(event, test == null ? "" : test.getClass().getName() + "\n" + test);
    }

    @DontInline
    public static void mark(int event) {
        if (event == ENGINE || reporters == 0) {
            runner(event, "");
        }
    }

    private static final String[] SKIPPERS = {"JUnit4Skip", "JUnit3Skip", "PlatformSkip", "TestNGSkip"};

    /** Hands a part of a runner to the filter for it, which lives where the tests live. */
    @DontInline
    public static void filter(Object part, int skipper) {
        if (part == null || !skipping()) {
            return;
        }
        try {
            Class<?> c = Class.forName("rejig.junit." + SKIPPERS[skipper], true, part.getClass().getClassLoader());
            c.getMethod("apply", Object.class).invoke(null, part);
        } catch (Throwable e) {
            warn("nothing is skipped by " + SKIPPERS[skipper] + ": " + (e.getCause() == null ? e : e.getCause()));
        }
    }

    /**
     * Called from this class only: the agent registers a native method of the JDK then, and the JVM warns, on standard output, when
     * that is done for a class of another loader.
     */
    private static native void wake();

    private static void beAwake() {
        if (asleep) {
            wake();
        }
    }

    /** The class initializer with this number begins. */
    public static void initializes(int id) {
        beAwake();
        initializing(id);
    }

    private static native void initializing(int id);

    /** It ends. */
    public static native void initialized(int id);

    /** As found. */
    private static native int received(int id, Class<?> c);

    private static native int found(int kind, String text);

    /** As found; -1 when the class has a name that never says anything. */
    private static native int named(Class<?> c, int kind);

    private static native void runner(int event, String text);

    /** Is there a skip list at all? */
    private static native boolean skipping();

    private static native void warn(String what);

    /** Opens a scope: kind 1 container, 2 test. Returns its number, or 0 when nothing is recorded. */
    public static int begin(int kind, int parent, String id) {
        beAwake();
        return beginning(kind, parent, id);
    }

    private static native int beginning(int kind, int parent, String id);

    /** Result: 0 passed, 1 failed, 2 aborted or skipped. */
    public static native void end(int scope, int result);

    /** A result known before the end; the worst one counts. */
    public static native void worsen(int scope, int result);

    /** True while a test is open on this thread: runs inside tests are part of them. */
    public static native boolean insideTest();

    private static volatile int reporters;

    /** The JUnit Platform or TestNG reports from here on, JUnit 4 events of its engines are its own. */
    public static synchronized void reporting(boolean on) {
        reporters += on ? 1 : -1;
    }

    public static boolean reported() {
        return reporters > 0;
    }

    public static native String suite();

    /** What the JVM was started with, as it took it: argument files, variables and option files are in it, in their order. */
    public static String[] arguments() throws Exception {
        try {
            return (String[]) Class.forName("jdk.internal.misc.VM").getMethod("getRuntimeArguments").invoke(null);
        } catch (ClassNotFoundException | NoSuchMethodException e) { // before Java 9
            Object bean = Class.forName("java.lang.management.ManagementFactory").getMethod("getRuntimeMXBean").invoke(null);
            Object list = Class.forName("java.lang.management.RuntimeMXBean").getMethod("getInputArguments").invoke(bean);
            return ((java.util.List<?>) list).toArray(new String[0]);
        }
    }

    /** Are assertions on in classes that nothing is said about? Until somebody has told the loader, its options say so. */
    public static String asserts(ClassLoader loader) throws Exception {
        try {
            return String.valueOf(ClassLoader.class.getDeclaredMethod("desiredAssertionStatus", String.class).invoke(loader, "rejig.None"));
        } catch (java.lang.reflect.InvocationTargetException e) {
            if (e.getCause() instanceof NullPointerException) {
                return "as started";
            }
            throw e;
        }
    }

    /** What this thread looks up from here on is our own doing, no fact. */
    public static native void quiet(boolean on);

    /** Something happened that rows of this JVM cannot show: no row justifies a skip. */
    public static native void lost(String why);
}
