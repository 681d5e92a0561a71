// SPDX-License-Identifier: Apache-2.0
package dump;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.FieldNode;
import org.objectweb.asm.tree.InnerClassNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.ModuleNode;
import org.objectweb.asm.tree.ParameterNode;
import org.objectweb.asm.tree.RecordComponentNode;

/** The `shell` lines of one class. */
final class ShellLines {
  private final String in;
  private final RawClass raw;
  private final ClassNode node;
  private final StringBuilder out;

  ShellLines(String in, RawClass raw, ClassNode node, StringBuilder out) {
    this.in = in;
    this.raw = raw;
    this.node = node;
    this.out = out;
  }

  void all() {
    String on = "class";
    common(on, node.signature, raw.attributes, node.visibleAnnotations, node.invisibleAnnotations);
    if (node.nestHostClass != null) emit(on, "nest-host", Json.quoted(node.nestHostClass));
    if (raw.attributes.contains("NestMembers")) emit(on, "nest-members", names(node.nestMembers));
    if (raw.attributes.contains("PermittedSubclasses")) emit(on, "permits", names(node.permittedSubclasses));
    if (raw.attributes.contains("Record")) record();
    for (InnerClassNode i : node.innerClasses) {
      emit(on, "inner", "[" + Json.quoted(i.name) + "," + Json.quoted(i.outerName) + "," + Json.quoted(i.innerName)
          + "," + i.access + "]");
    }
    if (node.outerClass != null) {
      emit(on, "enclosing", "[" + Json.quoted(node.outerClass) + "," + Json.quoted(node.outerMethod) + ","
          + Json.quoted(node.outerMethodDesc) + "]");
    }
    if (node.module != null) module(node.module);
    for (int i = 0; i < node.fields.size(); i++) {
      FieldNode f = node.fields.get(i);
      RawClass.Member m = raw.fields.get(i);
      common("field " + m.name + ":" + m.desc, f.signature, m.attributes, f.visibleAnnotations,
          f.invisibleAnnotations);
    }
    for (int i = 0; i < node.methods.size(); i++) method(node.methods.get(i), raw.methods.get(i));
  }

  private void emit(String on, String facet, CharSequence json) {
    new Json("shell").text("in", in).text("on", on).text("facet", facet).raw("value", json).endInto(out);
  }

  private void common(String on, String signature, Set<String> attributes,
      List<AnnotationNode> visible, List<AnnotationNode> invisible) {
    if (signature != null) emit(on, "signature", Json.quoted(signature));
    if (attributes.contains("Synthetic")) emit(on, "synthetic", "true");
    if (attributes.contains("Deprecated")) emit(on, "deprecated", "true");
    annotations(on, "annotation", visible);
    annotations(on, "invisible-annotation", invisible);
  }

  private void annotations(String on, String facet, List<AnnotationNode> list) {
    if (list == null) return;
    for (AnnotationNode a : list) emit(on, facet, annotation(a));
  }

  private void method(MethodNode n, RawClass.Member m) {
    String on = "method " + m.name + m.desc;
    common(on, n.signature, m.attributes, n.visibleAnnotations, n.invisibleAnnotations);
    if (m.attributes.contains("Exceptions")) emit(on, "exceptions", names(n.exceptions));
    if (n.annotationDefault != null) emit(on, "default", value(n.annotationDefault));
    if (m.attributes.contains("MethodParameters")) {
      StringBuilder b = new StringBuilder("[");
      for (ParameterNode p : orEmpty(n.parameters)) {
        b.append(b.length() > 1 ? "," : "").append("[").append(Json.quoted(p.name)).append(",").append(p.access)
            .append("]");
      }
      emit(on, "parameters", b.append("]"));
    }
    parameterAnnotations(on, "annotation", n.visibleParameterAnnotations);
    parameterAnnotations(on, "invisible-annotation", n.invisibleParameterAnnotations);
  }

  private void parameterAnnotations(String on, String facet, List<AnnotationNode>[] perParameter) {
    for (int k = 0; perParameter != null && k < perParameter.length; k++) {
      annotations(on + " #" + k, facet, perParameter[k]);
    }
  }

