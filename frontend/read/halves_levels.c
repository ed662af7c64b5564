/* A function that calls itself for both halves, as loops over the levels of its calls (halves.h): from the whole down
 * what stands in front of the calls, then what calls of one element do, then up again what stands behind the calls. */
#include "frontend/read/halves.h"
#include <stdlib.h>
#include <string.h>

struct phase {
    struct rg__halves *x;
    struct rg_ctree *t;
    int level, call;             /* variables: m, and where in an array of all elements the call's begin */
    struct rg_cnode *mirrored;   /* the number of a call of one element, its bits in reverse; NULL */
    const struct rg_cnode *pair; /* k; NULL: the call has one element */
    bool pairs;
    int load[RG__HALVES_FAMILIES][2]; /* scalars with what the calls left; -1 none yet */
    struct rg__kids loads;
    int written[RG__HALVES_FAMILIES]; /* bits: low, high, as the body always sets them */
};

static bool is_scalar_set(const struct rg__halves *x, const struct rg_cnode *s)
{
    if (s->kind == RG_C_DECL)
        return s->array < 0 && !s->pointer &&
               (!s->n || (rg__c_pure(x->t, s->kid[0]) && !rg__mentions_kind(s->kid[0], RG_C_INDEX)));
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (e->kind != RG_C_ASSIGN && e->kind != RG_C_INCDEC) return false;
    const struct rg_cnode *to = e->kid[0];
    while (to->kind == RG_C_MEMBER && to->n == 1) to = to->kid[0];
    if (to->kind != RG_C_VAR || to->array >= 0 || to->pointer || x->t->vars[to->var].kind != RG_CVAR_LOCAL)
        return false;
    return e->n < 2 || (rg__c_pure(x->t, e->kid[1]) && !rg__mentions_kind(e->kid[1], RG_C_INDEX));
}

/* As the type; a literal stays one. */
static struct rg_cnode *as(struct rg_ctree *t, struct rg_cnode *n, enum rg_scalar type)
{
    return n->kind == RG_C_INT && rg__scalar_is_int(type) ? n : rg__c_cast(t, n, type);
}

static struct rg_cnode *declared(struct rg_ctree *t, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->struct_index = t->vars[var].struct_index;
    d->kid[0] = d->type == RG_STRUCT ? value : as(t, value, d->type);
    d->line = value->line;
    return d;
}

static struct rg_cnode *loop(struct rg_ctree *t, int var, struct rg_cnode *first, enum rg_c_op op,
                             struct rg_cnode *limit, enum rg_c_op step_op, struct rg_cnode *step, struct rg__kids *body,
                             const struct rg_cnode *at)
{
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = declared(t, var, first);
    f->kid[1] = rg__c_binary(t, op, rg__c_var(t, var), as(t, limit, t->vars[var].type));
    f->kid[2] = rg__c_assign(t, step_op, rg__c_var(t, var), as(t, step, t->vars[var].type));
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, body);
    f->line = at ? at->line : 0;
    f->column = at ? at->column : 0;
    return f;
}

static enum rg_scalar counted_in(const struct rg__halves *x)
{
    return x->t->vars[x->p[x->size >= 0 ? x->size : x->whole].var].type;
}

static struct rg_cnode *sum(struct rg_ctree *t, struct rg_cnode *a, struct rg_cnode *b)
{
    if (!a) return b;
    return b ? rg__c_binary(t, RG_COP_ADD, a, b) : a;
}

static struct rg_cnode *half(const struct phase *p)
{
    struct rg_ctree *t = p->t;
    return rg__c_binary(t, RG_COP_DIV, rg__c_var(t, p->level), rg__c_int(t, 2));
}

/* ---- places ---- */

/* Where in its array the first call's elements begin; NULL: with it. */
static struct rg_cnode *origin(const struct rg__halves *x, const struct rg__halves_family *f)
{
    struct rg_cnode *a = x->p[f->param].top ? rg__c_copy(x->t, x->p[f->param].top) : NULL;
    const struct rg_cnode *block = f->block >= 0 ? rg__c_uncast(x->p[f->block].top, RG__C_INT_CASTS) : NULL;
    if (block && (block->kind != RG_C_INT || block->ivalue)) a = sum(x->t, a, rg__c_copy(x->t, block));
    return a;
}

