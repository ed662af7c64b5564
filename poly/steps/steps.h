/* What the built-in coder knows of a step: all of it stands in one file, WORD.c, whose `struct poly_step` registry.h
 * lists. A candidate's state is the set of actions (a step at a site) applied to the sequential code, from which its
 * kernels follow. Actions commute where both are legal, so the set in canonical order is the candidate's key. */
#ifndef RG_POLY_STEPS_H
#define RG_POLY_STEPS_H
#include "poly/cuda/print.h"
#include "poly/kernel/tiling.h"
#include "poly/steps/registry.h"
#include "poly/kernel/mechanisms.h"
#include <rg/coder.h>
#include <rg/ctree.h>
#include <rg/tunable.h>
#include <rg/words.h>

struct poly_actions;

/* A state at which the sites of a step are asked for, and who wants them. */
struct poly_sites {
    struct poly_scop *base, *s; /* as analysed; with its loops as the actions leave them */
    const struct poly_actions *taken;
    void (*fn)(void *arg, const char *site);
    void *arg;
};

/* A legal action that may be offered: what it makes of the parent's kernels. */
struct poly_offer {
    struct poly_scop *s;
    const struct poly_actions *parent, *taken; /* without it; with it */
    const struct poly_program *p;
    const char *site;
    const struct poly_step *const *steps; /* all that there are, in canonical order */
};

/* A state whose tunables are asked for. */
struct poly_opening {
    const struct poly_program *p;
    const struct poly_actions *taken;
    const struct rg_tunables *open; /* those before this one */
};

/* What a tunable may be there. A step of the regraph may propose others, from least to most. */
enum { POLY_MAX_DOMAIN = 16 };
struct poly_domain {
    int64_t least, most, start;
    bool own_start, power;           /* the start is kept whatever is proposed; powers of two alone */
    int64_t values[POLY_MAX_DOMAIN]; /* ends with 0 */
};

struct poly_opens {
    const char *name;
    bool (*open)(const struct poly_opening *o, struct poly_domain *d); /* false: not at this state */
    void (*require)(const struct poly_opening *o, struct rg_arena *a,
                    struct rg_tunables *t); /* constraints; NULL none */
};

/* The states at which a step has sites at all. A step that `begins` has been taken: the program is mapped. */
enum poly_when {
    POLY_ANY_TIME,
    POLY_AT_START,        /* nothing is mapped yet */
    POLY_AFTER_START,     /* mapped */
    POLY_BEFORE_RESIDENT, /* mapped, and no loop of the plan has moved into a kernel (takes_over) */
    POLY_ON_LAUNCHES,     /* mapped, and a launch has a thread for each iteration */
    POLY_ON_OWN_LAUNCHES  /* and is no phase of a resident kernel */
};

/* A step that is taken before any action, at every loop where a proof or an estimate says that it pays. Its site "none"
 * (RG_SITE_NONE) leaves it out. */
struct poly_first {
    enum rg_preparation is;
    /* *s is what it makes of it. NULL: the front end takes it, or another first step with its own. A status that is not
     * RG_OK leaves *s NULL. */
    enum rg_status (*take)(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err);
    const char *stays; /* why it can't be left out of a program that has it; NULL: it can */
};

struct poly_step {
    const char *word; /* this and its place in canonical order: POLY_STEP */
    enum poly_rank rank;
    const struct poly_first *first; /* NULL: it waits to be asked for */
    /* ---- where it applies ---- */
    enum poly_when when;
    bool begins;     /* it says how loops are shared; what shapes kernels comes after such a step */
    bool takes_over; /* loops of the plan move into a kernel, with all their launches */
    uint32_t traits; /* of its sites, besides those of the problem */
    /* Calls at->fn for each site, legal or not; NULL: the whole function, "C", is the only one. */
    void (*sites)(const struct poly_sites *at);
    /* A site's own traits, made of those that it would have; p: the program with the step applied. NULL: it has none.
     */
    uint32_t (*site_traits)(const struct poly_program *p, const char *site, uint32_t traits);

