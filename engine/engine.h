/* Inside the engine: the search graph, the actions under way, the policies. Files in dependency order:
 * tuner, graph, weights, lanes, expand, declined, evidence, journal, start, action, commit, final, linger, baseline,
 * given, select, policy, apply, search. */
#ifndef RG_ENGINE_ENGINE_H
#define RG_ENGINE_ENGINE_H
#include "engine/drafted.h"
#include "engine/journal.h"
#include "engine/params.h"
#include "engine/tuner.h"
#include <rg/arena.h>
#include <rg/rng.h>
#include <rg/pack.h>
#include <rg/search.h>

#define RG__NONE UINT32_MAX
enum rg__lane { RG__LANE_BUILT_IN, RG__LANE_MODEL, RG__N_LANES };
enum { RG__ROOT = 0, RG__GIVEN_STEP = -1 /* of the edge to a source that was given: no step made it */ };

/* One measured vector of a node. Never removed; evaluations lie in the arena, so hints may point to them. */
struct rg__trial {
    struct rg_vector v;
    struct rg_evaluation *e;     /* the first measurement: all that an action under way may have seen */
    struct rg_evaluation *again; /* NULL; the second, which replaces it */
    uint32_t stamp;              /* number of commits when it became visible */
};

/* A candidate. Index 0 is the sequential code: no template, its time is naive's. Invariants: `tmpl`, `key`, `stamp`
 * fixed at birth; trials only grow; best_trial is -1 or the fastest ok trial; stand_trial is that, else the pruned
 * trial with the shortest estimate, else -1. */
struct rg__node {
    struct rg_template *tmpl; /* one reference; NULL at the root */
    const char *key;          /* in the arena, coder name included */
    uint64_t key_hash;
    uint32_t stamp, tuned_stamp; /* UINT32_MAX: not tuned yet */
    int depth;                   /* actions in its chain */
    int n_trials, cap_trials;
    struct rg__trial *trials;
    int best_trial, stand_trial;
    enum rg_outcome
        outcome; /* of the node: ok when some trial is, else pruned when some trial is; else of its last trial */

    /* The actions it offers; filled once, when the search first stands here. */
    uint32_t inherited;          /* tunables taken over from the parent when it was first measured */
    uint32_t tunes;              /* times it was tuned further as an action of its own */
    uint32_t fruitless;          /* the last so many of them made it no faster */
    bool tuning;                 /* that is under way */
    bool near_out;               /* no neighbour of its best vector is unmeasured */
    bool far_out;                /* nor is anything else that the tuner would try */
    bool polished;               /* tuned once more because it stayed the best */
    bool expanded[RG__N_LANES];  /* by lane, so that no lane sees by its edges when the other was here */
    bool exhausted[RG__N_LANES]; /* nothing more to be had below, by lane */
    int n_edges, cap_edges;
    uint32_t *edges;   /* by falling prior */
    uint32_t first_in; /* edges that lead here, by rg__edge.next_in */

    /* Derived by rg__graph_refresh, order-free: from trials, and children's values. In units of g, not scaled. */
    double g, q, best, hope;
    double promise;  /* of a candidate made ahead: expected ln of its time, when that was last asked; 0: never */
    uint32_t visits; /* 1 + tunes + visits of its edges, failures included */
    int priors_at;   /* n_tallied when its priors were last set */
    uint32_t round;  /* selection round in which it had nothing to offer now */
    uint32_t mark;
};

enum rg__edge_state {
    RG__EDGE_OPEN,    /* not tried */
    RG__EDGE_PENDING, /* in flight, no child yet */
    RG__EDGE_LINKED,  /* has a child, which may have failed */
    RG__EDGE_CLOSED   /* failed without a child, no-op, or its coder is gone */
};

