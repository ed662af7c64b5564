/* Value ranges of local memory: what all elements of a local array of integers (an order of places, a stack of
 * vertices, a table of counts), or one integer member of its structures, ever hold, and what locals that are read from
 * them hold. Every store is looked at, wherever it stands; sorts and exchanges of elements bring in nothing new. Memory
 * that is read before it is written has no value in C. */
#include "ir/ctree_sort.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

enum { ROUNDS = 3, MAX_HOLDERS = 48, MAX_NEST = 16 };

struct holder { /* a local, an array, or a member of an array's structures */
    int var, array;
    const char *member;
    bool any;    /* something is stored that nobody can say */
    bool some;   /* something is */
    bool chosen; /* a condition says which of two values is */
    struct rg__poly low, high;
};

struct guard { /* a loop goes on while the local is above the bound: one step down it is there at least */
    const struct rg_cnode *loop;
    int var;
    const struct rg_cnode *bound;
};

struct elements {
    struct rg_ctree *t;
    const struct rg_cnode *innermost; /* the loop that is walked */
    int n_guards;
    struct guard guards[MAX_NEST];
    struct rg__given *g;
    struct rg__range *r;
    int n;
    struct holder *items;
    int n_loops;
    const struct rg_cnode *loops[MAX_NEST];
    bool deep; /* there are more loops in one another than are kept: what they store is not seen */
};

static bool wide_int(enum rg_scalar s)
{
    return rg__scalar_is_int(s) && rg_scalar_bytes(s) >= 4;
}

/* The local's, the array's, or the member's; NULL: nobody keeps count of it. */
static struct holder *holder_of(struct elements *x, int var, int array, const char *member)
{
    const struct rg_ctree *t = x->t;
    if (var >= 0 ? t->vars[var].kind != RG_CVAR_LOCAL || t->vars[var].struct_index >= 0 || !wide_int(t->vars[var].type)
                 : t->arrays[array].param >= 0 || t->arrays[array].constant_table || t->arrays[array].view)
        return NULL;
    for (int i = 0; i < x->n; i++) {
        struct holder *h = &x->items[i];
        if (h->var == var && h->array == array && !h->member == !member && (!member || !strcmp(member, h->member)))
            return h;
    }
    if (x->n == MAX_HOLDERS) return NULL;
    x->items[x->n] = (struct holder){.var = var, .array = array, .member = member};
    return &x->items[x->n++];
}

/* What an lvalue or value names: a scalar, an element, a member of one. */
static bool names(const struct rg_cnode *e, int *var, int *array, const char **member)
{
    *var = *array = -1;
    *member = NULL;
    if (e->kind == RG_C_MEMBER && e->n == 1 && e->kid[0]->kind == RG_C_INDEX && !e->pointer) {
        *array = e->kid[0]->array;
        *member = e->text;
        return !e->kid[0]->pointer;
    }
    if (e->kind == RG_C_INDEX && !e->pointer) *array = e->array;
    if (e->kind == RG_C_VAR && e->array < 0 && !e->pointer) *var = e->var;
    return *array >= 0 || *var >= 0;
}

static void anything(struct elements *x, int array, const char *member)
{
    for (int i = 0; i < x->n; i++)
        if (x->items[i].array == array && (!member || (x->items[i].member && !strcmp(member, x->items[i].member))))
            x->items[i].any = true;
}

/* Into memory of `type`: a narrow one may lose what does not fit, an unsigned one makes something else of what is
 * negative. */
static void join(struct elements *x, struct holder *h, enum rg_scalar type, const struct rg_cnode *value)
{
    struct rg__range *r = x->r;
    struct rg__poly p, neg, zero = rg__poly_int(0), low, high;
    rg__range_init(r, x->t, x->g);
    for (int i = 0; i < x->n_loops; i++) r->loops[r->n_loops++] = x->loops[i];
    p = rg__poly_of(r, value);
    neg = rg__poly_add(&zero, &p, -1);
    if (p.bad || !wide_int(type) || !rg__scalar_is_int(value->type) || value->pointer || !rg__lowest(r, &p, &low) ||
        !rg__lowest(r, &neg, &high) || (!rg_scalar_is_signed(type) && !rg__prove(r, &low))) {
        h->any = true;
        return;
    }
    high = rg__poly_add(&zero, &high, -1);
    r->n_loops = 0;
    if (h->some) {
        if (rg__range_above(r, &h->low, &low, 0))
            h->low = low;
        else if (!rg__range_above(r, &low, &h->low, 0))
            h->any = true;
        if (rg__range_above(r, &high, &h->high, 0))
            h->high = high;
        else if (!rg__range_above(r, &h->high, &high, 0))
            h->any = true;
        return;
    }
    h->some = true;
    h->low = low;
    h->high = high;
}

