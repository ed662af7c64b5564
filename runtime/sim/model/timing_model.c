/* From counters to a time. A launch is bounded by what its multiprocessors can issue, compute and move (throughput), by
 * what the whole device shares (L2, DRAM, atomics on one line, starting blocks), and by how long a block lives when too
 * few are there to hide it (latency). The bounds of throughput are joined by a high norm - they overlap well - and
 * throughput with latency by a lower one. */
#include "runtime/sim/model/estimate.h"
#include <math.h>

static double norm(const double *v, int n, double p)
{
    double most = 0, s = 0;
    for (int i = 0; i < n; i++)
        if (v[i] > most) most = v[i];
    if (!(most > 0)) return 0;
    for (int i = 0; i < n; i++) s += pow(v[i] / most, p);
    return most * pow(s, 1 / p);
}

static double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

double rg__sim_lost(const struct sim_model *m, double bytes)
{
    return clamp((bytes / (double)m->facts.l2_bytes - m->l2_keeps) / (m->l2_loses - m->l2_keeps), 0, 1);
}

/* What is read again at random finds what L2 still holds of it; what is passed over again and again finds nothing once
 * it does not fit. */
static double lost_at_random(const struct sim_model *m, double bytes)
{
    double kept = m->l2_random * (double)m->facts.l2_bytes;
    return bytes > kept ? fmin(1 - kept / bytes, rg__sim_lost(m, bytes)) : 0;
}

static double footprint(const struct sim_touch *t)
{
    return fmin(t->unique * 32, (double)t->bytes);
}

/* Of what blocks read, the share their neighbours in flight did not bring. */
static double fresh(const struct sim_touch *t)
{
    return t->pair_unique > 0 ? 1 - t->pair_shared / t->pair_unique : 1;
}

/* Bytes that go to DRAM: what is touched once, as far as it does not stay in L2 from one repetition to the next, and
 * what is used again after it was pushed out: by other blocks, with the buffers' traffic between two passes over this
 * one in between, and by the same block, with what all blocks in flight ask for in between. */
static double dram_bytes(const struct sim_run *run, const struct sim_estimate *e)
{
    const struct sim_model *m = e->model;
    double all = 0, bytes = 0;
    for (int i = 0; i < e->n_touched; i++) all += footprint(&e->touched[i]);
    double gone = rg__sim_lost(m, all);
    for (int i = 0; i < e->n_touched; i++) {
        const struct sim_touch *t = &e->touched[i];
        double once = fmin(t->read * 32, (double)t->bytes), written = fmin(t->written * 32, (double)t->bytes),
               anew = fmax(once, t->read * 32 * fresh(t));
        double within = t->returns > 0 ? t->returns_late / t->returns : 0, between = 0,
               passes = once > 0 ? anew / once : 1;
        for (int k = 0; k < e->n_touched; k++) {
            const struct sim_touch *u = &e->touched[k];
            between += fmin(footprint(u), fmax(u->read * fresh(u), u->written) * 32 / passes);
        }
        bool random = t->wild > t->jumps / 2 && t->jumps > 16;
        double again = (anew - once) * (random ? lost_at_random(m, between) : rg__sim_lost(m, between)) +
                       fmax(0, t->loads - t->read) * 32 * within;
        bytes += once * (t->cold + (1 - t->cold) * gone) + written * gone + again +
                 2 * fmax(0, t->stores - t->written) * 32 * within;
    }
    return bytes + (e->local.returns > 0 ? e->sum.local_sectors * 32 * e->local.returns_late / e->local.returns : 0);
}

/* Compare-and-swap loops: of the threads in flight, those that are at the same word disturb one another, and one of
 * them goes on. */
static double retries(const struct sim_run *run, const struct sim_estimate *e)
{
    double threads = fmin((double)run->resident, (double)run->n_blocks) * run->threads, cost = 0;
    for (int i = 0; i < e->n_touched; i++) {
        const struct sim_touch *t = &e->touched[i];
        double words = footprint(t) / 4;
        if (t->cas > 0 && words > 0)
            cost += t->cas * 0.5 * fmin(threads, t->cas) / words * (e->model->atomic_sector + e->model->atomic_word);
    }
    return cost;
}