/* An action at a node: (step, site) by one coder; a stochastic coder's samples are edges of one group. */
struct rg__edge {
    uint32_t parent, child;
    int step, regraph_edge; /* regraph_edge -1: no edge of the regraph allows it (--apply, --start) */
    int coder, sample;
    uint32_t group;   /* the edge of sample 0 */
    const char *site; /* in the arena */
    double prior, p_ok;
    enum rg__edge_state state;
    bool refused;          /* CLOSED: its stochastic coder declined; so is the same action at every node below */
    uint32_t visits, wins; /* wins: visits that did not fail; the weight in the mean */
    uint32_t in_flight;
    uint32_t asked; /* visits of the model's lane, those under way included: the built-in coder's search does not count
                       them */
    uint32_t next_in;
    double tie;                         /* breaks ties, drawn from the seed */
    int n_samples, n_failed, n_refused; /* of the group, kept at its first edge */
    int n_repairs[2]; /* of the group: asked again at once for code that could not be made, that races or strays */
    bool repeats;     /* of the group: a further sample was what is known already */
    int n_attempts;   /* of the group: what failed so far, for a stochastic coder's hint */
    struct rg_attempt *attempts;
};

/* What an action contributed, in commit order; evidence is made from these at the end. */
struct rg__credit {
    int regraph_edge;
    const char *coder;
    uint32_t parent, child; /* child RG__NONE: failed before there was one, or a no-op */
    bool noop;
    bool left_out; /* the action left a first step out: what it lost is what the step gains */
    enum rg_outcome
        outcome; /* when child is RG__NONE and no no-op; REFUSED: its coder declined, no experience of the step */
};

/* A node's final figures, as evidence needs them; also rebuilt from a journal. */
struct rg__figure {
    double time_us; /* 0: none */
    enum rg_outcome outcome;
    bool measured;
    /* Its best vector by name; the names live in `own` or in what the figure was made from. */
    int n_values;
    struct rg__value {
        const char *name;
        int64_t value;
    } values[RG_MAX_TUNABLES];
};

enum rg__action_state { RG__ACT_CODER, RG__ACT_EVAL, RG__ACT_FINISHED, RG__ACT_AGAIN };

struct rg__shot { /* one vector under way */
    struct rg_vector v;
    int eval_id;                /* -1: answered by the journal */
    bool done, refused, reused; /* reused: this very source was measured before */
    uint64_t plan_hash, source_hash;
    double draft_us; /* 0: unknown */
    char source[17]; /* what it is known by among the kept sources */
    struct rg_evaluation *e;
};

struct rg__action {
    const struct rg__search *search;
    int lane;
    uint32_t begun_at;         /* actions through when it was begun */
    uint32_t id, parent, edge; /* edge RG__NONE: the baseline's own */
    bool wants_coder, measure, tune;
    bool ahead;              /* a step applied ahead of measuring (ahead.c): no visit, no experience */
    bool promised;           /* one of those is measured for what its draft cost promises */
    bool marked;             /* the end of a way that earlier runs marked: measured where they ended */
    const char *purpose;     /* "search", "naive", "apply", "tune", "polish" */
    bool further;            /* it tunes a known node further: "tune" or "polish" */
    int step, coder, sample; /* step, edge: what was asked, from the commit on what was taken (other.c) */
    int asked_step;          /* -1: that is the same */
    const char *site;
    struct rg_vector forced;
    bool has_forced;
    enum rg_status (*force)(void *arg, const struct rg_template *t, struct rg_vector *v, struct rg_error *err);
    void *force_arg;
    int n_path;
    uint32_t *path; /* edges from the root to the parent; owned */
    uint32_t stamp; /* commits when it was selected: all it may know */

    enum rg__action_state state;
    int coder_id;
    struct rg_answer answer;
    bool answered;
    struct rg_template *tmpl; /* one reference */
    uint32_t target;          /* the node it measures or fell upon, as of `stamp`; RG__NONE: a new one */
    uint32_t twin;            /* a node with equal PTX and plan */
    struct rg_vector parent_v;
    uint32_t inherited;
    int n_swept;        /* tunables swept when it was selected */
    uint32_t best_then; /* the best node then */
    uint32_t model;     /* the best node, when it was selected; RG__NONE: none that was tuned */
    struct rg_vector model_v;
    double reference_us; /* the best, when it was selected */
    const struct rg_evaluation *parent_e;
    struct rg__tuner tuner;
    int n_shots, cap_shots;
    struct rg__shot *shots;
    int n_consumed; /* fed to the tuner */
    int n_wrong;    /* of them */
    int n_counted;  /* written and counted */
    bool wrote_action, wrote_answer, settled, linked;

