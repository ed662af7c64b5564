/* Templates and candidates. A coder returns a template: a candidate whose tunables are still open. */
#ifndef RG_CANDIDATE_H
#define RG_CANDIDATE_H
#include <rg/decls.h>
#include <rg/refusal.h>
#include <rg/step.h>
#include <rg/tunable.h>
#include <stdbool.h>

RG_BEGIN_DECLS

/* What a step is applied to: "C", "loop:i", "kernel:0"; stable under the same chain, readable in --apply. */
struct rg_site {
    const char *name;
    uint32_t traits; /* of this site, ORed with the candidate's */
    bool exact;      /* traits are of the site itself; else of the problem */
};

struct rg_site_list {
    struct rg_arena arena;
    int n, cap;
    struct rg_site *items;
    int n_refused, cap_refused;
    struct rg_refusal {
        const char *site, *reason; /* why not, one sentence, with file:line where it helps */
        enum rg_refusal_kind kind;
        int line;             /* of the problem's file; 0: of no line alone */
        bool legal;           /* it can be done, it is only not worth a try: for who asks for it by name */
        const char *beside;   /* not worth a try beside a step with this edit (its `poly` word); NULL: beside none */
        struct rg_site offer; /* what is offered where no such step is to be had */
    } * refused;
};

void rg_site_list_release(struct rg_site_list *l);
/* All that `from` holds, in `to`, which is the caller's to release. */
void rg_site_list_copy(const struct rg_site_list *from, struct rg_site_list *to);
void rg_site_list_add(struct rg_site_list *l, const char *name, uint32_t traits, bool exact);
void rg_site_list_refuse(struct rg_site_list *l, const char *site, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void rg_site_list_refuse_as(struct rg_site_list *l, const char *site, const struct rg_reason *why);
void rg_site_list_withhold(struct rg_site_list *l, const char *site, const char *reason); /* legal, not offered */
/* Legal, and offered only where the search has no step with that edit: it is forbidden, no step of the graph, or its
 * candidate failed. */
void rg_site_list_withhold_beside(struct rg_site_list *l, const char *site, uint32_t traits, bool exact,
                                  const char *edit, const char *reason);

/* The site of an action that leaves a first step out (rg_coder.first): the step at no place. */
#define RG_SITE_NONE "none"

struct rg_link { /* one action of a chain */
    char *step;
    char *site;
};

struct rg_template_ops;
struct rg_template {
    const struct rg_template_ops *ops;
    int refs;          /* one thread only */
    const char *coder; /* "poly", "llm" */
    char *key;         /* canonical: equal keys, equal templates. Tunable *names* only */
    struct rg_tunables tunables;
    uint32_t traits;      /* of the candidate (SHARED, ATOMICS, ...), ORed into its sites' */
    double draft_cost_us; /* about what drafting it once takes, by its size and no clock; 0: next to nothing */
    int n_chain;          /* the actions that made it, from the root on */
    struct rg_link *chain;
};

struct rg_source { /* an instantiated template: what the evaluator takes */
    char *cuda;    /* CUDA C++ device code */
    char *plan;
};

struct rg_lone { /* a kernel of one thread */
    char kernel[96];
    int line;         /* of the problem's file; 0 unknown */
    bool loops;       /* there is work that others could share: no mere statements between kernels */
    double work;      /* statements that it runs at the timed size, roughly */
    char reason[512]; /* why nobody shares it */
    char lift[256];   /* what would let others share it: an option, an edit; "" unknown */
};

struct rg_template_ops {
    /* Source and plan for a vector that rg_tunables_allow()s. RG_INPUT: this vector is refused (text says why). */
    enum rg_status (*instantiate)(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err);
    void (*free)(struct rg_template *t); /* when refs reaches 0 */
    /* Its kernels of one thread, `cap` of them at most; returns how many. NULL: whoever wrote it cannot say. */
    int (*lone)(const struct rg_template *t, struct rg_lone *out, int cap);
    /* May be NULL. Draft costs: what it would take at each of n vectors, in microseconds, from the program alone; 0
     * unknown. They order what is tried and nothing else, so that only their ratios within one template have to be any
     * good. */
    void (*draft)(const struct rg_template *t, const struct rg_vector *v, int n, double *us);
};

struct rg_pair {                        /* what one step made of a candidate; both verified and measured */
    const char *step;                   /* the regraph's */
    double gain;                        /* time before / time after, each at its best vector */
    struct rg_template *before, *after; /* a reference of each */
    struct rg_vector before_v, after_v;
};

struct rg_template *rg_template_ref(struct rg_template *t);
void rg_template_unref(struct rg_template *t); /* NULL is fine */
enum rg_status rg_template_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                       struct rg_error *err);
void rg_template_draft(const struct rg_template *t, const struct rg_vector *v, int n, double *us); /* 0: unknown */
void rg_source_release(struct rg_source *s);
RG_END_DECLS
#endif
