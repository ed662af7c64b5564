/* Sizes at which candidates are verified, and how many input sets each gets. */
#include "runtime/data/inputs.h"
#include "runtime/farm/farm.h"
#include <rg/log.h>
#include <stdlib.h>

enum { AGAIN_SEED = 7 };
static const double cheap_work = 1e7;    /* accesses up to which a size gets several input sets */
static const double sim_work_cap = 2e10; /* what the interpreter is asked to run when nothing smaller is there */

enum rg_status rg__farm_files_fit(const struct rg_problem *p, const struct rg_sizes *s, bool *fit, struct rg_error *err)
{
    *fit = true;
    for (int i = 0; i < p->n_params && *fit; i++) {
        const struct rg_param *q = &p->params[i];
        if (q->role == RG_ROLE_OUT || q->input.kind != RG_INPUT_FILE) continue;
        enum rg_status st = rg__npy_fits(q->input.file, p, i, s, fit, err);
        if (st != RG_OK) return st;
    }
    return RG_OK;
}

static int by_work(const void *va, const void *vb)
{
    const struct rg_sizes *const *a = va, *const *b = vb;
    return (*a)->work < (*b)->work ? -1 : (*a)->work > (*b)->work ? 1 : *a < *b ? -1 : 1;
}

int rg__farm_add_case(struct rg_farm *f, const struct rg_sizes *s, int seed, bool timed, bool again)
{
    if (f->n_cases == RG_MAX_CASES) return -1;
    f->cases[f->n_cases] = (struct rg_case){
        .size = (int)(s - f->problem->sizes), .seed = seed, .timed = timed, .again = again, .expected = !timed};
    return f->n_cases++;
}

int rg__farm_verify_sizes(struct rg_farm *f, const struct rg_sizes **list, struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    int n = 0, m = 0;
    for (int i = 0; i < p->n_sizes; i++) {
        bool fit;
        if (rg__farm_files_fit(p, &p->sizes[i], &fit, err) != RG_OK) return 0;
        if (fit && (p->sizes[i].verify || !p->sizes[i].timed)) list[n++] = &p->sizes[i];
    }
    if (!n) { /* constant extents, or a file that fits the timed size only */
        for (int i = 0; i < p->n_sizes; i++) {
            bool fit;
            if (rg__farm_files_fit(p, &p->sizes[i], &fit, err) != RG_OK) return 0;
            if (fit) list[n++] = &p->sizes[i];
        }
        if (!n) {
            for (int i = 0; i < p->n_params; i++) /* says both shapes */
                if (p->params[i].role != RG_ROLE_OUT && p->params[i].input.kind == RG_INPUT_FILE &&
                    rg__input_load(p->params[i].input.file, p, i, &p->sizes[0], NULL, err) != RG_OK)
                    return 0;
            rg_error_set(err, RG_INPUT, "the .npy inputs fit no size of %s", p->function);
            return 0;
        }
    }
    qsort(list, (size_t)n, sizeof *list, by_work);
    if (!f->simulated) return n;
    for (int i = 0; i < n; i++)
        if (list[i]->on_sim) list[m++] = list[i];
    if (m) return m;
    if (list[0]->work <= sim_work_cap) {
        if (list[0]->work > 1e8)
            rg_log(RG_LOG_WARN,
                   "%s has no size small enough to interpret quickly: each candidate executes about %.2g accesses, "
                   "some %.0f s",
                   p->function, list[0]->work, list[0]->work * 3e-9 * (list[0]->work <= cheap_work ? 5 : 2));
        return 1;
    }
    rg_error_set(
        err, RG_INPUT,
        "the smallest size of %s takes %.2g accesses: too much to be verified on the simulated device (%.0g). Give a "
        "smaller one with --size or `#pragma regraph size(...)`",
        p->function, list[0]->work, sim_work_cap);
    return 0;
}

/* The cheapest gets most: at a tiny size they cost nothing. */
void rg__farm_choose_cases(struct rg_farm *f, const struct rg_sizes **list, int n)
{
    for (int i = 0; i < n; i++) {
        int seeds = n == 1 ? 5 : i == 0 ? 3 : i == 1 ? 2 : 1;
        bool cheap = list[i]->work <= cheap_work;
        if (!cheap) seeds = n == 1 ? 2 : 1;
        for (int k = 0; k < seeds; k++) rg__farm_add_case(f, list[i], i < 2 ? k : (i + k) % RG_N_STYLES, false, false);
        if (cheap) rg__farm_add_case(f, list[i], AGAIN_SEED + i, false, true);
    }
}
