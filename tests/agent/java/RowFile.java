// SPDX-License-Identifier: Apache-2.0

import java.io.ByteArrayInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

/** One row file, read as apps/agent/ROWS.md has it. */
class RowFile {
    static final class Method {
        int access;
        String name;
        String descriptor;
        boolean hasCode;
        boolean clones;
        boolean asks;
        boolean provides;
        boolean isTest;
        int id = -1;
        int[] uses;
    }

    static final class Cls {
        int number;
        int origin;
        int access;
        String reason;
        String name;
        String digest;
        int source;
        String superName;
        List<String> interfaces = new ArrayList<>();
        List<String> names = new ArrayList<>();
        List<Method> methods = new ArrayList<>();
    }

    static final class Work {
        final Set<Integer> methods = new TreeSet<>();
        final Set<Integer> loads = new TreeSet<>();
        final Set<Integer> facts = new TreeSet<>();
        final Set<Integer> receivers = new TreeSet<>();

        void add(Work other) {
            methods.addAll(other.methods);
            loads.addAll(other.loads);
            facts.addAll(other.facts);
            receivers.addAll(other.receivers);
        }
    }

    static final class Scope {
        int number;
        int kind;
        int parent;
        String id;
        long begun;
        long ended = -1;
        int result = 2;
        boolean overlapped;
        final Work work = new Work();
        final Set<Integer> joined = new TreeSet<>();
    }

    record Fact(int kind, boolean byRunner, String text, boolean absent, boolean byLoader) {}

    record Receiver(int method, String name) {}

    static final int CONTAINER = 1;
    static final int TEST = 2;
    static final int CREATES = 1;
    static final int TRIGGERS = 2;
    static final int WRITES = 8;
    static final int MARKS = 16;
    static final int FIELDS = 4;
    static final int REFLECTED = 1;
    static final int CREATED = 2;
    static final int CREATABLE = 3;
    static final int ASKED_CLASS = 4;
    static final int MISSING_CLASS = 5;
    static final int RESOURCE = 6;
    static final int FILE = 7;
    static final int STACK = 8;
    static final int MESSAGE = 9;
    static final int CHILD = 10;
    static final int LOADED_CLASS = 12;
    static final int ATTRIBUTES = 13;
    static final int EXISTS = 14;
    static final int VARIABLE = 15;
    static final int INITIALIZED = 16;
    static final int CONSTANTS = 17;
    static final int LISTED = 18;
    static final int MAKES_SHARED = 19;
    static final int USES_SHARED = 20;
    static final int NATIVE = 11;
    static final int REAL_PATH = 21;
    static final int ENTRY = 22;
    static final int DECLARED = 23;
    static final int REDEFINED = 24;
    static final int CHANGED_STATE = 25;
    static final int KEPT = 26;
    static final int LEFT_THERE = 28;
    static final int MET = 29;
    static final int BY_RUNNER = 32;
    static final int ABSENT = 64;
    static final int BY_LOADER = 128;

    String suite = "default";
    long started;
    long pid;
    long parentPid;
    List<String> atomKinds = List.of();
    final Map<String, String> environment = new TreeMap<>();
    final Map<Integer, Cls> classes = new TreeMap<>();
    final Map<String, List<Cls>> byName = new HashMap<>();
    final Map<String, Set<String>> subclasses = new HashMap<>();
    final Map<Integer, Method> methods = new HashMap<>();
    final Map<Integer, Cls> owner = new HashMap<>();
    final Map<Integer, String> sources = new HashMap<>();
    final Map<Integer, Fact> facts = new HashMap<>();
    final Map<Integer, String> names = new HashMap<>();
    final Map<Integer, Receiver> receivers = new HashMap<>();
    final Map<Integer, Scope> scopes = new LinkedHashMap<>();
    final Map<String, Work> inits = new HashMap<>();
    final List<String> roots = new ArrayList<>();
    final Set<String> askedClasses = new TreeSet<>();
    boolean exited;
    boolean lost;

    // ---- reading ----

