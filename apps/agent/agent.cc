// SPDX-License-Identifier: Apache-2.0
// The JVMTI side of the recorder: what is rewritten when. Two environments: one that cannot retransform sees every
// class at its definition, before other agents' retransformations; one that
// can puts the hooks into JDK classes that were there before us. Whatever goes
// wrong here leaves the class, and the JVM, as it was.
#include <link.h>

#include <new>

#include "apps/agent/agent.h"
#include "apps/agent/class_names.h"
#include "apps/agent/hooks.h"
#include "apps/agent/listing.h"
#include "apps/agent/log.h"
#include "apps/agent/redefined.h"
#include "apps/agent/rewriter.h"
#include "apps/agent/state.h"
#include "classfile/words/kept_state.h"

namespace rejig::agent {

Agent* agent = nullptr;

namespace {

bool start_recording() {
  if (agent->recorder.started()) return !agent->broken;
  if (!agent->recorder.start(agent->options.out, agent->options.suite,
                             jvm().properties(), jvm().host(),
                             agent->options.receivers)) {
    if (!agent->broken) {
      say("no row file can be made in ", agent->options.out,
          "; nothing is recorded");
    }
    agent->broken = true;
  }
  // Initializes the marks class here, where the stack is not the program's.
  jvm().find_marks(jvm().env(), agent->options.receivers);
  return !agent->broken;
}

// The path was compared with the roots when the source was first seen.
bool is_internal(std::string_view name, const CodeSource& from) {
  return named_internal(agent->options, name) ||
         (from.internal && !named_external(agent->options, name));
}

// ---- class rewriting ----------------------------------------------------

struct Hits {
  std::uint32_t next;
  bool receivers;
  bool awake;  // what runs before wakes the agent
};

constexpr unsigned kStatic = 0x0008, kFinal = 0x0010;

bool hit_prefix(void* context, const MethodHead& method, Prefix& prefix) {
  auto* hits = static_cast<Hits*>(context);
  std::uint32_t number = hits->next++;
  prefix.hook = "hit";
  prefix.descriptor = "(I)V";
  if (method.name == "<clinit>") {
    prefix.hook = "initializes";
    prefix.at_end = "initialized";
  } else if (hits->receivers && (method.access & kStatic) == 0 &&
             method.name != "<init>") {
    prefix.descriptor = "(Ljava/lang/Object;I)V";
    prefix.load_count = 1;
    prefix.loads[0] = 0;
  } else {
    if (number >= kFirstMarks) {
      prefix.owner = kMoreMarksClass;
      number -= kFirstMarks;
    }
    if (hits->awake) {
      prefix.marks = true;
      prefix.hook = "MARKS";
      prefix.descriptor = "[S";
    }
  }
  prefix.has_number = true;
  prefix.number = static_cast<std::int32_t>(number);
  return true;
}

void hand_over(jvmtiEnv* env, const Buffer& made, jint* size,
               unsigned char** data) {
  unsigned char* p = nullptr;
  if (env->Allocate(static_cast<jlong>(made.size()), &p) != JVMTI_ERROR_NONE) {
    return;
  }
  std::memcpy(p, made.data(), made.size());
  *data = p;
  *size = static_cast<jint>(made.size());
}

bool is_awake() {
  return __atomic_load_n(&agent->state, __ATOMIC_ACQUIRE) == kAwake;
}

struct Definition {
  JNIEnv* jni;
  Bytes bytes;
  bool redefined;
  jint* new_size;
  unsigned char** new_data;
};

void put_hooks(jvmtiEnv* env, const HookedClass* hooked, const Definition& d,
               Arena& arena) {
  Buffer made;
  Hooking hooking{hooked, agent->names_need_hook ? unsigned{kNames} : 0u};
  if (is_of_jdk(hooked) && hooked == hooks_of("java/lang/Class")) {
    hooking.needed |= lists_as_known(d.bytes) ? kFirstListing : kEachListing;
  }
  if (rewrite(d.bytes, hook_prefix, &hooking, arena, made) ==
      Verdict::kRewritten) {
    hand_over(env, made, d.new_size, d.new_data);
  }
}

// A class that has hooks (a runner that tests itself) has no room for prefixes.
void define_internal(const Definition& d, const CodeSource& from,
                     const HookedClass* hooked, Arena& arena) {
  Outline outline;
  Buffer made;
  const bool understood = read_outline(d.bytes, arena, outline);
  if (!understood) {
    ClassInfo info;
    if (!read_head(d.bytes, arena, info)) return;
    outline.name = info.name;
    outline.code_count = 0;
  }
  const ClassSlot slot = agent->recorder.reserve(
      outline.name, d.bytes, outline.code_count, /*external=*/false);
  Verdict v = Verdict::kMalformed;
  if (slot.refused) {
    v = Verdict::kTooManyMethods;
  } else if (hooked != nullptr) {
    v = Verdict::kHooked;
    put_hooks(agent->watcher, hooked, d, arena);
  } else if (understood) {
    // In a final class the receiver is what the class says.
    Hits hits{slot.first_method,
              agent->options.receivers && (outline.access & kFinal) == 0,
              is_awake()};
    v = rewrite(outline, hit_prefix, &hits, made);
  }
  if (v == Verdict::kAlreadyMarked && d.redefined) return;
  if (understood && outline.keeps_state) {
    agent->recorder.keeps_state(slot, outline.has_initializer);
  }
  const bool fine = v == Verdict::kRewritten || v == Verdict::kNothingToDo;
  if (!slot.known) {
    const Origin origin = !fine         ? Origin::kUntouched
                          : !from.known ? Origin::kGenerated
                                        : Origin::kRewritten;
    agent->recorder.publish(slot, d.bytes, origin, fine ? "" : verdict_name(v),
                            from.source, understood);
  }
  if (!fine) say("left untouched: ", outline.name, ": ", verdict_name(v));
  agent->recorder.loaded(slot.number, d.jni);
  if (v == Verdict::kRewritten) {
    hand_over(agent->watcher, made, d.new_size, d.new_data);
  }
}

// At the end of its initializer what it keeps begins.
bool end_prefix(void*, const MethodHead& method, Prefix& prefix) {
  if (method.name != "<clinit>") return false;
  prefix.owner = kStateClass;
  prefix.hook = "begins";
  prefix.descriptor = "(I)V";
  prefix.at_end = "began";
  prefix.has_number = true;
  return true;
}

void look_at_library(const Definition& d, std::string_view name,
                     const ClassSlot& slot, const HookedClass* hooked) {
  if (slot.known || hooked != nullptr || !classfile::keeps_for_programs(name)) {
    return;
  }
  Arena arena;
  Outline outline;
  if (!read_outline(d.bytes, arena, outline) || !outline.keeps_state) return;
  // Where the end of the initializer cannot be seen, all that it makes counts as
  // made by whoever came first.
  agent->recorder.keeps_state(slot, false);
  Buffer made;
  if (outline.has_initializer &&
      rewrite(outline, end_prefix, nullptr, made) == Verdict::kRewritten) {
    hand_over(agent->watcher, made, d.new_size, d.new_data);
  }
}

void define_external(const Definition& d, std::string_view name,
                     const CodeSource& from, const HookedClass* hooked) {
  if (!agent->recorder.ready()) return;
  const ClassSlot slot =
      agent->recorder.reserve(name, d.bytes, 0, /*external=*/from.known);
  if (!slot.known) {
    agent->recorder.publish(slot, d.bytes,
                            from.known ? Origin::kExternal : Origin::kGenerated,
                            "", from.source, false);
  }
  agent->recorder.loaded(slot.number, d.jni);
  if (from.known) look_at_library(d, name, slot, hooked);
}

void JNICALL on_class(jvmtiEnv* env, JNIEnv* jni, jclass redefined,
                      jobject loader, const char* name, jobject domain,
                      jint size, const unsigned char* data, jint* new_size,
                      unsigned char** new_data) {
  if (!agent->live || jni == nullptr || size <= 0) return;
  Arena arena;
  const Bytes bytes(reinterpret_cast<const std::byte*>(data),
                    static_cast<std::size_t>(size));
  std::string_view class_name = name == nullptr ? "" : name;
  if (class_name.empty()) {
    ClassInfo info;
    if (!read_head(bytes, arena, info)) return;
    class_name = info.name;
  }
  if (starts_with(class_name, kMarksClass) || starts_with(class_name, "rejig/junit/")) {
    return;
  }
  const Definition d{jni, bytes, redefined != nullptr, new_size, new_data};
  const HookedClass* hooked = hooks_of(class_name);
  if (env == agent->retransformer) {
    if (redefined == nullptr) return;
    if (hooked != nullptr && is_of_jdk(hooked)) {
      put_hooks(env, hooked, d, arena);
    } else if (loader != nullptr && is_awake() &&
               is_internal(class_name, jvm().code_source(jni, domain,
                                                         agent->options,
                                                         agent->recorder))) {
      note_redefined(jni, redefined, class_name);
    }
    return;
  }
  if (hooked != nullptr && is_of_jdk(hooked)) {
    if (redefined == nullptr) put_hooks(env, hooked, d, arena);
    return;
  }
  if (loader == nullptr) return;
  const CodeSource from =
      jvm().code_source(jni, domain, agent->options, agent->recorder);
  if (hooked != nullptr && !start_recording()) return;
  if (is_internal(class_name, from)) {
    if (start_recording()) define_internal(d, from, hooked, arena);
    return;
  }
  if (redefined == nullptr) define_external(d, class_name, from, hooked);
  if (hooked != nullptr) put_hooks(env, hooked, d, arena);
}

// What a class holds begins where its initializer ends, or where it begins.
void JNICALL on_prepare(jvmtiEnv* ti, JNIEnv* jni, jthread, jclass cls) {
  if (!agent->live || !agent->recorder.ready()) return;
  char* signature = nullptr;
  if (ti->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return;
  }
  std::string_view name(signature);
  if (name.size() > 2 && name.front() == 'L') {
    name.remove_prefix(1);
    name.remove_suffix(1);
    const auto keeps = agent->recorder.keeps_state(name);
    if (keeps != Recorder::Keeps::kNothing) {
      StateOf state;
      if (keeps == Recorder::Keeps::kFromStart) state = state_of(cls);
      agent->recorder.prepared(name, jni->NewWeakGlobalRef(cls), state);
    }
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
}

// ---- waking up ----------------------------------------------------------

// nullptr when it has none, or its name cannot be told.
const HookedClass* hooks_of_class(jvmtiEnv* ti, jclass cls) {
  char* signature = nullptr;
  if (ti->GetClassSignature(cls, &signature, nullptr) != JVMTI_ERROR_NONE) {
    return nullptr;
  }
  std::string_view name(signature);
  const HookedClass* out = nullptr;
  if (name.size() > 2 && name.front() == 'L') {
    name.remove_prefix(1);
    name.remove_suffix(1);
    out = hooks_of(name);
  }
  ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  return out;
}

// Hooks into the JDK classes that are loaded already, and the names of the
// program's other classes that came before the recorder.
void retransform(jclass* classes, jint count) {
  if (count != 0 && agent->retransformer->RetransformClasses(count, classes) !=
                        JVMTI_ERROR_NONE) {
    agent->recorder.lost("the JDK's classes cannot be retransformed");
  }
}

// The classes that see files, before anything can look at one.
void hook_early(JNIEnv* jni) {
  jvmtiEnv* ti = agent->retransformer;
  ti->SetEventNotificationMode(JVMTI_ENABLE, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                               nullptr);
  jint count = 0;
  jclass* classes = nullptr;
  if (ti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) {
    agent->recorder.lost("the loaded classes cannot be listed");
    return;
  }
  jclass hooked[128];
  jint hooked_count = 0;
  for (jint i = 0; i < count; ++i) {
    const HookedClass* h = hooks_of_class(ti, classes[i]);
    if (h != nullptr && is_early(h) && hooked_count < 128) {
      hooked[hooked_count++] = classes[i];
    }
  }
  retransform(hooked, hooked_count);
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(classes[i]);
  ti->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

void look_around(JNIEnv* jni) {
  agent->names_need_hook = !take_class_names(jni);
  jvmtiEnv* ti = agent->retransformer;
  jint count = 0;
  jclass* classes = nullptr;
  if (ti->GetLoadedClasses(&count, &classes) != JVMTI_ERROR_NONE) {
    agent->recorder.lost("the loaded classes cannot be listed");
    return;
  }
  jclass hooked[128];
  jint hooked_count = 0;
  for (jint i = 0; i < count; ++i) {
    char* signature = nullptr;
    if (ti->GetClassSignature(classes[i], &signature, nullptr) !=
        JVMTI_ERROR_NONE) {
      continue;
    }
    std::string_view name(signature);
    jobject loader = nullptr;
    ti->GetClassLoader(classes[i], &loader);
    if (name.size() > 2 && name.front() == 'L') {
      name.remove_prefix(1);
      name.remove_suffix(1);
      const HookedClass* h = hooks_of(name);
      if (h != nullptr && is_of_jdk(h) && hooked_count < 128) {
        if (!is_early(h)) hooked[hooked_count++] = classes[i];
      } else if (loader != nullptr && !starts_with(name, "rejig/junit/")) {
        if (is_numbered(name)) drop_class_name(jni, classes[i]);
        jobject domain = jvm().protection_domain(jni, classes[i]);
        const CodeSource from =
            jvm().code_source(jni, domain, agent->options, agent->recorder);
        agent->recorder.early(name, from.source,
                              is_internal(name, from) ? Origin::kUntouched
                              : from.known            ? Origin::kExternal
                                                      : Origin::kGenerated);
        jni->DeleteLocalRef(domain);
      }
    }
    jni->DeleteLocalRef(loader);
    ti->Deallocate(reinterpret_cast<unsigned char*>(signature));
  }
  retransform(hooked, hooked_count);
  for (jint i = 0; i < count; ++i) jni->DeleteLocalRef(classes[i]);
  ti->Deallocate(reinterpret_cast<unsigned char*>(classes));
}

}  // namespace

void wake(JNIEnv* jni) {
  int asleep = kAsleep;
  if (__atomic_load_n(&agent->state, __ATOMIC_ACQUIRE) != kAsleep ||
      !__atomic_compare_exchange_n(&agent->state, &asleep, kWaking, false,
                                   __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
    return;
  }
  if (start_recording()) look_around(jni);
  __atomic_store_n(&agent->state, kAwake, __ATOMIC_RELEASE);
  jvm().woke();
}

namespace {

// ---- JVM life -----------------------------------------------------------

void JNICALL on_vm_init(jvmtiEnv* ti, JNIEnv* jni, jthread) {
  if (!jvm().init(agent->vm, ti, jni)) {
    say("this JVM lacks what the recorder needs; nothing is recorded");
    return;
  }
  for (unsigned i = 0; i < agent->options.roots.size; ++i) {
    jvm().add_property("rejig.internal-root", agent->options.roots.items[i]);
  }
  if (!jvm().is_supported()) {
    say("only HotSpot JVMs with their own compilers are supported; nothing is "
        "recorded");
    return;
  }
  if (!jvm().define_marks(jni)) {
    say("the marks class cannot be defined; nothing is recorded");
    return;
  }
  init_state(jni);
  agent->skip_file = jvm().property(jni, "REJIG_SKIP_FILE", agent->arena);
  if (agent->skip_file.empty()) {
    const char* file = std::getenv("REJIG_SKIP_FILE");
    if (file != nullptr) agent->skip_file = agent->arena.copy(file);
  }
  if (ti->AddToSystemClassLoaderSearch(agent->options.jar.data()) !=
      JVMTI_ERROR_NONE) {
    say("the JVM does not take ", agent->options.jar, "; nothing is recorded");
    return;
  }
  agent->live = true;
  hook_early(jni);
}

void JNICALL on_vm_death(jvmtiEnv*, JNIEnv*) {
  if (agent->live) agent->recorder.finish();
}

// The jar lies beside this library.
int find_self(dl_phdr_info* info, std::size_t, void* out) {
  const auto here = reinterpret_cast<ElfW(Addr)>(&find_self);
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& h = info->dlpi_phdr[i];
    if (h.p_type != PT_LOAD) continue;
    const ElfW(Addr) from = info->dlpi_addr + h.p_vaddr;
    if (here >= from && here < from + h.p_memsz) {
      *static_cast<const char**>(out) = info->dlpi_name;
      return 1;
    }
  }
  return 0;
}

std::string_view jar_beside_agent(Arena& arena) {
  const char* self = nullptr;
  dl_iterate_phdr(find_self, &self);
  if (self == nullptr) return {};
  std::string_view path(self);
  while (!path.empty() && path.back() != '/') path.remove_suffix(1);
  constexpr std::string_view kJar = "rejig-junit.jar";
  char* out = arena.array<char>(path.size() + kJar.size() + 1);
  if (out == nullptr) return {};
  std::memcpy(out, path.data(), path.size());
  std::memcpy(out + path.size(), kJar.data(), kJar.size());
  return {out, path.size() + kJar.size()};
}

bool attach_to(JavaVM* vm) {
  if (vm->GetEnv(reinterpret_cast<void**>(&agent->watcher),
                 JVMTI_VERSION_1_1) != JNI_OK ||
      vm->GetEnv(reinterpret_cast<void**>(&agent->retransformer),
                 JVMTI_VERSION_1_1) != JNI_OK) {
    return false;
  }
  jvmtiCapabilities see = {};
  see.can_generate_all_class_hook_events = 1;
  see.can_get_bytecodes = 1;
  jvmtiCapabilities change = {};
  change.can_retransform_classes = 1;
  jvmtiEventCallbacks callbacks = {};
  callbacks.ClassFileLoadHook = on_class;
  callbacks.ClassPrepare = on_prepare;
  callbacks.VMInit = on_vm_init;
  callbacks.VMDeath = on_vm_death;
  jvmtiEventCallbacks only_classes = {};
  only_classes.ClassFileLoadHook = on_class;
  jvmtiEnv* ti = agent->watcher;
  if (ti->AddCapabilities(&see) != JVMTI_ERROR_NONE ||
      agent->retransformer->AddCapabilities(&change) != JVMTI_ERROR_NONE ||
      agent->retransformer->SetEventCallbacks(
          &only_classes, sizeof only_classes) != JVMTI_ERROR_NONE ||
      ti->SetEventCallbacks(&callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
    return false;
  }
  for (const jvmtiEvent e : {JVMTI_EVENT_VM_INIT, JVMTI_EVENT_VM_DEATH,
                             JVMTI_EVENT_CLASS_FILE_LOAD_HOOK,
                             JVMTI_EVENT_CLASS_PREPARE}) {
    if (ti->SetEventNotificationMode(JVMTI_ENABLE, e, nullptr) !=
        JVMTI_ERROR_NONE) {
      return false;
    }
  }
  // Without it everything may have changed whenever somebody looks.
  static_cast<void>(attach_state(agent->vm));
  return true;
}

}  // namespace
}  // namespace rejig::agent

extern "C" JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM* vm, char* text, void*) {
  using namespace rejig::agent;
  void* memory = std::calloc(1, sizeof(Agent));
  if (memory == nullptr) return JNI_OK;
  agent = ::new (memory) Agent;
  agent->vm = vm;
  jvm();
  Options& options = agent->options;
  if (!read_options(text, agent->arena, options) || options.off) return JNI_OK;
  if (options.out.empty()) {
    say("no out= directory; nothing is recorded");
    return JNI_OK;
  }
  if (options.jar.empty()) options.jar = jar_beside_agent(agent->arena);
  if (options.jar.empty() || !attach_to(vm)) {
    say("this JVM lacks what the recorder needs; nothing is recorded");
  }
  return JNI_OK;
}
