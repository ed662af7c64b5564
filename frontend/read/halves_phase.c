/* Elements and numbers in statements of a function that calls itself for both halves, as they are in a call of a level.
 */
#include "frontend/read/halves_phase.h"
#include <string.h>

bool rg__halves_is_scalar_set(const struct rg__halves *x, const struct rg_cnode *s)
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

struct rg_cnode *rg__halves_declared(struct rg_ctree *t, int var, struct rg_cnode *value)
{
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    d->struct_index = t->vars[var].struct_index;
    d->kid[0] = d->type == RG_STRUCT ? value : as(t, value, d->type);
    d->line = value->line;
    return d;
}

struct rg_cnode *rg__halves_loop(struct rg_ctree *t, int var, struct rg_cnode *first, enum rg_c_op op,
                                 struct rg_cnode *limit, enum rg_c_op step_op, struct rg_cnode *step,
                                 struct rg__kids *body, const struct rg_cnode *at)
{
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    f->kid[0] = rg__halves_declared(t, var, first);
    f->kid[1] = rg__c_binary(t, op, rg__c_var(t, var), as(t, limit, t->vars[var].type));
    f->kid[2] = rg__c_assign(t, step_op, rg__c_var(t, var), as(t, step, t->vars[var].type));
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, body);
    f->line = at ? at->line : 0;
    f->column = at ? at->column : 0;
    return f;
}

enum rg_scalar rg__halves_counted_in(const struct rg__halves *x)
{
    return x->t->vars[x->p[x->size >= 0 ? x->size : x->whole].var].type;
}

struct rg_cnode *rg__halves_sum(struct rg_ctree *t, struct rg_cnode *a, struct rg_cnode *b)
{
    if (!a) return b;
    return b ? rg__c_binary(t, RG_COP_ADD, a, b) : a;
}

struct rg_cnode *rg__halves_half(const struct rg__halves_phase *p)
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
    if (block && (block->kind != RG_C_INT || block->ivalue)) a = rg__halves_sum(x->t, a, rg__c_copy(x->t, block));
    return a;
}

struct rg_cnode *rg__halves_element(const struct rg__halves *x, const struct rg__halves_family *f, struct rg_cnode *at)
{
    struct rg_cnode *sub = rg__halves_sum(x->t, origin(x, f), at);
    return rg__c_index(x->t, x->p[f->param].array, 1, &sub);
}

static struct rg_cnode *in_call(const struct rg__halves_phase *p, int family, int high)
{
    struct rg_cnode *at = rg__c_var(p->t, p->call);
    if (p->pair) at = rg__halves_sum(p->t, at, rg__c_copy(p->t, p->pair));
    if (high) at = rg__halves_sum(p->t, at, rg__halves_half(p));
    return rg__halves_element(p->x, &p->x->family[family], at);
}

/* What the calls left, before the call sets the same element to something else. */
static struct rg_cnode *left(struct rg__halves_phase *p, int family, int high)
{
    int *v = &p->load[family][high];
    if (*v < 0) {
        struct rg_cnode *e = in_call(p, family, high);
        *v = rg__c_add_var(p->t, high ? "of_second" : "of_first", RG_CVAR_LOCAL, e->type);
        struct rg_cvar *var = &p->t->vars[*v];
        var->struct_index = e->struct_index;
        if (e->type == RG_STRUCT) var->c_type = p->x->b->p->structs[e->struct_index].c_name;
        rg__kids_add(&p->loads, rg__halves_declared(p->t, *v, e));
    }
    struct rg_cnode *n = rg__c_var(p->t, *v);
    n->struct_index = p->t->vars[*v].struct_index;
    return n;
}

/* Elements of families as they are here; false: one of another call, or one that this form has no place for. */
bool rg__halves_replace(struct rg__halves_phase *p, struct rg_cnode **at, bool written)
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
        if (!rg__halves_replace(p, &n->kid[i], target)) return false;
    }
    return true;
}

void rg__halves_note_written(struct rg__halves_phase *p, const struct rg_cnode *s)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : s;
    if (e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_INDEX) return;
    int high;
    bool own;
    int f = rg__halves_place(p->x, e->kid[0], &high, &own);
    if (f >= 0 && own) p->written[f] |= 1 << high;
}

void rg__halves_note_members(struct rg__halves_phase *p, const struct rg_cnode *body)
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

bool rg__halves_same_everywhere(const struct rg__halves *x, const struct rg_cnode *e)
{
    return rg__c_of_params(x->t, e) || rg__c_uncast(e, RG__C_CASTS)->kind == RG_C_REAL;
}

struct rg_cnode *rg__halves_numbers(const struct rg__halves_phase *p, struct rg_cnode *n)
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
            if (q->array < 0 && !rg__halves_same_everywhere(x, q->top)) continue; /* declared in front of all */
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
            v = q->top ? rg__halves_sum(t, v, rg__c_var(t, p->call)) : rg__c_var(t, p->call);
            break;
        case RG__HALVES_COMB: {
            if (!p->mirrored) return NULL;
            struct rg_cnode *far = rg__c_copy(t, p->mirrored);
            const struct rg_cnode *s = rg__c_uncast(x->p[x->stride].top, RG__C_INT_CASTS);
            if (s->kind != RG_C_INT || s->ivalue != 1)
                far = rg__c_binary(t, RG_COP_MUL, far, rg__c_copy(t, x->p[x->stride].top));
            v = q->top ? rg__halves_sum(t, v, far) : far;
            break;
        }
        default:
            return NULL;
        }
        n = rg__c_replace_var(t, n, q->var, rg__c_cast(t, v, type));
    }
    return n;
}
