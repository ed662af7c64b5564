/* Block sampling: which blocks of a launch are run for its estimate. */
#include "runtime/sim/model/estimate.h"
#include <math.h>
#include <rg/rng.h>

enum {
    ENOUGH = 4, /* blocks at least, unless one alone is too long */
    MORE_GROUPS =
        24, /* where blocks are cheap: groups of them, so that a part of the grid that does something else is seen, */
    MOST_GROUPS = 96 /* and where they turn out to differ */
};
static const double work_wanted = 2e6;                        /* warp instructions of a launch's sample, usually */
static const double work_cheap = 1.5e5, work_differing = 6e5; /* up to these, more groups are run */

/* How far below a block its neighbours are that are in flight together with it. */
static int neighbours(const struct sim_run *run, int64_t back[3])
{
    int64_t n = run->n_blocks, near = run->resident, step[3] = {1, run->grid[0], run->grid[0] * run->grid[1]};
    int dims = 0;
    for (int d = 2; d >= 0; d--)
        if (run->grid[d] > 1 && (d == 0 || (step[d] > 1 && step[d] < near && step[d] * 2 < n))) back[dims++] = step[d];
    if (!dims) back[dims++] = 1;
    return dims;
}

static int group_at(int64_t at, int j, double weight, const int64_t *back, int dims, struct sim_choice *out)
{
    for (int d = 0; d < dims; d++) out[d] = (struct sim_choice){at - back[d] > 0 ? at - back[d] : 0, weight, 0, j};
    out[dims] = (struct sim_choice){at, weight, dims, j};
    return dims + 1;
}

/* The first and the last block stand for themselves; the rest is covered by groups: a block at a random place of each
 * stratum after its neighbours below, behind and beside it, as far as they are in flight together with it. What it
 * touches that they did not is what streams through L2. In an order such that any beginning of the list covers the
 * launch. */
int rg__sim_choose(const struct sim_run *run, struct sim_choice *out)
{
    int64_t n = run->n_blocks, back[3];
    int k = 0, dims = neighbours(run, back);
    if (n <= SIM_SAMPLES) {
        for (int64_t i = 0; i < n; i++) out[k++] = (struct sim_choice){i, 1, i > 0, (int)i};
        return k;
    }
    struct rg_rng rng;
    rg_rng_seed(&rng, (uint64_t)n * 0x9E3779B97F4A7C15u + 1);
    int strata = (SIM_SAMPLES - 2) / (dims + 1);
    static const int order[5] = {2, 0, 4, 1, 3};
    for (int j = 0; j < strata; j++) {
        int s = strata == 5 ? order[j] : strata == 3 ? (j + 1) % 3 : j;
        int64_t lo = 1 + (n - 2) * s / strata, hi = 1 + (n - 2) * (s + 1) / strata, room = hi - lo;
        int64_t at = lo + (room > 1 ? (int64_t)rg_rng_below(&rng, (uint64_t)room) : 0);
        if (at < back[0]) at = back[0] < n - 1 ? back[0] : at;
        double weight = (double)room / (dims + 1);
        k += group_at(at, j, weight, back, dims, out + k);
    }
    out[k++] = (struct sim_choice){0, 1, 0, strata};
    out[k++] = (struct sim_choice){n - 1, 1, 0, strata + 1};
    return k;
}

/* What it cost to watch the block at hand: unwatched stretches go faster. */
static double cost_of(const struct sim_estimate *e)
{
    return e->block.warp_instructions / 3 + fmin(e->block.warp_instructions, 2e5);
}

/* Where blocks are cheap, groups at places that fill the gaps of those before (multiples of the golden section), none
 * twice. */
static void sample_more(struct sim_run *run, struct sim_block *b, const struct sim_choice *list, int n, double cost)
{
    struct sim_estimate *e = run->estimate;
    int64_t back[3], seen[(MOST_GROUPS + SIM_SAMPLES) * 4];
    int dims = neighbours(run, back), n_seen = 0;
    double sum = 0, squares = 0, blocks = 0;
    for (int i = 0; i < n; i++) seen[n_seen++] = list[i].block;
    for (int j = n; j < MOST_GROUPS + n && run->fault->outcome == RG_OUTCOME_OK; j++) {
        double mean = blocks > 0 ? sum / blocks : 0, spread = blocks > 0 ? squares / blocks - mean * mean : 0;
        bool differ = spread > mean * mean * 0.0025;
        if (cost > (differ ? work_differing : work_cheap) || (j >= MORE_GROUPS + n && !differ)) break;
        struct sim_choice group[4];
        double place = (j - n + 0.5) * 0.6180339887498949;
        int k = group_at(1 + (int64_t)((place - floor(place)) * (double)(run->n_blocks - 2)), j,
                         (double)(run->n_blocks - 2) / (double)(n - 2), back, dims, group);
        bool twice = false;
        for (int i = 0; i < k; i++)
            for (int q = 0; q < n_seen + i; q++)
                twice = twice || (q < n_seen ? seen[q] : group[q - n_seen].block) == group[i].block;
        if (twice) continue;
        for (int i = 0; i < k; i++) {
            seen[n_seen++] = group[i].block;
            rg__sim_watch_block(run, b, &group[i]);
            double work = e->block.warp_instructions;
            cost += cost_of(e);
            sum += work, squares += work * work, blocks++;
        }
    }
}

enum rg_status rg__sim_sampled(struct sim_run *run, struct rg_error *err)
{
    struct sim_choice list[SIM_SAMPLES + 2];
    int n = rg__sim_choose(run, list);
    struct sim_block b;
    enum rg_status s = rg__sim_block_new(run, &b, err);
    if (!s) s = rg__sim_timelines_new(run, &b, err);
    double cost = 0;
    run->lenient = true;
    for (int i = 0; i < n && !s && run->fault->outcome == RG_OUTCOME_OK; i++) {
        if (cost > work_wanted && i >= (cost > 4 * work_wanted ? 1 : ENOUGH)) break;
        rg__sim_watch_block(run, &b, &list[i]);
        cost += cost_of(run->estimate);
    }
    if (!s && run->n_blocks > SIM_SAMPLES) sample_more(run, &b, list, n, cost);
    if (!s) rg__sim_contention(run, &b);
    rg__sim_timelines_free(&b);
    rg__sim_block_free(&b);
    return s;
}
