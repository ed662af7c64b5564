#include "frontend/infer/values.h"
#include "ir/ctree_util.h"
#include <stdlib.h>
#include <string.h>

struct place {
    struct rg__writes *w;
    int n_loops, n_guards;
    const struct rg_cnode *loops[RG__VALUE_LOOPS], *guards[RG__VALUE_GUARDS];
};

static const struct rg_cnode *whole(const struct rg_cnode *e)
{
    while (e->kind == RG_C_MEMBER || e->kind == RG_C_CAST) e = e->kid[0];
    return e;
}

static void add(struct place *p, const struct rg_cnode *assign, const struct rg_cnode *target,
                const struct rg_cnode *value)
{
    const struct rg_cnode *at = target ? whole(target) : NULL;
    if (at && at->kind != RG_C_INDEX && at->kind != RG_C_VAR) return;
    struct rg__writes *w = p->w;
    RG_GROW(w->items, w->n, w->cap);
    struct rg__write *x = &w->items[w->n++];
    *x = (struct rg__write){.assign = assign, .value = value, .n_loops = p->n_loops, .n_guards = p->n_guards};
    x->target = at && at->kind == RG_C_INDEX ? at : NULL;
    x->var = x->target ? -1 : at ? at->var : assign->var;
    memcpy(x->loops, p->loops, sizeof x->loops);
    memcpy(x->guards, p->guards, sizeof x->guards);
}

static void gather(struct place *p, const struct rg_cnode *n);

static void inside(struct place *p, const struct rg_cnode *loop, const struct rg_cnode *condition,
                   const struct rg_cnode *body)
{
    int loops = p->n_loops, guards = p->n_guards;
    if (loop && p->n_loops < RG__VALUE_LOOPS) p->loops[p->n_loops++] = loop;
    if (condition && p->n_guards < RG__VALUE_GUARDS) p->guards[p->n_guards++] = condition;
    gather(p, body);
    p->n_loops = loops;
    p->n_guards = guards;
}

static void gather(struct place *p, const struct rg_cnode *n)
{
    if (!n) return;
    switch (n->kind) {
    case RG_C_LOOP:
        inside(p, n, n->n == 4 ? n->kid[3] : NULL, n->kid[2]);
        return;
    case RG_C_FOR:
        gather(p, n->kid[0]);
        inside(p, n, n->kid[1], n->kid[3]);
        inside(p, n, n->kid[1], n->kid[2]);
        return;
    case RG_C_WHILE:
        inside(p, n, n->kid[0], n->kid[1]);
        return;
    case RG_C_DO:
        inside(p, n, n->kid[1], n->kid[0]);
        return;
    case RG_C_IF:
        gather(p, n->kid[0]);
        for (int i = 1; i < n->n; i++) inside(p, NULL, n->kid[0], n->kid[i]);
        return;
    case RG_C_ASSIGN:
        add(p, n, n->kid[0], n->kid[1]);
        break;
    case RG_C_INCDEC:
        add(p, n, n->kid[0], NULL);
        break;
    case RG_C_DECL:
        if (n->n && n->kid[0] && n->array < 0) add(p, n, NULL, n->kid[0]);
        break;
    default:
        break;
    }
    for (int i = 0; i < n->n; i++) gather(p, n->kid[i]);
}

void rg__writes_gather(struct rg__writes *w, const struct rg_ctree *t)
{
    struct place p = {.w = w};
    *w = (struct rg__writes){.t = t};
    gather(&p, t->root);
}

void rg__writes_release(struct rg__writes *w)
{
    free(w->items);
    *w = (struct rg__writes){0};
}

const struct rg_cnode *rg__defined_as(const struct rg__writes *w, const struct rg_cnode *e)
{
    for (int steps = 0; steps < 8; steps++) {
        while (e->kind == RG_C_CAST) e = e->kid[0];
        if (e->kind != RG_C_VAR || e->array >= 0) return e;
        const struct rg__write *only = NULL;
        int n = 0;
        for (int i = 0; i < w->n; i++)
            if (!w->items[i].target && w->items[i].var == e->var) {
                only = &w->items[i];
                n++;
            }
        bool set = only && (only->assign->kind == RG_C_DECL || only->assign->op == RG_COP_SET);
        if (n != 1 || !set || !only->value) return e;
        e = only->value;
    }
    return e;
}

const struct rg_cnode *rg__element_of(const struct rg__writes *w, const struct rg_cnode *e)
{
    for (int steps = 0; steps < 8; steps++) {
        const struct rg_cnode *x = rg__defined_as(w, whole(e));
        if (x->kind == RG_C_INDEX) return x;
        if (x == e || (x->kind != RG_C_MEMBER && x->kind != RG_C_CAST)) return NULL;
        e = x;
    }
    return NULL;
}

static bool mark(const struct rg__writes *w, const struct rg_cnode *e, bool *seen);

/* Does a condition hang on data, whatever scalars it went through? */
static bool by_data(const struct rg__writes *w, const struct rg_cnode *condition)
{
    bool *seen = rg_xcalloc((size_t)w->t->n_vars + 1, sizeof *seen), found = mark(w, condition, seen);
    free(seen);
    return found;
}

/* ---- sources ---- */