static struct rg_cnode *element(const struct rg__halves *x, const struct rg__halves_family *f, struct rg_cnode *at)
{
    struct rg_cnode *sub = sum(x->t, origin(x, f), at);
    return rg__c_index(x->t, x->p[f->param].array, 1, &sub);
}

static struct rg_cnode *in_call(const struct phase *p, int family, int high)
{
    struct rg_cnode *at = rg__c_var(p->t, p->call);
    if (p->pair) at = sum(p->t, at, rg__c_copy(p->t, p->pair));
    if (high) at = sum(p->t, at, half(p));
    return element(p->x, &p->x->family[family], at);
}

/* What the calls left, before the call sets the same element to something else. */
static struct rg_cnode *left(struct phase *p, int family, int high)
{
    int *v = &p->load[family][high];
    if (*v < 0) {
        struct rg_cnode *e = in_call(p, family, high);
        *v = rg__c_add_var(p->t, high ? "of_second" : "of_first", RG_CVAR_LOCAL, e->type);
        struct rg_cvar *var = &p->t->vars[*v];
        var->struct_index = e->struct_index;
        if (e->type == RG_STRUCT) var->c_type = p->x->b->p->structs[e->struct_index].c_name;
        rg__kids_add(&p->loads, declared(p->t, *v, e));
    }
    struct rg_cnode *n = rg__c_var(p->t, *v);
    n->struct_index = p->t->vars[*v].struct_index;
    return n;
}

/* Elements of families as they are here; false: one of another call, or one that this form has no place for. */
static bool place(struct phase *p, struct rg_cnode **at, bool written)
{
    struct rg_cnode *n = *at;
    struct rg__halves *x = p->x;
    if (!n) return true;
    if ((n->kind == RG_C_VAR && n->array >= 0) || (n->kind == RG_C_INDEX && n->pointer) ||
        (n->kind == RG_C_DECL && n->array >= 0) || n->op == RG_COP_ADDRESS || n->op == RG_COP_DEREF)
        return false;
    if (n->kind == RG_C_CALL) {
        for (int i = 0; i < n->n; i++)
            if (!rg__c_pure(p->t, n->kid[i])) return false;
        if (!rg__c_pure(p->t, n)) return false;
    }
    if (n->kind == RG_C_INDEX) {
        int high = 0;
        bool own = true;
        int f = -1;
        if (p->pair || p->level >= 0) {
            f = rg__halves_place(x, n, &high, &own);
            if (f >= 0 && (!p->pair || (high && !p->pairs))) return false;
        } else { /* a call of one element */
            for (int i = 0; i < x->n_families && f == -1; i++) {
                if (x->p[x->family[i].param].array != n->array) continue;
                struct rg__poly have = rg__halves_poly(x, n->kid[0]), base = rg__poly_var(x->p[x->family[i].param].var);
                if (x->family[i].block >= 0) {
                    struct rg__poly more = rg__poly_var(x->p[x->family[i].block].var);
                    base = rg__poly_add(&base, &more, 1);
                }
                f = n->n == 1 && !have.bad && rg__poly_equal(&have, &base) ? i : -2;
            }
        }
        if (f < -1 || (f < 0 && rg__c_declares_array(x->body, n->array))) return false; /* memory of the call */
        if (f >= 0) {
            bool moves = rg__halves_moves(x, &x->family[f]);
            if (moves && p->pair && own != written) return false;
            *at = moves && p->pair && !own ? left(p, f, high) : in_call(p, f, high);
            return true;
        }
    }
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    bool updates = n->kind == RG_C_INCDEC || (n->kind == RG_C_ASSIGN && n->op != RG_COP_SET);
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *to = n->kid[i];
        while (to && to->kind == RG_C_MEMBER) to = to->kid[0];
        bool target = (sets && i == 0) || (written && n->kind == RG_C_MEMBER && i == 0);
        if (target && updates && to->kind == RG_C_INDEX) {
            int high;
            bool own;
            int f = rg__halves_place(x, to, &high, &own);
            if (f >= 0 && rg__halves_moves(x, &x->family[f])) return false; /* it reads what is gone by now */
        }
        if (!place(p, &n->kid[i], target)) return false;
    }
    return true;
}

