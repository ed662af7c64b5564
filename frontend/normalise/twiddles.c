/* Products that run along the inner loop of a nest of pairs, as twiddle factors of Fourier transforms do: each
 * iteration needs the factor of its own, which is a power of what all are multiplied by. They are one complex number
 * (`w *= r`), or two reals, variables or members of a structure, whose statements together multiply by a complex
 * number: `t = wr * pr - wi * pi; wi = wr * pi + wi * pr; wr = t`, also with 1 added to the factor
 * (`wr = wr * pr - wi * pi + wr`). */
#include "frontend/normalise/twiddles.h"
#include "frontend/load.h"
#include <stdlib.h>
#include <string.h>

/* ---- one complex number ---- */

/* w = w * r, of complex numbers: r; NULL: something else. */
static struct rg_cnode *factor_of(const struct rg_cnode *s, int *var)
{
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR || e->kid[0]->array >= 0) return NULL;
    const struct rg_cnode *v = e->kid[1];
    *var = e->kid[0]->var;
    if (v->kind != RG_C_CALL || v->n != 2 || !v->text || strncmp(v->text, "rg_cmul_", 8)) return NULL;
    for (int i = 0; i < 2; i++)
        if (v->kid[i]->kind == RG_C_VAR && v->kid[i]->var == *var && !rg__c_mentions_var(v->kid[1 - i], *var))
            return v->kid[1 - i];
    return NULL;
}

/* Does the nest leave e alone? */
static bool stays(const struct rg_ctree *t, const struct rg_cnode *e, const struct rg_cnode *nest)
{
    if (!rg__c_pure(t, e) || rg__mentions_kind(e, RG_C_INDEX)) return false;
    for (int v = 0; v < t->n_vars; v++)
        if (rg__c_mentions_var(e, v) && rg__doubling_writes(nest, v)) return false;
    return true;
}

static void drop(struct rg__kids *k, int at)
{
    for (int i = at; i + 1 < k->n; i++) k->items[i] = k->items[i + 1];
    k->n--;
}

static struct rg_cnode *call2(struct rg_ctree *t, const char *text, int structure, struct rg_cnode *a,
                              struct rg_cnode *b)
{
    struct rg_cnode *c = rg_cnode_new(t, RG_C_CALL, 2);
    c->text = text;
    c->type = RG_STRUCT;
    c->struct_index = structure;
    c->kid[0] = a;
    c->kid[1] = b;
    return c;
}

enum found { NONE, BAD, DONE };

static enum found complex_number(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list,
                                 struct rg__kids *inner)
{
    struct rg_ctree *t = w->t;
    for (int i = 0; i < list->n; i++) {
        int var;
        struct rg_cnode *r = factor_of(list->items[i], &var), *w0 = NULL;
        if (!r || rg__doubling_writes(w->scope, var) != 2) continue;
        int at = 0;
        while (at < front->n && !rg__doubling_set(front->items[at], var)) at++;
        for (int k = 0; k < t->n_vars; k++)
            if (rg__c_mentions_var(r, k) && rg__doubling_writes(w->nest, k)) return BAD;
        bool last = true;
        for (int k = i + 1; k < list->n; k++) last = last && !rg__c_mentions_var(list->items[k], var);
        if (at == front->n || !last || !rg__c_pure(t, r) || rg__doubling_live(t, var, w->nest)) return BAD;
        w0 = rg__doubling_set(front->items[at], var);
        const char *mul = list->items[i]->kid[0]->kid[1]->text;
        int structure = t->vars[var].struct_index;
        struct rg_cnode *power = call2(t, rg_arena_printf(&t->arena, "rg_cpowi_%s", mul + 8), structure,
                                       rg__c_copy(t, r), rg__c_copy(t, w->count)),
                        *value = call2(t, mul, structure, rg__c_copy(t, w0), power), *s;
        if (front->items[at]->kind == RG_C_DECL) {
            s = rg__c_shallow(&t->arena, front->items[at]);
            s->kid[0] = value;
        } else
            s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
        s->line = list->items[i]->line;
        drop(front, at);
        drop(list, i);
        rg__kids_add(inner, s);
        return DONE;
    }
    return NONE;
}

