#include "runtime/os/bulk.h"
#include <pthread.h>
#include <rg/cpus.h>
#include <stdbool.h>
#include <string.h>

enum { MAX_THREADS = 16, ALIGN = 1 << 21 /* a huge page is cleared by one thread */ };
static const size_t bulk = 32u << 20;

struct job {
    unsigned char *to;
    const unsigned char *from; /* NULL: set */
    int byte;
    size_t n;
    pthread_t thread;
    bool started;
};

static void *work(void *arg)
{
    struct job *j = arg;
    if (j->from)
        memcpy(j->to, j->from, j->n);
    else
        memset(j->to, j->byte, j->n);
    return NULL;
}

static void run(unsigned char *to, const unsigned char *from, int byte, size_t bytes)
{
    struct job jobs[MAX_THREADS];
    int cpus = bytes < bulk ? 1 : rg_cpus(), n = cpus > MAX_THREADS ? MAX_THREADS : cpus;
    size_t each = n == 1 ? bytes : (bytes / (size_t)n + ALIGN) / ALIGN * ALIGN;
    for (int i = 0; i < n; i++) {
        size_t at = (size_t)i * each < bytes ? (size_t)i * each : bytes;
        jobs[i] = (struct job){
            .to = to + at, .from = from ? from + at : NULL, .byte = byte, .n = bytes - at < each ? bytes - at : each};
        jobs[i].started = i > 0 && pthread_create(&jobs[i].thread, NULL, work, &jobs[i]) == 0;
    }
    for (int i = 0; i < n; i++) {
        if (jobs[i].started)
            pthread_join(jobs[i].thread, NULL);
        else
            work(&jobs[i]);
    }
}

void rg__bulk_copy(void *to, const void *from, size_t bytes)
{
    if (bytes) run(to, from, 0, bytes);
}

void rg__bulk_set(void *to, int byte, size_t bytes)
{
    if (bytes) run(to, NULL, byte, bytes);
}