/* Which elements of families that move the statement sets, whatever happens. */
static void note_written(struct phase *p, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX) return;
    int high;
    bool own;
    int f = rg__halves_place(p->x, e->kid[0], &high, &own);
    if (f >= 0 && own) p->written[f] |= 1 << high;
}

/* x[k].re = ..; x[k].im = ..; of all members, one behind the other. */
static void note_members(struct phase *p, const struct rg_cnode *body)
{
    for (int f = 0; f < p->x->n_families; f++) {
        const struct rg_carray *a = &p->t->arrays[p->x->p[p->x->family[f].param].array];
        if (a->elem != RG_STRUCT || a->struct_index < 0) continue;
        const struct rg_struct *st = &p->x->b->p->structs[a->struct_index];
        for (int high = 0; high < 2; high++) {
            int found = 0;
            for (int m = 0; m < st->n_fields; m++) {
                bool set = false;
                for (int i = 0; i < body->n; i++) {
                    const struct rg_cnode *e = body->kid[i]->kind == RG_C_STMT ? body->kid[i]->kid[0] : body->kid[i];
                    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_MEMBER ||
                        e->kid[0]->n != 1 || e->kid[0]->kid[0]->kind != RG_C_INDEX ||
                        strcmp(e->kid[0]->text, st->fields[m].path) != 0)
                        continue;
                    int which;
                    bool own;
                    set = set || (rg__halves_place(p->x, e->kid[0]->kid[0], &which, &own) == f && own && which == high);
                }
                found += set;
            }
            if (found == st->n_fields) p->written[f] |= 1 << high;
        }
    }
}

/* ---- numbers ---- */

static bool same_everywhere(const struct rg__halves *x, const struct rg_cnode *e)
{
    return rg__c_of_params(x->t, e) || rg__c_uncast(e, RG__C_CASTS)->kind == RG_C_REAL;
}

/* Parameters as they are in this call. NULL: one that is nothing here. */
static struct rg_cnode *numbers(const struct phase *p, struct rg_cnode *n)
{
    const struct rg__halves *x = p->x;
    struct rg_ctree *t = p->t;
    for (int i = 0; i < x->n; i++) {
        const struct rg__halves_param *q = &x->p[i];
        if (!rg__c_mentions_var(n, q->var)) continue;
        struct rg_cnode *v = q->top ? rg__c_copy(t, q->top) : rg__c_int(t, 0);
        enum rg_scalar type = t->vars[q->var].type;
        struct rg_cnode *levels =
            p->level >= 0 ? rg__c_binary(t, RG_COP_DIV, rg__c_copy(t, x->whole_size), rg__c_var(t, p->level))
                          : rg__c_copy(t, x->whole_size);
        switch (q->kind) {
        case RG__HALVES_SAME:
            if (q->array < 0 && !same_everywhere(x, q->top)) continue; /* declared in front of all */
            break;
        case RG__HALVES_SIZE:
            v = p->level >= 0 ? rg__c_var(t, p->level) : rg__c_int(t, 1);
            break;
        case RG__HALVES_STRIDE: {
            const struct rg_cnode *one = rg__c_uncast(v, RG__C_INT_CASTS);
            v = one->kind == RG_C_INT && one->ivalue == 1 ? levels : rg__c_binary(t, RG_COP_MUL, v, levels);
            break;
        }
        case RG__HALVES_BLOCK:
            v = q->top ? sum(t, v, rg__c_var(t, p->call)) : rg__c_var(t, p->call);
            break;
        case RG__HALVES_COMB: {
            if (!p->mirrored) return NULL;
            struct rg_cnode *far = rg__c_copy(t, p->mirrored);
            const struct rg_cnode *s = rg__c_uncast(x->p[x->stride].top, RG__C_INT_CASTS);
            if (s->kind != RG_C_INT || s->ivalue != 1)
                far = rg__c_binary(t, RG_COP_MUL, far, rg__c_copy(t, x->p[x->stride].top));
            v = q->top ? sum(t, v, far) : far;
            break;
        }
        default:
            return NULL;
        }
        n = rg__c_replace_var(t, n, q->var, rg__c_cast(t, v, type));
    }
    return n;
}

