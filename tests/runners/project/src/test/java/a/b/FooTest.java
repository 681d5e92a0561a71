package a.b;

import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FooTest {
  @Test void one() { Log.ran("a.b.FooTest#one()"); }
  @Test void two() { Log.ran("a.b.FooTest#two()"); }
  @Test void over() { Log.ran("a.b.FooTest#over()"); }
  @Test void over(TestInfo info) { Log.ran("a.b.FooTest#over(org.junit.jupiter.api.TestInfo)"); }
  @Test void half() { Log.ran("a.b.FooTest#half()"); }
  @Test void half(TestInfo info) { Log.ran("a.b.FooTest#half(org.junit.jupiter.api.TestInfo)"); }
  @ParameterizedTest @ValueSource(ints = {1, 2}) void par(int i) { Log.ran("a.b.FooTest#par(int)"); }
  @ParameterizedTest @ValueSource(ints = {1, 2}) void kept(int i) { Log.ran("a.b.FooTest#kept(int)"); }

  @Nested class In {
    @Test void deep() { Log.ran("a.b.FooTest$In#deep()"); }
    @Test void flat() { Log.ran("a.b.FooTest$In#flat()"); }
  }

  @Nested class Other {
    @Test void deep() { Log.ran("a.b.FooTest$Other#deep()"); }
  }
}
