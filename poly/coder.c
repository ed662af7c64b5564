/* The coder's face to the engine: sites, templates, answers. Everything is computed at submit; poll hands it out. */
#include "poly/draft/draft.h"
#include "poly/kernel/sort_kernel.h"
#include "poly/kir/kir.h"
#include "poly/reorder/reorder.h"
#include "poly/steps/steps.h"
#include <rg/hash.h>
#include <rg/poly.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

struct shared {            /* the analysis; templates keep it alive */
    struct rg_arena arena; /* the tree with split loops */
    struct poly_scop *scop;
    int refs;
    char *drafted_key; /* the program that was drafted last: drafts of one template come in a row */
    struct poly_program *drafted;
    struct draft *room;
    struct look {
        char *key, code[65]; /* "": it is no program that can be searched */
    } * looks;               /* by its actions, what a program is to a search */
    int n_looks, cap_looks;
    struct listed {
        const struct poly_step *step;
        struct rg_site_list l;
    } * listed; /* what the function as it stands offers: asked for by the search and by each report */
    int n_listed, cap_listed;
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
    rg__poly_program_free(s->drafted);
    free(s->drafted_key);
    free(s->room);
    for (int i = 0; i < s->n_looks; i++) free(s->looks[i].key);
    free(s->looks);
    for (int i = 0; i < s->n_listed; i++) rg_site_list_release(&s->listed[i].l);
    free(s->listed);
    rg__poly_scop_free(s->scop);
    rg_arena_release(&s->arena);
    free(s);
}

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    struct rg_reason why = {0};
    struct rg_vector def;
    if (!v) {
        rg_tunables_default(&t->tunables, &def);
        v = &def;
    }
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, &why);
    if (!p) return rg_error_set(err, RG_INPUT, "%s", why.text);
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
    struct shared *s = pt->shared;
    struct rg_reason why = {0};
    if (!s->drafted_key || strcmp(s->drafted_key, t->key)) {
        free(s->drafted_key);
        rg__poly_program_free(s->drafted);
        s->drafted_key = rg_xstrdup(t->key);
        s->drafted = rg__poly_apply(s->scop, &pt->taken, &why);
    }
    for (int i = 0; i < n && s->drafted; i++) {
        struct poly_values values;
        rg__poly_values_of(&t->tunables, &v[i], &values);
        us[i] = rg__poly_draft(s->drafted, &values, &s->room);
    }
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
    struct rg_reason why = {0};
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, &why);
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

/* Microseconds on a current core; every run counts the same. */
static double draft_cost(const struct poly_program *p)
{
    int stmts[128], accesses = 0;
    for (int i = 0; i < p->n_kernels; i++) {
        int n = rg__poly_knode_stmts(p->scop, p->kernels[i].body, stmts, 128);
        for (int k = 0; k < n && k < 128; k++) accesses += p->scop->stmts[stmts[k]].n_accesses;
    }
    return 5 * p->n_kernels + accesses;
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
    bool cut; /* before all places were tried */
};

