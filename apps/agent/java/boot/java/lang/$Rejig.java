// SPDX-License-Identifier: Apache-2.0
package java.lang;

/**
 * What was entered since the last change of tests? The prefix of every recorded method calls
 * {@link #hit}; the first call of an epoch goes to the agent, all others end after one compare.
 *
 * <p>It lives in java.lang and the boot loader, where every class can see it whatever its loader
 * (OSGi passes on java.* only) and whatever its module. No method here runs code of the program.
 */
public final class $Rejig {
    private $Rejig() {}

    /** The epoch in which each method was last seen; classes beyond its end are left alone. */
    private static final int[] MARKS = new int[1 << 19];

    /** Volatile: no loop may keep an old answer across the end of a test. */
    private static volatile int epoch = 1;

    // open(2) on Linux, and the fact kind of what is only asked to be there.
    private static final int ACCESS = 3;
    private static final int WRITE_ONLY = 1;
    private static final int CREATE = 0100;
    private static final int EXCLUSIVE = 0200;
    private static final int EXISTS = 14;

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

    private static final int NAMES = 1 << 10;
    private static final Name[] NAMED = new Name[NAMES];

    private static final class Name extends java.lang.ref.WeakReference<Class<?>> {
        final int epoch;

        Name(Class<?> c, int epoch) {
            super(c);
            this.epoch = epoch;
        }
    }

    public static void hit(int id) {
        if (MARKS[id] != epoch) {
            slow(id);
        }
    }

    private static void slow(int id) {
        int seen = enter(id);
        if (seen != 0) {
            MARKS[id] = seen;
        }
    }

    // What JDK methods are asked. Arguments are the methods' own, still unchecked: null is usual.

    public static void text(Object text, int kind) {
        if (text instanceof String) {
            fact(kind, (String) text);
        }
    }

    public static void type(Object type, int kind) {
        if (type instanceof Class) {
            Class<?> c = (Class<?>) type;
            if (c.getClassLoader() != null) {
                fact(kind, c.getName());
            }
        }
    }

    /** The names of anonymous and local classes are the compiler's numbering: reading one is looking at the class. */
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
            NAMED[slot] = new Name(c, seen);
        }
    }

    public static void member(Object member, int kind) {
        if (member instanceof java.lang.reflect.Member) {
            type(((java.lang.reflect.Member) member).getDeclaringClass(), kind);
        }
    }

    public static void stream(Object description, int kind) {
        if (description instanceof java.io.ObjectStreamClass) {
            type(((java.io.ObjectStreamClass) description).forClass(), kind);
        }
    }

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

    public static void service(Object type, int kind) {
        if (type instanceof Class) {
            fact(kind, "META-INF/services/" + ((Class<?>) type).getName());
        }
    }

    public static void manifest(int kind) {
        fact(kind, "META-INF/MANIFEST.MF");
    }

    public static void file(Object path, int kind) {
        if (path instanceof java.io.File) {
            fact(kind, ((java.io.File) path).getPath());
        } else if (path instanceof java.nio.file.Path) {
            fact(kind, path.toString());
        } else if (path instanceof String) {
            fact(kind, (String) path);
        }
    }

    /** A file opened by its flags: who only writes, and makes the file if need be, sees nothing of what was there. */
    public static void opened(Object path, int flags, int kind) {
        if ((flags & ACCESS) == WRITE_ONLY && (flags & CREATE) != 0 && (flags & EXCLUSIVE) == 0) {
            if (path instanceof java.nio.file.Path) {
                file(((java.nio.file.Path) path).getParent(), EXISTS);
            }
            return;
        }
        file(path, kind);
    }

    public static void thing(int kind) {
        fact(kind, "");
    }

    /** Surefire asks once a second, by `ps`, whether its parent lives, on a thread of its own. */
    public static void child(int kind) {
        String thread = Thread.currentThread().getName();
        if (!thread.startsWith("surefire-forkedjvm-ping-") && !thread.equals("surefire-process-checker")) {
            fact(kind, "");
        }
    }

    private static void fact(int kind, String text) {
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

    public static void junit4(Object description, int event) {
        runner(event, description == null ? "" : description.toString());
    }

    public static void junit3(Object test, int event) {
        runner(event, test == null ? "" : test.getClass().getName() + "\n" + test);
    }

    public static void mark(int event) {
        runner(event, "");
    }

    private static final String[] SKIPPERS = {"JUnit4Skip", "JUnit3Skip", "PlatformSkip", "TestNGSkip"};

    /** Hands a part of a runner to the filter for it, which lives where the tests live. */
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

    private static native int enter(int id);

    private static native int found(int kind, String text);

    /** As found; -1 when the class has a name that says nothing. */
    private static native int named(Class<?> c, int kind);

    private static native void runner(int event, String text);

    /** Is there a skip list at all? */
    private static native boolean skipping();

    private static native void warn(String what);

    /** Opens a scope: kind 1 container, 2 test. Returns its number, or 0 when nothing is recorded. */
    public static native int begin(int kind, int parent, String id);

    /** Result: 0 passed, 1 failed, 2 aborted or skipped. */
    public static native void end(int scope, int result);

    /** A result known before the end; the worst one counts. */
    public static native void worsen(int scope, int result);

    /** True while a test is open on this thread: runs inside tests are part of them. */
    public static native boolean insideTest();

    /** The JUnit Platform or TestNG reports from here on, JUnit 4 events of its engines are its own. */
    public static native void reporting(boolean on);

    public static native boolean reported();

    public static native String suite();

    /** What this thread looks up from here on is our own doing, no fact. */
    public static native void quiet(boolean on);

    /** Something happened that rows of this JVM cannot show: no row justifies a skip. */
    public static native void lost(String why);
}
