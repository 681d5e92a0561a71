// SPDX-License-Identifier: Apache-2.0

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Who is above, below and initialized with whom, as the CLASS records of a row file say. */
abstract class RowShape extends RowFile {
    /** The class that a fact is about; of an array, what it is an array of. */
    static String about(Fact f) {
        String name = slashed(f.text());
        return name.startsWith("[") && name.endsWith(";") ? name.substring(name.indexOf('L') + 1, name.length() - 1) : name;
    }

    static String dotted(String name) {
        return name.replace('/', '.');
    }

    /** The class and all its supertypes that this file knows. */
    Set<String> upwards(String name) {
        Set<String> out = new LinkedHashSet<>();
        List<String> todo = new ArrayList<>(List.of(name));
        while (!todo.isEmpty()) {
            String n = todo.remove(todo.size() - 1);
            if (n.isEmpty() || !out.add(n)) {
                continue;
            }
            for (Cls c : byName.getOrDefault(n, List.of())) {
                todo.add(c.superName);
                todo.addAll(c.interfaces);
            }
        }
        return out;
    }

    static final int STATIC = 0x8;
    static final int FINAL = 0x10;
    static final int INTERFACE = 0x200;
    static final int ABSTRACT = 0x400;

    /** Itself, its superclasses, and the superinterfaces with code for instances. */
    Set<String> initializedWith(String name) {
        Set<String> out = new LinkedHashSet<>(List.of(name));
        if (!isInterface(name)) {
            for (String up : upwards(name)) {
                if (!isInterface(up) || mayHaveDefaults(up)) {
                    out.add(up);
                }
            }
        }
        return out;
    }

    boolean isInterface(String name) {
        List<Cls> records = byName.getOrDefault(name, List.of());
        return !records.isEmpty() && records.stream().allMatch(c -> (c.access & INTERFACE) != 0);
    }

    boolean mayHaveDefaults(String name) {
        return byName.get(name).stream().anyMatch(c -> c.origin != 0
                || c.methods.stream().anyMatch(m -> (m.access & (STATIC | ABSTRACT)) == 0));
    }

    Set<String> downwards(String name) {
        Set<String> out = new LinkedHashSet<>();
        List<String> todo = new ArrayList<>(List.of(name));
        while (!todo.isEmpty()) {
            String n = todo.remove(todo.size() - 1);
            if (out.add(n)) {
                todo.addAll(subclasses.getOrDefault(n, Set.of()));
            }
        }
        return out;
    }

    boolean isInternal(String name) {
        return byName.getOrDefault(name, List.of()).stream().anyMatch(c -> c.origin <= 1 || !c.methods.isEmpty());
    }

    boolean hasStaticNatives(String name) {
        return byName.getOrDefault(name, List.of()).stream()
                .anyMatch(c -> c.methods.stream().anyMatch(m -> (m.access & STATIC) != 0 && !m.hasCode));
    }

    boolean isGenerated(String name) {
        return byName.getOrDefault(name, List.of()).stream().anyMatch(c -> c.origin == 3);
    }

    boolean keepsState(String name) {
        return byName.getOrDefault(name, List.of()).stream().anyMatch(c -> (c.access & 2) != 0);
    }
}