/* ---- names of their own for each phase ---- */

static void rename_in(struct rg_ctree *t, struct rg_cnode *n, int var, int to)
{
    if (!n) return;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 && n->var == var) n->var = to;
    for (int i = 0; i < n->n; i++) rename_in(t, n->kid[i], var, to);
}

/* Copies of the statements, with variables of their own. */
static void own_copy(struct rg__halves *x, const struct rg__kids *list, struct rg__kids *out)
{
    int n_vars = x->t->n_vars;
    for (int i = 0; i < list->n; i++) rg__kids_add(out, rg__c_copy(x->t, list->items[i]));
    for (int v = 0; v < n_vars; v++) {
        bool found = false;
        for (int i = 0; i < out->n && !found; i++) found = rg__c_declares(out->items[i], v);
        if (!found || x->t->vars[v].kind != RG_CVAR_LOCAL) continue;
        struct rg_cvar was = x->t->vars[v];
        int own = rg__c_add_var(x->t, was.wanted ? was.wanted : was.name, was.kind, was.type);
        x->t->vars[own].struct_index = was.struct_index;
        x->t->vars[own].c_type = was.c_type;
        for (int i = 0; i < out->n; i++) rename_in(x->t, out->items[i], v, own);
        for (int i = 0, n = x->n_sets; i < n; i++) /* what it is set to is the same */
            if (x->set[i].var == v && x->n_sets < RG__HALVES_SETS) {
                x->set[x->n_sets].var = own;
                x->set[x->n_sets++].value = x->set[i].value;
            }
    }
}

/* ---- loops ---- */

/* One loop of a phase, for all calls of the level. NULL: it can't be. */
static struct rg_cnode *for_all_calls(struct phase *p, struct rg_cnode *n, struct rg__kids *front)
{
    struct rg__halves *x = p->x;
    struct rg_ctree *t = p->t;
    struct rg__halves_loop l;
    if (!rg__halves_loop(x, n, &l)) return NULL;
    struct rg_cnode *first = n->kid[0], *step = n->kid[2];
    while (first->kind == RG_C_BLOCK || first->kind == RG_C_STMT) first = first->kid[0];
    first = first->kid[first->kind == RG_C_ASSIGN];
    while (step->kind == RG_C_BLOCK || step->kind == RG_C_STMT) step = step->kid[0];
    int k = l.counts ? l.var : rg__c_add_var(t, "pair", RG_CVAR_LOCAL, t->vars[l.var].type);
    struct rg__poly kk = rg__poly_var(x->k);
    x->loop_var = l.var;
    x->loop_value = rg__poly_mul(&kk, &l.step);
    x->loop_value = rg__poly_add(&x->loop_value, &l.first, 1);
    struct rg_cnode *pair = rg__c_var(t, k), *body = l.body;
    p->pair = pair;
    p->pairs = l.pairs;
    memset(p->load, -1, sizeof p->load);
    memset(p->written, 0, sizeof p->written);
    p->loads = (struct rg__kids){0};
    for (int i = 0; i < body->n; i++) note_written(p, body->kid[i]);
    note_members(p, body);
    bool ok = place(p, &body, false);
    x->loop_var = -1;
    p->pair = NULL;
    for (int f = 0; f < x->n_families && ok; f++) /* the call's own memory is not what the calls left */
        if (rg__halves_moves(x, &x->family[f])) ok = p->written[f] == 3 && l.pairs;
    struct rg__kids inner = {0}, outer = {0};
    if (!l.counts) {
        struct rg_cnode *by = rg_c_increments(step->op) ? NULL : rg__c_copy(t, step->kid[1]), *value = rg__c_var(t, k);
        const struct rg_cnode *from = rg__c_uncast(first, RG__C_INT_CASTS);
        if (by) value = rg__c_binary(t, RG_COP_MUL, by, value);
        if (from->kind != RG_C_INT || from->ivalue) value = sum(t, rg__c_copy(t, first), value);
        struct rg_cnode *d = numbers(p, declared(t, l.var, value));
        if (d) rg__kids_add(&inner, d);
        ok = ok && d;
    }
    for (int i = 0; i < p->loads.n; i++) rg__kids_add(&inner, p->loads.items[i]);
    free(p->loads.items);
    for (int i = 0; i < body->n && ok; i++) {
        struct rg_cnode *s = numbers(p, body->kid[i]);
        if (s) rg__kids_add(&inner, s);
        ok = s != NULL;
    }
    struct rg_cnode *span = l.pairs ? half(p) : rg__c_var(t, p->level);
    for (int i = 0; i < front->n; i++) rg__kids_add(&outer, front->items[i]);
    rg__kids_add(&outer, loop(t, k, rg__c_int(t, 0), RG_COP_LT, span, RG_COP_ADD_SET, rg__c_int(t, 1), &inner, n));
    struct rg_cnode *all = loop(t, p->call, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                                rg__c_var(t, p->level), &outer, n);
    return ok ? all : NULL;
}

