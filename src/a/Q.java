package a; public class Q implements java.util.concurrent.Callable<Integer> { public Integer call() { return 1; } public String toString() { return "q1"; } }
