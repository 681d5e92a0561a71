// SPDX-License-Identifier: Apache-2.0
package java.lang;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Properties;

import jdk.internal.vm.annotation.DontInline;

/** What the JVM keeps for whoever comes next, and who sets or reads it; see {@link $Rejig}. No method here runs code of the program. */
public final class $RejigState {
    private $RejigState() {}

    static final int MET = 29;
    static final int PROPERTY = 40;

    private static final String STORE = "junit store ";

    // By number, as jdk_globals.h has them: the epoch in which it was last told that somebody met it.
    private static final int[] TOLD = new int[64];

    /** The caller is about to set one of the JVM's own things. */
    @DontInline
    public static void sets(int what) {
        if (!$Rejig.asleep) {
            setting(what);
        }
    }

    @DontInline
    public static void thread(Object thread, int what) {
        if (thread == Thread.currentThread() && !$Rejig.asleep) {
            setting(what);
        }
    }

    @DontInline
    public static void logger(Object logger, int what) {
        if (!$Rejig.asleep) {
            configuring(logger);
        }
    }

    @DontInline
    public static void meets(int what) {
        int now = $Rejig.epoch;
        if (TOLD[what] != now && !$Rejig.asleep) {
            TOLD[what] = meeting(what) ? now : 0;
        }
    }

    /** A database is there for all who connect to it; parameters are each one's own. */
    @DontInline
    public static void connects(Object url, int kind) {
        if (url instanceof String && !$Rejig.asleep) {
            String s = (String) url;
            for (int i = 0; i < s.length(); ++i) {
                if (s.charAt(i) == ';' || s.charAt(i) == '?') {
                    s = s.substring(0, i);
                }
            }
            $Rejig.fact(kind, "database " + s);
        }
        meets(DRIVERS);
    }

    private static final int DRIVERS = 19;

    // Loggers of test runners, which log before and after each test.
    private static final java.lang.ref.WeakReference<?>[] RUNNERS = new java.lang.ref.WeakReference<?>[64];

    @DontInline
    public static void logs(Object logger, int what) {
        int now = $Rejig.epoch;
        if (TOLD[what] == now || $Rejig.asleep) {
            return;
        }
        int slot = System.identityHashCode(logger) & 63;
        java.lang.ref.WeakReference<?> known = RUNNERS[slot];
        if (known != null && known.get() == logger) {
            return;
        }
        if (meeting(what)) {
            TOLD[what] = now;
        } else {
            RUNNERS[slot] = new java.lang.ref.WeakReference<>(logger);
        }
    }

    /** Something is registered under that name, or no longer. */
    @DontInline
    public static void toggles(Object name, int what) {
        if (name != null && !$Rejig.asleep && name.getClass().getName().equals("javax.management.ObjectName")) {
            String s = name.toString();
            if (!s.startsWith("java.") && !s.startsWith("JMImplementation:") && !s.startsWith("com.sun.") && !s.startsWith("jdk.")) {
                toggling(what, hash(s));
            }
        }
    }

    /** It is attached, or no longer. */
    @DontInline
    public static void part(Object part, int what) {
        if (part != null && !$Rejig.asleep) {
            toggling(what, System.identityHashCode(part) * 0x9e3779b97f4a7c15L);
        }
    }

    @DontInline
    public static void level(Object logger, Object level, int what) {
        if (!$Rejig.asleep) {
            leveling(what, logger, level);
        }
    }

    // System properties.

    @DontInline
    public static void reads(Object key, int kind) {
        // JUnit asks for its own before every test.
        if (key instanceof String && looker != Thread.currentThread() && !((String) key).startsWith("junit.")) {
            $Rejig.fact(kind, (String) key);
        }
    }

    @DontInline
    public static void writes(Object key, int kind) {
        if (key instanceof String && !$Rejig.asleep) {
            writing("property " + key);
        }
    }

    /** Whoever gets all of them may read each. */
    @DontInline
    public static void properties(int kind) {
        if (looker != Thread.currentThread()) {
            $Rejig.fact(kind, "kept properties");
        }
    }

    private static Thread looker;
    private static Map<Object, Object> last;
    private static long strange;

    // Where Properties has methods of its own to change them (Java 9), hooks in these say that somebody did.
    private static volatile boolean touched = true;
    private static final boolean TELLS = tells();

