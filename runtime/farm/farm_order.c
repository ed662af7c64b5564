/* Which job comes next: on a device, and at the compilers. Oldest first, second looks before all; but what is expected
 * to take many times as long as the best so far comes behind all others, and is not sent while others are on their way
 * to the device: one that runs for a second would keep dozens waiting. Order alone; nothing is left out. */
#include "runtime/farm/farm.h"

enum { PASSED_MOST = 32 /* runs that a job far behind lets pass: a search that waits for its answer gets it */ };

/* By the simulated device's estimate, where there is one, else by the draft. */
static bool far_behind(const struct rg_farm *f, const struct farm_job *j)
{
    double us = j->low_us > 0 ? j->low_us : j->expected_us;
    return f->behind > 0 && f->best_us > 0 && us > f->behind * f->best_us && j->passed < PASSED_MOST &&
           j->purpose == RG_EVAL_FULL;
}

/* Somebody works on it, or will, without the device. */
static bool on_its_way(const struct farm_job *j)
{
    return !j->canceled && !j->compile_only && j->stage != FARM_WANTS_RUN && j->stage != FARM_WANTS_ARBITER &&
           j->stage != FARM_DONE;
}

/* How soon: what the search stands still for, the others, what is far behind. */
enum turn { AT_ONCE, IN_TURN, LAST };

static enum turn turn(const struct rg_farm *f, const struct farm_job *j)
{
    bool again = j->purpose == RG_EVAL_AGAIN || j->purpose == RG_EVAL_LAST;
    return again ? AT_ONCE : far_behind(f, j) ? LAST : IN_TURN;
}

static struct farm_job *oldest(const struct rg_farm *f, enum farm_stage stage, enum turn t)
{
    for (struct farm_job *j = f->jobs; j; j = j->next)
        if (j->stage == stage && turn(f, j) == t && !(stage == FARM_WANTS_COMPILE && j->program->compiling)) return j;
    return NULL;
}

/* The first candidate that is timed leaves the anchor for all: until then they run one after the other, and as they
 * were asked for, lest the one that compiles fastest - often the one that runs longest - is the first. */
static bool first_in_turn(const struct rg_farm *f, const struct farm_job *job)
{
    for (int i = 0; i < f->n_workers; i++)
        if (f->workers[i].role == FARM_RUN && f->workers[i].state == FARM_BUSY) return false;
    for (const struct farm_job *j = f->jobs; j != job; j = j->next)
        if (on_its_way(j)) return false;
    return true;
}

struct farm_job *rg__farm_next_run(struct rg_farm *f)
{
    struct farm_job *j = NULL;
    if (f->reserved) return NULL;
    for (int t = AT_ONCE; t < LAST && !j; t++) j = oldest(f, FARM_WANTS_RUN, (enum turn)t);
    if (!j && (j = oldest(f, FARM_WANTS_RUN, LAST)))
        for (const struct farm_job *k = f->jobs; k; k = k->next)
            if (on_its_way(k) && k->stage != FARM_RUNNING && !far_behind(f, k)) return NULL;
    return j && !f->anchored && !f->simulated && !first_in_turn(f, j) ? NULL : j;
}

struct farm_job *rg__farm_next_look(struct rg_farm *f)
{
    struct farm_job *j = NULL;
    for (int t = AT_ONCE; t <= LAST && !j; t++) j = oldest(f, FARM_WANTS_LOOK, (enum turn)t);
    return j;
}

void rg__farm_passed(struct rg_farm *f, const struct farm_job *by)
{
    for (struct farm_job *j = f->jobs; j && j != by; j = j->next)
        if (j->stage == FARM_WANTS_RUN && far_behind(f, j)) j->passed++;
}

/* What a job waits for, oldest first; else what is foreseen, in the order in which it was; at last what is far behind.
 */
struct farm_program *rg__farm_next_compile(struct rg_farm *f)
{
    struct farm_job *j = NULL;
    struct farm_program *first = NULL;
    for (int t = AT_ONCE; t < LAST && !j; t++) j = oldest(f, FARM_WANTS_COMPILE, (enum turn)t);
    if (j) return j->program;
    for (int i = 0; i < FARM_PROGRAMS; i++) {
        struct farm_program *p = &f->programs[i];
        if (p->ahead && !p->compiling && !p->compiled && (!first || p->used < first->used)) first = p;
    }
    j = first ? NULL : oldest(f, FARM_WANTS_COMPILE, LAST);
    return j ? j->program : first;
}