void rg__sim_timing(const struct sim_run *run, const struct sim_estimate *e, struct sim_timing *out)
{
    const struct sim_model *m = e->model;
    const struct sim_tally *t = &e->sum;
    const struct sim_kernel *k = run->k;
    double n = (double)run->n_blocks, sms = m->facts.sms, hz = m->facts.clock_hz;
    double resident = run->resident / sms, per_sm = n > sms * resident ? n / sms : ceil(n / sms);
    double at_once = fmin(resident, ceil(n / sms)), warps = run->n_warps;
    double busy_sms = fmin(sms, n);

    /* Spilled registers are not in the PTX: instructions of the hottest block find that share of their operands in
     * local memory. */
    double spilled =
               k->has_attributes
                   ? ((double)k->attributes.local_bytes - (double)(k->n_bodies ? k->stack_base : k->local_bytes)) / 4
                   : 0,
           spill_requests = 0;
    if (spilled > 0) spill_requests = spilled / (spilled + k->attributes.regs) * e->hottest / n * m->spill_share;

    /* ---- cycles of one block on a multiprocessor ---- */
    double schedulers = fmin(m->issue, at_once * warps);
    double issue = (t->issue / n + spill_requests) / schedulers,
           fp32 = (t->pipe[SIM_PIPE_FP32] + t->pipe[SIM_PIPE_IMAD]) / n * 32 / m->fp32_lanes,
           ints = fmax(t->pipe[SIM_PIPE_INT], t->pipe[SIM_PIPE_IMAD]) / n * 32 / m->int_lanes,
           fp64 = t->pipe[SIM_PIPE_FP64] / n * 32 / m->fp64_lanes, sfu = t->pipe[SIM_PIPE_SFU] / n * 32 / m->sfu_lanes,
           tensor = t->pipe[SIM_PIPE_TENSOR] / n / m->tensor_macs, lsu = t->pipe[SIM_PIPE_LSU] / n * 32 / m->lsu_lanes;
    double shared = t->shared_waves / n, l1 = t->l1_waves / n + spill_requests, data = shared + l1;
    double l2_sectors =
        (t->l2_loads + t->l2_stores + t->partial_stores * m->partial_store + t->atomic_sectors + retries(run, e)) / n;
    double l2_port = l2_sectors * 32 / m->sm_l2_bytes;
    double constants = t->constant_passes / n * m->constant_pass;
    double sm[] = {issue, fp32, fmax(ints, lsu), fp64, sfu, tensor, data, l2_port, constants};
    double block = norm(sm, sizeof sm / sizeof *sm, m->overlap_norm);

    /* ---- of the launch on the whole device ---- */
    double bytes = dram_bytes(run, e);
    double dram = bytes / (m->facts.dram_bytes_s * m->dram_efficiency) * hz;
    double l2 = (l2_sectors * n + t->l2_lines * m->l2_line) / m->l2_sector_rate;
    double hot = 0;
    for (int i = 0; e->hot && i < SIM_HOT_LINES;
         i++) { /* a line that blocks of one or two places use is theirs, not everybody's */
        bool common = e->hot[i].groups >= 3 || e->hot[i].groups == e->n_groups;
        hot = fmax(hot, common ? e->hot[i].cost : e->hot[i].alone);
    }
    for (int i = 0; i < e->n_touched; i++) { /* but all lines together have what all blocks ask */
        double lines = fmax(1, footprint(&e->touched[i]) / 128);
        if (e->touched[i].in_use > 0) lines = fmin(lines, e->touched[i].in_use);
        hot = fmax(hot, e->touched[i].queue / lines);
    }
    hot *= 1e-9 * hz;
    double start = n * m->block_start_cycles / sms;
    double thr[] = {block * per_sm, dram, l2, hot, start};
    double throughput = norm(thr, sizeof thr / sizeof *thr, m->overlap_norm);

    /* ---- latency: how long a block lives, times how many follow one another on a slot ---- */
    double share = fmax(dram, l2) / n * busy_sms; /* of the device's memory, for one block while all are busy */
    double own = t->issue / n / warps, stall = fmax(0, t->lifetime / n - own), both_work[] = {block, share},
           work = norm(both_work, 2, m->overlap_norm);
    /* Between barriers warps drift apart and one's waiting hides behind another's work; each phase that a barrier ends,
     * and the first, pays for both. */
    double phases = fmax(1, t->waits / n), tied = fmin(1, (t->barriers / n) / phases);
    double life = tied * (stall + work) + (1 - tied) * (fmax(stall, work) + fmin(stall, work) / phases) +
                  m->block_start_cycles * 0.5;
    double waves = n / (sms * resident);
    waves = waves <= 1 ? 1 : waves < 4 ? ceil(waves) * 0.5 + waves * 0.5 : waves + 0.5;
    double latency = waves * life, longest = e->lifetimes_max;
    if (latency < longest) latency = longest;
    if (e->makespan > 0) latency = e->makespan;
    double both[] = {throughput, latency};
    /* One block alone: its life is all there is. Many blocks that each wait once disturb one another most. */
    double sharp = m->latency_norm + m->latency_alone / pow(at_once, 4) + m->latency_phases * (1 - 1 / phases);
    if (run->launch->cooperative && e->makespan > 0)
        sharp = 1.2; /* behind a barrier of the grid nothing is left to hide waiting */
    double cycles = norm(both, 2, sharp);

    out->us = cycles / hz * 1e6;
    out->lo = out->us / 1.7; /* nine of ten of a half kept out of every fit: bench/RESULTS.md */
    out->hi = out->us * (e->unsure ? 100 : 1.7);
    out->occupancy = at_once * warps / m->max_warps_per_sm;
    out->dram_bytes = bytes;
    out->l2_bytes = (t->l2_loads + t->l2_stores) * 32;
    out->l1_hit = t->global_sectors > 0 ? 1 - (t->l2_loads + t->l2_stores) / t->global_sectors : 0;
    double *p = out->parts, us = 1e6 / hz;
    for (int i = 0; i < RG_N_LIMITERS; i++) p[i] = 0;
    p[RG_LIMIT_DRAM] = dram * us;
    p[RG_LIMIT_L2] = fmax(l2, l2_port * per_sm) * us;
    p[RG_LIMIT_L1] = fmax(l1 >= shared ? data : l1, constants) * per_sm * us;
    p[RG_LIMIT_SHARED_MEMORY] = (l1 < shared ? data : shared) * per_sm * us;
    p[RG_LIMIT_FP32] = fp32 * per_sm * us;
    p[RG_LIMIT_FP64] = fp64 * per_sm * us;
    p[RG_LIMIT_SFU] = sfu * per_sm * us;
    p[RG_LIMIT_TENSOR] = tensor * per_sm * us;
    p[RG_LIMIT_ISSUE] = fmax(issue, ints) * per_sm * us;
    p[RG_LIMIT_ATOMIC] = hot * us;
    p[RG_LIMIT_LAUNCH] = start * us;
    enum rg_limiter wait = n < sms * resident / 2 && at_once * warps < m->max_warps_per_sm / 4.0 ? RG_LIMIT_OCCUPANCY
                           : t->barriers * m->barrier_latency > 0.4 * stall * n                  ? RG_LIMIT_BARRIER
                                                                                                 : RG_LIMIT_LATENCY;
    p[wait] = latency * us;
    out->limiter = RG_LIMIT_UNKNOWN;
    for (int i = 0; i < RG_N_LIMITERS; i++)
        if (p[i] > (out->limiter == RG_LIMIT_UNKNOWN ? 0 : p[out->limiter])) out->limiter = (enum rg_limiter)i;
    /* Waiting counts as the limiter only when it clearly exceeds what throughput asks. */
    if (out->limiter == wait && throughput > 0.8 * latency) {
        double best = 0;
        for (int i = 0; i < RG_N_LIMITERS; i++)
            if (i != (int)wait && p[i] > best) best = p[i], out->limiter = (enum rg_limiter)i;
    }
}
