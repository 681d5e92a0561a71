// SPDX-License-Identifier: Apache-2.0
package s;

import static org.junit.Assert.assertEquals;
import static org.junit.Assert.assertNotNull;
import static org.junit.Assert.assertTrue;

import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import java.util.Locale;
import java.util.MissingResourceException;
import java.util.ResourceBundle;
import org.junit.FixMethodOrder;
import org.junit.Test;
import org.junit.runners.MethodSorters;

/** Every test runs twice: what the JDK kept after the first is a fact of the second as well. */
@FixMethodOrder(MethodSorters.NAME_ASCENDING)
public class CachedTest {
    private void valueOf() {
        assertEquals("RED", Enum.valueOf(Cached.Color.class, "RED").toString());
    }

    private void proxy() {
        Object made = Proxy.newProxyInstance(
                CachedTest.class.getClassLoader(), new Class<?>[] {Cached.Face.class}, (p, m, a) -> 1);
        assertNotNull(made);
    }

    private void bean() throws Exception {
        assertEquals(2, java.beans.Introspector.getBeanInfo(Cached.Bean.class).getPropertyDescriptors().length);
    }

    private void bundle() {
        try {
            ResourceBundle.getBundle("s.texts", Locale.GERMANY);
        } catch (MissingResourceException e) {
            return;
        }
        throw new AssertionError();
    }

    private void inherited() {
        assertTrue(Cached.Derived.class.getMethods().length > 1);
    }

    private void fieldType() throws Exception {
        assertTrue(Modifier.isFinal(Cached.Holder.class.getField("held").getType().getModifiers()));
    }

    private void providers() {
        assertTrue(!java.nio.file.spi.FileSystemProvider.installedProviders().isEmpty());
    }

    private void notInitialized() throws Exception {
        assertNotNull(Class.forName("s.Cached$Quiet", false, CachedTest.class.getClassLoader()));
    }

    private static java.lang.reflect.Method kept;

    private void invoked() throws Exception {
        if (kept == null) {
            kept = Class.forName("s.Cached$Called", false, CachedTest.class.getClassLoader()).getMethod("call");
        }
        Object made = Proxy.newProxyInstance(
                CachedTest.class.getClassLoader(), new Class<?>[] {kept.getDeclaringClass()}, (p, m, a) -> 1);
        assertEquals(1, kept.invoke(made));
    }

    @Test
    public void ownMembers() {
        assertTrue(CachedTest.class.getDeclaredMethods().length > 10);
    }

    @Test
    public void plain() {
        assertEquals(3, 1 + 2);
    }

    @Test
    public void first_valueOf() {
        valueOf();
    }

    @Test
    public void second_valueOf() {
        valueOf();
    }

    @Test
    public void first_proxy() {
        proxy();
    }

    @Test
    public void second_proxy() {
        proxy();
    }

    @Test
    public void first_bean() throws Exception {
        bean();
    }

    @Test
    public void second_bean() throws Exception {
        bean();
    }

    @Test
    public void first_bundle() {
        bundle();
    }

    @Test
    public void second_bundle() {
        bundle();
    }

    @Test
    public void first_inherited() {
        inherited();
    }

    @Test
    public void second_inherited() {
        inherited();
    }

    @Test
    public void first_fieldType() throws Exception {
        fieldType();
    }

    @Test
    public void second_fieldType() throws Exception {
        fieldType();
    }

    @Test
    public void first_providers() {
        providers();
    }

    @Test
    public void second_providers() {
        providers();
    }

    @Test
    public void first_invoked() throws Exception {
        invoked();
    }

    @Test
    public void second_invoked() throws Exception {
        invoked();
    }

    @Test
    public void first_notInitialized() throws Exception {
        notInitialized();
    }

    @Test
    public void second_notInitialized() throws Exception {
        notInitialized();
    }
}