static void try_site(void *arg, const char *site)
{
    struct listing *l = arg;
    struct poly_actions e = *l->parent;
    struct rg_reason why = {0};
    l->cut = l->cut || rg__poly_time_is_up();
    if (l->cut || !rg__poly_actions_add(&e, l->step, site)) return;
    struct poly_program *p = rg__poly_apply(l->c->shared->scop, &e, &why);
    if (!p) {
        rg_site_list_refuse_as(l->out, site, &why);
        return;
    }
    struct poly_scop *scop = l->c->shared->scop;
    uint32_t traits = scop->problem->traits | RG_TRAIT_LOOP | l->step->traits;
    bool exact = l->step->site_traits != NULL;
    if (exact) traits = l->step->site_traits(p, site, traits);
    struct poly_offer o = {.s = scop, .parent = l->parent, .taken = &e, .p = p, .site = site, .steps = rg__poly_steps};
    if (rg__poly_changes_stand_ins_only(&o))
        rg_site_list_withhold(l->out, site, "it would change only a kernel that stands in at other sizes");
    else if (!strcmp(site, RG_SITE_NONE))
        rg_site_list_withhold(l->out, site, "it was taken, as a proof or an estimate says that it pays");
    else if (l->step->worth && !l->step->worth(&o, &why))
        rg_site_list_withhold(l->out, site, why.text);
    else if (l->step->keeps_order && !l->parent->n && rg__poly_front_is_faster(&o, &why))
        rg_site_list_withhold_beside(l->out, site, traits, exact, rg__poly_step_wavefront.word, why.text);
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
    struct shared *s = c->shared;
    for (int i = 0; i < s->n_listed && !e->n; i++)
        if (s->listed[i].step == known) {
            rg_site_list_copy(&s->listed[i].l, out);
            return RG_OK;
        }
    struct listing l = {c, e, known, out, false};
    rg__poly_candidates(s->scop, e, known, try_site, &l);
    if (e->n || l.cut) return RG_OK;
    RG_GROW(s->listed, s->n_listed, s->cap_listed);
    s->listed[s->n_listed].step = known;
    rg_site_list_copy(out, &s->listed[s->n_listed++].l);
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
    rg__poly_tunables_of(p, e, rg__poly_steps, &t->arena, &t->base.tunables);
    t->base.traits = program_traits(p);
    t->base.draft_cost_us = draft_cost(p);
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
    struct rg_reason why = {0};
    struct poly_program *p = rg__poly_apply(c->shared->scop, e, &why);
    struct rg_arena arena = RG_ARENA_INIT;
    struct rg_tunables t = {0};
    struct rg_vector start;
    struct poly_values values;
    if (!p) return false;
    rg__poly_tunables_of(p, e, rg__poly_steps, &arena, &t);
    struct rg_error misfit;
    bool ok = rg__poly_tunables_settle(p, &t, &misfit);
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

/* Its hash; "": it is none. Ways that differ in their last step ask for much the same programs. */
static void code_of(const struct coder *c, const struct poly_actions *e, char code[65])
{
    struct shared *s = c->shared;
    struct rg_buf key = RG_BUF_INIT, text = RG_BUF_INIT;
    rg__poly_actions_key(e, &key);
    for (int i = 0; i < s->n_looks; i++)
        if (!strcmp(s->looks[i].key, key.data)) {
            memcpy(code, s->looks[i].code, 65);
            rg_buf_release(&key);
            return;
        }
    *code = 0;
    if (look_at(c, e, &text)) rg_sha256_hex(text.data, text.len, code);
    RG_GROW(s->looks, s->n_looks, s->cap_looks);
    struct look *l = &s->looks[s->n_looks++];
    l->key = rg_buf_steal(&key);
    memcpy(l->code, code, 65);
    rg_buf_release(&text);
}

/* A step that puts loops of the plan into one kernel may leave no trace of what was done to them before. Such actions
 * go, so that all chains to this program meet in one node, and it is tuned once. */
static void shed(const struct coder *c, struct poly_actions *e, const struct poly_step *last)
{
    char with[65] = "", without[65];
    if (e->n > 1) code_of(c, e, with);
    for (int i = e->n - 1; i >= 0 && *with; i--) {
        struct poly_actions fewer = *e;
        if (e->items[i].step == last) continue;
        memmove(&fewer.items[i], &fewer.items[i + 1], sizeof fewer.items[0] * (size_t)(fewer.n - i - 1));
        fewer.n--;
        code_of(c, &fewer, without);
        if (!strcmp(with, without)) *e = fewer;
    }
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
    struct rg_reason why = {0};
    if (!e)
        rg_refuse(&why, RG_REFUSE_ANALYSIS, 0, "the candidate was edited by another coder: poly has no schedule of it");
    else if (!known)
        rg_refuse(&why, RG_REFUSE_SITE, 0, "poly has no edit for step %s", step->id);
    else if (!rg__poly_actions_add(&taken, known, site ? site : "C"))
        rg_refuse(&why, RG_REFUSE_ALREADY, 0, "%s@%s has been applied already", step->id, site ? site : "C");
    else {
        if (known->takes_over) shed(c, &taken, known);
        struct poly_program *p = rg__poly_apply(c->shared->scop, &taken, &why);
        if (p) {
            rg__poly_actions_credit(&taken, known, site ? site : "C", parent ? parent->n_chain : 0, &step->tunables);
            struct rg_template *t = template_new(c, parent, step, site ? site : "C", &taken, p);
            struct rg_error misfit;
            if (rg__poly_tunables_settle(p, &t->tunables, &misfit)) {
                a->a.kind = RG_ANSWER_TEMPLATE;
                a->a.tmpl = t;
            } else {
                rg_refuse(&why, RG_REFUSE_SPACE, misfit.line, "no values of its tunables give a kernel: %s",
                          misfit.text);
                rg_template_unref(t);
            }
            rg__poly_program_free(p);
        }
    }
    if (a->a.kind == RG_ANSWER_REFUSED) {
        a->a.refusal = why.kind;
        a->a.line = why.line;
        snprintf(a->a.message, sizeof a->a.message, "%s", why.text);
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
    enum rg_status st = rg__poly_begin(p, rg__poly_count_far(p, t, &s->arena), &s->arena, &s->scop, err);
    if (st != RG_OK) {
        rg_arena_release(&s->arena);
        free(s);
        return st;
    }
    struct coder *c = rg_xcalloc(1, sizeof *c);
    c->shared = s;
    c->shared->refs = 1;
    c->tail = &c->head;
    struct rg_first_step *first;
    int n_first = rg__poly_first_taken(s->scop->tree, &s->arena, &first);
    *out = (struct rg_coder){.name = "poly",
                             .first = first,
                             .n_first = n_first,
                             .self = c,
                             .stochastic = false,
                             .sites = sites,
                             .submit = submit,
                             .poll = poll,
                             .cancel = cancel,
                             .free = coder_free};
    return RG_OK;
}

static void explain_refusal(const char *step, const struct rg_refusal *r, struct rg_buf *out)
{
    rg_buf_printf(out, "  %s@%s ", step, r->site);
    if (r->legal)
        rg_buf_str(out, "not offered");
    else
        rg_buf_printf(out, "refused (%s)", rg_refusal_word(r->kind));
    rg_buf_printf(out, ": %s\n", r->reason);
}

static void explain_actions(struct coder *self, const struct rg_template *at, const struct rg_step *const *steps, int n,
                            struct rg_buf *out)
{
    for (int i = 0; i < n; i++) {
        struct rg_site_list l = {0};
        if (steps[i]->poly && rg__poly_step_named(steps[i]->poly)) sites(self, at, steps[i], &l, NULL);
        for (int s = 0; s < l.n; s++) rg_buf_printf(out, "  %s@%s\n", steps[i]->id, l.items[s].name);
        for (int s = 0; s < l.n_refused; s++) explain_refusal(steps[i]->id, &l.refused[s], out);
        rg_site_list_release(&l);
    }
}

const struct rg_prepared *rg_poly_prepared(const struct rg_coder *c, int *n)
{
    const struct rg_ctree *t = ((const struct coder *)c->self)->shared->scop->tree;
    *n = t->n_prepared;
    return t->prepared;
}

void rg_poly_loop_facts(const struct rg_coder *c, struct rg_buf *out)
{
    const struct coder *self = c->self;
    rg__poly_loop_facts(self->shared->scop, out);
}

/* The version in which each loop that may has threads, by one of the steps that give them; NULL: there is none. */
static struct rg_template *mapped(struct coder *self, const struct poly_step *by, const struct rg_step *step)
{
    struct rg_reason why = {0};
    struct poly_actions taken = none;
    rg__poly_actions_add(&taken, by, "C");
    struct poly_program *p = rg__poly_apply(self->shared->scop, &taken, &why);
    struct rg_template *t = p ? template_new(self, NULL, step, "C", &taken, p) : NULL;
    rg__poly_program_free(p);
    return t;
}

static const struct poly_step *const mapping[] = {&rg__poly_step_parallelize, &rg__poly_step_wavefront};

static bool has_form_at(struct coder *self, const struct rg_template *at, const struct rg_step *step, uint32_t *traits)
{
    struct rg_site_list l = {0};
    bool has = sites(self, at, step, &l, NULL) != RG_OK || l.n > 0;
    for (int i = 0; i < l.n; i++) *traits |= l.items[i].traits;
    for (int i = 0; i < l.n_refused; i++) {
        enum rg_refusal_kind k = l.refused[i].kind;
        has = has || l.refused[i].legal || (k != RG_REFUSE_SITE && k != RG_REFUSE_ALREADY && k != RG_REFUSE_SHAPE);
    }
    rg_site_list_release(&l);
    return has;
}

bool rg_poly_has_form(const struct rg_coder *c, const struct rg_step *step, uint32_t *traits)
{
    struct coder *self = c->self;
    *traits = 0;
    if (!step->poly || !rg__poly_step_named(step->poly)) return true;
    bool has = has_form_at(self, NULL, step, traits);
    for (size_t k = 0; k < sizeof mapping / sizeof *mapping && !has; k++) {
        struct rg_template *base = mapped(self, mapping[k], step);
        has = base && has_form_at(self, base, step, traits);
        if (base) rg_template_unref(base);
    }
    return has;
}

void rg_poly_explain(const struct rg_coder *c, const struct rg_step *const *steps, int n_steps, struct rg_buf *out)
{
    struct coder *self = c->self;
    rg_buf_str(out, "loops:\n");
    rg__poly_explain_loops(self->shared->scop, out);
    rg_buf_str(out, "actions on the sequential code:\n");
    explain_actions(self, NULL, steps, n_steps, out);
    for (size_t k = 0; k < sizeof mapping / sizeof *mapping; k++)
        for (int i = 0; i < n_steps; i++) {
            if (!steps[i]->poly || rg__poly_step_named(steps[i]->poly) != mapping[k]) continue;
            struct rg_template *base = mapped(self, mapping[k], steps[i]);
            if (!base) break;
            rg_buf_printf(out, "after %s:\n", steps[i]->id);
            explain_actions(self, base, steps, n_steps, out);
            rg_template_unref(base);
            break;
        }
}

enum rg_status rg_poly_explain_kernels(const struct rg_template *t, struct rg_buf *out, struct rg_error *err)
{
    const struct poly_template *pt = (const struct poly_template *)t;
    struct rg_vector at;
    struct poly_values values;
    struct rg_reason why = {0};
    struct poly_program *p = rg__poly_apply(pt->shared->scop, &pt->taken, &why);
    if (!p)
        return rg_error_at(err, RG_INPUT, why.line ? pt->shared->scop->problem->file : NULL, why.line, 0, "%s",
                           why.text);
    struct rg_arena arena = RG_ARENA_INIT;
    rg_tunables_default(&t->tunables, &at);
    rg__poly_values_of(&t->tunables, &at, &values);
    for (int i = 0; i < p->n_kernels; i++) {
        const struct poly_kernel *k = &p->kernels[i];
        const struct kir_kernel *kir = rg__poly_kir_build(p, k, &values, &arena, &why);
        struct poly_sort_kernels sort;
        if (kir) rg__kir_pseudo(kir, out);
        if (kir && k->form == POLY_SORT && rg__poly_sort_kernels(p, k, &values, &arena, &sort, &why))
            rg__kir_pseudo(sort.merges, out);
        if (!kir) rg_buf_printf(out, "kernel %d: %s\n", i, why.text);
    }
    rg_arena_release(&arena);
    rg__poly_program_free(p);
    return RG_OK;
}
