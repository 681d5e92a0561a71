// SPDX-License-Identifier: Apache-2.0
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassWriter;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InsnNode;
import org.objectweb.asm.tree.IntInsnNode;
import org.objectweb.asm.tree.JumpInsnNode;
import org.objectweb.asm.tree.LdcInsnNode;
import org.objectweb.asm.tree.MethodNode;

/**
 * Mutate FROM TO SEED: copies one class file of FROM, changed in one place, to TO, and says what it did. Bodies get another
 * operator, condition, constant or text; one mutant in five loses an overriding method, so that another one runs.
 */
public final class Mutate {
    public static void main(String[] args) throws Exception {
        Path from = Path.of(args[0]);
        Random random = new Random(Long.parseLong(args[2]));
        List<Path> files;
        try (Stream<Path> all = Files.walk(from)) {
            files = all.filter(f -> f.toString().endsWith(".class")).sorted().collect(Collectors.toList());
        }
        while (true) {
            Path file = files.get(random.nextInt(files.size()));
            ClassNode c = new ClassNode();
            new ClassReader(Files.readAllBytes(file)).accept(c, 0);
            String done = random.nextInt(5) == 0 ? withoutOverride(c, random) : otherBody(c, random);
            if (done == null) {
                continue;
            }
            ClassWriter out = new ClassWriter(0);
            c.accept(out);
            Path to = Path.of(args[1]).resolve(from.relativize(file).toString());
            Files.createDirectories(to.getParent());
            Files.write(to, out.toByteArray());
            System.out.println(from.relativize(file) + " " + done);
            return;
        }
    }

    private static String withoutOverride(ClassNode c, Random random) {
        List<MethodNode> some = new ArrayList<>();
        for (MethodNode m : c.methods) {
            boolean object = m.name.equals("toString") || m.name.equals("equals") || m.name.equals("hashCode");
            if (object || (m.access & Opcodes.ACC_BRIDGE) != 0) {
                some.add(m);
            }
        }
        if (some.isEmpty()) {
            return null;
        }
        MethodNode gone = some.get(random.nextInt(some.size()));
        c.methods.remove(gone);
        return "without " + gone.name + gone.desc;
    }

    private static String otherBody(ClassNode c, Random random) {
        if (c.methods.isEmpty()) {
            return null;
        }
        MethodNode m = c.methods.get(random.nextInt(c.methods.size()));
        List<AbstractInsnNode> places = new ArrayList<>();
        for (AbstractInsnNode i : m.instructions) {
            if (other(i) != null) {
                places.add(i);
            }
        }
        if (places.isEmpty()) {
            return null;
        }
        AbstractInsnNode place = places.get(random.nextInt(places.size()));
        m.instructions.set(place, other(place));
        return m.name + m.desc + " instruction " + place.getOpcode();
    }

    private static AbstractInsnNode other(AbstractInsnNode i) {
        int op = i.getOpcode();
        if (i instanceof JumpInsnNode && op >= Opcodes.IFEQ && op <= Opcodes.IF_ACMPNE) {
            return new JumpInsnNode(((op - 1) ^ 1) + 1, ((JumpInsnNode) i).label);
        }
        if (i instanceof LdcInsnNode && ((LdcInsnNode) i).cst instanceof String) {
            return new LdcInsnNode(((LdcInsnNode) i).cst + "x");
        }
        if (i instanceof IntInsnNode && op == Opcodes.BIPUSH && ((IntInsnNode) i).operand < 100) {
            return new IntInsnNode(op, ((IntInsnNode) i).operand + 1);
        }
        switch (op) {
            case Opcodes.IADD:
                return new InsnNode(Opcodes.ISUB);
            case Opcodes.ISUB:
                return new InsnNode(Opcodes.IADD);
            case Opcodes.IAND:
                return new InsnNode(Opcodes.IOR);
            case Opcodes.ICONST_0:
                return new InsnNode(Opcodes.ICONST_1);
            case Opcodes.ICONST_1:
                return new InsnNode(Opcodes.ICONST_2);
            default:
                return null;
        }
    }
}
