/* SPDX-License-Identifier: Apache-2.0
 * Which tests can a change affect, asked from another program? This is the whole interface of librejig: C, so that
 * anything can call it. In CMake: find_package(rejig) and rejig::rejig; elsewhere pkg-config rejig.
 *
 * The law holds here, too: doubt widens the answer, never narrows it. Whoever gets REJIG_TROUBLE runs all tests.
 *
 * Threads: a session is used by one thread at a time, whichever it is; different sessions may work at the same time. A
 * question starts threads of its own (option `jobs`) and has ended them when it returns. The library installs no signal
 * handler, starts no process, prints nothing, and changes neither the working directory nor the environment; it reads
 * both, as the command line does (relative paths, rejig.toml, REJIG_* and JAVA_HOME): do not change them meanwhile.
 *
 * Every question reads the files anew. What it reads must not be truncated meanwhile: archives are mapped into memory. */
#ifndef REJIG_H
#define REJIG_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#if defined(__GNUC__)
#define REJIG_API __attribute__((visibility("default")))
#else
#define REJIG_API
#endif

typedef struct rejig_session rejig_session;

/* What every question returns. With REJIG_TROUBLE the text is the error, else it is the answer: the JSON that
 * `rejig diff`, `select` and `explain` print with --format json, in UTF-8, byte for byte. */
enum {
  REJIG_NONE = 0,   /* no difference; no test is selected; explained */
  REJIG_SOME = 1,   /* differences; some tests are selected, or all ("mode": "all") */
  REJIG_TROUBLE = 2 /* no answer */
};

/* "0.1.0" */
REJIG_API const char* rejig_version(void);

/* options[0] to options[count - 1] are the long options of the command line without their dashes, NAME=VALUE or, of
 * those that have no value, NAME:
 *   old new                        path lists; without `old` it is the program that the matrix keeps
 *   lib old-lib new-lib jdk old-jdk new-jdk rename class-path internal-root
 *   internal external              patterns, each may be given several times; so may `assume`, `ignore`
 *   as-listed allow-lower-bound rehash        without a value
 *   coverage suite assume view variables      of select and explain
 *   ignore                         of diff
 *   config jobs
 * Returns REJIG_NONE and a session, or REJIG_TROUBLE: an option that does not exist. No file is read. */
REJIG_API int rejig_open(const char* const* options, size_t count, rejig_session** session, char** text);

/* Hears what the command line would print on standard error, on the thread that asks; never NULL, never for longer than
 * the call. A session without a listener loses nothing of an answer: what widened it stands there, too. */
enum { REJIG_NOTE = 0, REJIG_WARNING = 1, REJIG_ERROR = 2 };
typedef void (*rejig_listener)(void* user, int level, const char* message);
REJIG_API void rejig_listen(rejig_session* session, rejig_listener listener, void* user);

REJIG_API int rejig_diff(rejig_session* session, char** text);
REJIG_API int rejig_select(rejig_session* session, char** text);

/* Why is the answer what it is? Of the last rejig_select of this session, so that both speak of the same files; without
 * one, of a selection made now. */
enum {
  REJIG_TEST = 0,    /* name: an id, a class or a pattern; what selects it */
  REJIG_SKIPPED = 1, /* the same; what it lacks */
  REJIG_EDGE = 2,    /* name: E12; the tests that it selects */
  REJIG_TOP = 3      /* name: NULL; the edges that select most tests */
};
REJIG_API int rejig_explain(rejig_session* session, int what, const char* name, char** text);

/* A text that a function above gave; NULL is fine. Texts outlive their session. */
REJIG_API void rejig_free(char* text);
REJIG_API void rejig_close(rejig_session* session);

#ifdef __cplusplus
}
#endif
#endif