/* ---- two reals ---- */

enum { MAX_TERMS = 4, MAX_PLACES = 8 };

struct terms { /* a sum of numbers that the nest leaves alone */
    int n;
    struct {
        bool minus;
        const struct rg_cnode *factor; /* NULL: 1 */
    } item[MAX_TERMS];
};

struct linear { /* in the two places as they were before the iteration */
    struct terms of[2];
    bool ok;
};

struct pair {
    struct rg__twiddles *w;
    const struct rg_cnode *place[2]; /* scalars, or members of structures */
    int n;                           /* places that hold something linear by now, those two first */
    const struct rg_cnode *known[MAX_PLACES];
    struct linear value[MAX_PLACES];
};

static bool same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return rg__c_same(a, b, RG__C_TYPED);
}

/* A real scalar, or such a member of a structure of the function. */
static bool is_place(const struct rg_cnode *e)
{
    if (e->pointer || (e->type != RG_F32 && e->type != RG_F64)) return false;
    if (e->kind == RG_C_VAR) return e->array < 0;
    return e->kind == RG_C_MEMBER && e->n == 1 && e->kid[0]->kind == RG_C_VAR && e->kid[0]->array < 0 &&
           !e->kid[0]->pointer && e->kid[0]->type == RG_STRUCT;
}

static int known(const struct pair *p, const struct rg_cnode *e)
{
    for (int i = 0; i < p->n; i++)
        if (same(p->known[i], e)) return i;
    return -1;
}

static void add_terms(struct linear *to, const struct linear *from, bool minus)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < from->of[k].n; i++) {
            struct terms *s = &to->of[k];
            if (s->n == MAX_TERMS) {
                to->ok = false;
                return;
            }
            s->item[s->n] = from->of[k].item[i];
            s->item[s->n++].minus ^= minus;
        }
}

/* A number that the iterations leave alone; as a real of the places' type. */
static bool factor(const struct pair *p, const struct rg_cnode *e)
{
    return e->type == p->place[0]->type && !e->pointer && stays(p->w->t, e, p->w->nest);
}

static struct linear linear_of(struct pair *p, const struct rg_cnode *e)
{
    struct linear v = {.ok = true}, x;
    if (e->kind == RG_C_CAST && e->type == e->kid[0]->type) return linear_of(p, e->kid[0]);
    if (e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_place(e->kid[0])) { /* wr = (t = wr) * .. */
        v = linear_of(p, e->kid[1]);
        int at = known(p, e->kid[0]);
        if (at < 2 && at >= 0) v.ok = false;
        if (at < 0 && p->n < MAX_PLACES)
            p->known[at = p->n++] = e->kid[0];
        else if (at < 0)
            v.ok = false;
        if (v.ok) p->value[at] = v;
        return v;
    }
    if (is_place(e)) {
        int at = known(p, e);
        if (at >= 0) return p->value[at];
    }
    if (e->op == RG_COP_NEG || e->op == RG_COP_POS) {
        x = linear_of(p, e->kid[0]);
        v.ok = x.ok;
        add_terms(&v, &x, e->op == RG_COP_NEG);
        return v;
    }
    if (e->kind == RG_C_BINARY && (e->op == RG_COP_ADD || e->op == RG_COP_SUB)) {
        for (int i = 0; i < 2; i++) {
            x = linear_of(p, e->kid[i]);
            v.ok = v.ok && x.ok;
            add_terms(&v, &x, i && e->op == RG_COP_SUB);
        }
        return v;
    }
    if (e->kind == RG_C_BINARY && e->op == RG_COP_MUL)
        for (int i = 0; i < 2; i++) {
            if (!factor(p, e->kid[i])) continue;
            v = linear_of(p, e->kid[1 - i]);
            for (int k = 0; k < 2 && v.ok; k++)
                for (int j = 0; j < v.of[k].n; j++) {
                    if (v.of[k].item[j].factor) v.ok = false;
                    v.of[k].item[j].factor = e->kid[i];
                }
            return v;
        }
    v.ok = false;
    return v;
}