    uint32_t node; /* after the commit: what it led to; RG__NONE: nothing */
    bool failed;
    bool pruned; /* verified, but its time is an estimate: a place to go on from that teaches nothing of its step */
    int again_id, n_again;
    int again_trial;
    bool last; /* that second look is one for races, too */
    double again_since;
    struct rg_evaluation *again; /* arrived */
    bool best;                   /* became the best */
    struct rg_duel duel;         /* its last, against the best then */
};

enum rg__next { RG__NEXT_ACTION, RG__NEXT_WAIT, RG__NEXT_END };

struct rg__search;
/* A policy fills in parent, edge and path (through rg__action_edge) or measures a node. */
struct rg__policy {
    const char *name;
    void (*start)(struct rg__search *s);
    enum rg_status (*next)(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err);
    enum rg_status (*done)(struct rg__search *s, const struct rg__action *a, struct rg_error *err); /* may be NULL */
    void (*stop)(struct rg__search *s); /* frees policy_state */
    bool lanes;                         /* it chooses for s->choosing alone */
    bool lean;                          /* new nodes are measured once; tuning them is an action the policy chooses */
};

const char *rg__family(const struct rg_coder *c); /* what evidence of it is kept under */
struct rg_circumstances rg__circumstances(const struct rg__search *s, const char *coder);

struct rg__weights { /* of every regraph edge for every coder, computed once */
    int n_coders;
    struct rg_weight *w; /* [edge * n_coders + coder] */
};

struct rg__search {
    /* Fixed during a run. */
    const struct rg_search_options *o;
    const struct rg_regraph *g;
    struct rg_coder **coders;
    int n_coders;
    struct rg_evaluator *ev;
    struct rg_search_result *out;
    struct rg__weights weights;
    bool *forbidden; /* by step */
    int n_first;     /* first steps, of all coders */
    struct rg__first {
        int step, coder;
        const char *site;
    } * first;
    bool *unfit; /* [step] it began a chain that was to make the baseline and did not verify */
    struct rg__params p;
    struct rg_weighing weighing; /* its part */
    int in_flight, max_depth;
    const char *run_id;
    struct rg_provenance origin;
    const struct rg__policy *policy;

    /* The search graph. */
    struct rg_arena arena;
    int n_nodes, cap_nodes;
    struct rg__node *nodes;
    int n_edges, cap_edges;
    struct rg__edge *edges;
    uint32_t *key_table; /* open addressing, key -> node + 1 */
    int key_slots;
    struct rg__code {
        uint64_t hash;
        uint32_t node, stamp;
    } * codes; /* (PTX, plan) -> node, by commit */
    int n_codes, cap_codes;
    struct rg__known_source { /* every measured source, by commit */
        uint64_t hash;
        uint32_t stamp;
        const struct rg_evaluation *e;
    } * sources;
    int n_sources, cap_sources;
    uint32_t round, mark;

    /* With both kinds of coders and a policy that knows of lanes there are two: the built-in coder's, and the model's.
     */
    int n_lanes, choosing;
    struct {
        int in_flight;            /* actions at once */
        int evaluations, best_at; /* counted, and when the best was found */
    } lane[RG__N_LANES];

    /* Actions under way, oldest first: committed in this order, within a lane, or as they end (rg__lane_next). */
    int n_actions, cap_actions;
    struct rg__action **actions;
    uint32_t next_action, commits;
    uint32_t completed, asked_at; /* actions through; when the policy was last asked */
    int next_id;                  /* of coder and evaluator requests */
    uint32_t repair;              /* a model's action to be asked next; RG__NONE: none */
    struct rg_rng rng, model_rng; /* the second for a model's actions, where there is another coder */
    void *policy_state;
    bool applied; /* --apply: the whole chain was */

