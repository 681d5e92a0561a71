// SPDX-License-Identifier: Apache-2.0
#include "apps/agent/beside.h"

#include <pthread.h>
#include <signal.h>
#include <sys/prctl.h>

#include <initializer_list>

// Since 2.34 in libc under that version, before in libpthread under its first:
// new C libraries know that, too. Where it is not to be found there is no
// thread.
extern "C" __attribute__((weak)) int rejig_create_thread(pthread_t*,
                                                         const pthread_attr_t*,
                                                         void* (*)(void*),
                                                         void*);
#if defined(__x86_64__)
__asm__(".symver rejig_create_thread, pthread_create@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver rejig_create_thread, pthread_create@GLIBC_2.17");
#endif

namespace rejig::agent {
namespace {

struct Work {
  void (*body)(void*);
  void* of;
};

Work work;  // of the one thread

void* run(void*) {
  prctl(PR_SET_NAME, "rejig");
  work.body(work.of);
  return nullptr;
}

}  // namespace

bool run_beside(void (*body)(void*), void* of) {
  if (rejig_create_thread == nullptr || work.body != nullptr) return false;
  work = {body, of};
  pthread_attr_t detached;
  if (pthread_attr_init(&detached) != 0) return false;
  pthread_attr_setdetachstate(&detached, PTHREAD_CREATE_DETACHED);
  // Signals are the JVM's, and threads inherit what is blocked. A crash here
  // is one the JVM reports.
  sigset_t others;
  sigset_t before;
  sigfillset(&others);
  for (const int crash : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP}) {
    sigdelset(&others, crash);
  }
  sigprocmask(SIG_SETMASK, &others, &before);
  pthread_t thread;
  const bool made = rejig_create_thread(&thread, &detached, run, nullptr) == 0;
  sigprocmask(SIG_SETMASK, &before, nullptr);
  pthread_attr_destroy(&detached);
  return made;
}

}  // namespace rejig::agent