static bool same_terms(const struct terms *a, const struct terms *b, bool opposite)
{
    bool used[MAX_TERMS] = {0};
    if (a->n != b->n) return false;
    for (int i = 0; i < a->n; i++) {
        int at = -1;
        for (int j = 0; j < b->n && at < 0; j++) {
            const struct rg_cnode *f = a->item[i].factor, *g = b->item[j].factor;
            if (!used[j] && (a->item[i].minus ^ b->item[j].minus) == opposite && (f ? g && same(f, g) : !g)) at = j;
        }
        if (at < 0) return false;
        used[at] = true;
    }
    return a->n > 0;
}

static struct rg_cnode *one(struct rg_ctree *t, enum rg_scalar type)
{
    return rg__c_cast(t, rg__c_int(t, 1), type);
}

static struct rg_cnode *sum_of(struct rg_ctree *t, const struct terms *s, enum rg_scalar type)
{
    struct rg_cnode *sum = NULL;
    for (int i = 0; i < s->n; i++) {
        struct rg_cnode *x = s->item[i].factor ? rg__c_copy(t, s->item[i].factor) : one(t, type);
        if (!sum)
            sum = s->item[i].minus ? rg__c_unary(t, RG_COP_NEG, x) : x;
        else
            sum = rg__c_binary(t, s->item[i].minus ? RG_COP_SUB : RG_COP_ADD, sum, x);
        sum->type = type;
    }
    return sum;
}

/* The places that a statement sets, itself or on its way: x of x = e; x += e as x = x + e. NULL: it sets none, or
 * something else. */
static const struct rg_cnode *sets(struct rg_ctree *t, const struct rg_cnode *s, struct rg_cnode **value)
{
    if (s->kind == RG_C_DECL && s->array < 0 && s->n && !s->pointer && t->vars[s->var].type == s->type) {
        struct rg_cnode *place = rg__c_var(t, s->var);
        *value = s->kid[0];
        return is_place(place) ? place : NULL;
    }
    const struct rg_cnode *e = s->kind == RG_C_STMT ? s->kid[0] : NULL;
    if (!e || e->kind != RG_C_ASSIGN || !is_place(e->kid[0])) return NULL;
    enum rg_c_op op = rg_c_applied(e->op);
    if (e->op != RG_COP_SET && op != RG_COP_ADD && op != RG_COP_SUB && op != RG_COP_MUL) return NULL;
    *value = e->op == RG_COP_SET ? e->kid[1] : rg__c_binary(t, op, rg__c_copy(t, e->kid[0]), rg__c_copy(t, e->kid[1]));
    return e->kid[0];
}

/* The structure whose member the place is; NULL: it is a variable of its own. */
static const struct rg_struct *structure_of(const struct rg__twiddles *w, const struct rg_cnode *place)
{
    if (place->kind != RG_C_MEMBER) return NULL;
    return &w->l->p->structs[w->t->vars[rg__doubling_place_var(place)].struct_index];
}

/* Which of the structure's fields the member is; -1. */
static int field_of(const struct rg_struct *s, const struct rg_cnode *place)
{
    for (int i = 0; s && i < s->n_fields; i++)
        if (!strcmp(s->fields[i].path, place->text)) return i;
    return -1;
}

/* What the list says of the member; NULL: that is not plain. */
static const struct rg_cnode *listed(const struct rg__twiddles *w, const struct rg_cnode *list,
                                     const struct rg_cnode *place)
{
    const struct rg_struct *s = structure_of(w, place);
    int at = field_of(s, place);
    if (list->kind != RG_C_INITLIST || list->text || at < 0 || list->n > s->n_fields) return NULL;
    for (int i = 0; i < list->n; i++)
        if (list->kid[i]->kind == RG_C_INITLIST || list->kid[i]->type == RG_STRUCT) return NULL;
    for (int i = 0; i < s->n_fields; i++)
        if (s->fields[i].count != 1) return NULL;
    return at < list->n ? list->kid[at] : rg__c_cast(w->t, rg__c_int(w->t, 0), place->type);
}

