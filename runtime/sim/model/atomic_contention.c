/* Atomic contention: how many lines with atomics are in use at a time. Lines queue side by side, but only those of
 * the blocks in flight do: where blocks come row by row and a row has its line, few. Blocks at random distances from
 * one another, an octave of distances after another, tell over how many blocks a line is shared. */
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <rg/rng.h>
#include <string.h>

enum { BASES = 3, DRAWS = 4 /* of an octave */, LINES = 64 /* of a block that are looked at */ };
static const double work_probed = 8e5; /* warp instructions of all probes */

struct line {
    int hot, touch;
    double cost;
};

static double footprint_lines(const struct sim_touch *t)
{
    return fmin(t->unique / 4, (double)t->bytes / 128);
}

static void probe(struct sim_run *run, struct sim_block *b, int64_t number, double *work)
{
    struct sim_choice c = {number, 0, 0, run->estimate->group};
    rg__sim_watch_block(run, b, &c);
    *work += run->estimate->ran;
}

static int lines_of(const struct sim_estimate *e, struct line *out)
{
    int n = 0;
    for (int i = 0; i < SIM_HOT_LINES && n < LINES; i++)
        if (e->hot[i].block_cost > 0 && e->hot[i].touch >= 0)
            out[n++] = (struct line){i, e->hot[i].touch, e->hot[i].block_cost};
    return n;
}

void rg__sim_contention(struct sim_run *run, struct sim_block *b)
{
    struct sim_estimate *e = run->estimate;
    /* In flight with a block are those before and behind it up to half of what is resident. */
    int64_t n = run->n_blocks, near = run->resident < n ? run->resident : n;
    bool any = false;
    for (int i = 0; i < e->n_touched; i++)
        any = any || (e->touched[i].queue > 0 && footprint_lines(&e->touched[i]) > 1);
    if (!any || !e->hot || near < 2) return;
    double span[SIM_MAX_TOUCHED] = {0}, own[SIM_MAX_TOUCHED] = {0}, work = 0;
    struct rg_rng rng;
    rg_rng_seed(&rng, (uint64_t)n * 0x9E3779B97F4A7C15u + 2);
    int bases = 0;
    e->probing = true;
    for (; bases < BASES && (!bases || work < work_probed / 2) && run->fault->outcome == RG_OUTCOME_OK; bases++) {
        int64_t base = n * (2 * bases + 1) / (2 * BASES);
        struct line lines[LINES];
        double all[SIM_MAX_TOUCHED] = {0};
        probe(run, b, base, &work);
        int k = lines_of(e, lines);
        for (int i = 0; i < k; i++) all[lines[i].touch] += lines[i].cost, own[lines[i].touch]++;
        for (int64_t from = 1; from <= near / 2 && k && work < work_probed && run->fault->outcome == RG_OUTCOME_OK;
             from *= 2) {
            int64_t wide = from * 2 <= near / 2 ? from : near / 2 - from + 1;
            int draws = wide > DRAWS ? DRAWS : (int)wide;
            for (int q = 0; q < draws && work < work_probed && run->fault->outcome == RG_OUTCOME_OK; q++) {
                int64_t lo = wide * q / draws,
                        d = from + lo + (int64_t)rg_rng_below(&rng, (uint64_t)(wide * (q + 1) / draws - lo)),
                        other = base + d < n ? base + d : base - d;
                if (other < 0) continue;
                probe(run, b, other, &work);
                for (int i = 0; i < k; i++)
                    if (e->hot[lines[i].hot].block_cost > 0)
                        span[lines[i].touch] += 2 * (double)wide / draws * lines[i].cost / all[lines[i].touch];
            }
        }
    }
    e->probing = false;
    for (int i = 0; i < e->n_touched && work < work_probed;
         i++) { /* cut short, it would tell of near blocks only: then all lines count */
        struct sim_touch *t = &e->touched[i];
        if (own[i] > 0) t->in_use = own[i] / bases * (1 + (double)(near - 1) / (1 + span[i] / bases));
    }
}
