// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertNull;
import static org.junit.Assert.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.File;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ServiceLoader;
import org.junit.Test;

/** Each test leaves one fact that only the JDK sees. */
public class FactsTest {
    @Test
    public void plain() {
        assertEquals(1, new Thing().value);
    }

    @Test
    public void forName() throws Exception {
        assertNotNull(Class.forName("s.Thing$Unused"));
    }

    @Test
    public void missingClass() {
        try {
            Class.forName("s.NotThere");
        } catch (ClassNotFoundException e) {
            return;
        }
        throw new AssertionError();
    }

    @Test
    public void loadClass() throws Exception {
        assertNotNull(FactsTest.class.getClassLoader().loadClass("s.Thing"));
    }

    @Test
    public void reflects() {
        assertEquals(5, Thing.class.getDeclaredClasses().length);
    }

    @Test
    public void anonymousName() {
        assertTrue(new Object() {}.getClass().getName().startsWith("s.FactsTest$"));
    }

    @Test
    public void modifiers() {
        assertEquals(0, Shapes.class.getModifiers() & java.lang.reflect.Modifier.ABSTRACT);
    }

    @Test
    public void manifest() {
        assertNull(Thing.class.getPackage().getImplementationVersion());
    }

    @Test
    public void members() throws Exception {
        assertNotNull(Thing.class.getDeclaredMethod("copy"));
    }

    @Test
    public void annotations() {
        assertEquals(0, Thing.class.getAnnotations().length);
    }

    @Test
    public void readsField() throws Exception {
        Field f = Thing.class.getField("count");
        assertEquals(0, f.getInt(null));
    }

    @Test
    public void creates() throws Exception {
        assertNotNull(Class.forName("s.Thing$Reflected").getDeclaredConstructor().newInstance());
    }

    @Test
    public void handle() throws Throwable {
        Object made = MethodHandles.lookup()
                .findConstructor(Class.forName("s.Thing$Handled"), MethodType.methodType(void.class))
                .invoke();
        assertNotNull(made);
    }

    @Test
    public void deserializes() throws Exception {
        byte[] bytes = StoredBytes.get();
        assertNotNull(new ObjectInputStream(new ByteArrayInputStream(bytes)).readObject());
    }

    @Test
    public void allocates() throws Exception {
        Field f = Class.forName("sun.misc.Unsafe").getDeclaredField("theUnsafe");
        f.setAccessible(true);
        assertNotNull(((sun.misc.Unsafe) f.get(null)).allocateInstance(Class.forName("s.Thing$Unborn")));
    }

    @Test
    public void clones() throws Exception {
        assertEquals(1, new Thing().copy().value);
    }

    @Test
    public void resource() {
        assertNotNull(FactsTest.class.getResource("/data/there.txt"));
    }

    @Test
    public void resourceMissing() {
        assertNull(FactsTest.class.getResourceAsStream("absent.txt"));
    }

    @Test
    public void resourceOfLoader() {
        assertNotNull(FactsTest.class.getClassLoader().getResourceAsStream("data/there.txt"));
    }

    @Test
    public void service() {
        assertFalse(ServiceLoader.load(Runnable.class).iterator().hasNext());
    }

    @Test
    public void fileExists() {
        assertFalse(new File("no/such/file").exists());
    }

    @Test
    public void fileNio() {
        assertFalse(Files.exists(Paths.get("no/such/path")));
    }

    @Test
    public void fileRead() throws Exception {
        assertTrue(new java.io.FileInputStream("input.txt").read() > 0);
    }

    @Test
    public void stackTrace() {
        assertTrue(new Throwable().getStackTrace().length > 0);
    }

    @Test
    public void stackOfThread() {
        assertTrue(Thread.currentThread().getStackTrace().length > 0);
    }

    @Test
    public void stackPrinted() {
        new Throwable().printStackTrace(new java.io.PrintWriter(new java.io.StringWriter()));
    }

    @Test
    public void nullMessage() {
        try {
            ((Thing) null).copy();
        } catch (NullPointerException e) {
            String ignored = e.getMessage();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    public void child() throws Exception {
        assertEquals(0, new ProcessBuilder("true").start().waitFor());
    }

    /** A stream that holds a Thing.Stored, written by a class of the same shape and another name. */
    static final class StoredBytes {
        static byte[] get() throws Exception {
            ByteArrayOutputStream out = new ByteArrayOutputStream();
            try (ObjectOutputStream o = new ObjectOutputStream(out)) {
                o.writeObject(new Thing());
            }
            String text = new String(out.toByteArray(), "ISO-8859-1");
            // The class descriptor of s.Thing, turned into one of s.Thing$Stored whose superclass is s.Thing.
            int fields = text.indexOf("s.Thing") + 7 + 8;
            String thing = text.substring(text.indexOf("r\u0000\u0007s.Thing"), text.indexOf("xp") + 1);
            String own = "r\u0000\u000es.Thing$Stored" + text.substring(fields - 8, fields) + "\u0002\u0000\u0000x";
            String tail = text.substring(text.indexOf("xp") + 2);
            return ("\u00ac\u00ed\u0000\u0005s" + own + thing + "p" + tail).getBytes("ISO-8859-1");
        }
    }
}