/* The scalar that a statement sets or declares. */
static int var_set(const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT) return s->kind == RG_C_DECL ? s->var : -1;
    const struct rg_cnode *to = s->kid[0]->n ? s->kid[0]->kid[0] : s->kid[0];
    while (to->kind == RG_C_MEMBER) to = to->kid[0];
    return to->kind == RG_C_VAR && to->array < 0 ? to->var : -1;
}

static int times_named(const struct rg_cnode *n, int var)
{
    return rg__c_count_var(n, var) + (n->kind == RG_C_DECL && n->var == var);
}

static bool writes_any(const struct rg_cnode *n, const struct rg_cnode *s)
{
    return var_set(s) >= 0 && rg__c_writes_var(n, var_set(s));
}

/* For all levels, one after the other, what stands in the list. */
static bool level(struct rg__halves *x, const struct rg__kids *list, bool down, struct rg__kids *out)
{
    struct phase p = {.x = x, .t = x->t};
    struct rg_ctree *t = x->t;
    struct rg__kids own = {0}, body = {0};
    int loops = 0;
    bool ok = true;
    own_copy(x, list, &own);
    p.level = rg__c_add_var(t, "m", RG_CVAR_LOCAL, counted_in(x));
    const struct rg_cnode *at = NULL;
    for (int i = 0; i < own.n; i++) loops += own.items[i]->kind == RG_C_FOR;
    for (int i = 0; i < own.n && !at; i++) at = own.items[i]->kind == RG_C_FOR ? own.items[i] : NULL;
    for (int i = 0; i < own.n && ok; i++) {
        struct rg_cnode *s = own.items[i];
        struct rg__kids front = {0};
        p.call = rg__c_add_var(t, "first", RG_CVAR_LOCAL, counted_in(x));
        if (s->kind == RG_C_DECL && s->array >= 0) continue; /* memory of the call: what it stood for is elsewhere */
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        if (s->kind == RG_C_FOR) {
            for (int k = 0; k < i && ok; k++) { /* what runs along begins anew for each call */
                if (own.items[k]->kind != RG_C_DECL && own.items[k]->kind != RG_C_STMT) continue;
                if (own.items[k]->array >= 0 || !writes_any(s, own.items[k])) continue;
                ok = loops == 1;
                struct rg_cnode *set = numbers(&p, own.items[k]);
                if (set) rg__kids_add(&front, set);
                ok = ok && set;
            }
            struct rg_cnode *f = ok ? for_all_calls(&p, s, &front) : NULL;
            if (f) rg__kids_add(&body, f);
            ok = f != NULL;
        } else if (is_scalar_set(x, s)) {
            bool runs_along = false;
            for (int k = i + 1; k < own.n; k++)
                runs_along = runs_along || (own.items[k]->kind == RG_C_FOR && writes_any(own.items[k], s));
            struct rg_cnode *set = runs_along ? s : numbers(&p, s);
            for (int q = 0; q < x->n && set && !runs_along; q++) /* a call's own place is no number of the level */
                if (x->p[q].kind == RG__HALVES_BLOCK && rg__c_mentions_var(list->items[i], x->p[q].var)) set = NULL;
            if (set && !runs_along) rg__kids_add(&body, set);
            ok = set != NULL;
        } else {
            ok = false;
        }
        free(front.items);
    }
    free(own.items);
    if (!loops || !ok) {
        free(body.items);
        return ok;
    }
    struct rg_cnode *n = rg__c_copy(t, x->whole_size), *two = rg__c_int(t, 2);
    rg__kids_add(out, down ? loop(t, p.level, n, RG_COP_GT, rg__c_int(t, 1), RG_COP_DIV_SET, two, &body, at)
                           : loop(t, p.level, two, RG_COP_LE, n, RG_COP_MUL_SET, rg__c_int(t, 2), &body, at));
    return true;
}

