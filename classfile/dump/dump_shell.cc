// SPDX-License-Identifier: Apache-2.0
// The shell lines: everything that reflection, the compiler or a framework can
// see of a class besides its code.
#include "classfile/dump/dump_json.h"
#include "classfile/reader/attributes.h"

namespace rejig::classfile {
namespace {

class ShellPrinter {
 public:
  ShellPrinter(std::string& out, const ClassView& cls, std::string_view head)
      : out_(out), cls_(cls), pool_(cls.pool()), head_(head) {}

  void print() {
    on("class", {}, {}, {});
    for (const AttributeView& a : cls_.attributes()) {
      if (a.readable) class_attribute(a);
    }
    for (const MemberView& f : cls_.fields()) {
      for (const AttributeView& a : f.attributes) {
        if (!a.readable) continue;
        on("field ", f.name, ":", f.descriptor);
        common(a);
      }
    }
    for (const MemberView& m : cls_.methods()) {
      for (const AttributeView& a : m.attributes) {
        if (!a.readable) continue;
        on("method ", m.name, "", m.descriptor);
        method_attribute(a, m);
      }
    }
  }

 private:
  // What the next lines are about; written once a line.
  void on(std::string_view what, std::string_view name, std::string_view colon,
          std::string_view descriptor) {
    on_ = ",\"on\":\"";
    on_ += what;
    append_json_text(on_, name);
    on_ += colon;
    append_json_text(on_, descriptor);
  }

  template <class Value>
  void line(std::string_view facet, Value&& value) {
    out_ += "{\"type\":\"shell\"";
    out_ += head_;
    out_ += on_;
    out_ += "\",\"facet\":\"";
    out_ += facet;
    out_ += "\",\"value\":";
    value();
    out_ += "}\n";
  }
  void text(std::string_view facet, std::string_view value) {
    line(facet, [&] { append_quoted(out_, value); });
  }
  void names(const std::vector<std::string_view>& list) {
    out_ += '[';
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (i != 0) out_ += ',';
      append_quoted(out_, list[i]);
    }
    out_ += ']';
  }
  void text_or_null(std::string_view value, bool there) {
    if (there) {
      append_quoted(out_, value);
    } else {
      out_ += "null";
    }
  }

  void annotations(const AttributeView& a, std::string_view facet) {
    AnnotationReader reader(pool_, a);
    AnnotationView annotation;
    while (reader.next(annotation)) {
      line(facet, [&] { append_annotation(out_, pool_, annotation); });
    }
  }

  // Attributes of classes, fields, methods and components alike.
  void common(const AttributeView& a) {
    switch (a.kind) {
      case AttributeKind::kSignature:
        text("signature", text_of(pool_, a));
        break;
      case AttributeKind::kSynthetic:
        line("synthetic", [&] { out_ += "true"; });
        break;
      case AttributeKind::kDeprecated:
        line("deprecated", [&] { out_ += "true"; });
        break;
      case AttributeKind::kRuntimeVisibleAnnotations:
        annotations(a, "annotation");
        break;
      case AttributeKind::kRuntimeInvisibleAnnotations:
        annotations(a, "invisible-annotation");
        break;
      default:
        break;
    }
  }

  void class_attribute(const AttributeView& a) {
    switch (a.kind) {
      case AttributeKind::kNestHost:
        text("nest-host", text_of(pool_, a));
        break;
      case AttributeKind::kNestMembers:
        line("nest-members", [&] { names(names_of(pool_, a)); });
        break;
      case AttributeKind::kPermittedSubclasses:
        line("permits", [&] { names(names_of(pool_, a)); });
        break;
      case AttributeKind::kRecord:
        record(a);
        break;
      case AttributeKind::kInnerClasses:
        for (const InnerClass& row : inner_classes(pool_, a)) inner(row);
        break;
      case AttributeKind::kEnclosingMethod: {
        const EnclosingMethod e = enclosing_method(pool_, a);
        line("enclosing", [&] {
          out_ += '[';
          append_quoted(out_, e.class_name);
          out_ += ',';
          text_or_null(e.name, !e.name.empty());
          out_ += ',';
          text_or_null(e.descriptor, !e.name.empty());
          out_ += ']';
        });
        break;
      }
      case AttributeKind::kModule:
        module(module_info(pool_, a));
        break;
      case AttributeKind::kModulePackages:
        for (const std::string_view p : names_of(pool_, a)) {
          text("module-package", p);
        }
        break;
      case AttributeKind::kModuleMainClass:
        text("module-main", text_of(pool_, a));
        break;
      default:
        common(a);
        break;
    }
  }