    /* What is known. */
    bool *coder_down;
    double naive_us; /* 0: not yet */
    double naive_kernel_us;
    uint32_t naive_node;
    int naive_trial;
    double paired_naive_us, paired_best_us; /* kernels' times by the runs in which the best and naive took turns at the
                                               end; 0: they did not */
    uint32_t best_node;
    int best_trial;
    double best_us;                        /* 0: none */
    int best_at;                           /* evaluations when it was found */
    int n_credits, cap_credits, n_tallied; /* outcomes in tallies */
    struct rg__credit *credits;
    struct rg__swept { /* tunables whose values were tried around a start, by commit */
        const char *name;
    } * swept;
    int n_swept, cap_swept;
    struct rg__move { /* moves.c; by commit */
        int name;
        uint32_t stamp;
        int64_t from, to;
        double gain; /* ln(time before / time after) */
    } * moves;
    int n_moves, cap_moves, n_move_names, cap_move_names;
    const char **move_names;
    int n_observed, cap_observed, n_drafted, cap_drafted;
    struct rg__observed *observed; /* drafted.c; by commit */
    struct rg__drafted *drafted;
    int n_ahead;                /* actions applied ahead of measuring */
    double ahead_us;            /* work that applying and drafting took, counted by sizes */
    int ahead_measured;         /* actions of that lane that were measured */
    bool ahead_drafts;          /* some candidate has a draft cost */
    bool ahead_hot;             /* the best was promised, and is tuned as long as that helps */
    int ahead_vain, ahead_wait; /* what they promised, one after another, was no new best; turns left to the policy */
    struct rg__tally {          /* experience of a step at any edge, as observations */
        double n, ok, sum;
    } * tallies, *pooled;  /* [step * n_coders + coder]: this run's; the graph's */
    struct rg__tally *own; /* [regraph edge * n_coders + coder]: its part of that */

    struct rg__journal *journal; /* NULL: none */
    struct rg_pack *kept;        /* NULL: none yet, or none are kept */
    double started, last_progress;
    double again_s, duel_s;       /* what the best's second measurement, the last duel took; 0: none yet */
    double profile_s, profiled_s; /* what reading counters took the last time (0: not yet), and all in all */
    bool best_unlooked;           /* and a look at the best for races, where nobody has taken one */
    const char *end_reason;       /* non-NULL: ending */
    bool urgent;                  /* ending now: by the user or the clock */
    char action_text[256];
};

/* graph.c */
uint32_t rg__node_add(struct rg__search *s, struct rg_template *t, int depth); /* takes a reference of its own */
uint32_t rg__node_find(const struct rg__search *s, const struct rg_template *t, uint32_t stamp);
/* Gives the evaluation as it is kept. */
const struct rg_evaluation *rg__node_trial(struct rg__search *s, uint32_t node, const struct rg_vector *v,
                                           const struct rg_evaluation *e);
void rg__node_rescore(struct rg__search *s, uint32_t node);
/* What is believed of a trial: the second measurement where there is one. */
const struct rg_evaluation *rg__trial_evaluation(const struct rg__trial *t);
uint64_t rg__plan_hash(const char *plan);
uint64_t rg__code_hash(const struct rg_evaluation *e, uint64_t plan_hash); /* 0: unknown */
uint32_t rg__code_find(const struct rg__search *s, uint64_t hash, uint32_t stamp);
void rg__code_add(struct rg__search *s, uint64_t hash, uint32_t node);
/* Of device code and plan, blanks and comments left out. */
uint64_t rg__source_hash(const struct rg_source *src);
/* sources_json.c: what a source is known by in the journal, and its keeping. */
void rg__source_name(const struct rg_source *src, char out[17]);
enum rg_status rg__source_keep(struct rg__search *s, const char *name, const struct rg_source *src,
                               struct rg_error *err);