/* ---- calls of one element ---- */

static struct rg_cnode *mirror(const struct rg__halves *x, int var)
{
    struct rg_cnode *c = rg_cnode_new(x->t, RG_C_CALL, 2);
    c->text = "rg_mirrored";
    c->type = x->t->vars[var].type;
    c->kid[0] = rg__c_var(x->t, var);
    c->kid[1] = rg__c_cast(x->t, rg__c_copy(x->t, x->whole_size), RG_ULLONG);
    return c;
}

static bool leaves(struct rg__halves *x, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    struct phase p = {.x = x, .t = t, .level = -1};
    struct rg__kids own = {0}, body = {0};
    own_copy(x, &x->base, &own);
    p.call = rg__c_add_var(t, "first", RG_CVAR_LOCAL, counted_in(x));
    int r = rg__c_add_var(t, "place", RG_CVAR_LOCAL, counted_in(x));
    p.mirrored = rg__c_var(t, r);
    bool ok = true, any = false, asks = false;
    for (int i = 0; i < own.n && ok; i++) {
        struct rg_cnode *s = own.items[i];
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        any = any || !is_scalar_set(x, s);
        x->plain = true; /* of one element: no half of it */
        ok = place(&p, &s, false);
        x->plain = false;
        struct rg_cnode *n = ok ? numbers(&p, s) : NULL;
        ok = n != NULL;
        if (n) asks = asks || rg__c_mentions_var(n, r);
        if (n) rg__kids_add(&body, n);
    }
    const struct rg_cnode *at = own.n ? own.items[0] : NULL;
    free(own.items);
    if (!ok || !any) {
        free(body.items);
        return ok;
    }
    struct rg__kids all = {0};
    if (asks) rg__kids_add(&all, declared(t, r, mirror(x, p.call)));
    for (int i = 0; i < body.n; i++) rg__kids_add(&all, body.items[i]);
    free(body.items);
    rg__kids_add(out, loop(t, p.call, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                           rg__c_int(t, 1), &all, at));
    return true;
}

/* Which of the two arrays the calls of one element have, by the number of levels: the first where that is even. */
static struct rg_cnode *even_levels(struct rg__halves *x)
{
    struct rg_cnode *mask = rg_cnode_new(x->t, RG_C_INT, 0);
    mask->ivalue = 0x5555555555555555;
    mask->type = RG_ULLONG;
    mask->text = "0x5555555555555555ull";
    struct rg_cnode *bits =
        rg__c_binary(x->t, RG_COP_BAND, rg__c_cast(x->t, rg__c_copy(x->t, x->whole_size), RG_ULLONG), mask);
    return rg__c_binary(x->t, RG_COP_NE, bits, rg__c_cast(x->t, rg__c_int(x->t, 0), RG_ULLONG));
}