    void read(Path file) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        ByteBuffer in = ByteBuffer.wrap(bytes);
        if (bytes.length < 16 || !new String(bytes, 0, 8).equals("rejigrow") || in.getInt(8) != 5) {
            throw new IOException(file + ": no row file of version 5");
        }
        in.position(16);
        Scope session = new Scope();
        session.kind = CONTAINER;
        session.result = 0;
        scopes.put(0, session);
        while (in.remaining() >= 9) {
            int at = in.position();
            int size = in.getInt();
            int kind = in.get();
            if (size < 0 || size > in.remaining() - 4) {
                break;
            }
            CRC32 crc = new CRC32();
            crc.update(bytes, at, 5 + size);
            if ((int) crc.getValue() != in.getInt(at + 5 + size)) {
                break;
            }
            record(kind, new DataInputStream(new ByteArrayInputStream(bytes, at + 5, size)));
            in.position(at + 9 + size);
        }
        for (Cls c : classes.values()) {
            byName.computeIfAbsent(c.name, k -> new ArrayList<>()).add(c);
            List<String> up = new ArrayList<>(c.interfaces);
            up.add(c.superName);
            for (String s : up) {
                subclasses.computeIfAbsent(s, k -> new TreeSet<>()).add(c.name);
            }
        }
    }

    static String text(DataInputStream in) throws IOException {
        return in.readUTF();
    }

    static int varint(DataInputStream in) throws IOException {
        int v = 0;
        for (int shift = 0; ; shift += 7) {
            int b = in.readUnsignedByte();
            v |= (b & 0x7f) << shift;
            if (b < 0x80) {
                return v;
            }
        }
    }

    static void ids(DataInputStream in, int n, Set<Integer> to) throws IOException {
        int last = 0;
        for (int i = 0; i < n; i++) {
            int z = varint(in);
            last += (z >>> 1) ^ -(z & 1);
            to.add(last);
        }
    }

    static void work(DataInputStream in, Work w) throws IOException {
        int m = in.readInt();
        int l = in.readInt();
        int f = in.readInt();
        int r = in.readInt();
        ids(in, m, w.methods);
        ids(in, l, w.loads);
        ids(in, f, w.facts);
        ids(in, r, w.receivers);
    }

    void record(int kind, DataInputStream in) throws IOException {
        switch (kind) {
            case 1 -> {
                started = in.readLong();
                pid = in.readInt();
                parentPid = in.readInt();
                suite = text(in);
                List<String> kinds = new ArrayList<>();
                for (int n = in.readUnsignedShort(); n > 0; n--) {
                    kinds.add(text(in));
                }
                atomKinds = kinds;
                for (int n = in.readUnsignedShort(); n > 0; n--) {
                    String key = text(in);
                    String value = text(in);
                    if (key.equals("rejig.internal-root")) {
                        roots.add(value);
                    } else {
                        environment.put(key, value);
                    }
                }
            }
            case 2 -> cls(in);
            case 3 -> sources.put(in.readInt(), text(in));
            case 4 -> {
                int number = in.readInt();
                int k = in.readUnsignedByte();
                String what = text(in);
                facts.put(number, new Fact(k & ~(BY_RUNNER | ABSENT | BY_LOADER), (k & BY_RUNNER) != 0, what,
                        (k & ABSENT) != 0, (k & BY_LOADER) != 0));
                if (k == ASKED_CLASS || k == LOADED_CLASS) {
                    askedClasses.add(slashed(what));
                }
            }
            case 5 -> {
                Scope s = new Scope();
                s.number = in.readInt();
                s.kind = in.readUnsignedByte();
                s.parent = in.readInt();
                s.begun = in.readLong();
                s.id = text(in);
                scopes.put(s.number, s);
            }
            case 6 -> work(in, scopes.get(in.readInt()).work);
            case 7 -> {
                Scope s = scopes.get(in.readInt());
                s.result = in.readUnsignedByte();
                s.overlapped = (in.readUnsignedByte() & 1) != 0;
                s.ended = in.readLong();
            }
            case 8 -> {
                Cls c = classes.get(in.readInt());
                in.readUnsignedByte();
                work(in, inits.computeIfAbsent(c.name, k -> new Work()));
            }
            case 9 -> {
                Scope s = scopes.get(in.readInt());
                s.joined.add(in.readInt());
            }
            case 10 -> lost = true;
            case 11 -> exited = true;
            case 12 -> names.put(in.readInt(), text(in));
            case 13 -> receivers.put(in.readInt(), new Receiver(in.readInt(), names.get(in.readInt())));
            default -> throw new IOException("record of unknown kind " + kind);
        }
    }

    void cls(DataInputStream in) throws IOException {
        Cls c = new Cls();
        c.number = in.readInt();
        c.origin = in.readUnsignedByte();
        c.reason = text(in);
        c.name = text(in);
        byte[] digest = new byte[32];
        in.readFully(digest);
        c.digest = HexFormat.of().formatHex(digest);
        c.source = in.readInt();
        c.access = in.readUnsignedShort();
        c.superName = text(in);
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            c.interfaces.add(text(in));
        }
        varint(in);
        for (int n = varint(in); n > 0; n--) {
            c.names.add(names.get(varint(in)));
        }
        int next = in.readInt();
        for (int n = in.readUnsignedShort(); n > 0; n--) {
            Method m = new Method();
            m.access = in.readUnsignedShort();
            m.name = text(in);
            m.descriptor = text(in);
            int flags = in.readUnsignedByte();
            m.hasCode = (flags & 1) != 0;
            m.clones = (flags & 2) != 0;
            m.asks = (flags & 4) != 0;
            m.provides = (flags & 8) != 0;
            m.isTest = (flags & 16) != 0;
            m.uses = new int[varint(in)];
            for (int i = 0; i < m.uses.length; i++) {
                m.uses[i] = varint(in);
            }
            if (m.hasCode && c.origin != 1) {
                m.id = next++;
                methods.put(m.id, m);
                owner.put(m.id, c);
            }
            c.methods.add(m);
        }
        classes.put(c.number, c);
    }

    static String slashed(String name) {
        return name.replace('.', '/');
    }

    static String quoted(String s) {
        StringBuilder out = new StringBuilder("\"");
        for (char c : s.toCharArray()) {
            if (c == '"' || c == '\\') {
                out.append('\\').append(c);
            } else if (c < 0x20 || Character.isSurrogate(c)) {
                out.append(String.format("\\u%04x", (int) c));
            } else {
                out.append(c);
            }
        }
        return out.append('"').toString();
    }

    static String list(Iterable<String> items) {
        List<String> out = new ArrayList<>();
        items.forEach(i -> out.add(quoted(i)));
        return "[" + String.join(",", out) + "]";
    }
}
