// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.fail;

import java.lang.reflect.Method;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ForkJoinPool;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class ThreadsTest {
    @Test public void a_starts() { assertEquals(14, Work.Starts.value()); }
    @Test public void b_uses() { assertEquals(14, Work.Starts.value()); }
    @Test public void c_inner() { assertEquals(8, Work.Inner.value()); }
    @Test public void d_broken() {
        try {
            Work.Broken.value();
            fail();
        } catch (ExceptionInInitializerError e) {
            assertEquals("as planned", e.getCause().getMessage());
        }
    }
    @Test public void e_nothing() {}

    @Test public void plain() throws Exception {
        Thread thread = new Thread(new Runnable() { public void run() { Work.plain(); } });
        thread.start();
        thread.join();
    }
    @Test public void pool() throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(2);
        assertEquals(2, (int) pool.submit(new Callable<Integer>() { public Integer call() { return Work.pool(); } }).get());
        pool.shutdown();
    }
    @Test public void fork() throws Exception {
        assertEquals(3, (int) ForkJoinPool.commonPool().submit(new Callable<Integer>() { public Integer call() { return Work.fork(); } }).get());
    }
    @Test public void timer() throws Exception {
        final CountDownLatch done = new CountDownLatch(1);
        Timer timer = new Timer(true);
        timer.schedule(new TimerTask() { public void run() { Work.timer(); done.countDown(); } }, 0);
        done.await();
        timer.cancel();
    }
    /** A virtual thread where there are some. */
    @Test public void light() throws Exception {
        Runnable work = new Runnable() { public void run() { Work.light(); } };
        Thread thread;
        try {
            Method start = Thread.class.getMethod("startVirtualThread", Runnable.class);
            thread = (Thread) start.invoke(null, work);
            assertEquals(true, Thread.class.getMethod("isVirtual").invoke(thread));
        } catch (NoSuchMethodException e) {
            thread = new Thread(work);
            thread.start();
        }
        thread.join();
    }
}
