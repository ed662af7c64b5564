/* The coder's face to the engine: sites, templates, answers. Everything is computed at submit; poll hands it out. */
#include "poly/draft/draft.h"
#include "poly/kir/kir.h"
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"
#include <rg/poly.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shared {            /* the analysis; templates keep it alive */
    struct rg_arena arena; /* the tree with split loops */
    struct poly_scop *scop;
    int refs;
};

struct answer {
    struct rg_answer a;
    struct answer *next;
};

struct coder {
    struct shared *shared;
    struct answer *head, **tail;
};

struct poly_template {
    struct rg_template base;
    struct rg_arena arena;
    struct shared *shared;
    struct poly_actions taken;
};

static void shared_unref(struct shared *s)
{
    if (--s->refs) return;
    rg__poly_scop_free(s->scop);
    rg_arena_release(&s->arena);
    free(s);
}

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    char why[512] = "";
    struct rg_vector def;
    if (!v) {
        rg_tunables_default(&t->tunables, &def);
        v = &def;
    }
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, why, sizeof why);
    if (!p) return rg_error_set(err, RG_INPUT, "%s", why);
    struct poly_values values;
    rg__poly_values_of(&t->tunables, v, &values);
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    enum rg_status st = rg__poly_print_program(p, &values, &cuda, &plan, err);
    rg__poly_program_free(p);
    if (st == RG_OK) {
        out->cuda = rg_buf_steal(&cuda);
        out->plan = rg_buf_steal(&plan);
    }
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    return st;
}

static void draft(const struct rg_template *t, const struct rg_vector *v, int n, double *us)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    char why[512] = "";
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, why, sizeof why);
    struct draft *room = NULL;
    for (int i = 0; i < n && p; i++) {
        struct poly_values values;
        rg__poly_values_of(&t->tunables, &v[i], &values);
        us[i] = rg__poly_draft(p, &values, &room);
    }
    free(room);
    rg__poly_program_free(p);
}

static void template_free(struct rg_template *t)
{
    struct poly_template *pt = (struct poly_template *)t;
    shared_unref(pt->shared);
    free(t->key);
    for (int i = 0; i < t->n_chain; i++) {
        free(t->chain[i].step);
        free(t->chain[i].site);
    }
    free(t->chain);
    rg_arena_release(&pt->arena);
    free(pt);
}

static int lone(const struct rg_template *t, struct rg_lone *out, int cap)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    char why[512];
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, why, sizeof why);
    struct rg_vector def;
    struct poly_values values;
    struct rg_buf cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    int n = 0;
    rg_tunables_default(&t->tunables, &def);
    rg__poly_values_of(&t->tunables, &def, &values);
    /* printing names the kernels */
    bool named = p && rg__poly_print_program(p, &values, &cuda, &plan, NULL) == RG_OK;
    for (int i = 0; named && i < p->n_kernels && n < cap; i++) n += rg__poly_one_thread(p, &p->kernels[i], &out[n]);
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    rg__poly_program_free(p);
    return n;
}

static const struct rg_template_ops ops = {
    .instantiate = instantiate, .free = template_free, .lone = lone, .draft = draft};

static uint32_t program_traits(const struct poly_program *p)
{
    uint32_t t = p->n_kernels > 1 ? RG_TRAIT_MULTI_KERNEL : 0;
    for (int i = 0; i < p->n_kernels; i++) {
        if (p->kernels[i].n_staged || p->kernels[i].form > POLY_SINGLE) t |= RG_TRAIT_SHARED | RG_TRAIT_BARRIERS;
    }
    return t;
}

static const struct poly_actions none = {0};

static const struct poly_actions *actions_of(const struct rg_template *parent)
{
    return !parent ? &none : parent->ops == &ops ? &((const struct poly_template *)parent)->taken : NULL;
}

struct listing {
    struct coder *c;
    const struct poly_actions *parent;
    const struct poly_step *step;
    struct rg_site_list *out;
};