const struct rg_evaluation *rg__source_find(const struct rg__search *s, uint64_t hash, uint32_t stamp);
void rg__source_add(struct rg__search *s, uint64_t hash, const struct rg_evaluation *e);
/* Of tuning it once more: 1, less the oftener that was in vain. */
double rg__node_hope(const struct rg__search *s, uint32_t node);
bool rg__graph_reaches(struct rg__search *s, uint32_t from, uint32_t to);
void rg__graph_link(struct rg__search *s, uint32_t edge, uint32_t child);
/* `node` and all its ancestors, or all its descendants; caller frees. */
uint32_t *rg__graph_closure(struct rg__search *s, uint32_t node, bool up, int *count);
/* Recomputes a node and everything above it. Cost O(edges of its ancestors). */
void rg__graph_refresh(struct rg__search *s, uint32_t node);
void rg__graph_rescale(struct rg__search *s); /* naive became known: all nodes */
void rg__graph_release(struct rg__search *s);
/* What the run minimises, of an ok evaluation: its kernel's time, or with transfers. All decisions are by it; journal
 * and evidence hold the kernel's. */
double rg__cost(const struct rg__search *s, const struct rg_evaluation *e);
double rg__node_time(const struct rg__search *s, uint32_t node); /* cost of its best; 0: none; the root's is naive's */
/* Expected cost: measured, or where a candidate was pruned its estimate; 0: unknown. It orders the search and nothing
 * else: what is reported or learnt is measured. */
double rg__expected(const struct rg__search *s, const struct rg_evaluation *e);
double rg__node_expected(const struct rg__search *s, uint32_t node);
/* The trial that children start from: the best, else the pruned one with the shortest estimate; NULL: none. */
const struct rg__trial *rg__node_stand(const struct rg__search *s, uint32_t node);
double rg__node_kernel(const struct rg__search *s, uint32_t node); /* the kernel's time there */
/* The candidate at hand is naive. */
void rg__naive_is(struct rg__search *s, uint32_t node, const struct rg_evaluation *e);
const struct rg__trial *rg__node_best(const struct rg__search *s, uint32_t node);
double rg__search_scale(const struct rg__search *s); /* max(best g, ln 2) */
/* Does its way end there? Only where the candidate can't be made or computes something else: slowness says nothing of
 * what comes after a step. */
bool rg__edge_failed(const struct rg__search *s, const struct rg__edge *e);

/* expand.c */
enum rg_status rg__expand(struct rg__search *s, uint32_t node, struct rg_error *err);
void rg__weights_init(struct rg__search *s);
/* Sets a node's priors again when this run has learnt since. */
void rg__expand_reweigh(struct rg__search *s, uint32_t node);
/* Another sample of a stochastic action, or the next coder's try at a failed step; new edges at the node's end. */
void rg__expand_sample(struct rg__search *s, uint32_t edge);
/* The same where another step was taken instead: a coder that does so twice has answered. */
void rg__expand_refused(struct rg__search *s, uint32_t edge);
enum rg_status rg__expand_fallback(struct rg__search *s, uint32_t edge, struct rg_error *err);
/* Did earlier runs in these circumstances mostly find their best by it? */
bool rg__edge_led(const struct rg__search *s, const struct rg__edge *e);
/* The regraph edge that gives `step` its largest prior at a node whose chain is that of t; -1 none. */
int rg__best_edge(const struct rg__search *s, const struct rg_template *t, int step, int coder);
uint32_t rg__edge_add(struct rg__search *s, uint32_t node, int step, const char *site, int coder, int regraph_edge);
enum rg_status rg__sites(struct rg__search *s, int coder, const struct rg_template *t, int step,
                         struct rg_site_list *out, struct rg_error *err);
int rg__step_found(const struct rg__search *s, const struct rg_template *t, int step, const char *site);