struct trace {
    const struct rg__writes *w;
    bool *seen; /* by variable */
    int fuel;
    void (*fn)(void *, const struct rg__value_source *);
    void *arg;
};

static bool chooses(const struct rg_cnode *e)
{
    static const char *const names[] = {"min", "max", "fmin", "fmax", "fminf", "fmaxf", "fminl", "fmaxl"};
    if (e->kind == RG_C_COND) return true;
    for (int i = 0; e->kind == RG_C_CALL && e->callee < 0 && i < (int)(sizeof names / sizeof *names); i++)
        if (e->text && !strcmp(e->text, names[i])) return true;
    return false;
}

static void follow(struct trace *t, const struct rg_cnode *e, struct rg__value_source s)
{
    if (!e || --t->fuel < 0) return;
    if (e->kind == RG_C_INDEX) {
        s.element = e;
        t->fn(t->arg, &s);
        return;
    }
    if (e->kind == RG_C_VAR && e->array < 0) {
        if (e->var < 0 || t->seen[e->var]) return;
        t->seen[e->var] = true;
        for (int i = 0; i < t->w->n; i++) {
            const struct rg__write *x = &t->w->items[i];
            if (x->target || x->var != e->var || !x->value) continue;
            struct rg__value_source v = s;
            enum rg_c_op applied = x->assign->kind == RG_C_ASSIGN ? rg_c_applied(x->assign->op) : RG_COP_NONE;
            v.copied = s.copied && applied == RG_COP_NONE;
            v.scaled = s.scaled || applied == RG_COP_MUL || applied == RG_COP_DIV;
            for (int g = 0; g < x->n_guards && !v.chosen; g++) v.chosen = by_data(t->w, x->guards[g]);
            follow(t, x->value, v);
        }
        t->seen[e->var] = false;
        return;
    }
    bool plain = e->kind == RG_C_CAST || e->kind == RG_C_MEMBER || e->kind == RG_C_COND || e->kind == RG_C_INITLIST;
    s.chosen |= chooses(e);
    s.copied &= plain || chooses(e);
    s.scaled |= e->op == RG_COP_MUL || e->op == RG_COP_DIV;
    for (int i = 0; i < e->n && e->kind != RG_C_STRING; i++) {
        struct rg__value_source v = s;
        if (e->kind == RG_C_MEMBER && i > 0) break; /* subscripts */
        if (e->op == RG_COP_MUL && e->n == 2) {
            const struct rg_cnode *other = rg__element_of(t->w, e->kid[1 - i]);
            if (other) v.factor = other;
        }
        follow(t, e->kid[i], v);
    }
}

void rg__sources(const struct rg__writes *w, const struct rg_cnode *e,
                 void (*fn)(void *arg, const struct rg__value_source *s), void *arg)
{
    struct trace t = {.w = w, .fuel = 20000, .fn = fn, .arg = arg};
    t.seen = rg_xcalloc((size_t)w->t->n_vars + 1, sizeof *t.seen);
    follow(&t, e, (struct rg__value_source){.copied = true});
    free(t.seen);
}

/* Marks the scalars that e goes back to; does it go back to elements? */
static bool mark(const struct rg__writes *w, const struct rg_cnode *e, bool *seen)
{
    if (!e) return false;
    bool element = e->kind == RG_C_INDEX;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && !seen[e->var]) {
        seen[e->var] = true;
        for (int i = 0; i < w->n; i++)
            if (!w->items[i].target && w->items[i].var == e->var) element |= mark(w, w->items[i].value, seen);
    }
    for (int i = 0; i < e->n; i++) element |= mark(w, e->kid[i], seen);
    return element;
}

bool rg__goes_back_to(const struct rg__writes *w, const struct rg_cnode *e, int var)
{
    bool *seen = rg_xcalloc((size_t)w->t->n_vars + 1, sizeof *seen);
    mark(w, e, seen);
    bool found = seen[var];
    free(seen);
    return found;
}

static bool compares(const struct rg__writes *w, const struct rg_cnode *e, bool *seen)
{
    if (!e) return false;
    bool order = e->kind == RG_C_BINARY &&
                 (e->op == RG_COP_LT || e->op == RG_COP_GT || e->op == RG_COP_LE || e->op == RG_COP_GE);
    bool least = e->kind == RG_C_CALL && e->n == 2 && chooses(e);
    if ((order || least) && by_data(w, e->kid[0]) && by_data(w, e->kid[1])) return true;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var >= 0 && !seen[e->var]) {
        seen[e->var] = true;
        for (int i = 0; i < w->n; i++) {
            if (w->items[i].target || w->items[i].var != e->var) continue;
            if (compares(w, w->items[i].value, seen)) return true;
            for (int g = 0; g < w->items[i].n_guards; g++)
                if (compares(w, w->items[i].guards[g], seen)) return true;
        }
    }
    for (int i = 0; i < e->n; i++)
        if (compares(w, e->kid[i], seen)) return true;
    return false;
}

bool rg__compares_elements(const struct rg__writes *w, const struct rg_cnode *e)
{
    bool *seen = rg_xcalloc((size_t)w->t->n_vars + 1, sizeof *seen), found = compares(w, e, seen);
    free(seen);
    return found;
}
