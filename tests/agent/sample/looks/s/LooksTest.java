// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertFalse;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.JarURLConnection;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.Paths;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.stream.Stream;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Each test looks at the file system in one way. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class LooksTest {
    private static final Path DATA = Paths.get("look");

    @Test
    public void listsNio() throws IOException {
        try (Stream<Path> all = Files.list(DATA)) {
            assertEquals(3, all.count());
        }
    }

    @Test
    public void listsFiltered() {
        assertEquals(1, new File("look").list((d, n) -> n.startsWith("a")).length);
    }

    @Test
    public void listsFiles() {
        assertEquals(3, new File("look").listFiles().length);
    }

    @Test
    public void listsResource() throws Exception {
        try (Stream<Path> all = Files.walk(Paths.get(LooksTest.class.getResource("/data").toURI()))) {
            assertTrue(all.count() > 1);
        }
    }

    @Test
    public void visits() throws IOException {
        long[] size = {0};
        Files.walkFileTree(DATA, new SimpleFileVisitor<Path>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                size[0] += attributes.size();
                return FileVisitResult.CONTINUE;
            }
        });
        assertTrue(size[0] > 0);
    }

    @Test
    public void canonicalPath() throws IOException {
        assertTrue(new File("look/link").getCanonicalPath().endsWith("a.txt"));
    }

    @Test
    public void realPath() throws IOException {
        assertTrue(Paths.get("look/link").toRealPath().endsWith("a.txt"));
    }

    @Test
    public void sameFile() throws IOException {
        assertTrue(Files.isSameFile(Paths.get("look/link"), Paths.get("look/a.txt")));
    }

    @Test
    public void readsLink() throws IOException {
        assertEquals("a.txt", Files.readSymbolicLink(Paths.get("look/link")).toString());
    }

    @Test
    public void readsThroughLink() throws IOException {
        assertTrue(Files.readAllBytes(Paths.get("look/link")).length > 0);
    }

    @Test
    public void executable() {
        assertFalse(Files.isExecutable(Paths.get("look/a.txt")));
    }

    @Test
    public void executableFile() {
        assertFalse(new File("look/a.txt").canExecute());
    }

    @Test
    public void thereNio() {
        assertTrue(Files.exists(Paths.get("look/a.txt")));
    }

    @Test
    public void createsFile() throws IOException {
        assertTrue(new File("look.new1").createNewFile());
    }

    @Test
    public void createsNio() throws IOException {
        Files.createFile(Paths.get("look.new2"));
    }

    @Test
    public void makesFolder() {
        assertTrue(new File("look.new3").mkdir());
    }

    @Test
    public void makesFolderNio() throws IOException {
        Files.createDirectory(Paths.get("look.new4"));
    }

    @Test
    public void makesFolders() throws IOException {
        Files.createDirectories(Paths.get("look.new5/x"));
    }

    @Test
    public void renames() {
        assertFalse(new File("look.gone").renameTo(new File("look.new6")));
    }

    @Test
    public void moves() throws IOException {
        Files.createFile(Paths.get("look.new7"));
        Files.move(Paths.get("look.new7"), Paths.get("look.new8"));
    }

    @Test
    public void copies() throws IOException {
        Files.copy(Paths.get("look/a.txt"), Paths.get("look.new9"), StandardCopyOption.REPLACE_EXISTING);
    }

    @Test
    public void deletes() {
        assertFalse(new File("look.gone").delete());
    }

    @Test
    public void deletesNio() throws IOException {
        assertFalse(Files.deleteIfExists(Paths.get("look.gone")));
    }

    @Test
    public void links() throws IOException {
        Files.createSymbolicLink(Paths.get("look.new10"), Paths.get("nowhere"));
    }

    @Test
    public void writesInto() throws IOException {
        new FileOutputStream("look/b/written").close();
    }

    @Test
    public void appends() throws IOException {
        Files.write(Paths.get("look/b/written2"), new byte[1], StandardOpenOption.CREATE, StandardOpenOption.APPEND);
    }

    @Test
    public void environment() {
        assertNotNull(new ProcessBuilder("x").environment());
    }

    @Test
    public void environmentOfProc() throws IOException {
        assertTrue(Files.readAllBytes(Paths.get("/proc/self/environ")).length > 0);
    }

    @Test
    public void accessFlags() throws Exception {
        Class.class.getMethod("accessFlags").invoke(Thing.class);
    }

    @Test
    public void archiveEntry() throws IOException {
        try (InputStream in = new URL("jar:" + new File("look.jar").toURI() + "!/data/there.txt").openStream()) {
            assertTrue(in.read() >= 0);
        }
    }

    @Test
    public void archiveEntryAgain() throws IOException {
        archiveEntry();
    }

    @Test
    public void archiveListed() throws IOException {
        URL url = new URL("jar:" + new File("look.jar").toURI() + "!/data/there.txt");
        assertTrue(((JarURLConnection) url.openConnection()).getJarFile().size() > 0);
    }

    @Test
    public void archiveFileSystem() throws IOException {
        try (FileSystem files = FileSystems.newFileSystem(Paths.get("look.jar"), (ClassLoader) null)) {
            assertTrue(Files.exists(files.getPath("data/there.txt")));
        }
    }

    @Test
    public void classFile() throws IOException {
        assertTrue(Files.readAllBytes(Paths.get("main/s/Thing.class")).length > new Thing().value);
    }

    @Test
    public void classFileOfLoader() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {new File("main/").toURI().toURL()}, null)) {
            assertNotNull(loader.loadClass("s.Thing"));
        }
    }

    @Test
    public void classFileOfOwnLoader() throws Exception {
        assertNotNull(new ClassLoader(null) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                try {
                    byte[] bytes = Files.readAllBytes(Paths.get("main", name.replace('.', '/') + ".class"));
                    return defineClass(name, bytes, 0, bytes.length);
                } catch (IOException e) {
                    throw new ClassNotFoundException(name, e);
                }
            }
        }.loadClass("s.Thing"));
    }

    @Test
    public void library() {
        try {
            System.load(new File("look/none.so").getAbsolutePath());
        } catch (UnsatisfiedLinkError e) {
            return;
        }
        throw new AssertionError();
    }

    @Test
    public void libraryByName() {
        try {
            System.loadLibrary("lookfor");
        } catch (UnsatisfiedLinkError e) {
            return;
        }
        throw new AssertionError();
    }

    @Test
    public void plain() {
        assertTrue(new Thing().value > 0);
    }
}