/* first.c: steps that coders take before any action */
void rg__first_init(struct rg__search *s);
/* Is the link one of them, so that nothing is to be done for it? */
bool rg__first_has(const struct rg__search *s, const char *step, const char *site);
bool rg__leaves_out(const char *site); /* an action there leaves a first step out */
/* The regraph edge that an action is weighed and credited by: of one that leaves a first step out, the step's own edge
 * from @start; -1 none. */
int rg__edge_for(const struct rg__search *s, const struct rg_template *t, int step, const char *site, int coder);
/* Do programs run faster without it, as far as is known? Then leaving it out is an action like others. */
bool rg__first_doubted(const struct rg__search *s, int step, int coder);
/* A template's chain with the first steps that it has in front; returns how many these are. *out is the caller's, the
 * texts belong to the template and the search. */
int rg__first_chain(const struct rg__search *s, const struct rg_template *t, struct rg_link **out, int *n);

/* moves.c */
int rg__search_name(struct rg__search *s, const char *name); /* a tunable's number in this run */
/* A node's trials from that one on, against those before them. Cost O(trials^2 * tunables). */
void rg__search_moves_note(struct rg__search *s, uint32_t node, int from_trial);
/* Mean ln gain of moving the tunable, as known at commit `stamp`; 0: not seen. Cost O(moves seen). */
double rg__search_moves_gain(const struct rg__search *s, uint32_t stamp, const char *name, int64_t from, int64_t to);

/* other.c */
/* Steps that the action's coder may take instead of the one it is asked for, likeliest first. Caller frees *out. */
int rg__others(const struct rg__search *s, const struct rg__action *a, const struct rg_step ***out);
/* Those of them that stand open at the action's parent, and last those that say only what for. *out is the caller's. */
int rg__offered(const struct rg__search *s, const struct rg__action *a, const struct rg_step *const *others, int n,
                const struct rg_step ***out);
/* Where it did: the action's edge and step become those really taken. At its commit only. */
enum rg_status rg__took_other(struct rg__search *s, struct rg__action *a, struct rg_error *err);

/* declined.c: a stochastic coder declined the action; it is closed at its node and at all below. */
void rg__decline(struct rg__search *s, uint32_t edge);
bool rg__declined_above(struct rg__search *s, uint32_t node, int step, const char *site, int coder);
/* `node` has another parent now. */
void rg__decline_below(struct rg__search *s, uint32_t node);
/* May what the step needs still be there? */
bool rg__needs_met(const struct rg__search *s, const struct rg__edge *e);

/* ahead.c: candidates made ahead of measuring. The next to be made or measured; *found: there is one. */
enum rg_status rg__ahead_next(struct rg__search *s, struct rg__action *a, bool *found, struct rg_error *err);
void rg__ahead_done(struct rg__search *s, const struct rg__action *a); /* through */
/* Chosen by the policy, it is made first, and measured where its promise is chosen again. */
bool rg__ahead_make(struct rg__search *s, struct rg__action *a);
/* In units of the scale: what its draft promises, less so the oftener promises were in vain; else `own`. */
double rg__ahead_value(const struct rg__search *s, uint32_t node, double own, double scale);
/* Expected time of a candidate that nobody measured, at its cheapest values, us; 0: unknown. */
double rg__ahead_expected(struct rg__search *s, const struct rg__process *g, uint32_t node);
bool rg__ahead_blank(const struct rg__search *s, uint32_t node); /* made, nothing measured there or below */
void rg__ahead_measure(struct rg__search *s, struct rg__action *a,
                       uint32_t edge); /* what that edge led to; keeps path */

/* lanes.c */
bool rg__lane_of_coder(const struct rg__search *s, int coder);
bool rg__lanes_mixed(const struct rg__search *s); /* coders of both kinds */
struct rg__action *rg__lane_head(const struct rg__search *s, int lane);
int rg__lane_actions(const struct rg__search *s, int lane);
/* The action that is to write and commit next: the oldest; where they are committed as they end, the oldest of those
 * that have, all its lines at once - and while a journal is replayed, the one that did. NULL: none now. */
