/* What can be said of a candidate without hardware counters: docs/worker.md lists the names. */
#include "runtime/measure/runner.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

void rg__counter_add(struct rg_msg *reply, const char *name, double value)
{
    if (!reply->counters) reply->counters = rg_arena_alloc(&reply->arena, RG_MAX_COUNTERS * sizeof *reply->counters);
    if (reply->n_counters == RG_MAX_COUNTERS) return;
    struct rg_counter *c = &reply->counters[reply->n_counters++];
    strncpy(c->name, name, sizeof c->name - 1);
    c->value = value;
}

static int64_t least(int64_t a, int64_t b)
{
    return b < a ? b : a;
}

/* Resident warps of a launch, as a share of what an SM holds. */
static double occupancy(const struct rg_device_facts *f, const struct rg_kernel_attributes *k, int64_t block,
                        int64_t dynamic_shared)
{
    if (block <= 0 || f->max_threads_per_sm <= 0) return 0;
    int64_t warps = (block + 31) / 32, blocks = f->max_blocks_per_sm > 0 ? f->max_blocks_per_sm : 32;
    blocks = least(blocks, f->max_threads_per_sm / (warps * 32));
    int64_t regs = (k->regs + 7) / 8 * 8 * 32 * warps, shared = k->shared_bytes + dynamic_shared;
    if (regs > 0 && f->regs_per_sm > 0) blocks = least(blocks, f->regs_per_sm / regs);
    if (shared > 0 && f->shared_per_sm > 0)
        blocks = least(blocks, f->shared_per_sm / (shared + 1024)); /* 1 KiB is the system's */
    return (double)(blocks * warps * 32) / (double)f->max_threads_per_sm;
}

static enum rg_limiter limiter(const struct rg_runner *r, double gb_share, double flop_share, double occupied,
                               double threads, double time_us, double launches, bool fp64)
{
    const struct rg_device_facts *f = &r->device.facts;
    if (launches * 2.0 > 0.5 * time_us) return RG_LIMIT_LAUNCH; /* about 2 us of start-up and drain each */
    if (gb_share >= 0.6 && gb_share >= flop_share) return RG_LIMIT_DRAM;
    if (flop_share >= 0.6) return fp64 ? RG_LIMIT_FP64 : RG_LIMIT_FP32;
    if (threads < 0.5 * (double)f->sms * (double)f->max_threads_per_sm || occupied < 0.25) return RG_LIMIT_OCCUPANCY;
    return gb_share < 0.2 && flop_share < 0.2 ? RG_LIMIT_LATENCY
           : gb_share > flop_share            ? RG_LIMIT_DRAM
                                              : RG_LIMIT_ISSUE;
}

/* Shares of the launches' time, to four digits: clocks round. */
static double share(double part, double all)
{
    return all > 0 ? round(part / all * 1e4) * 1e-4 : 0;
}

/* grown: how many times the threads of kernel `most` are more at the timed size. */
static void where_time_goes(const struct rg_exec *x, int most, double grown, struct rg_msg *reply)
{
    const struct rg_program *g = x->l->program;
    double all = 0, lone = 0, block = 0, threads = 0;
    for (int i = 0; i < x->watch.n; i++) {
        all += x->watch.kernels[i].us;
        lone += x->watch.kernels[i].lone_us;
        block += x->watch.kernels[i].block_us;
        threads = fmax(threads, x->watch.kernels[i].threads * (i == most ? grown : 1));
    }
    rg__counter_add(reply, "most_threads", threads);
    if (!(all > 0)) return;
    rg__counter_add(reply, "one_thread_share", share(lone, all));
    rg__counter_add(reply, "one_block_share", share(block, all));
    for (int i = 0; i < x->watch.n && i < g->n_kernels && g->n_kernels > 1; i++) {
        char name[32];
        snprintf(name, sizeof name, RG_COUNTER_SHARE "%.24s", g->kernels[i].name);
        if (x->watch.kernels[i].us > 0) rg__counter_add(reply, name, share(x->watch.kernels[i].us, all));
    }
}

void rg__counters(struct rg_runner *r, const struct rg_exec *x, double grown, struct rg_msg *reply)
{
    const struct rg_problem *p = r->problem;
    const struct rg_device_facts *f = &r->device.facts;
    const struct rg_program *g = x->l->program;
    double regs = 0, spill = 0, shared = 0, occupied = 0;
    for (int i = 0; i < g->n_kernels; i++) {
        const struct rg_kernel_info *k = &g->kernels[i];
        int64_t dynamic = i < x->watch.n ? x->watch.kernels[i].shared : 0;
        regs = fmax(regs, k->attributes.regs);
        spill += (double)k->spill_bytes;
        shared = fmax(shared, (double)(k->attributes.shared_bytes + dynamic));
    }
    int most = rg__watch_main(x);
    const struct rg_watched *w = most >= 0 ? &x->watch.kernels[most] : NULL;
    if (w) {
        occupied = occupancy(f, &g->kernels[most].attributes, w->block, w->shared);
        reply->threads = w->threads * grown;
        reply->kernel = rg_arena_strdup(&reply->arena, g->kernels[most].name);
    }
    double seconds = reply->time_us * 1e-6, bytes = r->read_bytes + r->write_bytes;
    bool has_bytes = r->read_bytes >= 0 && r->write_bytes >= 0 && seconds > 0;
    bool has_flops = p->flops >= 0 && seconds > 0, fp64 = (p->traits & RG_TRAIT_FP64) != 0;
    rg__counter_add(reply, "regs", regs);
    rg__counter_add(reply, "spill_bytes", spill);
    rg__counter_add(reply, "shared_bytes", shared);
    rg__counter_add(reply, "occupancy", occupied);
    rg__counter_add(reply, "threads", reply->threads);
    rg__counter_add(reply, "launches", (double)x->launches);
    if (x->waits > 0 && x->c->c.timed) rg__counter_add(reply, "waits", (double)x->waits);
    where_time_goes(x, most, grown, reply);
    if (w && w->block > 0) rg__counter_add(reply, "blocks", w->threads / (double)w->block);
    if (has_bytes) rg__counter_add(reply, "gb_s", bytes / seconds * 1e-9);
    if (has_flops) rg__counter_add(reply, "gflop_s", p->flops / seconds * 1e-9);
    double rate = fp64 ? f->fp64_flop_s : f->fp32_flop_s,
           copy = f->copy_bytes_s > 0 ? f->copy_bytes_s : f->dram_bytes_s;
    double gb_share = has_bytes && copy > 0 ? bytes / seconds / copy : 0;
    double flop_share = has_flops && rate > 0 ? p->flops / seconds / rate : 0;
    reply->limiter = rg_limiter_word(
        limiter(r, gb_share, flop_share, occupied, reply->threads, reply->time_us, (double)x->launches, fp64));
}