  void inner(const InnerClass& row) {
    line("inner", [&] {
      out_ += '[';
      append_quoted(out_, row.inner);
      out_ += ',';
      text_or_null(row.outer, !row.outer.empty());
      out_ += ',';
      text_or_null(row.simple_name, row.has_simple_name);
      out_ += ',';
      append_number(out_, row.access);
      out_ += ']';
    });
  }

  void record(const AttributeView& a) {
    const std::vector<RecordComponent> rows = record_components(pool_, a);
    line("record", [&] {
      out_ += '[';
      for (std::size_t i = 0; i < rows.size(); ++i) {
        out_ += i == 0 ? "[" : ",[";
        append_quoted(out_, rows[i].name);
        out_ += ',';
        append_quoted(out_, rows[i].descriptor);
        out_ += ',';
        const AttributeView* s = rows[i].attribute(AttributeKind::kSignature);
        const bool there = s != nullptr && s->readable;
        text_or_null(there ? text_of(pool_, *s) : "", there);
        out_ += ']';
      }
      out_ += ']';
    });
    for (const RecordComponent& row : rows) {
      on("component ", row.name, ":", row.descriptor);
      for (const AttributeView& each : row.attributes) {
        if (each.readable && each.kind != AttributeKind::kSignature) {
          common(each);
        }
      }
    }
    on("class", {}, {}, {});
  }

  void method_attribute(const AttributeView& a, const MemberView& m) {
    switch (a.kind) {
      case AttributeKind::kExceptions: {
        const auto list = names_of(pool_, a);
        if (!list.empty()) line("exceptions", [&] { names(list); });
        break;
      }
      case AttributeKind::kAnnotationDefault:
        line("default", [&] {
          append_value(out_, pool_, annotation_default(pool_, a));
        });
        break;
      case AttributeKind::kMethodParameters:
        line("parameters", [&] { parameters(a); });
        break;
      case AttributeKind::kRuntimeVisibleParameterAnnotations:
        parameter_annotations(a, "annotation", m);
        break;
      case AttributeKind::kRuntimeInvisibleParameterAnnotations:
        parameter_annotations(a, "invisible-annotation", m);
        break;
      default:
        common(a);
        break;
    }
  }

  void parameters(const AttributeView& a) {
    out_ += '[';
    bool first = true;
    for (const MethodParameter& p : method_parameters(pool_, a)) {
      out_ += first ? "[" : ",[";
      first = false;
      text_or_null(p.name, p.has_name);
      out_ += ',';
      append_number(out_, p.access);
      out_ += ']';
    }
    out_ += ']';
  }

  void parameter_annotations(const AttributeView& a, std::string_view facet,
                             const MemberView& m) {
    AnnotationReader reader(pool_, a);
    AnnotationView annotation;
    while (reader.next(annotation)) {
      on("method ", m.name, "", m.descriptor);
      on_ += " #";
      append_number(on_, reader.parameter());
      line(facet, [&] { append_annotation(out_, pool_, annotation); });
    }
  }

  void module(const ModuleInfo& m) {
    const auto row = [&](std::string_view name, std::uint16_t flags,
                         auto&& last) {
      out_ += '[';
      append_quoted(out_, name);
      out_ += ',';
      append_number(out_, flags);
      out_ += ',';
      last();
      out_ += ']';
    };
    line("module", [&] {
      row(m.name, m.flags, [&] { text_or_null(m.version, m.has_version); });
    });
    for (const ModuleRequires& r : m.required) {
      line("requires", [&] {
        row(r.module, r.flags,
            [&] { text_or_null(r.version, r.has_version); });
      });
    }
    for (const ModulePackage& p : m.exports) {
      line("exports", [&] { row(p.package, p.flags, [&] { names(p.to); }); });
    }
    for (const ModulePackage& p : m.opens) {
      line("opens", [&] { row(p.package, p.flags, [&] { names(p.to); }); });
    }
    for (const std::string_view u : m.uses) text("uses", u);
    for (const ModuleProvides& p : m.provides) {
      line("provides", [&] {
        out_ += '[';
        append_quoted(out_, p.service);
        out_ += ',';
        names(p.with);
        out_ += ']';
      });
    }
  }

  std::string& out_;
  const ClassView& cls_;
  const ConstantPool& pool_;
  std::string_view head_;
  std::string on_;
};

}  // namespace

void dump_shell(std::string& out, const ClassView& cls,
                std::string_view head) {
  ShellPrinter(out, cls, head).print();
}

}  // namespace rejig::classfile
