/* The hooks role: runs the user's C in a build that calls us before every access (runtime/reference/hooks.h), and tells
 * what it touched, or the first thing that it must not do. */
#include "runtime/reference/hooks.h"
#include "runtime/worker/ref_sandbox.h"
#include "runtime/worker/worker.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct hooks_role {
    struct rg_library c;
    void (*set)(rg_hook_access, rg_hook_bounds);
    char where[200];
    struct rg_watch *watch;
};

/* The worker, for the calls that come from inside the user's function. */
static struct rg_worker *self;

static bool crashed_at(char *file, size_t size, int *line)
{
    return rg__where(rg__watch_last_pc(), file, size, line);
}

static enum rg_status start(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err)
{
    w->self = rg_xcalloc(1, sizeof(struct hooks_role));
    self = w;
    rg__call_catch(w->out, &w->current);
    rg__call_where(crashed_at);
    return RG_OK;
}

static void stop(struct rg_worker *w)
{
    struct hooks_role *h = w->self;
    if (!h) return;
    rg__where_close();
    rg__library_close(&h->c);
    free(h);
}

static enum rg_status library(struct rg_worker *w, struct rg_msg *reply, struct rg_error *err)
{
    struct hooks_role *h = w->self;
    const struct rg_problem *p = w->problem;
    struct rg_build b = {""};
    char path[600];
    if (!p->reference_c) return rg_error_set(err, RG_INPUT, "the problem holds no C to run");
    rg__library_close(&h->c);
    rg__reference_close_build(w);
    enum rg_status s = rg__build_hooked(p, p->reference_c, rg__hook_text, w->tmp, &b, err);
    if (s != RG_OK) return s;
    rg__build_path(&b, path, sizeof path);
    rg__where_open(path);
    reply->sandbox = rg__reference_close(w);
    s = rg__library_load(p, &b, &h->c, err);
    Dl_info info;
    void *set = s == RG_OK ? dlsym(h->c.handle, "rg_hooks_set") : NULL;
    if (s == RG_OK && (!set || !dladdr(set, &info))) s = rg_error_set(err, RG_BUG, "the hooks are not in the library");
    if (s == RG_OK) {
        *(void **)&h->set = set;
        rg__where_base(info.dli_fbase);
    }
    /* the library stays: addr2line reads it when there is something to say; the supervisor removes the folder */
    return s;
}

/* From inside the user's function: the answer, and the end of the process. */
static void report(const struct rg_violation *v)
{
    struct rg_msg m;
    struct rg_buf line = RG_BUF_INIT;
    rg__msg_init(&m, RG_MSG_TOUCHED, self->current);
    m.status = rg_status_name(RG_INPUT);
    m.file = v->file;
    m.line = v->line;
    m.column = v->column;
    m.text = v->text;
    rg__msg_print(&line, &m);
    rg__call_answer(line.data, line.len);
}

static void switch_watch(void *arg, bool on)
{
    struct hooks_role *h = arg;
    rg__watch_begin(on ? h->watch : NULL);
    h->set(on ? rg__watch_access : NULL, on ? rg__watch_bounds : NULL);
}

static enum rg_status touch(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    struct hooks_role *h = w->self;
    const struct rg_problem *p = w->problem;
    if (in->n_cases != 1 || in->cases[0].size >= p->n_sizes)
        return rg_error_set(err, RG_BUG, "'%s' is about one case", rg__msg_word(in->kind));
    if (!h->c.handle) return rg_error_set(err, RG_BUG, "the user's C is not loaded");
    const struct rg_sizes *sizes = &p->sizes[in->cases[0].size];
    struct rg_layout layout;
    struct rg_mapping m = {NULL, 0, NULL};
    struct rg_call call = {0};
    rg__sizes_text(p, sizes, h->where, sizeof h->where);
    enum rg_status s = rg__layout(&reply->arena, p, sizes, true, &layout, err);
    if (s == RG_OK && layout.bytes > in->cases[0].at.len) s = rg_error_set(err, RG_BUG, "a case's range is too short");
    if (s == RG_OK) s = rg__shm_map(w->shm, in->cases[0].at, false, &m, err);
    if (s == RG_OK) s = rg__call_new(&call, p, &h->c, &layout, true, err);
    if (s == RG_OK) s = rg__watch_new(&h->watch, &call, sizes, h->where, report, err);
    if (s == RG_OK) {
        rg__call_load(&call, m.data, RG_POISON);
        call.watch = switch_watch;
        call.watch_arg = h;
        s = rg__call_run(&call, h->where, NULL, err);
    }
    if (s == RG_OK) {
        reply->kind = RG_MSG_TOUCHED;
        reply->status = rg_status_name(RG_OK);
        reply->touches = rg__watch_result(h->watch, &reply->arena, &reply->n_touches);
    }
    rg__watch_free(h->watch);
    h->watch = NULL;
    if (call.problem) rg__call_free(&call);
    rg__shm_unmap(&m);
    return s;
}

static enum rg_status handle(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    switch (in->kind) {
    case RG_MSG_LIBRARY:
        return library(w, reply, err);
    case RG_MSG_TOUCH:
        return touch(w, in, reply, err);
    default:
        return rg_error_set(err, RG_BUG, "a hooks worker was sent '%s'", rg__msg_word(in->kind));
    }
}

const struct rg_worker_role rg__role_hooks = {"hooks", start, NULL, handle, stop, NULL};
