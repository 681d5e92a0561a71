// SPDX-License-Identifier: Apache-2.0

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Prints row files as the matrix exchange, the atoms derived as apps/agent/ROWS.md has it. Written from that page
 * alone, as a second reader: {@code java RowDump [--raw] FILE...}
 */
public final class RowDump extends RowShape {
    // ---- deriving ----

    private Work whole(Scope test) {
        Work w = new Work();
        Set<Integer> seen = new LinkedHashSet<>();
        List<Integer> todo = new ArrayList<>(List.of(test.number));
        String ownClass = dotted(testClass(test));
        for (Scope s : scopes.values()) {
            if (s.kind == CONTAINER && ownClass.equals(s.id)) {
                todo.add(s.number);
            }
        }
        boolean shares = false;
        while (!todo.isEmpty() || (!shares && has(w, USES_SHARED))) {
            if (todo.isEmpty()) {
                shares = true;
                scopes.values().stream().filter(s -> has(s.work, MAKES_SHARED)).forEach(s -> todo.add(s.number));
                continue;
            }
            int n = todo.remove(todo.size() - 1);
            Scope s = scopes.get(n);
            if (s == null || !seen.add(n)) {
                continue;
            }
            if (n == 0 || (s.kind == CONTAINER && !byName.containsKey(slashed(s.id)))) {
                w.add(withoutDiscovery(s.work, testClass(test)));
            } else {
                w.add(s.work);
            }
            todo.addAll(s.joined);
            if (n != 0) {
                todo.add(s.parent);
            }
        }
        return w;
    }

    private boolean has(Work w, int kind) {
        return w.facts.stream().anyMatch(f -> facts.get(f).kind() == kind);
    }

    /** Files of the JVMs that this one started while the test was open. */
    private List<RowDump> childrenOf(Scope test, List<RowDump> all) {
        List<RowDump> out = new ArrayList<>();
        for (RowDump d : all) {
            if (d != this && d.parentPid == pid && d.started >= test.begun && d.started <= test.ended) {
                out.add(d);
            }
        }
        return out;
    }

    private boolean startedAChild(Scope test) {
        return has(whole(test), CHILD);
    }

    private static String testClass(Scope s) {
        return slashed(s.id.substring(0, s.id.indexOf('#')));
    }

    /** The class of a test, the classes around it, and their supertypes. */
    private Set<String> family(String testClass) {
        Set<String> own = new TreeSet<>();
        for (String c = testClass; ; c = c.substring(0, c.lastIndexOf('$'))) {
            own.addAll(upwards(c));
            if (c.lastIndexOf('$') < 0) {
                return own;
            }
        }
    }

    private boolean hasKnownTests(String testClass) {
        Set<String> up = upwards(testClass);
        boolean junit3 = up.contains("junit/framework/TestCase");
        return up.stream().flatMap(c -> byName.getOrDefault(c, List.of()).stream()).flatMap(c -> c.methods.stream())
                .anyMatch(m -> m.isTest || (junit3 && m.name.startsWith("test")));
    }

    /** Whatever values it had, this work left nothing for tests of any class. */
    private boolean leavesNothing(Work w) {
        for (int f : w.facts) {
            int k = facts.get(f).kind();
            if (k == CHANGED_STATE || k == LEFT_THERE) {
                return false;
            }
        }
        Set<String> tests = new TreeSet<>();
        scopes.values().stream().filter(s -> s.kind == TEST).forEach(s -> tests.add(testClass(s)));
        return w.methods.stream().noneMatch(this::mayWrite) && inits.entrySet().stream()
                .noneMatch(e -> tests.contains(e.getKey()) && e.getValue().methods.stream().anyMatch(this::mayWrite));
    }