struct rg__action *rg__lane_next(const struct rg__search *s, int lane);
void rg__lane_front(struct rg__search *s, struct rg__action *a); /* it becomes the first of all */
bool rg__lane_spent(const struct rg__search *s, int lane);       /* its evaluations are */
bool rg__lane_tired(const struct rg__search *s, int lane);       /* its patience is out */
bool rg__lane_stands(const struct rg__search *s, int lane);      /* nothing of it can go on */
bool rg__lanes_spent(const struct rg__search *s);
bool rg__turn(const struct rg__search *s,
              const struct rg__action *a); /* may `a`, the oldest of its lane, write and commit now? */
void rg__lanes_best(struct rg__search *s); /* there is a new best */
void rg__lanes_wake(struct rg__search *s, const struct rg__action *a); /* a was committed */

/* evidence.c */
void rg__evidence_rows(const struct rg__credit *c, int n, const struct rg__figure *f, int n_figures, uint32_t best,
                       double naive_us, const struct rg_circumstances *at /* its coder: each row's own */,
                       const char *run, const struct rg_provenance *origin, struct rg_search_row **rows, int *n_rows);

/* pairs.c: out->pairs from the credits. */
void rg__pairs(struct rg__search *s);

/* start.c: the action has its template; its tuner is set up. */
enum rg_status rg__begin_tuning(struct rg__search *s, struct rg__action *a, struct rg_error *err);
/* Equal PTX and plan as a node known after so many commits, and no values of its own to try: the edit changed nothing
 * that runs. Sets a->twin. */
void rg__look_for_twin(struct rg__search *s, struct rg__action *a, uint32_t stamp);

/* action.c: an action from selection to finish; touches nothing shared. */
struct rg__action *rg__action_new(struct rg__search *s);
void rg__action_free(struct rg__action *a);
void rg__action_edge(struct rg__search *s, struct rg__action *a, uint32_t edge); /* sets all from the edge */
void rg__action_path(struct rg__action *a, uint32_t edge);
void rg__action_take(struct rg__search *s, struct rg__action *a, uint32_t edge); /* the edge, and the path to it */
void rg__action_further(struct rg__search *s, struct rg__action *a, uint32_t node, const char *purpose);
bool rg__can_tune(const struct rg__search *s, uint32_t node); /* further, and nobody does */
enum rg_status rg__action_start(struct rg__search *s, struct rg__action *a, struct rg_error *err);
enum rg_status rg__action_advance(struct rg__search *s, struct rg__action *a, bool *moved, struct rg_error *err);
enum rg_status rg__actions_poll(struct rg__search *s, double seconds, bool *got, struct rg_error *err);
void rg__action_cancel(struct rg__search *s, struct rg__action *a);
/* Canceled before it was settled: as if it had never been selected. */
void rg__action_undo(struct rg__search *s, struct rg__action *a);
/* Makes an evaluation fit to be kept: text as UTF-8, an ok one with a time. */
void rg__evaluation_clean(struct rg_evaluation *e);
enum rg_status rg__instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                               bool *refused, struct rg_error *err);

/* commit.c: the oldest action's results reach the graph and the journal. */
enum rg_status rg__commit_flush(struct rg__search *s, struct rg__action *a, bool *moved, struct rg_error *err);
enum rg_status rg__commit_settle(struct rg__search *s, struct rg__action *a, struct rg_error *err);
/* Measures a possible new best again; *done when there is nothing (more) to confirm. */
enum rg_status rg__commit_confirm(struct rg__search *s, struct rg__action *a, bool *done, struct rg_error *err);
/* Its parts. Of trial a->again_trial of a->node: sends it to be verified and timed again; takes in what came of that;
 * has it meet the best so far. */
