// SPDX-License-Identifier: Apache-2.0
import java.io.InputStream;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.objectweb.asm.AnnotationVisitor;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.FieldVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** How fast does ASM's ClassReader walk every class of a jar with visitors that do nothing? THREADS ROUNDS JAR. */
public class BenchAsm {
  private static final class Nothing extends ClassVisitor {
    long methods;

    Nothing() {
      super(Opcodes.ASM9);
    }

    @Override
    public FieldVisitor visitField(int access, String name, String desc, String signature, Object value) {
      return new FieldVisitor(Opcodes.ASM9) {};
    }

    @Override
    public MethodVisitor visitMethod(int access, String name, String desc, String signature, String[] exceptions) {
      methods++;
      return new MethodVisitor(Opcodes.ASM9) {};
    }

    @Override
    public AnnotationVisitor visitAnnotation(String desc, boolean visible) {
      return new AnnotationVisitor(Opcodes.ASM9) {};
    }
  }

  public static void main(String[] args) throws Exception {
    int threads = Integer.parseInt(args[0]);
    int rounds = Integer.parseInt(args[1]);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    double best = Double.MAX_VALUE;
    long[] answer = null;
    for (int round = 0; round < rounds; round++) {
      long start = System.nanoTime();
      answer = read(args[2], threads, pool);
      best = Math.min(best, (System.nanoTime() - start) / 1e6);
    }
    pool.shutdown();
    String name = args[2].substring(args[2].lastIndexOf('/') + 1);
    System.out.printf("%s, %d threads, ASM in one JVM, best of %d%n  %-35s %8.1f ms   %d classes %d bytes %d methods%n",
        name, threads, rounds, "ASM, empty visitors", best, answer[0], answer[1], answer[2]);
  }

  private static long[] read(String jar, int threads, ExecutorService pool) throws Exception {
    try (ZipFile zip = new ZipFile(jar)) {
      List<? extends ZipEntry> entries = zip.stream().filter(e -> e.getName().endsWith(".class")).toList();
      AtomicInteger next = new AtomicInteger();
      Callable<long[]> work = () -> {
        long[] mine = new long[3];
        for (int i; (i = next.getAndIncrement()) < entries.size(); ) {
          byte[] bytes;
          try (InputStream in = zip.getInputStream(entries.get(i))) {
            bytes = in.readAllBytes();
          }
          Nothing visitor = new Nothing();
          try {
            new ClassReader(bytes).accept(visitor, 0);
          } catch (RuntimeException corrupt) {
            continue;
          }
          mine[0]++;
          mine[1] += bytes.length;
          mine[2] += visitor.methods;
        }
        return mine;
      };
      long[] all = new long[3];
      for (Future<long[]> f : pool.invokeAll(java.util.Collections.nCopies(threads, work))) {
        for (int k = 0; k < 3; k++) all[k] += f.get()[k];
      }
      return all;
    }
  }
}
