// SPDX-License-Identifier: Apache-2.0
// What does a Java programmer call it? Entities, descriptors and sentences about
// them in the words of the language: "a.b.C.add(I[Ljava/lang/String;)V" is
// "C.add(int, String[])". Packages are left out; whoever needs one says where
// the class is. What is no such name stays as it is.
#pragma once

#include <string>
#include <string_view>

namespace rejig::traversal {

// "a.b.Outer$Inner", "a/b/Outer$Inner" -> "Outer.Inner"; "Outer$1" stays.
std::string java_class(std::string_view name);
// "[Ljava/lang/String;" -> "String[]"; empty when it is no type.
std::string java_type(std::string_view descriptor);
// "(ILjava/lang/String;)V" -> "int, String"; nullopt-like "?" when it is none.
std::string java_parameters(std::string_view descriptor);
// "a.b.C.add(II)I" -> "C.add(int, int)", "a.b.C.<init>(I)V" -> "new C(int)",
// "a.b.C.<clinit>()V" -> "initializer of C". Without a class: "add(int, int)".
std::string java_method(std::string_view entity);
// The same without the parameters: "C.add", "new C".
std::string java_method_name(std::string_view entity);
// "public static final enum X:La/B;" and "public add(II)I" as a member line
// names them: "X", "add(int, int)"; `class_name` names constructors.
std::string java_member(std::string_view line, std::string_view class_name);
// Every entity in a sentence.
std::string java_text(std::string_view text);

// "a.b.C.x(I)V" -> "a.b.C"; "" when it is no method.
std::string_view class_part(std::string_view entity);
// "x(I)V", the rest.
std::string_view member_part(std::string_view entity);

}  // namespace rejig::traversal