    /* ---- what it does; false or NULL: it may not, with the reason in why ---- */
    /* One thread's program, with which no other step goes. */
    struct poly_program *(*alone)(struct poly_scop *s);
    /* The loops in another order, before any becomes a grid. number: of this change alone; what is made is the arena's.
     */
    struct poly_scop *(*reorder)(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                 struct rg_reason *why);
    /* To the kernels; NULL: nothing is left to do. */
    bool (*apply)(struct poly_program *p, const char *site, struct rg_reason *why);

    /* ---- its tunables ---- */
    /* Of what it does, whichever step did it; ends with a name NULL. Of several that open one the last step has it. */
    const struct poly_opens *opens;
    /* Steps for whose tunables this one may propose values, too; ends with NULL. */
    const struct poly_step *const *opens_as;

    /* ---- whether a search should try it ---- */
    /* False: a legal action that is not worth it, with the reason in why. NULL: always. */
    bool (*worth)(const struct poly_offer *o, struct rg_reason *why);
    bool
        keeps_order; /* a start with the loops as the C has them: not offered beside a wavefront@C that is far faster */
};

const struct poly_step *rg__poly_step_named(const char *word); /* NULL: none */

/* ---- actions.c ---- */
enum { POLY_MAX_ACTIONS = 32 };
struct poly_action {
    const struct poly_step *step;
    char site[96];
    int link;                           /* its place in the chain; no part of the key */
    const struct rg_tunables *proposed; /* by the regraph's step, which outlives templates; NULL none */
};

struct poly_actions {
    int n;
    struct poly_action items[POLY_MAX_ACTIONS]; /* canonical order, no repetition */
};

/* false: it is there already, or there are too many. */
bool rg__poly_actions_add(struct poly_actions *e, const struct poly_step *step, const char *site);
/* As the chain's link that it is. */
void rg__poly_actions_credit(struct poly_actions *e, const struct poly_step *step, const char *site, int link,
                             const struct rg_tunables *proposed);
bool rg__poly_actions_have(const struct poly_actions *e, const struct poly_step *step);
void rg__poly_actions_key(const struct poly_actions *e, struct rg_buf *out);

/* Is there a step that begins? */
bool rg__poly_is_mapped(const struct poly_actions *e);

/* ---- program.c ---- */
/* The kernels that the actions make; NULL when one of them is illegal, `why` one sentence. */
struct poly_program *rg__poly_apply(struct poly_scop *s, const struct poly_actions *e, struct rg_reason *why);
/* The function with its loops as those that reorder leave them; s itself when there are none. s owns it. NULL: one is
 * illegal, with the reason in why. */
struct poly_scop *rg__poly_derived(struct poly_scop *s, const struct poly_actions *e, struct rg_reason *why);
typedef const struct rg_ctree *poly_change_fn(struct poly_scop *s, int loop, int number, struct rg_arena *a,
                                              struct rg_reason *why);
/* Changes every loop of the site's name, or every loop, for which `change` makes another tree; analysed anew after
 * each. */
struct poly_scop *rg__poly_change_loops(struct poly_scop *s, const char *site, int number, struct rg_arena *arena,
                                        poly_change_fn *change, struct rg_reason *why);

bool rg__poly_was_taken(const struct rg_ctree *t, const struct poly_step *first); /* a first step */

/* ---- first.c ---- */
/* The tree analysed, with all first steps that it is not to go `without`; `arena` keeps what they make of it. */
enum rg_status rg__poly_begin(const struct rg_problem *p, const struct rg_ctree *t, struct rg_arena *arena,
                              struct poly_scop **out, struct rg_error *err);
/* Those that the tree has, in their order, each at a loop's name once. */
int rg__poly_first_taken(const struct rg_ctree *t, struct rg_arena *arena, struct rg_first_step **out);

/* ---- trial.c ---- */
bool rg__poly_need_threads(const struct poly_program *p,
                           struct rg_reason *why);                     /* a kernel with a thread for each iteration */
int rg__poly_array_named(const struct poly_scop *s, const char *name); /* -1 */
extern const struct poly_values rg__poly_trial; /* values to see whether a kernel can be made of tiles at all */
/* Can the kernel, with the flags it now has, be made of tiles? */
bool rg__poly_trial_ok(const struct poly_program *p, int kernel, struct rg_reason *why);

