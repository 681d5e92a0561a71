// SPDX-License-Identifier: Apache-2.0
package java.lang;

import jdk.internal.vm.annotation.DontInline;

/** What the JDK's methods for files, archives and native libraries are asked, and what they change; see {@link $Rejig}. */
public final class $RejigFiles {
    private $RejigFiles() {}

    // open(2) on Linux, and what RandomAccessFile has instead.
    private static final int ACCESS = 3;
    private static final int WRITE_ONLY = 1;
    private static final int CREATE = 0100;
    private static final int EXCLUSIVE = 0200;
    private static final int READ_WRITE = 2;
    private static final int EXISTS = $Rejig.EXISTS;
    private static final int ATTRIBUTES = $Rejig.ATTRIBUTES;
    private static final int WALKED = 30;

    private static void fact(int kind, String text) {
        $Rejig.fact(kind, text);
    }

    /** What is at that path is about to change; at the end of a test the agent looks whether it did. */
    private static native void writing(String path);

    private static void changes(Object path) {
        if ($Rejig.asleep) {
            return;
        }
        if (path instanceof java.io.File) {
            writing(((java.io.File) path).getPath());
        } else if (path instanceof java.nio.file.Path) {
            writing(path.toString());
        } else if (path instanceof String) {
            writing((String) path);
        }
    }

    @DontInline
    public static void file(Object path, int kind) {
        if (kind == WALKED && finds) {
            kind = ATTRIBUTES;
        }
        if (path instanceof java.io.File) {
            fact(kind, ((java.io.File) path).getPath());
        } else if (path instanceof java.nio.file.Path) {
            fact(kind, path.toString());
        } else if (path instanceof String) {
            fact(kind, (String) path);
        }
    }

    /** A file opened by its flags: who only writes, and makes the file if need be, sees nothing of what was there. */
    @DontInline
    public static void opened(Object path, int flags, int kind) {
        if ((flags & ACCESS) != 0) {
            changes(path);
        }
        if ((flags & ACCESS) == WRITE_ONLY && (flags & CREATE) != 0 && (flags & EXCLUSIVE) == 0) {
            if (path instanceof java.nio.file.Path) {
                file(((java.nio.file.Path) path).getParent(), EXISTS);
            }
            return;
        }
        file(path, kind);
    }

    /** Files.find looks at attributes behind a walk, which else are only asked for the kind of each file. */
    private static volatile boolean finds;

    @DontInline
    public static void finds(int kind) {
        finds = true;
    }

    /** A random access file, by its own modes. */
    @DontInline
    public static void random(Object path, int mode, int kind) {
        if ((mode & READ_WRITE) != 0) {
            changes(path);
        }
        file(path, kind);
    }

    /** Removed, or its attributes are set. */
    @DontInline
    public static void changed(Object path, int kind) {
        changes(path);
        file(path, kind);
    }

    /** What was at the one path is at the other. */
    @DontInline
    public static void moved(Object path, Object other, int kind) {
        changes(path);
        changes(other);
        both(path, other, kind);
    }

    /** Opened to write only, and made if need be. */
    @DontInline
    public static void written(Object path, int kind) {
        changes(path);
        if (path instanceof String) {
            parent(new java.io.File((String) path), kind);
        }
    }

    /** Made where nothing is, in a folder that is there. */
    @DontInline
    public static void made(Object path, int kind) {
        changes(path);
        file(path, kind);
        parent(path, kind);
    }

    private static void parent(Object path, int kind) {
        if (path instanceof java.io.File) {
            file(((java.io.File) path).getParent(), kind);
        } else if (path instanceof java.nio.file.Path) {
            file(((java.nio.file.Path) path).getParent(), kind);
        }
    }

    @DontInline
    public static void both(Object path, Object other, int kind) {
        file(path, kind);
        file(other, kind);
    }

    /** access(2): without a mode it asks only whether something is there. */
    @DontInline
    public static void accessed(Object path, int mode, int kind) {
        file(path, mode == 0 ? kind : ATTRIBUTES);
    }

    /** A connection to an entry of an archive, or to all of it. */
    @DontInline
    public static void entry(Object connection, int kind) {
        entry(connection, true, kind);
    }

    @DontInline
    public static void archive(Object connection, int kind) {
        entry(connection, false, kind);
    }

    private static void entry(Object connection, boolean one, int kind) {
        if (connection instanceof java.net.JarURLConnection) {
            java.net.JarURLConnection c = (java.net.JarURLConnection) connection;
            java.net.URL archive = c.getJarFileURL();
            if ("file".equals(archive.getProtocol())) {
                String name = one ? c.getEntryName() : null;
                fact(kind, archive.getPath() + "!/" + (name == null ? "" : name));
            }
        }
    }

    /** A library of native code, for a class that is not the JDK's nor of Gradle's workers. */
    @DontInline
    public static void library(Object from, Object name, int kind) {
        ClassLoader loader = from instanceof Class ? ((Class<?>) from).getClassLoader() : null;
        if (loader == null || loader.getClass().getName().endsWith("$PlatformClassLoader")) {
            return;
        }
        String by = ((Class<?>) from).getName();
        if (!by.startsWith("org.gradle.") && !by.startsWith("net.rubygrapefruit.")) {
            file(name, kind);
        }
    }
}
