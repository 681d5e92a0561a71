// SPDX-License-Identifier: Apache-2.0
package rejig.check.evolve;

/** The only library of the generated programs: it keeps the trace of what happened, which is part of a test's outcome. */
final class EvSource {
  static final String TEXT = """
      package rejig.ev;

      public final class Ev {
        public static final StringBuilder TRACE = new StringBuilder();
        private static int ticks;

        public static final class Stop extends Error {
          private static final long serialVersionUID = 1;
        }

        public static int log(String what, int value) {
          if (++ticks > 1000) throw new Stop();
          TRACE.append(what).append('=').append(value).append(' ');
          return value;
        }

        public static long log(String what, long value) {
          TRACE.append(log(what, (int) value)).append("L ");
          return value;
        }

        public static Integer log(String what, Integer value) {
          TRACE.append(log(what, (int) value)).append("I ");
          return value;
        }

        public static void seen(Object o) {
          String name = o.getClass().getName();
          TRACE.append(o.toString().startsWith(name + "@") ? name : o.toString()).append(' ');
          log("equal", o.equals(o) ? 1 : 0);
          log("hash", o.hashCode() == System.identityHashCode(o) ? 1 : 0);
        }

        public static void err(Throwable t) {
          if (t instanceof Stop) throw (Stop) t;
          TRACE.append(t.getClass().getName()).append(' ');
        }

        public static Object make(Class<?> c, int x) {
          try {
            return c.getConstructor(int.class).newInstance(x);
          } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(e);
          }
        }

        public static int find(String name, ClassLoader l) {
          try {
            Class.forName(name, true, l);
            return 1;
          } catch (ClassNotFoundException e) {
            return 2;
          }
        }

        public static void state(Object o) {
          for (Class<?> c = o.getClass(); c != Object.class; c = c.getSuperclass()) {
            TRACE.append(c.getName()).append('{');
            for (java.lang.reflect.Field f : c.getDeclaredFields()) {
              try {
                f.setAccessible(true);
                TRACE.append(f.getName()).append('=').append(f.get(o)).append(' ');
              } catch (IllegalAccessException e) {
                throw new IllegalStateException(e);
              }
            }
            TRACE.append('}');
          }
        }

        public static Object copy(Object o) {
          try {
            java.io.ByteArrayOutputStream b = new java.io.ByteArrayOutputStream();
            new java.io.ObjectOutputStream(b).writeObject(o);
            return new java.io.ObjectInputStream(new java.io.ByteArrayInputStream(b.toByteArray())) {
              @Override protected Class<?> resolveClass(java.io.ObjectStreamClass c) throws ClassNotFoundException {
                return Class.forName(c.getName(), false, o.getClass().getClassLoader());
              }
            }.readObject();
          } catch (java.io.IOException | ClassNotFoundException e) {
            throw new IllegalStateException(e);
          }
        }
      }
      """;

  private EvSource() {}
}
