package a.b;

class InheritedTest extends BaseForTests {}