/* Every other element, level by level: element i is that at i's bits in reverse. */
static bool sort_out(struct rg__halves *x, const struct rg__halves_family *f, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    const struct rg__halves_param *p = &x->p[f->param];
    int i = rg__c_add_var(t, "i", RG_CVAR_LOCAL, counted_in(x)),
        e = rg__c_add_var(t, "i", RG_CVAR_LOCAL, counted_in(x));
    struct rg__kids body = {0}, back = {0};
    struct rg_cnode *value = element(x, f, rg__c_var(t, i));
    int copy;
    struct rg__halves_family by = {f->param, -1};
    if (p->kind == RG__HALVES_SWAP) {
        by.param = p->partner;
        copy = x->p[p->partner].array;
        struct rg_cnode *choice = rg_cnode_new(t, RG_C_COND, 3);
        choice->kid[0] = even_levels(x);
        choice->kid[1] = value;
        choice->kid[2] = element(x, &by, rg__c_var(t, i));
        choice->type = value->type;
        choice->struct_index = value->struct_index;
        value = choice;
    } else {
        const struct rg_expr *n = rg__c_size_expr(t, rg__expand_known(x->b, x->whole_size), &t->arena);
        if (!n) return false;
        struct rg_carray from = t->arrays[p->array];
        copy = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_before", from.name), from.elem);
        struct rg_carray *a = &t->arrays[copy];
        a->struct_index = from.struct_index;
        a->c_elem = from.c_elem;
        a->mallocd = true;
        a->n_dims = 1;
        a->dims = rg_arena_alloc(&t->arena, sizeof *a->dims);
        a->dims[0] = n;
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
        d->array = copy;
        d->var = -1;
        d->type = from.elem;
        rg__kids_add(out, d);
    }
    struct rg_cnode *sub = rg__c_var(t, i), *mirrored = mirror(x, e),
                    *to = p->kind == RG__HALVES_SWAP ? element(x, &by, sub) : rg__c_index(t, copy, 1, &sub),
                    *from = p->kind == RG__HALVES_SWAP ? element(x, &by, mirrored) : rg__c_index(t, copy, 1, &mirrored);
    rg__kids_add(&body, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, to, value)));
    rg__kids_add(&back, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, element(x, f, rg__c_var(t, e)), from)));
    rg__kids_add(out, loop(t, i, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                           rg__c_int(t, 1), &body, x->again[0]));
    rg__kids_add(out, loop(t, e, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                           rg__c_int(t, 1), &back, x->again[0]));
    return true;
}

/* ---- the whole ---- */

/* Does a loop of the list hand a number on to what is neither it nor what the number begins as? */
static bool hands_on(const struct rg__halves *x, const struct rg__kids *list, const struct rg__kids *more)
{
    for (int i = 0; i < list->n; i++) {
        const struct rg_cnode *f = list->items[i];
        for (int v = 0; f->kind == RG_C_FOR && v < x->t->n_vars; v++) {
            if (!rg__c_writes_var(f, v) || rg__c_declares(f, v)) continue;
            for (int k = 0; k < list->n + more->n; k++) {
                const struct rg_cnode *s = k < list->n ? list->items[k] : more->items[k - list->n];
                bool begins = k < i && is_scalar_set(x, s) && var_set(s) == v && times_named(s, v) == 1;
                if (s != f && !begins && rg__c_mentions_var(s, v)) return true;
            }
        }
    }
    return false;
}

/* Numbers that the function sets in front of its calls and asks for behind them are set again there. */
static bool behind(struct rg__halves *x, struct rg__kids *list)
{
    struct rg__kids none = {0};
    if (hands_on(x, &x->pre, &x->post) || hands_on(x, &x->post, &none)) return false;
    for (int i = 0; i < x->pre.n; i++) {
        struct rg_cnode *s = x->pre.items[i];
        if (s->kind == RG_C_FOR || (s->kind == RG_C_DECL && s->array >= 0) || (s->kind == RG_C_BLOCK && !s->n))
            continue;
        if (!is_scalar_set(x, s)) return false;
        bool runs_along = false; /* what begins anew for each call's loop is no matter of what follows */
        for (int k = 0; k < x->pre.n; k++)
            runs_along = runs_along || (x->pre.items[k]->kind == RG_C_FOR && writes_any(x->pre.items[k], s));
        if (!runs_along) rg__kids_add(list, s);
    }
    for (int i = 0; i < x->post.n; i++) rg__kids_add(list, x->post.items[i]);
    return true;
}

bool rg__halves_levels(struct rg__halves *x, struct rg__kids *out)
{
    struct rg__kids post = {0};
    for (int i = 0; i < x->n; i++) {
        struct rg__halves_param *p = &x->p[i];
        if (p->array < 0 && p->kind == RG__HALVES_SAME && !same_everywhere(x, p->top))
            rg__kids_add(out, declared(x->t, p->var, p->top));
        else if (p->top && !same_everywhere(x, p->top))
            return false;
    }
    if (!x->sorted_out && !level(x, &x->pre, true, out)) return false;
    for (int i = 0; i < x->n_families && x->sorted_out; i++)
        if (!sort_out(x, &x->family[i], out)) return false;
    if (!leaves(x, out)) return false;
    bool ok = behind(x, &post) && level(x, &post, false, out);
    free(post.items);
    return ok;
}