/* The statement of `front` that sets the place, the last one, and the value; -1. */
static int start(const struct rg__twiddles *w, const struct rg__kids *front, const struct rg_cnode *place,
                 const struct rg_cnode **value)
{
    struct rg_ctree *t = w->t;
    for (int i = front->n - 1; i >= 0; i--) {
        struct rg_cnode *v;
        const struct rg_cnode *s = front->items[i], *x = sets(t, s, &v);
        if (x && same(x, place)) return *value = v, rg__c_pure(t, v) ? i : -1;
        if (s->kind == RG_C_DECL && s->array < 0 && s->n && s->var == rg__doubling_place_var(place)) {
            *value = listed(w, s->kid[0], place);
            return *value && rg__c_pure(t, s->kid[0]) ? i : -1;
        }
        if (rg__doubling_mentions(s, place)) return -1;
    }
    return -1;
}

/* Does something mention more of the places' structure than they are? */
static bool asked_whole(const struct pair *p, const struct rg__kids *list)
{
    int var = rg__doubling_place_var(p->place[0]);
    struct rg_cnode whole = {.kind = RG_C_VAR, .var = var, .array = -1}, *kid[] = {&whole},
                    rest = {.kind = RG_C_MEMBER, .text = "", .n = 1, .kid = kid};
    for (int i = 0; i < list->n && p->place[0]->kind == RG_C_MEMBER; i++)
        if (rg__doubling_mentions(list->items[i], &rest)) return true;
    return false;
}

/* Two members are all of one structure, or nothing asks for more of theirs than those. */
static bool complete(const struct pair *p, const struct rg__kids *front, const int *at, const struct rg__kids *list)
{
    const struct rg_struct *s[2];
    bool more = false, all = true;
    for (int k = 0; k < 2; k++) {
        struct pair one_place = {.place = {p->place[k]}};
        s[k] = structure_of(p->w, p->place[k]);
        more = more || asked_whole(&one_place, list) || (s[k] && front->items[at[k]]->kind == RG_C_DECL);
        all = all && s[k] && s[k]->n_fields == 2 && s[k]->fields[0].count == 1 && s[k]->fields[1].count == 1;
    }
    return !more || (all && rg__doubling_place_var(p->place[0]) == rg__doubling_place_var(p->place[1]));
}

/* Declares a structure of the two members, for those who ask for all of it. */
static void as_whole(const struct pair *p, struct rg__kids *list, struct rg__kids *inner, struct rg_cnode *const *part,
                     const struct rg_cnode *at)
{
    struct rg_ctree *t = p->w->t;
    int var = rg__doubling_place_var(p->place[0]), own = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, RG_STRUCT);
    bool turned = field_of(structure_of(p->w, p->place[0]), p->place[0]) != 0;
    struct rg_cnode *both = rg_cnode_new(t, RG_C_INITLIST, 2), *by;
    t->vars[own].struct_index = t->vars[var].struct_index;
    t->vars[own].c_type = t->vars[var].c_type;
    both->type = RG_STRUCT;
    for (int k = 0; k < 2; k++) both->kid[k] = rg__c_copy(t, part[turned ? 1 - k : k]);
    rg__kids_add(inner, rg__c_declaration(t, own, both, at));
    by = rg__c_var(t, own);
    for (int i = 0; i < list->n; i++) list->items[i] = rg__c_replace_var(t, list->items[i], var, by);
}