/* Is the value one that the holder held already: an element of the same array, perhaps by way of a scalar? */
static bool held_already(struct elements *x, const struct holder *h, const struct rg_cnode *value, int depth);

struct scalar_sets {
    struct elements *x;
    const struct holder *h;
    int var, depth;
    bool ok;
};

static bool look_at_sets(void *arg, struct rg_cnode *n)
{
    struct scalar_sets *s = arg;
    const struct rg_cnode *value = NULL;
    bool sets = false;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == s->var && n->n) value = n->kid[0], sets = true;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS) && n->kid[0]->kind == RG_C_VAR &&
        n->kid[0]->array < 0 && n->kid[0]->var == s->var) {
        sets = true;
        value = n->op == RG_COP_SET ? n->kid[1] : NULL;
    }
    if (sets) s->ok = s->ok && value && held_already(s->x, s->h, value, s->depth + 1);
    return s->ok;
}

static bool held_already(struct elements *x, const struct holder *h, const struct rg_cnode *value, int depth)
{
    int var, array;
    const char *member;
    value = rg__c_uncast(value, RG__C_WIDE_CASTS);
    if (depth > 3 || !names(value, &var, &array, &member)) return false;
    if (array >= 0) return array == h->array && (!member == !h->member) && (!member || !strcmp(member, h->member));
    if (x->t->vars[var].kind != RG_CVAR_LOCAL) return false;
    if (var == h->var) return true;
    struct scalar_sets s = {x, h, var, depth, true};
    rg__c_walk(x->t->root, look_at_sets, &s);
    return s.ok;
}

static bool mentions_chosen(const struct elements *x, const struct rg_cnode *value)
{
    const struct rg__value_range *held = rg__given_held(x->g, value);
    if (held && held->chosen) return true;
    for (int i = 0; i < value->n; i++)
        if (mentions_chosen(x, value->kid[i])) return true;
    return false;
}

static void stored(struct elements *x, const struct rg_cnode *to, const struct rg_cnode *value)
{
    int var, array;
    const char *member;
    if (value && value->kind == RG_C_COND) { /* one of two, whatever decides */
        stored(x, to, value->kid[1]);
        stored(x, to, value->kid[2]);
        struct holder *h = names(to, &var, &array, &member) ? holder_of(x, var, array, member) : NULL;
        if (h) h->chosen = true;
        return;
    }
    if (!names(to, &var, &array, &member)) {
        while (to->kind == RG_C_MEMBER) to = to->kid[0];
        if (to->kind == RG_C_INDEX) anything(x, to->array, NULL);
        return;
    }
    if (array >= 0 && x->t->arrays[array].elem == RG_STRUCT && !member) { /* a structure as a whole */
        const struct rg_cnode *from = value;
        for (int i = 0; i < x->n; i++)
            if (x->items[i].array == array && !(from && held_already(x, &(struct holder){.array = array}, from, 0)))
                x->items[i].any = true;
        return;
    }
    struct holder *h = holder_of(x, var, array, member);
    if (h && value) h->chosen = h->chosen || mentions_chosen(x, value);
    if (!h || h->any || (value && held_already(x, h, value, 0))) return;
    if (value)
        join(x, h, to->type, value);
    else
        h->any = true;
}

static int writes_of(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    bool is = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC || n->op == RG_COP_ADDRESS;
    int k = is && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var == var;
    for (int i = 0; i < n->n; i++) k += writes_of(n->kid[i], var);
    return k;
}

/* while (j > 0 && ..), which steps j once: the bounds that its condition has. */
static void guards_of(struct elements *x, const struct rg_cnode *loop, const struct rg_cnode *c)
{
    if (!c || c->kind != RG_C_BINARY) return;
    if (c->op == RG_COP_AND) {
        guards_of(x, loop, c->kid[0]);
        guards_of(x, loop, c->kid[1]);
    }
    if ((c->op != RG_COP_LT && c->op != RG_COP_GT) || x->n_guards == MAX_NEST) return;
    bool second = c->op == RG_COP_LT;
    const struct rg_cnode *v = rg__c_uncast(c->kid[second], RG__C_WIDE_CASTS), *bound = c->kid[!second];
    if (v->kind == RG_C_VAR && v->array < 0 && !v->pointer && x->t->vars[v->var].kind == RG_CVAR_LOCAL &&
        rg__c_of_params(x->t, bound) && writes_of(loop, v->var) == 1)
        x->guards[x->n_guards++] = (struct guard){loop, v->var, bound};
}

