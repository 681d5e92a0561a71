package a; public class A extends l.L { public int x; protected void hook() { x = 1; } }
