/* How busy the run workers are while there is something for them to do: what a device would be paid for. */
#include "runtime/farm/farm.h"
#include <rg/file.h>

void rg__farm_account(struct rg_farm *f)
{
    double now = rg_now(), since = f->accounted;
    f->accounted = now;
    if (since <= 0) return;
    int runners = 0, ready = f->dueling, open = f->dueling;
    for (int i = 0; i < f->n_workers; i++) runners += f->workers[i].role == FARM_RUN;
    for (const struct farm_job *j = f->jobs; j; j = j->next) {
        if (j->stage == FARM_DONE || j->compile_only) continue;
        open++;
        ready += j->stage == FARM_WANTS_RUN || j->stage == FARM_RUNNING;
    }
    f->info.run_ready_s += (now - since) * (ready < runners ? ready : runners);
    f->info.run_open_s += (now - since) * (open < runners ? open : runners);
}