/* Walks the iteration; which of its statements make the factor of the next in `own`. */
static bool follow(struct pair *p, const struct rg__kids *list, bool *own)
{
    struct rg_ctree *t = p->w->t;
    bool set[2] = {false, false};
    for (int i = 0; i < 2; i++) {
        p->known[i] = p->place[i];
        p->value[i] = (struct linear){.ok = true};
        p->value[i].of[i].n = 1;
    }
    p->n = 2;
    for (int i = 0; i < list->n; i++) {
        const struct rg_cnode *s = list->items[i];
        struct rg_cnode *v;
        const struct rg_cnode *x = sets(t, s, &v);
        bool writes = rg__doubling_place_writes(s, p->place[0]) || rg__doubling_place_writes(s, p->place[1]);
        struct linear value = {.ok = false};
        if (x && x->type == p->place[0]->type) value = linear_of(p, v);
        own[i] = x && value.ok;
        if (writes && !own[i]) return false;
        if (!own[i]) {
            for (int k = 0; k < 2; k++)
                if (set[k] && rg__doubling_mentions(s, p->place[k]))
                    return false; /* it asks for the next iteration's */
            for (int k = p->n - 1; k >= 2; k--)
                if (rg__doubling_place_writes(s, p->known[k]))
                    p->known[k] = p->known[p->n - 1], p->value[k] = p->value[--p->n];
            continue;
        }
        int at = known(p, x);
        if (at < 0 && p->n == MAX_PLACES) return false;
        if (at < 0) p->known[at = p->n++] = x;
        p->value[at] = value;
        if (at < 2) set[at] = true;
    }
    return set[0] && set[1];
}

/* Statements that hold something linear and that others ask for stay where they are. */
static bool settle(struct pair *p, const struct rg__kids *list, bool *own)
{
    struct rg_ctree *t = p->w->t;
    bool after = false;
    for (int i = 0; i < list->n; i++) {
        if (!own[i]) continue;
        struct rg_cnode *v;
        const struct rg_cnode *x = sets(t, list->items[i], &v);
        bool one_of = same(x, p->place[0]) || same(x, p->place[1]), asked = false;
        for (int k = 0; k < list->n; k++) asked = asked || (!own[k] && rg__doubling_mentions(list->items[k], x));
        if (!one_of && rg__doubling_live(t, rg__doubling_place_var(x), p->w->nest)) asked = true;
        if (one_of) {
            after = true;
        } else if (asked) {
            if (after) return false;
            own[i] = false;
        }
        /* what it sets on its way must be its own as well */
        if (one_of)
            for (int k = 2; k < p->n; k++)
                if (rg__doubling_place_writes(list->items[i], p->known[k]))
                    for (int j = 0; j < list->n; j++)
                        if (!own[j] && rg__doubling_mentions(list->items[j], p->known[k])) return false;
    }
    return true;
}

static struct rg_cnode *member(struct rg_ctree *t, int var, const char *name, enum rg_scalar type)
{
    struct rg_cnode *m = rg_cnode_new(t, RG_C_MEMBER, 1);
    m->kid[0] = rg__c_var(t, var);
    m->text = name;
    m->type = type;
    return m;
}

static void replace(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *place, const struct rg_cnode *by)
{
    if (!n) return;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && rg__c_is_expr(n->kid[i]) && same(n->kid[i], place))
            n->kid[i] = rg__c_copy(t, by);
        else
            replace(t, n->kid[i], place, by);
}

static bool is_number(const struct rg_cnode *e, int v)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return (e->kind == RG_C_INT && e->ivalue == v) || (e->kind == RG_C_REAL && e->rvalue == v);
}