/* Is the kernel built and verified at these values? */
bool rg__poly_kir_holds(const struct poly_program *p, const struct poly_kernel *k, const struct poly_values *v,
                        struct rg_reason *why);

/* ---- sites.c ---- */
/* Names of sites that the step could take at this state, legal or not: fn is called for each. */
void rg__poly_candidates(struct poly_scop *s, const struct poly_actions *taken, const struct poly_step *step,
                         void (*fn)(void *arg, const char *site), void *arg);

struct poly_program *rg__poly_sites_program(const struct poly_sites *at); /* the state's kernels; NULL: none */
void rg__poly_site_loop(const struct poly_sites *at, const struct poly_scop *s, int loop); /* "loop:NAME" */
void rg__poly_sites_loops(const struct poly_sites *at); /* loops by name, each name once */
void rg__poly_first_sites(const struct poly_sites *at,
                          const struct poly_step *step); /* "none", where the first step was taken */

/* ---- worth.c ---- */
enum { POLY_SLOWER = 3 }; /* so many times slower is slower: estimates are rough */
/* Do the offer's program and another one come to one text, but for comments and numbers of variables, at the tunables'
 * starts? */
bool rg__poly_same_kernels(const struct poly_offer *o, const struct poly_program *other,
                           const struct poly_actions *others);
void rg__poly_before(const struct poly_offer *o,
                     struct poly_actions *before); /* what to compare with: the parent, or parallelize */
/* For steps that reorder: do the kernels change, are they not so many times slower by estimate, and does `but` (NULL:
 * none) give no reason against it? */
bool rg__poly_worth_reordering(const struct poly_offer *o, double slower,
                               const char *(*but)(const struct poly_program *before, const struct poly_program *p),
                               struct rg_reason *why);
/* Do all kernels stay as they are, but those that stand in for ones in kernel IR at other sizes? */
bool rg__poly_changes_stand_ins_only(const struct poly_offer *o);
/* Are the kernels far slower by estimate than those of wavefront@C? A resident kernel's barriers are not estimated, a
 * scan's order is its own: only for steps that keep the C's order. */
bool rg__poly_front_is_faster(const struct poly_offer *o, struct rg_reason *why);

/* ---- resident_block.c ---- */
void rg__poly_resident_sites(const struct poly_sites *at); /* loops of the plan */

/* ---- explain_loops.c ---- */
void rg__poly_explain_loops(struct poly_scop *s, struct rg_buf *out);
/* In the C's own words: a line for each of its lines with a loop. */
void rg__poly_loop_facts(struct poly_scop *s, struct rg_buf *out);

/* ---- block_threads.c ---- */
int rg__poly_launch_dims(
    const struct poly_program *p); /* of launches with a thread for each point that are no phases; 0: none */
bool rg__poly_is_coarse(const struct poly_kernel *k); /* a thread has several points */
bool rg__poly_is_staged(const struct poly_kernel *k); /* and tiles in shared memory */
bool rg__poly_has_team(const struct poly_kernel *k);  /* threads work together on a point, in a launch of their own */
int64_t rg__poly_block_start(const struct poly_program *p); /* threads of a block to begin with */
void rg__poly_require_block(const struct poly_opening *o, struct rg_arena *a,
                            struct rg_tunables *t); /* the block's size */

/* ---- tunables.c ---- */
/* Those that one of the steps, all that there are in canonical order, opens at this state. */
void rg__poly_tunables_of(const struct poly_program *p, const struct poly_actions *taken,
                          const struct poly_step *const *steps, struct rg_arena *a, struct rg_tunables *out);
bool rg__poly_any_kernel(const struct poly_program *p, bool (*is)(const struct poly_kernel *k));
void rg__poly_require(struct rg_arena *a, struct rg_tunables *t, const char *text); /* a constraint */
/* false: no default fits; why, what the last one tried does not. */
bool rg__poly_tunables_settle(const struct poly_program *p, struct rg_tunables *t, struct rg_error *why);
void rg__poly_values_of(const struct rg_tunables *t, const struct rg_vector *v, struct poly_values *out);
#endif