    private boolean mayWrite(int m) {
        Cls c = owner.get(m);
        for (int use : methods.get(m).uses) {
            if ((use & FIELDS) == 0) {
                if ((use & WRITES) != 0 && keepsState(c.name)) {
                    return true;
                }
            } else if ((use & (WRITES | MARKS)) != 0) {
                for (String up : upwards(c.names.get(use >>> 5))) {
                    if (isInternal(up) && keepsState(up) && !(methods.get(m).name.equals("<clinit>") && up.equals(c.name))) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    /** What a runner did to other test classes before it ran any is not this test's. */
    private Work withoutDiscovery(Work w, String testClass) {
        Set<String> own = family(testClass);
        Set<String> others = new TreeSet<>();
        for (Scope s : scopes.values()) {
            if (s.kind == TEST && !own.contains(testClass(s))) {
                others.add(testClass(s));
            }
        }
        Work out = new Work();
        boolean quiet = leavesNothing(w);
        for (int m : w.methods) {
            Method method = methods.get(m);
            boolean makes = method.name.equals("<init>") || method.name.equals("<clinit>");
            if (!(method.provides || (makes && quiet)) || !others.contains(owner.get(m).name)) {
                out.methods.add(m);
            }
        }
        out.receivers.addAll(w.receivers);
        for (int l : w.loads) {
            if (!others.contains(classes.get(l).name)) {
                out.loads.add(l);
            }
        }
        for (int f : w.facts) {
            int k = facts.get(f).kind();
            if (k == CHANGED_STATE || k == LEFT_THERE || k == MET) {
                continue;
            }
            boolean about = k == REFLECTED || k >= INITIALIZED || k == CREATED || k == ASKED_CLASS || k == LOADED_CLASS;
            if (!about || !others.contains(about(facts.get(f)))) {
                out.facts.add(f);
            }
        }
        return out;
    }

    /** Initializations that this work asked for, and everything they did, until nothing is new. */
    private Set<String> closeOverInits(Work w) {
        Set<String> initialized = new TreeSet<>();
        Set<Integer> done = new TreeSet<>();
        Set<String> joined = new TreeSet<>();
        boolean more = true;
        while (more) {
            more = false;
            Set<String> now = new LinkedHashSet<>();
            for (int id : new ArrayList<>(w.methods)) {
                if (!done.add(id)) {
                    continue;
                }
                Cls c = owner.get(id);
                now.addAll(initializedWith(c.name));
                for (int use : methods.get(id).uses) {
                    if ((use & TRIGGERS) != 0) {
                        String name = c.names.get(use >>> 5);
                        now.addAll((use & FIELDS) != 0 ? upwards(name) : initializedWith(name));
                    }
                }
            }
            for (int f : w.facts) {
                Fact fact = facts.get(f);
                String name = about(fact);
                if (fact.kind() == INITIALIZED || ((fact.kind() == REFLECTED || fact.kind() == LISTED) && hasStaticNatives(name))) {
                    now.addAll(upwards(name));
                } else if (fact.kind() == CONSTANTS || (fact.kind() > REFLECTED && fact.kind() <= ASKED_CLASS)) {
                    now.addAll(initializedWith(name));
                }
            }
            initialized.addAll(now);
            for (String t : new ArrayList<>(initialized)) {
                if (inits.containsKey(t) && joined.add(t)) {
                    w.add(inits.get(t));
                    more = true;
                }
            }
        }
        return initialized;
    }

    private void receivers(Work w, Set<String> out) {
        for (int number : w.receivers) {
            Receiver r = receivers.get(number);
            Cls c = owner.get(r.method());
            Method m = methods.get(r.method());
            Set<String> all = Set.of(r.name());
            if (!byName.containsKey(r.name())) {
                all = downwards(c.name);
            } else if (!isInternal(r.name()) || isGenerated(r.name())) {
                all = upwards(r.name());
            }
            for (String name : all) {
                if (isInternal(name) && !isGenerated(name)) {
                    out.add("recv:" + dotted(name) + "|" + dotted(c.name) + "." + m.name + m.descriptor);
                }
            }
        }
    }

    /** Facts that count for every later test. */
    private void lasting(Scope test, Set<String> out, Set<String> created, Set<String> constructed) {
        List<Scope> before = new ArrayList<>(scopes.values());
        for (Work init : inits.values()) {
            Scope s = new Scope();
            s.work.add(init);
            before.add(s);
        }
        for (Scope s : before) {
            if (s.number > test.number && test.number >= 0) {
                continue;
            }
            for (int f : s.work.facts) {
                Fact fact = facts.get(f);
                if (fact.kind() == CREATABLE) {
                    created.add(about(fact));
                    constructed.add(about(fact));
                }
                if (fact.kind() == RESOURCE && fact.text().matches("META-INF/services/(java|javax|jdk|sun|com\\.sun)\\..*")) {
                    out.add("res:" + fact.text());
                    out.add("resmiss:" + fact.text());
                }
            }
        }
    }

    /** From the test on in which a class lost its prefixes. */
    private void enterRedefined(Scope test, Work w) {
        Set<String> names = new TreeSet<>();
        for (Scope s : scopes.values()) {
            if (s.number <= test.number || test.number < 0) {
                s.work.facts.stream().map(facts::get).filter(f -> f.kind() == REDEFINED).forEach(f -> names.add(slashed(f.text())));
            }
        }
        methods.keySet().stream().filter(m -> names.contains(owner.get(m).name)).forEach(w.methods::add);
    }

    private Set<String> atoms(Scope test) {
        Set<String> out = new TreeSet<>();
        Work w = whole(test);
        enterRedefined(test, w);
        Set<String> initialized = closeOverInits(w);
        for (String name : initialized) {
            if (isInternal(name)) {
                out.add("init:" + dotted(name));
            }
        }
        Set<String> constructed = new TreeSet<>();
        Set<String> created = new TreeSet<>();
        Set<String> referred = new TreeSet<>();
        boolean asks = false;
        for (int id : w.methods) {
            Method m = methods.get(id);
            Cls c = owner.get(id);
            out.add("m:" + dotted(c.name) + "." + m.name + m.descriptor);
            referred.add(c.name);
            if (m.name.equals("<init>")) {
                constructed.add(c.name);
            } else if (atomKinds.contains("recv") && (c.access & FINAL) != 0 && (m.access & STATIC) == 0) {
                out.add("recv:" + dotted(c.name) + "|" + dotted(c.name) + "." + m.name + m.descriptor);
            }
            for (int use : m.uses) {
                referred.add(c.names.get(use >>> 5));
                if ((use & CREATES) != 0) {
                    created.add(c.names.get(use >>> 5));
                }
            }
            asks |= m.asks;
            if (m.clones) {
                for (String sub : downwards(c.name)) {
                    if (isInternal(sub)) {
                        out.add("inst:" + dotted(sub));
                    }
                }
            }
        }
        receivers(w, out);
        lasting(test, out, created, constructed);
        Set<String> own = test.number < 0 || !hasKnownTests(testClass(test)) ? Set.of() : family(testClass(test));
        for (int f : w.facts) {
            fact(facts.get(f), out, created, constructed, referred, own);
        }
        for (String name : created) {
            boolean recorded = byName.getOrDefault(name, List.of()).stream().allMatch(c -> c.origin == 0);
            if (isInternal(name) && (constructed.contains(name) || !recorded)) {
                out.add("inst:" + dotted(name));
            }
        }
        borrowed(w, constructed, out);
        for (int number : w.loads) {
            referred.add(classes.get(number).name);
        }
        List<String> todo = new ArrayList<>(referred);
        Set<String> loaded = new LinkedHashSet<>();
        while (!todo.isEmpty()) {
            for (String up : upwards(todo.remove(todo.size() - 1))) {
                if (!loaded.add(up) || isInternal(up)) {
                    continue;
                }
                for (Cls c : byName.getOrDefault(up, List.of())) {
                    c.names.stream().filter(n -> byName.getOrDefault(n, List.of()).stream().anyMatch(x -> x.origin == 2)).forEach(todo::add);
                }
            }
        }
        for (String up : loaded) {
            for (Cls c : byName.getOrDefault(up, List.of())) {
                if (isInternal(up) || c.origin == 2) {
                    out.add((isInternal(up) ? "load:" : "ext:") + dotted(c.name));
                    if (asks && isInternal(up)) {
                        out.add("refl:" + dotted(c.name) + "|kind");
                    }
                }
            }
        }
        return out;
    }

    /** Methods of objects that nobody in this row made, and bodies of lambdas without the method around them. */
    private void borrowed(Work w, Set<String> constructed, Set<String> out) {
        Set<String> entered = new TreeSet<>();
        Set<String> made = new TreeSet<>();
        w.methods.forEach(id -> entered.add(owner.get(id).name + "." + methods.get(id).name));
        constructed.forEach(c -> made.addAll(upwards(c)));
        for (int id : w.methods) {
            Cls c = owner.get(id);
            Method m = methods.get(id);
            java.util.regex.Matcher lambda = java.util.regex.Pattern.compile("lambda\\$(.+)\\$\\d+").matcher(m.name);
            String maker = null;
            if (lambda.matches()) {
                String around = lambda.group(1);
                maker = around.equals("new") ? "<init>" : around.equals("static") ? "<clinit>" : around;
            } else if ((m.access & STATIC) == 0 && !m.name.equals("<init>") && (c.access & INTERFACE) == 0) {
                maker = "<init>";
            }
            boolean has = maker == null || entered.contains(c.name + "." + maker) || (maker.equals("<init>") && made.contains(c.name));
            if (!has && c.origin == 0) {
                out.add("state:borrowed " + dotted(c.name) + "." + maker);
            }
        }
    }

    private String fileName(String path) {
        String absolute = path.startsWith("/") ? path : environment.getOrDefault("user.dir", "") + "/" + path;
        String best = "";
        for (String root : roots) {
            if (absolute.startsWith(root + "/") && root.length() > best.length()) {
                best = root;
            }
        }
        return best.isEmpty() ? absolute : absolute.substring(best.length() + 1);
    }

    private void fact(Fact f, Set<String> out, Set<String> created, Set<String> constructed, Set<String> referred, Set<String> own) {
        String name = about(f);
        boolean looks = !own.contains(name) || (!f.byRunner() && (f.kind() == LISTED || f.kind() == INITIALIZED));
        switch (f.kind()) {
            case REFLECTED, INITIALIZED, LISTED -> {
                for (String up : looks ? upwards(name) : Set.<String>of()) {
                    if (isInternal(up)) {
                        out.add("refl:" + dotted(up));
                        byName.get(up).forEach(c -> referred.addAll(c.names));
                    }
                }
            }
            case CREATED, CREATABLE -> {
                created.add(name);
                constructed.add(name);
                if (looks && isInternal(name)) {
                    out.add("refl:" + dotted(name));
                }
            }
            case CONSTANTS -> {
                referred.add(name);
                byName.getOrDefault(name, List.of()).forEach(c -> c.methods.stream()
                        .filter(m -> m.name.equals("values") && (m.access & STATIC) != 0)
                        .forEach(m -> out.add("m:" + dotted(name) + "." + m.name + m.descriptor)));
            }
            case ASKED_CLASS, LOADED_CLASS -> {
                referred.add(name);
                if (name.indexOf(' ') >= 0 && !byName.containsKey(name)) {
                    out.add("miss:" + dotted(name));
                }
            }
            case MISSING_CLASS -> {
                if (!byName.containsKey(name) && f.text().indexOf(' ') < 0 && !f.text().startsWith("[")) {
                    out.add("miss:" + dotted(f.text()));
                }
            }
            case RESOURCE -> {
                out.add("res:" + f.text());
                out.add("resmiss:" + f.text());
            }
            case VARIABLE -> out.add("env:" + f.text());
            case FILE, ATTRIBUTES, EXISTS, REAL_PATH -> {
                String path = fileName(f.text());
                String cls = path.endsWith(".class") ? path.substring(0, path.length() - 6) : "";
                String home = environment.getOrDefault("java.home", "?") + "/";
                boolean loads = f.byLoader() && (cls.isEmpty() || askedClasses.contains(cls));
                if (!loads && !path.startsWith(home)) {
                    if (f.kind() == FILE || f.kind() == ATTRIBUTES) {
                        out.add("res:" + path);
                    }
                    out.add("resmiss:" + path);
                }
            }
            case ENTRY -> out.add("res:" + f.text().substring(f.text().indexOf("!/") + 2));
            case DECLARED -> {
                String path = fileName(f.text());
                out.add("resmiss:" + path);
                out.add("refl:" + dotted(path.substring(0, path.length() - 6)));
            }
            case NATIVE -> out.add("res:" + fileName(f.text()));
            case STACK, MESSAGE -> out.add("stackapi");
            case KEPT -> {
                out.add("state:" + f.text());
                out.add("left:" + f.text());
            }
            case MET -> out.add("state:" + f.text());
            case LEFT_THERE -> {
                int bar = f.text().lastIndexOf('|');
                boolean file = f.text().startsWith("file ");
                out.add("left:" + (file ? "file " + fileName(f.text().substring(5, bar)) + f.text().substring(bar) : f.text()));
            }
            default -> { }
        }
    }

    // ---- writing ----

    private String header() {
        List<String> listed = new ArrayList<>();
        Map<String, Cls> sorted = new TreeMap<>();
        for (Cls c : classes.values()) {
            sorted.put(c.name + " " + c.digest, c);
        }
        for (Cls c : sorted.values()) {
            String origin = List.of("internal", "untouched", "external", "generated").get(c.origin);
            boolean known = c.digest.chars().anyMatch(ch -> ch != '0');
            listed.add("{\"name\":" + quoted(dotted(c.name))
                    + (known ? ",\"digest\":" + quoted("sha256:" + c.digest) : "")
                    + ",\"origin\":" + quoted(origin)
                    + (c.reason.isEmpty() ? "" : ",\"reason\":" + quoted(c.reason))
                    + (sources.containsKey(c.source) ? ",\"source\":" + quoted(sources.get(c.source)) : "") + "}");
        }
        List<String> env = new ArrayList<>();
        environment.forEach((k, v) -> env.add(quoted(k) + ":" + quoted(v)));
        return "{\"v\":1,\"type\":\"matrix\",\"facts\":" + list(atomKinds) + ",\"classes\":[" + String.join(",", listed)
                + "],\"environment\":{" + String.join(",", env) + "}}";
    }

    private static final class Row {
        String grade = "complete";
        String result = "pass";
        long micros;
        final Set<String> atoms = new TreeSet<>();
    }

    private static final List<String> GRADES = List.of("complete", "shared", "partial");
    private static final List<String> RESULTS = List.of("pass", "skip", "fail");

    /** A container that was open when the JVM died with no test open in it: its members lack its end. */
    private boolean brokenAbove(Scope test) {
        String ownClass = dotted(testClass(test));
        if (scopes.values().stream().anyMatch(s -> s.kind == CONTAINER && s.ended < 0 && ownClass.equals(s.id)
                && scopes.values().stream().noneMatch(o -> o.ended < 0 && o.parent == s.number))) {
            return true;
        }
        for (Scope s = scopes.get(test.parent); s != null && s.number != 0; s = scopes.get(s.parent)) {
            if (s.ended < 0) {
                int number = s.number;
                boolean openBelow = scopes.values().stream().anyMatch(o -> o.ended < 0 && o.parent == number);
                if (!openBelow) {
                    return true;
                }
            }
        }
        return false;
    }

    private boolean failedAbove(Scope test) {
        String ownClass = dotted(testClass(test));
        if (scopes.values().stream().anyMatch(s -> s.kind == CONTAINER && s.result == 1 && ownClass.equals(s.id))) {
            return true;
        }
        for (Scope s = scopes.get(test.parent); s != null && s.number != 0; s = scopes.get(s.parent)) {
            if (s.ended >= 0 && s.result == 1) {
                return true;
            }
        }
        return false;
    }

    private void rows(Map<String, Row> out, List<RowDump> all) {
        for (Scope s : scopes.values()) {
            if (s.kind != TEST) {
                continue;
            }
            Row row = out.computeIfAbsent(suite + "\t" + s.id, k -> new Row());
            List<RowDump> children = childrenOf(s, all);
            boolean partial = s.ended < 0 || s.result == 2 || lost || brokenAbove(s)
                    || (startedAChild(s) && children.isEmpty());
            for (RowDump child : children) {
                partial |= !child.exited || child.lost;
                Scope main = new Scope();
                main.id = s.id;
                main.number = -1;
                child.scopes.put(-1, main);
                row.atoms.addAll(child.atoms(main));
                child.scopes.remove(-1);
            }
            String grade = partial ? "partial" : s.overlapped ? "shared" : "complete";
            String result = s.ended < 0 || s.result == 1 || failedAbove(s) ? "fail" : s.result == 2 ? "skip" : "pass";
            row.grade = GRADES.get(Math.max(GRADES.indexOf(row.grade), GRADES.indexOf(grade)));
            row.result = RESULTS.get(Math.max(RESULTS.indexOf(row.result), RESULTS.indexOf(result)));
            row.micros += s.ended < 0 ? 0 : s.ended - s.begun;
            row.atoms.addAll(atoms(s));
        }
    }

    private void raw() {
        System.out.println("suite " + suite + (exited ? "" : " died") + (lost ? " lost" : ""));
        scopes.forEach((n, s) -> {
            System.out.println("scope " + n + " kind " + s.kind + " parent " + s.parent + " id " + s.id + " result "
                    + s.result + (s.ended < 0 ? " open" : "") + (s.joined.isEmpty() ? "" : " joined " + s.joined));
            rawWork(s.work);
        });
        new TreeMap<>(inits).forEach((name, w) -> {
            System.out.println("init " + name);
            rawWork(w);
        });
    }

    private void rawWork(Work w) {
        w.methods.forEach(m -> System.out.println(
                "  m " + owner.get(m).name + "." + methods.get(m).name + methods.get(m).descriptor));
        w.loads.forEach(l -> System.out.println("  l " + classes.get(l).name));
        w.facts.forEach(f -> System.out.println("  f " + facts.get(f)));
    }

    public static void main(String[] args) throws IOException {
        boolean raw = args.length > 0 && args[0].equals("--raw");
        Map<String, Row> rows = new TreeMap<>();
        List<String> files = new ArrayList<>(Arrays.asList(args).subList(raw ? 1 : 0, args.length));
        Collections.sort(files);
        List<RowDump> all = new ArrayList<>();
        for (String file : files) {
            RowDump dump = new RowDump();
            dump.read(Path.of(file));
            all.add(dump);
        }
        for (RowDump dump : all) {
            if (raw) {
                dump.raw();
            } else {
                System.out.println(dump.header());
                dump.rows(rows, all);
            }
        }
        rows.forEach((key, row) -> {
            int tab = key.indexOf('\t');
            System.out.println("{\"v\":1,\"suite\":" + quoted(key.substring(0, tab)) + ",\"test\":"
                    + quoted(key.substring(tab + 1)) + ",\"grade\":" + quoted(row.grade) + ",\"result\":"
                    + quoted(row.result) + ",\"ms\":" + row.micros / 1000 + ",\"atoms\":" + list(row.atoms) + "}");
        });
    }
}
