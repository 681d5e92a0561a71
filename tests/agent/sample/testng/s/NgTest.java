// SPDX-License-Identifier: Apache-2.0
package s;

import static org.testng.Assert.assertEquals;

import org.testng.SkipException;
import org.testng.annotations.AfterClass;
import org.testng.annotations.BeforeClass;
import org.testng.annotations.BeforeMethod;
import org.testng.annotations.DataProvider;
import org.testng.annotations.Test;

public class NgTest {
    @BeforeClass
    public void open() {
        Fixtures.open();
    }

    @AfterClass
    public void close() {
        Fixtures.close();
    }

    @BeforeMethod
    public void reset() {
        Fixtures.reset();
    }

    @Test
    public void one() {
        assertEquals(new Counter().next(), 1);
    }

    @Test(dependsOnMethods = "one")
    public void two() {
        assertEquals(new Counter().peek(), 0);
    }

    @DataProvider
    public Object[][] numbers() {
        return new Object[][] {{1, "a"}, {2, "b"}};
    }

    @Test(dataProvider = "numbers")
    public void many(int n, String s) {
        assertEquals(Config.mode, 3);
    }

    @Test
    public void fails() {
        assertEquals(1, 2);
    }

    @Test
    public void skips() {
        throw new SkipException("no");
    }
}
