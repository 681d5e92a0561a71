/* SPDX-License-Identifier: Apache-2.0
 * usage: sample QUESTION NAME TIMES THREADS OPTION…
 * A program that embeds rejig. QUESTION is diff, select, test, skipped, edge or top; NAME is what the last four are about.
 * Each of the threads has a session of its own and asks so many times; all answers must be the same. Prints one, and exits
 * with what it was. Messages go to standard error. */
#include <pthread.h>
#include <rejig.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct job {
  const char* question;
  const char* name;
  int times;
  const char* const* options;
  size_t count;
  int code;
  char* text;
};

static void hear(void* user, int level, const char* message) {
  fprintf((FILE*)user, "%d %s\n", level, message);
}

static int ask(rejig_session* session, const struct job* job, char** text) {
  static const char* const kinds[] = {"test", "skipped", "edge", "top"};
  if (strcmp(job->question, "diff") == 0) return rejig_diff(session, text);
  if (strcmp(job->question, "select") == 0) return rejig_select(session, text);
  for (int what = 0; what < 4; ++what) {
    if (strcmp(job->question, kinds[what]) == 0) {
      return rejig_explain(session, what, *job->name ? job->name : NULL, text);
    }
  }
  return rejig_explain(session, -1, job->name, text);
}

static void* work(void* data) {
  struct job* job = data;
  rejig_session* session;
  job->code = rejig_open(job->options, job->count, &session, &job->text);
  if (job->code == REJIG_TROUBLE) return NULL;
  rejig_listen(session, hear, stderr);
  job->code = ask(session, job, &job->text);
  for (int i = 1; i < job->times; ++i) {
    char* again;
    const int code = ask(session, job, &again);
    if (code != job->code || strcmp(again, job->text) != 0) {
      fprintf(stderr, "answer %d is another one\n", i);
      exit(70);
    }
    rejig_free(again);
  }
  rejig_close(session);
  return NULL;
}

int main(int argc, char** argv) {
  if (argc < 5) return 64;
  const int threads = atoi(argv[4]);
  struct job* jobs = calloc((size_t)threads, sizeof *jobs);
  pthread_t* ids = calloc((size_t)threads, sizeof *ids);
  for (int i = 0; i < threads; ++i) {
    jobs[i].question = argv[1];
    jobs[i].name = argv[2];
    jobs[i].times = atoi(argv[3]);
    jobs[i].options = (const char* const*)(argv + 5);
    jobs[i].count = (size_t)(argc - 5);
    if (pthread_create(&ids[i], NULL, work, &jobs[i]) != 0) return 71;
  }
  for (int i = 0; i < threads; ++i) pthread_join(ids[i], NULL);
  const int code = jobs[0].code;
  for (int i = 1; i < threads; ++i) {
    if (jobs[i].code != code || strcmp(jobs[i].text, jobs[0].text) != 0) {
      fprintf(stderr, "thread %d got another answer\n", i);
      return 70;
    }
  }
  fputs(jobs[0].text, code == REJIG_TROUBLE ? stderr : stdout);
  for (int i = 0; i < threads; ++i) rejig_free(jobs[i].text);
  free(jobs);
  free(ids);
  return code;
}