enum rg_status rg__commit_again(struct rg__search *s, struct rg__action *a, struct rg_error *err);
enum rg_status rg__commit_judged(struct rg__search *s, struct rg__action *a, struct rg_error *err);
enum rg_status rg__commit_profile(struct rg__search *s, struct rg__action *a, bool final, struct rg_error *err);
/* Seconds that the next duel may take: what an end needs is kept of the time. */
double rg__duel_s(const struct rg__search *s);
enum rg_status rg__commit_duel(struct rg__search *s, struct rg__action *a, bool final, bool *won, struct rg_error *err);
void rg__commit_promote(struct rg__search *s, struct rg__action *a, int trial);

/* given.c: the node's action, were it not offered to a search; RG__NONE: no deterministic coder has it. */
enum rg_status rg__edge_to(struct rg__search *s, uint32_t node, int step, const char *site, uint32_t *out,
                           struct rg_error *err);

/* minimal.c: steps that cost nothing to leave out leave the best. run: NULL where nothing more may be measured. */
enum rg_status rg__minimal(struct rg__search *s,
                           enum rg_status (*run)(struct rg__search *s, const struct rg__policy *p,
                                                 struct rg_error *err),
                           struct rg_error *err);
/* final.c: a candidate of fewer steps takes the best's place unless that is faster in paired runs; a timing model's
 * times were compared. */
enum rg_status rg__final_shorter(struct rg__search *s, uint32_t node, int trial, struct rg_error *err);

/* final.c: on a device that measures, the fastest few meet once more, and the winner is the best. Part of the closing
 * section. */
enum rg_status rg__final(struct rg__search *s, struct rg_error *err);
/* Nobody has looked at that trial for races, and somebody could. */
bool rg__final_unlooked(const struct rg__search *s, uint32_t node, int trial);

/* baseline.c, policies */
extern const struct rg__policy rg__policy_linger, rg__policy_baseline, rg__policy_mcgs, rg__policy_uct,
    rg__policy_random, rg__policy_greedy, rg__policy_beam, rg__policy_best_of_n, rg__policy_refine,
    rg__policy_exhaustive, rg__policy_apply, rg__policy_given, rg__policy_minimal, rg__policy_lone;
/* lone.c: steps that share what kernels of one thread run, one after the other, from a node on. */
enum { RG__LONE_SITES = 16 };
struct rg__lone {
    uint32_t node; /* the best of what was made */
    double work;   /* statements of its kernels of one thread */
    int step, made, n_used;
    const char *used[RG__LONE_SITES]; /* sites of this step already tried, in the arena */
};
void rg__lone_begin(const struct rg__search *s, struct rg__lone *l, uint32_t node);
/* The next such action, which measures nothing; *found false: there is none. */
enum rg_status rg__lone_next(struct rg__search *s, struct rg__lone *l, struct rg__action *a, bool *found,
                             struct rg_error *err);
bool rg__lone_done(const struct rg__search *s, struct rg__lone *l, const struct rg__action *a); /* it left less of it */
/* given.c: names what is given, in the journal's header. */
void rg__given_key(const struct rg_search_given *g, char out[65]);
const struct rg__policy *rg__policy_find(const char *name);
void rg__policy_names(struct rg_buf *out);
const char *rg__policy_near(const char *name, char out[160]);               /* "; did you mean ..." or "" */
enum rg_status rg__apply_check(struct rg__search *s, struct rg_error *err); /* the text of --apply */
/* Can this edge still lead anywhere? Open ones can, unless their coder is gone. */
bool rg__edge_alive(const struct rg__search *s, const struct rg__edge *e);

/* evidence_json.c */
const char *rg__step_name(const struct rg_regraph *g, int step);
/* The edge of g between steps of these names; -1 when an editor removed it meanwhile. */
int rg__edge_named(const struct rg_regraph *g, const char *from, const char *to);

/* search.c */
double rg__elapsed(const struct rg__search *s);
/* When the run must be over, what it ends with included; INFINITY: it has no limit. By rg_now(). */
double rg__time_is_up(const struct rg__search *s);
void rg__count(struct rg__search *s, const struct rg_evaluation *e, bool new_best);
#endif