/* The bound that a step down by one leaves the local at least at; NULL: nobody says. */
static const struct rg_cnode *bounded_step(const struct elements *x, const struct rg_cnode *n)
{
    const struct rg_cnode *v = n->kid[0];
    bool one = n->kind == RG_C_INCDEC
                   ? !rg_c_increments(n->op)
                   : n->op == RG_COP_SUB_SET && n->kid[1]->kind == RG_C_INT && n->kid[1]->ivalue == 1;
    if (!one || v->kind != RG_C_VAR || v->array >= 0) return NULL;
    for (int i = 0; i < x->n_guards; i++) {
        const struct guard *g = &x->guards[i];
        if (g->loop == x->innermost && g->var == v->var) return g->bound;
    }
    return NULL;
}

static void walk(struct elements *x, const struct rg_cnode *n)
{
    struct rg_csort sort;
    if (!n) return;
    const struct rg_cnode *around = x->innermost;
    const int n_guards = x->n_guards;
    if (n->kind == RG_C_FOR || n->kind == RG_C_WHILE) {
        x->innermost = n;
        guards_of(x, n, n->kid[n->kind == RG_C_FOR]);
    } else if (n->kind == RG_C_LOOP || n->kind == RG_C_DO) {
        x->innermost = n;
    }
    if (n->kind == RG_C_LOOP &&
        rg_c_sort_of(n, &sort)) { /* elements change places, scratch behind it does not matter */
        for (int i = 0; i < sort.n_with; i++) walk(x, sort.with[i]);
        x->innermost = around;
        return;
    }
    if (n->kind == RG_C_DECL) {
        if (n->array < 0 && n->n && n->var >= 0 && !n->pointer)
            stored(x, rg__c_var(x->t, n->var), n->kid[0]);
        else if (n->array >= 0 && n->n && n->kid[0]->kind == RG_C_INITLIST)
            anything(x, n->array, NULL);
    }
    if (n->kind == RG_C_ASSIGN) stored(x, n->kid[0], n->op == RG_COP_SET ? n->kid[1] : bounded_step(x, n));
    if (n->kind == RG_C_INCDEC) stored(x, n->kid[0], bounded_step(x, n));
    if (n->op == RG_COP_ADDRESS) stored(x, n->kid[0], NULL);
    bool frees = n->kind == RG_C_CALL && n->text && !strcmp(n->text, "free");
    if (n->kind == RG_C_VAR && n->array >= 0) anything(x, n->array, NULL); /* as a pointer */
    if (n->kind == RG_C_INDEX && n->pointer) anything(x, n->array, NULL);
    bool loop = n->kind == RG_C_LOOP && x->n_loops < MAX_NEST;
    x->deep = x->deep || (n->kind == RG_C_LOOP && !loop);
    for (int i = 0; i < n->n && !frees; i++) {
        if (loop && i == 2) x->loops[x->n_loops++] = n;
        walk(x, n->kid[i]);
        if (loop && i == 2) x->n_loops--;
    }
    x->innermost = around;
    x->n_guards = n_guards;
}

void rg__given_elements(struct rg_ctree *t, struct rg__given *g)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    struct elements x = {
        .t = t, .g = g, .r = rg_xmalloc(sizeof *x.r), .items = rg_xcalloc(MAX_HOLDERS, sizeof *x.items)};
    for (int round = 0; round < ROUNDS; round++) { /* what the round before found bounds more */
        for (int i = 0; i < x.n; i++) x.items[i].some = x.items[i].any = false;
        walk(&x, t->root); /* in the first one an array may be met as a pointer before it has a holder */
        if (!round) walk(&x, t->root);
        free(g->held);
        g->held = rg_xcalloc((size_t)x.n + 1, sizeof *g->held);
        g->n_held = 0;
        for (int i = 0; i < x.n; i++) {
            const struct holder *h = &x.items[i];
            if (h->some && !h->any && !x.deep)
                g->held[g->n_held++] =
                    (struct rg__value_range){h->var, h->array, h->member, h->chosen, h->low, h->high};
        }
    }
    free(x.items);
    free(x.r);
}

const struct rg__value_range *rg__given_held(const struct rg__given *g, const struct rg_cnode *e)
{
    int var, array;
    const char *member;
    if (!g || !names(e, &var, &array, &member)) return NULL;
    for (int i = 0; i < g->n_held; i++) {
        const struct rg__value_range *h = &g->held[i];
        if (h->var == var && h->array == array && !h->member == !member && (!member || !strcmp(member, h->member)))
            return h;
    }
    return NULL;
}
