/* What the user's C does in its cases: basic blocks, and rounds of the loop that data end. Counts tell how much more it
 * does at one size than at another, which only a simulated device has to ask, and how many rounds it goes, which is
 * told to whoever writes its kernels. One that takes too long there, or can't be counted, goes by what its bounds
 * allow. */
#include "runtime/farm/farm.h"

enum rg_status rg__farm_count(struct rg_farm *f, struct rg_error *err)
{
    static const double count_s = 5;
    enum { COPIES = 3 };
    int first = f->n_fills;
    if (!f->o.round || !(f->simulated || f->o.tell_rounds)) return RG_OK;
    for (int i = 0; i < f->n_cases; i++) {
        f->cases[i].round = f->o.round[f->cases[i].size];
        if (!f->simulated && !f->cases[i].timed) continue;
        if ((double)f->cases[i].at.len * COPIES > (double)rg__farm_memory()) continue;
        if (!rg__farm_fill(f, RG_MSG_COUNT, &f->cases[i], false, count_s))
            return rg_error_set(err, RG_BUG, "too many cases");
    }
    rg__farm_doing(f, "while it was counted what %s does", f->problem->function);
    enum rg_status s = rg__farm_fills_wait(f, err);
    for (int k = first; k < f->n_fills && s == RG_OK; k++)
        for (int i = 0; i < f->n_cases; i++) {
            if (f->fills[k].error.status != RG_OK || f->cases[i].at.off != f->fills[k].c.at.off) continue;
            f->cases[i].steps = f->fills[k].c.steps;
            if (f->cases[i].timed) f->info.rounds = f->fills[k].rounds;
        }
    return s;
}
