/* The compile role: source and plan in; PTX, cubin, registers and a checked plan out. */
#include "runtime/compile/compile_check.h"
#include "runtime/compile/compiler.h"
#include "runtime/worker/worker.h"
#include <rg/file.h>
#include <rg/plan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int64_t COMPILE_MEMORY = INT64_C(8) << 30; /* of address space, for any one program */

static enum rg_status start(struct rg_worker *w, struct rg_msg *ready, struct rg_error *err)
{
    struct rg_compiler *c = rg_xcalloc(1, sizeof *c);
    w->self = c;
    enum rg_status s = rg__compiler_open(c, err);
    if (s != RG_OK) return s;
    if (strlen(w->tmp) < sizeof c->pch_dir) strcpy(c->pch_dir, w->tmp);
    ready->driver = rg_arena_printf(&ready->arena, "NVRTC %d.%d", c->major, c->minor);
    ready->compiler = rg_arena_strdup(&ready->arena, c->fingerprint);
    /* warm-up: the first compile of a process is slow, and reads files that a later sandbox will not give */
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_compiled out;
    static const char *const names[] = {"warm"};
    s = rg__compile(c, &a, "#include <cuda_fp16.h>\n__global__ void warm(float *x) { x[0] = 1; }\n", "sm_80", 0, names,
                    1, &out, err);
    rg__compiled_release(&out);
    rg_arena_release(&a);
    return s;
}

/* CUDA's headers, and the folder of precompiled ones. Templates without end meet the limit of memory before they hurt
 * others. */
static void sandbox(struct rg_worker *w, struct rg_arena *a, struct rg_sandbox *s)
{
    const struct rg_compiler *c = w->self;
    const char **read = rg_arena_alloc(a, 8 * sizeof *read), **write = rg_arena_alloc(a, 2 * sizeof *write);
    int n = 0;
    if (c->include_dir[0]) read[n++] = c->include_dir;
    read[n++] = "/dev/null";
    read[n++] = "/dev/urandom";
    read[n++] = "/sys/devices/system/cpu";
    read[n++] = "/proc/meminfo";
    read[n++] = "/proc/cpuinfo";
    write[0] = c->pch_dir[0] ? c->pch_dir : NULL;
    *s = (struct rg_sandbox){.read = read, .write = write, .memory = COMPILE_MEMORY};
}

static void stop(struct rg_worker *w)
{
    if (w->self) rg__compiler_close(w->self);
    free(w->self);
}

/* What is wrong with a candidate's text: an outcome, with the place in front. */
static void refuse(struct rg_msg *reply, enum rg_outcome o, const struct rg_error *e)
{
    char text[1400];
    reply->outcome = rg_outcome_word(o);
    reply->text = rg_arena_strdup(&reply->arena, rg_error_format(e, text, sizeof text));
}

static enum rg_status put(struct rg_worker *w, const struct rg_msg *in, const struct rg_compiled *c,
                          struct rg_msg *reply, struct rg_error *err)
{
    struct rg_mapping room;
    int64_t ptx_len = (int64_t)c->ptx_len + 1, cubin_len = (int64_t)c->cubin_len;
    int64_t cubin_at = (ptx_len + 63) & ~INT64_C(63);
    if (cubin_at + cubin_len > in->room.len) {
        reply->outcome = rg_outcome_word(RG_OUTCOME_COMPILE);
        reply->text = rg_arena_printf(&reply->arena, "the compiled program is too large: %lld bytes of PTX and cubin",
                                      (long long)(ptx_len + cubin_len));
        return RG_OK;
    }
    enum rg_status s = rg__shm_map(w->shm, in->room, true, &room, err);
    if (s != RG_OK) return s;
    memcpy(room.data, c->ptx, (size_t)ptx_len);
    memcpy((char *)room.data + cubin_at, c->cubin, c->cubin_len);
    rg__shm_unmap(&room);
    reply->program.ptx = (struct rg_range){in->room.off, ptx_len};
    reply->program.cubin = (struct rg_range){in->room.off + cubin_at, cubin_len};
    return RG_OK;
}

static enum rg_status compile(struct rg_worker *w, const struct rg_msg *in, const char *source, const char *plan_text,
                              struct rg_msg *reply, struct rg_error *err)
{
    struct rg_plan *plan = NULL;
    struct rg_error e = RG_ERROR_INIT;
    if (rg__compile_plan(plan_text, w->problem, &plan, &e) != RG_OK) {
        refuse(reply, RG_OUTCOME_PLAN, &e);
        return RG_OK;
    }
    struct rg_compiled c;
    enum rg_outcome o = RG_OUTCOME_OK;
    enum rg_status s =
        rg__compile(w->self, &reply->arena, source, in->arch, 0, plan->kernels, plan->n_kernels, &c, err);
    bool undefined = s == RG_OK && c.outcome == RG_OUTCOME_PLAN && c.n_kernels == plan->n_kernels;
    if (undefined && rg__compile_check(plan, w->problem, c.kernels, c.n_kernels, 0, 0, &e) == RG_OUTCOME_PLAN) {
        refuse(reply, RG_OUTCOME_PLAN, &e); /* with all else that is wrong with it */
    } else if (s == RG_OK && c.outcome != RG_OUTCOME_OK) {
        reply->outcome = rg_outcome_word(c.outcome);
        reply->text = rg_arena_strdup(&reply->arena, c.message);
    } else if (s == RG_OK && (o = rg__compile_check(plan, w->problem, c.kernels, c.n_kernels, in->limit_regs,
                                                    in->limit_shared, &e)) != RG_OUTCOME_OK) {
        refuse(reply, o, &e);
    } else if (s == RG_OK) {
        reply->program.n_kernels = c.n_kernels;
        reply->program.kernels = c.kernels;
        reply->hash = rg_arena_strdup(&reply->arena, c.hash);
        s = put(w, in, &c, reply, err);
    }
    rg__compiled_release(&c);
    rg_plan_free(plan);
    return s;
}

static enum rg_status handle(struct rg_worker *w, const struct rg_msg *in, struct rg_msg *reply, struct rg_error *err)
{
    if (in->kind != RG_MSG_COMPILE)
        return rg_error_set(err, RG_BUG, "a compile worker was sent '%s'", rg__msg_word(in->kind));
    double start_s = rg_now();
    struct rg_mapping source, plan;
    const char *source_text, *plan_text;
    enum rg_status s = rg__shm_text(w->shm, in->source, &source, &source_text, err);
    if (s != RG_OK) return s;
    s = rg__shm_text(w->shm, in->program.plan, &plan, &plan_text, err);
    if (s == RG_OK) {
        reply->kind = RG_MSG_COMPILED;
        reply->outcome = rg_outcome_word(RG_OUTCOME_OK);
        reply->program.plan = in->program.plan;
        s = compile(w, in, source_text, plan_text, reply, err);
        rg__shm_unmap(&plan);
    }
    rg__shm_unmap(&source);
    reply->seconds = rg_now() - start_s;
    return s;
}

const struct rg_worker_role rg__role_compile = {"compile", start, NULL, handle, stop, sandbox};