  private void record() {
    List<String> rows = new ArrayList<>();
    for (RecordComponentNode c : orEmpty(node.recordComponents)) {
      rows.add("[" + Json.quoted(c.name) + "," + Json.quoted(c.descriptor) + "," + Json.quoted(c.signature) + "]");
      String on = "component " + c.name + ":" + c.descriptor;
      annotations(on, "annotation", c.visibleAnnotations);
      annotations(on, "invisible-annotation", c.invisibleAnnotations);
    }
    emit("class", "record", "[" + String.join(",", rows) + "]");
  }

  private static String names(List<String> list) {
    return Json.list(orEmpty(list));
  }

  /** ASM has no list for an attribute without rows. */
  private static <T> List<T> orEmpty(List<T> list) {
    return list == null ? List.of() : list;
  }

  private void module(ModuleNode m) {
    String on = "class";
    emit(on, "module", "[" + Json.quoted(m.name) + "," + m.access + "," + Json.quoted(m.version) + "]");
    if (m.requires != null) {
      m.requires.forEach(r -> emit(on, "requires",
          "[" + Json.quoted(r.module) + "," + r.access + "," + Json.quoted(r.version) + "]"));
    }
    if (m.exports != null) m.exports.forEach(e -> emit(on, "exports", opened(e.packaze, e.access, e.modules)));
    if (m.opens != null) m.opens.forEach(e -> emit(on, "opens", opened(e.packaze, e.access, e.modules)));
    if (m.uses != null) m.uses.forEach(u -> emit(on, "uses", Json.quoted(u)));
    if (m.provides != null) {
      m.provides.forEach(p -> emit(on, "provides", "[" + Json.quoted(p.service) + "," + Json.list(p.providers) + "]"));
    }
    if (m.packages != null) m.packages.forEach(p -> emit(on, "module-package", Json.quoted(p)));
    if (m.mainClass != null) emit(on, "module-main", Json.quoted(m.mainClass));
  }

  private static String opened(String name, int access, List<String> to) {
    return "[" + Json.quoted(name) + "," + access + "," + Json.list(to == null ? List.of() : to) + "]";
  }

  private static String annotation(AnnotationNode a) {
    StringBuilder b = new StringBuilder("{\"desc\":").append(Json.quoted(a.desc)).append(",\"values\":{");
    for (int i = 0; a.values != null && i < a.values.size(); i += 2) {
      if (i > 0) b.append(',');
      b.append(Json.quoted((String) a.values.get(i))).append(':').append(value(a.values.get(i + 1)));
    }
    return b.append("}}").toString();
  }

  /** VALUE: one key, the tag of JVMS 4.7.16.1. */
  private static String value(Object v) {
    if (v instanceof Byte x) return "{\"B\":" + x + "}";
    if (v instanceof Character x) return "{\"C\":" + (int) x + "}";
    if (v instanceof Integer x) return "{\"I\":" + x + "}";
    if (v instanceof Short x) return "{\"S\":" + x + "}";
    if (v instanceof Boolean x) return "{\"Z\":" + (x ? 1 : 0) + "}";
    if (v instanceof Long x) return "{\"J\":\"" + x + "\"}";
    if (v instanceof Float x) return String.format("{\"F\":\"%08x\"}", Float.floatToRawIntBits(x));
    if (v instanceof Double x) return String.format("{\"D\":\"%016x\"}", Double.doubleToRawLongBits(x));
    if (v instanceof String x) return "{\"s\":" + Json.quoted(x) + "}";
    if (v instanceof Type x) return "{\"c\":" + Json.quoted(x.getDescriptor()) + "}";
    if (v instanceof String[] x) return "{\"e\":[" + Json.quoted(x[0]) + "," + Json.quoted(x[1]) + "]}";
    if (v instanceof AnnotationNode x) return "{\"@\":" + annotation(x) + "}";
    if (v instanceof List<?> list) {
      StringBuilder b = new StringBuilder("{\"[\":[");
      for (int i = 0; i < list.size(); i++) b.append(i > 0 ? "," : "").append(value(list.get(i)));
      return b.append("]}").toString();
    }
    throw new IllegalStateException("annotation value of " + v.getClass() + ", ASM API " + Opcodes.ASM9);
  }
}