    private static boolean tells() {
        try {
            return Properties.class.getDeclaredMethod("put", Object.class, Object.class) != null;
        } catch (NoSuchMethodException e) {
            return false;
        }
    }

    @DontInline
    public static void touched(int kind) {
        touched = true;
    }

    /** What did somebody set since the last time? */
    private static synchronized void look() {
        if (TELLS && !touched) {
            return;
        }
        touched = false;
        looker = Thread.currentThread();
        try {
            Properties now = System.getProperties();
            if (now.getClass() != Properties.class) {
                changed("kept properties", strange, ++strange);
                return;
            }
            synchronized (now) {
                compare(now);
            }
        } catch (RuntimeException e) {
            changed("kept properties", strange, ++strange);
        } finally {
            looker = null;
        }
    }

    private static void compare(Properties now) {
        if (last == null) {
            last = new HashMap<>(now);
            return;
        }
        int same = 0;
        boolean other = now.size() != last.size();
        for (Map.Entry<Object, Object> e : now.entrySet()) {
            Object was = last.get(e.getKey());
            if (was != null && isSame(was, e.getValue())) {
                ++same;
            } else {
                other = true;
                tell(e.getKey(), was, e.getValue());
            }
        }
        if (!other && same == last.size()) {
            return;
        }
        for (Map.Entry<Object, Object> e : last.entrySet()) {
            if (now.get(e.getKey()) == null) {
                tell(e.getKey(), e.getValue(), null);
            }
        }
        last = new HashMap<>(now);
    }

    private static void tell(Object key, Object was, Object is) {
        if (key instanceof String) {
            changed("property " + key, digest(was), digest(is));
        } else {
            changed("kept properties", strange, ++strange);
        }
    }

    private static boolean isSame(Object a, Object b) {
        return a == b || a instanceof String && a.equals(b);
    }

    private static long digest(Object value) {
        return value == null ? 0 : value instanceof String ? hash((String) value) : System.identityHashCode(value) | 1L << 62;
    }

    private static long hash(String s) {
        long out = 1469598103934665603L;
        for (int i = 0; i < s.length(); ++i) {
            out = (out ^ s.charAt(i)) * 1099511628211L;
        }
        return out | 1;
    }

    // JUnit's stores: what is put into one of a class or of the engine is there for its other tests.

    private static final Map<Object, HashSet<String>> STORES = new java.util.WeakHashMap<>();

    private static String nameOf(Object key) {
        return key instanceof String ? (String) key : key instanceof Class ? ((Class<?>) key).getName() : key == null ? "" : key.getClass().getName();
    }

    @DontInline
    public static void got(Object key, int kind) {
        $Rejig.fact(kind, STORE + nameOf(key));
    }

    @DontInline
    public static void put(Object store, Object key, int kind) {
        String name = nameOf(key);
        if (storing(STORE + name)) {
            synchronized (STORES) {
                HashSet<String> names = STORES.get(store);
                if (names == null) {
                    STORES.put(store, names = new HashSet<>());
                }
                names.add(name);
            }
            turn(store, name, true);
        }
    }

    @DontInline
    public static void removed(Object store, Object key, int kind) {
        String name = nameOf(key);
        synchronized (STORES) {
            HashSet<String> names = STORES.get(store);
            if (names == null || !names.remove(name)) {
                return;
            }
        }
        turn(store, name, false);
    }

    @DontInline
    public static void closed(Object store, int kind) {
        HashSet<String> names;
        synchronized (STORES) {
            names = STORES.remove(store);
        }
        if (names != null) {
            for (String name : names) {
                turn(store, name, false);
            }
        }
    }

    private static long puts;

    /** Put again, it is another one; gone, it is as if it had never been there. */
    private static synchronized void turn(Object store, String name, boolean there) {
        changed(STORE + name + "@" + System.identityHashCode(store), 0, there ? ++puts : 0);
    }

    /** An initializer of a library's class. */
    public static void begins(int none) {}

    /** It ends. */
    public static native void began(int none);

    private static native void setting(int what);

    private static native void configuring(Object logger);

    /** As found. */
    private static native boolean meeting(int what);

    private static native void toggling(int what, long item);

    private static native void leveling(int what, Object logger, Object level);

    /** Who calls this is about to write what has that name. */
    private static native void writing(String name);

    /** The same for JUnit's stores; false when it is JUnit itself. */
    private static native boolean storing(String name);

    private static native void changed(String name, long before, long after);
}
