package a; public class B implements l.L.I { public int f() { return 1; } }
