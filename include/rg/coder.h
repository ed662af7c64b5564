/* A micro-coder applies one action to one candidate. Built in: poly; behind HTTP: llm. The engine knows nothing else
 * of them; tests drive it with fakes. One thread. */
#ifndef RG_CODER_H
#define RG_CODER_H
#include <rg/candidate.h>
#include <rg/decls.h>
#include <rg/outcome.h>
#include <rg/refusal.h>
#include <rg/step.h>

RG_BEGIN_DECLS

/* What a coder may know besides the parent: all optional. */
struct rg_hint {
    const struct rg_vector *vector;         /* the parent's best vector */
    const struct rg_evaluation *evaluation; /* the parent's, at that vector */
    int n_attempts;                         /* earlier tries at this very action, newest last */
    const struct rg_attempt {
        const char *cuda, *plan; /* may be NULL */
        enum rg_outcome outcome;
        const char *message;
    } * attempts;
    const struct rg_source
        *best;     /* at the root: the best version so far, another place to start from; NULL none, or too long */
    bool best_own; /* by this coder */
    double naive_us, best_us; /* of the run, 0 unknown */
    int n_tried;              /* what was done to the parent already, best first */
    const struct rg_tried {
        const char *step;
        enum rg_outcome outcome;
        double gain; /* OK: time before / time after */
    } * tried;
    int sample;   /* 0, 1, ...: a stochastic coder's n-th answer to the same action */
    int n_others; /* steps that may be taken here just as well, likeliest first: a coder that is */
    const struct rg_step *const *others; /* not sure to do what it is asked may answer with one of them (.applied) */
    int n_offered;                       /* of them, in their order: untried here, and the search would ask for them */
    const struct rg_step *const *offered;
};

enum rg_answer_kind {
    RG_ANSWER_TEMPLATE, /* .tmpl, one reference given */
    RG_ANSWER_REFUSED,  /* the step is not legal here; .message */
    RG_ANSWER_FAILED    /* the coder could not produce code (no fenced block, budget spent, service down); .message */
};

struct rg_answer {
    int id;
    enum rg_answer_kind kind;
    struct rg_template *tmpl;
    const struct rg_step *applied; /* TEMPLATE: the step really taken, one of hint.others; NULL: the one asked */
    bool ambiguous; /* .applied is the likeliest of several, or what was done is no step: no edge can be credited */
    bool declined;  /* .applied: the one asked makes no sense here, says the coder */
    enum rg_outcome outcome; /* FAILED: what to count it as (COMPILE, PLAN, ...) */
    enum rg_status status;   /* FAILED: RG_SERVICE when the service is down, RG_LIMIT when its budget is spent */
    char message[512];
    enum rg_refusal_kind refusal; /* REFUSED: what kind of reason .message is; NONE: the coder does not say */
    int line;                     /* of the problem's file, that it is about; 0: of no line alone */
    double seconds;
    char request[65]; /* of a model: the key of the last request in its record; "" none */
    uint32_t held;    /* of an answer from a record: as `taken` was told; 0 unknown */
};

/* A step that the coder has taken before any action, as a proof or an estimate says that it pays. It stands at the
 * front of the chains of the coder's candidates; the action (step, RG_SITE_NONE) leaves it out. */
struct rg_first_step {
    const char *edit; /* the `poly` word of the graph's step */
    const char *site;
};

struct rg_coder {
    const char *name;
    void *self;
    bool stochastic; /* the same action may be sampled again */
    /* Sites at which `step` may be applied to `parent` (NULL: at the root, to the sequential code). Empty: none.
     * Deterministic; cheap enough to be called once for each (node, step). */
    enum rg_status (*sites)(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err);
    /* Starts an action; the answer comes by poll with the same id. parent's reference is not taken. */
    enum rg_status (*submit)(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err);
    /* Next finished answer, waiting up to `seconds`; *got false when there was none. */
    enum rg_status (*poll)(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err);
    void (*cancel)(void *self, int id); /* its answer never comes */
    void (*free)(void *self);
    bool instant; /* what is asked is answered at the next poll, from a record */
    /* May be NULL. The answer `id` has reached the search, `held` - 1 actions after it was asked for: what a record
     * needs to be replayed in the same order. */
    void (*taken)(void *self, int id, uint32_t held);
    int n_first; /* in the order in which they were taken; the coder's */
    const struct rg_first_step *first;
    const char *family; /* what its evidence is kept under, "llm:qwen2.5-coder": one model's experience is not
                           another's; NULL: its name */
};
RG_END_DECLS
#endif