static void try_site(void *arg, const char *site)
{
    struct listing *l = arg;
    struct poly_actions e = *l->parent;
    char why[512] = "";
    if (!rg__poly_actions_add(&e, l->step, site)) return;
    struct poly_program *p = rg__poly_apply(l->c->shared->scop, &e, why, sizeof why);
    if (!p) {
        rg_site_list_refuse(l->out, site, "%s", why);
        return;
    }
    struct poly_scop *scop = l->c->shared->scop;
    uint32_t traits = scop->problem->traits | RG_TRAIT_LOOP | l->step->traits;
    bool exact = l->step->site_traits != NULL;
    if (exact) traits = l->step->site_traits(p, site, traits);
    struct poly_offer o = {.s = scop, .parent = l->parent, .taken = &e, .p = p, .site = site};
    if (rg__poly_changes_stand_ins_only(&o))
        rg_site_list_withhold(l->out, site, "it would change only a kernel that stands in at other sizes");
    else if (l->step->worth && !l->step->worth(&o, why, sizeof why))
        rg_site_list_withhold(l->out, site, why);
    else if (l->step->keeps_order && !l->parent->n && rg__poly_front_is_faster(&o, why, sizeof why))
        rg_site_list_withhold_beside(l->out, site, traits, exact, rg__poly_step_wavefront.word, why);
    else
        rg_site_list_add(l->out, site, traits, exact);
    rg__poly_program_free(p);
}

static enum rg_status sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                            struct rg_site_list *out, struct rg_error *err)
{
    struct coder *c = self;
    const struct poly_actions *e = actions_of(parent);
    const struct poly_step *known = rg__poly_step_named(step->poly);
    if (!e || !known) return RG_OK; /* another coder has been here, or a step we don't have */
    struct listing l = {c, e, known, out};
    rg__poly_candidates(c->shared->scop, e, known, try_site, &l);
    return RG_OK;
}

static char *chain_copy(const char *s)
{
    return rg_xstrdup(s ? s : "");
}

static struct rg_template *template_new(struct coder *c, const struct rg_template *parent, const struct rg_step *step,
                                        const char *site, const struct poly_actions *e, const struct poly_program *p)
{
    struct poly_template *t = rg_xcalloc(1, sizeof *t);
    t->base.ops = &ops;
    t->base.refs = 1;
    t->base.coder = "poly";
    t->shared = c->shared;
    c->shared->refs++;
    t->taken = *e;
    struct rg_buf key = RG_BUF_INIT;
    rg__poly_actions_key(e, &key);
    t->base.key = rg_buf_steal(&key);
    rg__poly_tunables_of(p, e, &t->arena, &t->base.tunables);
    t->base.traits = program_traits(p);
    int n = parent ? parent->n_chain : 0;
    t->base.n_chain = n + 1;
    t->base.chain = rg_xcalloc((size_t)n + 1, sizeof *t->base.chain);
    for (int i = 0; i < n; i++) {
        t->base.chain[i].step = chain_copy(parent->chain[i].step);
        t->base.chain[i].site = chain_copy(parent->chain[i].site);
    }
    t->base.chain[n].step = chain_copy(step->id);
    t->base.chain[n].site = chain_copy(site);
    return &t->base;
}

static double now(void)
{
    struct timespec ts;
    clock_gettime(CLOCK_MONOTONIC, &ts);
    return (double)ts.tv_sec + (double)ts.tv_nsec * 1e-9;
}

/* What a program is to a search: its code at the start, and what may be tuned. */
static bool look_at(const struct coder *c, const struct poly_actions *e, struct rg_buf *code)
{
    char why[512];
    struct poly_program *p = rg__poly_apply(c->shared->scop, e, why, sizeof why);
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_tunables t = {0};
    struct rg_vector start;
    struct poly_values values;
    if (!p) return false;
    rg__poly_tunables_of(p, e, &arena, &t);
    bool ok = rg__poly_tunables_settle(p, &t);
    if (ok) {
        rg_tunables_default(&t, &start);
        rg__poly_values_of(&t, &start, &values);
        ok = rg__poly_print_program(p, &values, code, code, NULL) == RG_OK;
    }
    for (int i = 0; ok && i < t.n; i++) {
        rg_buf_printf(code, "\n%s", t.items[i].name);
        for (int k = 0; k < t.items[i].n_values; k++) rg_buf_printf(code, " %lld", (long long)t.items[i].values[k]);
    }
    rg_arena_release(&arena);
    rg__poly_program_free(p);
    return ok;
}