static enum found two_places(struct pair *p, struct rg__kids *front, struct rg__kids *list, struct rg__kids *inner)
{
    struct rg_ctree *t = p->w->t;
    const struct rg_cnode *start_value[2];
    struct rg__kids *askers = p->w->askers;
    int at[2];
    bool *own = rg_xcalloc((size_t)list->n + 1, sizeof *own);
    enum rg_scalar type = p->place[0]->type;
    bool ok = true;
    for (int i = 0; i < 2 && ok; i++) {
        at[i] = start(p->w, front, p->place[i], &start_value[i]);
        ok = at[i] >= 0 && !rg__doubling_live(t, rg__doubling_place_var(p->place[i]), p->w->nest);
    }
    if (ok && at[0] == at[1]) /* one list starts both */
        ok = field_of(structure_of(p->w, p->place[0]), p->place[0]) <
             field_of(structure_of(p->w, p->place[1]), p->place[1]);
    ok = ok && at[0] <= at[1] && complete(p, front, at, list) && (!askers || complete(p, front, at, askers)) &&
         follow(p, list, own) && settle(p, list, own);
    int written[2] = {1, 1};
    for (int i = 0; i < list->n && ok; i++)
        for (int k = 0; k < 2; k++) written[k] += rg__doubling_place_writes(list->items[i], p->place[k]);
    for (int k = 0; k < 2 && ok; k++) ok = rg__doubling_place_writes(p->w->scope, p->place[k]) == written[k];
    const struct terms *a = p->value[0].of, *b = p->value[1].of;
    /* x = a x - b y, y = b x + a y */
    ok = ok && same_terms(&a[0], &b[1], false) && same_terms(&a[1], &b[0], true);
    if (!ok) {
        free(own);
        return NONE;
    }
    bool single = type == RG_F32;
    const char *s = single ? "f" : "d";
    int structure = rg__complex_structure(&p->w->l->b, type), w = rg__c_add_var(t, "w", RG_CVAR_LOCAL, RG_STRUCT);
    t->vars[w].struct_index = structure;
    t->vars[w].c_type = rg__complex_name(type);
    const char *make = rg_arena_printf(&t->arena, "rg_cmake_%s", s);
    const struct rg_cnode *last = list->items[0];
    for (int i = 0; i < list->n; i++)
        if (own[i]) last = list->items[i];
    struct rg_cnode *factor = call2(t, make, structure, sum_of(t, &a[0], type), sum_of(t, &b[0], type)),
                    *value = call2(t, rg_arena_printf(&t->arena, "rg_cpowi_%s", s), structure, factor,
                                   rg__c_copy(t, p->w->count));
    if (!is_number(start_value[0], 1) || !is_number(start_value[1], 0)) {
        struct rg_cnode *from = call2(t, make, structure, rg__c_cast(t, rg__c_copy(t, start_value[0]), type),
                                      rg__c_cast(t, rg__c_copy(t, start_value[1]), type));
        value = call2(t, rg_arena_printf(&t->arena, "rg_cmul_%s", s), structure, from, value);
    }
    rg__kids_add(inner, rg__c_declaration(t, w, value, last));
    int n = 0;
    for (int i = 0; i < list->n; i++)
        if (!own[i]) list->items[n++] = list->items[i];
    list->n = n;
    struct rg_cnode *part[2];
    for (int k = 0; k < 2; k++) {
        const struct rg_cnode *place = p->place[k];
        int x = rg__c_add_var(t, place->kind == RG_C_VAR ? t->vars[place->var].name : place->text, RG_CVAR_LOCAL, type);
        rg__kids_add(inner, rg__c_declaration(t, x, member(t, w, k ? "im" : "re", type), last));
        part[k] = rg__c_var(t, x);
        for (int i = 0; i < list->n; i++) replace(t, list->items[i], place, part[k]);
        for (int i = 0; askers && i < askers->n; i++) replace(t, askers->items[i], place, part[k]);
    }
    if (asked_whole(p, list)) as_whole(p, list, inner, part, last);
    if (askers && asked_whole(p, askers)) as_whole(p, askers, inner, part, last);
    /* what they start as is asked for no more */
    int gone = at[0] > at[1] ? at[0] : at[1], other = at[0] + at[1] - gone;
    drop(front, gone);
    if (other != gone) drop(front, other);
    free(own);
    return DONE;
}

static enum found two_reals(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list,
                            struct rg__kids *inner)
{
    for (int i = 0; i < list->n; i++)
        for (int k = 0; k < list->n; k++) {
            struct rg_cnode *v;
            struct pair p = {.w = w, .place = {sets(w->t, list->items[i], &v), sets(w->t, list->items[k], &v)}};
            if (!p.place[0] || !p.place[1] || i == k || p.place[0]->type != p.place[1]->type ||
                same(p.place[0], p.place[1]))
                continue;
            if (two_places(&p, front, list, inner) == DONE) return DONE;
        }
    return NONE;
}

bool rg__doubling_twiddles(struct rg__twiddles *w, struct rg__kids *front, struct rg__kids *list,
                           struct rg__kids *inner)
{
    for (;;) {
        enum found f = complex_number(w, front, list, inner);
        if (f == NONE) f = two_reals(w, front, list, inner);
        if (f == NONE && rg__doubling_modular(w, front, list, inner)) f = DONE;
        if (f != DONE) return f == NONE;
    }
}