/* A step that puts loops of the plan into one kernel may leave no trace of what was done to them before. Such actions
 * go, so that all chains to this program meet in one node, and it is tuned once. */
static void shed(const struct coder *c, struct poly_actions *e, const struct poly_step *last)
{
    struct rg_buf with = RG_BUF_INIT, without = RG_BUF_INIT;
    bool can = e->n > 1 && look_at(c, e, &with);
    for (int i = e->n - 1; i >= 0 && can; i--) {
        struct poly_actions fewer = *e;
        if (e->items[i].step == last) continue;
        memmove(&fewer.items[i], &fewer.items[i + 1], sizeof fewer.items[0] * (size_t)(fewer.n - i - 1));
        fewer.n--;
        without.len = 0;
        if (look_at(c, &fewer, &without) && with.len == without.len && !memcmp(with.data, without.data, with.len))
            *e = fewer;
    }
    rg_buf_release(&with);
    rg_buf_release(&without);
}

static enum rg_status submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                             const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct coder *c = self;
    struct answer *a = rg_xcalloc(1, sizeof *a);
    double start = now();
    a->a.id = id;
    a->a.kind = RG_ANSWER_REFUSED;
    const struct poly_actions *e = actions_of(parent);
    const struct poly_step *known = rg__poly_step_named(step->poly);
    struct poly_actions taken = e ? *e : none;
    char why[512] = "";
    if (!e)
        snprintf(a->a.message, sizeof a->a.message,
                 "the candidate was edited by another coder: poly has no schedule of it");
    else if (!known)
        snprintf(a->a.message, sizeof a->a.message, "poly has no edit for step %s", step->id);
    else if (!rg__poly_actions_add(&taken, known, site ? site : "C"))
        snprintf(a->a.message, sizeof a->a.message, "%s@%s has been applied already", step->id, site ? site : "C");
    else {
        if (known->takes_over) shed(c, &taken, known);
        struct poly_program *p = rg__poly_apply(c->shared->scop, &taken, why, sizeof why);
        if (p) {
            rg__poly_actions_credit(&taken, known, site ? site : "C", parent ? parent->n_chain : 0, &step->tunables);
            struct rg_template *t = template_new(c, parent, step, site ? site : "C", &taken, p);
            if (rg__poly_tunables_settle(p, &t->tunables)) {
                a->a.kind = RG_ANSWER_TEMPLATE;
                a->a.tmpl = t;
            } else {
                snprintf(a->a.message, sizeof a->a.message, "no choice of tunables fits a block");
                rg_template_unref(t);
            }
            rg__poly_program_free(p);
        } else {
            snprintf(a->a.message, sizeof a->a.message, "%s", why);
        }
    }
    a->a.seconds = now() - start;
    *c->tail = a;
    c->tail = &a->next;
    return RG_OK;
}

static enum rg_status poll(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct coder *c = self;
    struct answer *a = c->head;
    *got = a != NULL;
    if (!a) return RG_OK;
    *out = a->a;
    c->head = a->next;
    if (!c->head) c->tail = &c->head;
    free(a);
    return RG_OK;
}

static void cancel(void *self, int id)
{
    struct coder *c = self;
    for (struct answer **p = &c->head; *p;) {
        struct answer *a = *p;
        if (a->a.id != id) {
            p = &a->next;
            continue;
        }
        *p = a->next;
        rg_template_unref(a->a.tmpl);
        free(a);
    }
    c->tail = &c->head;
    while (*c->tail) c->tail = &(*c->tail)->next;
}

static void coder_free(void *self)
{
    struct coder *c = self;
    while (c->head) {
        struct answer *a = c->head;
        c->head = a->next;
        rg_template_unref(a->a.tmpl);
        free(a);
    }
    shared_unref(c->shared);
    free(c);
}

enum rg_status rg_poly_new(const struct rg_problem *p, const struct rg_ctree *t, struct rg_coder *out,
                           struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    if (!t)
        return rg_error_at(err, RG_INPUT, p->file, p->line, 0,
                           "the body of %s could not be represented: nothing to analyse", p->function);
    struct shared *s = rg_xcalloc(1, sizeof *s);
    enum rg_status st = rg__poly_scop_split(p, rg__poly_count_far(p, t, &s->arena), &s->arena, &s->scop, err);
    if (st != RG_OK) {
        rg_arena_release(&s->arena);
        free(s);
        return st;
    }
    struct coder *c = rg_xcalloc(1, sizeof *c);
    c->shared = s;
    c->shared->refs = 1;
    c->tail = &c->head;
    *out = (struct rg_coder){.name = "poly",
                             .self = c,
                             .stochastic = false,
                             .sites = sites,
                             .submit = submit,
                             .poll = poll,
                             .cancel = cancel,
                             .free = coder_free};
    return RG_OK;
}

static void explain_actions(struct coder *self, const struct rg_template *at, const struct rg_step *const *steps, int n,
                            struct rg_buf *out)
{
    for (int i = 0; i < n; i++) {
        struct rg_site_list l = {0};
        if (steps[i]->poly && rg__poly_step_named(steps[i]->poly)) sites(self, at, steps[i], &l, NULL);
        for (int s = 0; s < l.n; s++) rg_buf_printf(out, "  %s@%s\n", steps[i]->id, l.items[s].name);
        for (int s = 0; s < l.n_refused; s++)
            rg_buf_printf(out, "  %s@%s %s: %s\n", steps[i]->id, l.refused[s].site,
                          l.refused[s].legal ? "not offered" : "refused", l.refused[s].reason);
        rg_site_list_release(&l);
    }
}

const struct rg_prepared *rg_poly_prepared(const struct rg_coder *c, int *n)
{
    const struct rg_ctree *t = ((const struct coder *)c->self)->shared->scop->tree;
    *n = t->n_prepared;
    return t->prepared;
}

void rg_poly_explain_loops(const struct rg_coder *c, struct rg_buf *out)
{
    const struct coder *self = c->self;
    rg__poly_explain_loops(self->shared->scop, out);
}

void rg_poly_explain(const struct rg_coder *c, const struct rg_step *const *steps, int n_steps, struct rg_buf *out)
{
    struct coder *self = c->self;
    char why[512];
    rg_buf_str(out, "loops:\n");
    rg__poly_explain_loops(self->shared->scop, out);
    rg_buf_str(out, "actions on the sequential code:\n");
    explain_actions(self, NULL, steps, n_steps, out);
    static const struct poly_step *const first[] = {&rg__poly_step_parallelize, &rg__poly_step_wavefront};
    for (int k = 0; k < 2; k++) {
        struct poly_actions mapped = none;
        rg__poly_actions_add(&mapped, first[k], "C");
        struct poly_program *p = rg__poly_apply(self->shared->scop, &mapped, why, sizeof why);
        for (int i = 0; i < n_steps && p; i++)
            if (steps[i]->poly && rg__poly_step_named(steps[i]->poly) == first[k]) {
                struct rg_template *base = template_new(self, NULL, steps[i], "C", &mapped, p);
                rg_buf_printf(out, "after %s:\n", steps[i]->id);
                explain_actions(self, base, steps, n_steps, out);
                rg_template_unref(base);
                break;
            }
        rg__poly_program_free(p);
    }
}

enum rg_status rg_poly_explain_kernels(const struct rg_template *t, struct rg_buf *out, struct rg_error *err)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    struct rg_vector at;
    struct poly_values values;
    char why[512] = "";
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, why, sizeof why);
    if (!p) return rg_error_set(err, RG_INPUT, "%s", why);
    struct rg_arena arena = RG_ARENA_INIT;
    rg_tunables_default(&t->tunables, &at);
    rg__poly_values_of(&t->tunables, &at, &values);
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        const struct kir_kernel *kir =
            rg__poly_in_kir(p, k) ? rg__poly_kir_build(p, k, &values, &arena, why, sizeof why) : NULL;
        if (kir)
            rg__kir_pseudo(kir, out);
        else if (rg__poly_in_kir(p, k))
            rg_buf_printf(out, "kernel %d: %s\n", i, why);
        else
            rg_buf_printf(out, "kernel %d: not in kernel IR, printed as CUDA at once\n", i);
    }
    rg_arena_release(&arena);
    rg__poly_program_free(p);
    return RG_OK;
}
