/* Loop distribution with scalar expansion. What a loop computes of a value that it carries, and carries on itself,
 *     for (i..) { if (x[i] > m) m = x[i];  d = m - x[i];  if (d > worst) worst = d; }
 * is neither a reduction nor a recurrence, but two loops are one of each:
 *     for (i..) { m_at[i] = m;  if (x[i] > m) m = x[i]; }
 *     for (i..) { m' = m_at[i];  if (x[i] > m') m' = x[i];  d = m' - x[i];  if (d > worst) worst = d; }
 * A value that is asked for before its update alone, or behind it alone, is not updated again. Loops that have nothing
 * around them are looked at, and those of which both parts are known to be reductions or recurrences. */
#include "frontend/normalise/pointer_rotation.h"
#include "frontend/normalise/running_values.h"
#include <stdlib.h>
#include <string.h>

enum { FEW = 1024 };

struct split {
    struct rg_ctree *t;
    const struct rg_problem *p;
    struct rg__running r;
    uint32_t group;  /* what is carried by a loop of its own */
    bool *first;     /* [statement of the body] it is needed to carry the group */
    bool *second;    /* ... for the rest */
    bool again;      /* the rest asks for values before their update and behind it: updates them once more */
    bool behind;     /* ... behind it alone */
    uint32_t stored; /* of the group, what the rest reads */
};

static bool declares(const struct rg_cnode *s, int var)
{
    return s->kind == RG_C_DECL && s->array < 0 && s->var == var;
}

/* The statements that give a value to what marked ones read of the iteration's own. */
static void close_over(const struct split *s, bool *marked)
{
    const struct rg_cnode *b = s->r.body;
    for (bool more = true; more;) {
        more = false;
        for (int v = 0; v < s->t->n_vars; v++) {
            bool own = false, read = false;
            for (int i = 0; i < b->n && !own; i++) own = rg__c_declares(b->kid[i], v);
            for (int i = 0; i < b->n && own && !read; i++) read = marked[i] && rg__c_mentions_var(b->kid[i], v);
            for (int i = 0; i < b->n && read; i++)
                if (!marked[i] && (declares(b->kid[i], v) || rg__c_writes_var(b->kid[i], v))) marked[i] = more = true;
        }
    }
}

static bool calls_pure(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || (n->kind == RG_C_CALL && !rg__c_pure(t, n))) return false;
    for (int i = 0; i < n->n; i++)
        if (!calls_pure(t, n->kid[i])) return false;
    return true;
}

/* The loop's variable, with something that stays added or taken away. */
static bool moves_along(const struct split *s, const struct rg_cnode *e)
{
    const struct rg_cnode *l = s->r.loop;
    e = rg__c_uncast(e, RG__C_WIDE_CASTS);
    if (e->kind == RG_C_VAR) return e->array < 0 && e->var == l->var;
    if (e->kind != RG_C_BINARY || (e->op != RG_COP_ADD && e->op != RG_COP_SUB)) return false;
    return moves_along(s, e->kid[0]) && rg__c_of_params(s->t, e->kid[1]);
}

static bool all_at(const struct split *s, const struct rg_cnode *n, int array, const struct rg_cnode **at)
{
    if (!n) return true;
    if (n->kind == RG_C_VERBATIM || n->kind == RG_C_OPAQUE || (n->kind == RG_C_VAR && n->array == array)) return false;
    if (n->kind == RG_C_INDEX && n->array == array) {
        if (n->n != 1 || n->pointer || !moves_along(s, n->kid[0]) || (*at && !rg__c_same(*at, n, RG__C_UNCAST)))
            return false;
        *at = n;
    }
    for (int i = 0; i < n->n; i++)
        if (!all_at(s, n->kid[i], array, at)) return false;
    return true;
}

/* Does every iteration read and write one element of the array alone, which no other comes to? */
static bool own_elements(const struct split *s, int array)
{
    const struct rg_cnode *at = NULL;
    return all_at(s, s->r.body, array, &at) && at;
}

/* The first statement that writes the array. */
static int first_store(const struct rg_cnode *b, int array)
{
    int i = 0;
    while (i < b->n && !rg__writes_array(b->kid[i], array)) i++;
    return i;
}

/* Nothing but scalars is written, of elements that stay as they are, or that their iteration has not changed yet. */
static bool pure_slice(const struct split *s)
{
    const struct rg_cnode *b = s->r.body;
    const struct rg_ctree *t = s->t;
    bool writes = false;
    for (int a = 0; a < t->n_arrays; a++) writes |= rg__writes_array(b, a);
    for (int a = 0; a < t->n_arrays; a++)
        for (int i = 0; i < b->n; i++) {
            if (!s->first[i]) continue;
            if (rg__c_declares_array(b->kid[i], a) || rg__writes_array(b->kid[i], a)) return false;
            if (!rg__c_mentions_array(b->kid[i], a)) continue;
            if ((rg__writes_array(b, a) && (!own_elements(s, a) || i >= first_store(b, a))) ||
                (writes && s->p->may_alias && t->arrays[a].param >= 0))
                return false;
            for (int o = 0; o < t->n_arrays; o++)
                if (o != a && t->arrays[a].param >= 0 && t->arrays[o].param == t->arrays[a].param &&
                    rg__writes_array(b, o))
                    return false;
        }
    for (int i = 0; i < b->n; i++)
        if (s->first[i] && ((rg__running_written(&s->r, b->kid[i]) & ~s->group) || !calls_pure(t, b->kid[i])))
            return false;
    return true;
}

/* Where the rest reads the group's values. */
static void when_read(struct split *s)
{
    const struct rg_cnode *b = s->r.body;
    int first = b->n, last = -1;
    bool before = false, behind = false;
    s->stored = 0;
    for (int i = 0; i < b->n; i++)
        if (rg__running_written(&s->r, b->kid[i]) & s->group) {
            first = i < first ? i : first;
            last = i;
        }
    for (int i = 0; i < b->n; i++)
        for (int k = 0; k < s->r.n && s->second[i]; k++) {
            if (!(s->group >> k & 1) || !rg__c_mentions_var(b->kid[i], s->r.var[k])) continue;
            s->stored |= 1u << k;
            before |= i < first;
            behind |= i > last;
            s->again |= i > first && i < last;
        }
    s->again |= before && behind;
    s->behind = behind && !s->again;
    if (!s->again) return;
    s->stored = s->group;
    for (int i = 0; i < b->n; i++) s->second[i] |= (rg__running_written(&s->r, b->kid[i]) & s->group) != 0;
    close_over(s, s->second);
}

static bool slices(struct split *s)
{
    const struct rg_cnode *b = s->r.body;
    for (int i = 0; i < b->n; i++) {
        uint32_t w = rg__running_written(&s->r, b->kid[i]);
        bool stores = b->kid[i]->kind == RG_C_OPAQUE || b->kid[i]->kind == RG_C_VERBATIM;
        for (int a = 0; a < s->t->n_arrays && !stores; a++) stores = rg__writes_array(b->kid[i], a);
        s->first[i] = (w & s->group) != 0;
        s->second[i] = stores || (w & ~s->group);
    }
    close_over(s, s->first);
    close_over(s, s->second);
    if (!pure_slice(s)) return false;
    when_read(s);
    return s->stored != 0;
}

/* ---- which group, and whether it is worth it ---- */

/* Is what depends on the group, and is carried itself, more than a recurrence along with it? */
static bool asks_more(const struct rg__running *r, uint32_t group)
{
    bool more = false, linear = true;
    for (int k = 0; k < r->n; k++)
        if (group >> k & 1) linear = linear && r->form[k] == RG__RUNNING_LINEAR;
    for (int k = 0; k < r->n; k++) {
        if (group >> k & 1 || !(r->from[k] & group)) continue;
        more |= !linear || r->form[k] != RG__RUNNING_LINEAR || !rg__running_linear(r, k, group | r->unit[k]);
    }
    return more;
}

/* A unit that depends on no other; 0: none, or the loop is not all of reductions and recurrences. */
static uint32_t choose(const struct rg__running *r)
{
    for (int k = 0; k < r->n; k++) {
        if (r->form[k] == RG__RUNNING_OTHER) return 0;
        for (int j = 0; j < r->n && r->form[k] == RG__RUNNING_CHOSEN; j++)
            if (!(r->unit[k] >> j & 1) && r->from[j] & r->unit[k]) return 0;
    }
    for (int k = 0; k < r->n; k++) {
        uint32_t from = 0;
        for (int j = 0; j < r->n; j++)
            if (r->unit[k] >> j & 1) from |= r->from[j];
        if (r->form[k] != RG__RUNNING_CHOSEN && !(from & ~r->unit[k]) && asks_more(r, r->unit[k])) return r->unit[k];
    }
    return 0;
}

/* Does the rest read elements that it writes? */
static bool ties_elements(const struct rg_ctree *t, const struct rg_cnode *n, int array)
{
    if (!n) return false;
    if (n->kind == RG_C_VERBATIM) return true;
    if (n->array == array && n->kind == RG_C_VAR) return true;
    bool set = n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX;
    if (n->kind == RG_C_INDEX && n->array == array) return true;
    for (int i = 0; i < n->n; i++) {
        if (set && i == 0) {
            for (int d = 0; d < n->kid[0]->n; d++)
                if (ties_elements(t, n->kid[0]->kid[d], array)) return true;
            continue;
        }
        if (ties_elements(t, n->kid[i], array)) return true;
    }
    return false;
}

/* ---- the two loops ---- */

bool rg__running_places(struct rg_ctree *t, const struct rg_cnode *l, struct rg__running_place *p)
{
    bool up = l->step > 0;
    const struct rg_cnode *low = l->kid[up ? 0 : 1], *high = l->kid[up ? 1 : 0];
    if ((l->step != 1 && l->step != -1) || l->n != 3 || !rg__c_of_params(t, low) || !rg__c_of_params(t, high))
        return false;
    bool from_zero = low->kind == RG_C_INT && low->ivalue >= (up ? 0 : -1);
    if (high->kind == RG_C_INT && (low->kind != RG_C_INT || high->ivalue - low->ivalue < FEW)) return false;
    struct rg_cnode *count = rg__c_copy(t, high);
    if (!from_zero) count = rg__c_binary(t, RG_COP_SUB, count, rg__c_copy(t, low));
    if (!up && from_zero) count = rg__c_binary(t, RG_COP_ADD, count, rg__c_int(t, 1));
    p->count = rg__c_to_expr(t, rg__c_strip_int_casts(count), &t->arena);
    p->from = from_zero ? NULL : up ? low : high;
    return p->count != NULL && (up || from_zero);
}

int rg__running_array(struct rg_ctree *t, const char *name, enum rg_scalar elem, const struct rg__running_place *p,
                      const struct rg_cnode *loop, struct rg__kids *out)
{
    const int array = rg__c_add_array(t, name, elem);
    struct rg_carray *x = &t->arrays[array];
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    struct rg_cnode *made = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 0), loop);
    dims[0] = p->count;
    x->n_dims = 1;
    x->dims = dims;
    x->mallocd = true;
    made->array = array;
    made->type = elem;
    rg__kids_add(out, made);
    return array;
}

struct rg_cnode *rg__running_element(struct rg_ctree *t, int array, const struct rg__running_place *p, int counter)
{
    struct rg_cnode *at = rg__c_var(t, counter);
    if (p->from) at = rg__c_binary(t, RG_COP_SUB, at, rg__c_copy(t, p->from));
    return rg__c_index(t, array, 1, &at);
}

static void rename(struct rg_cnode *n, int from, int to)
{
    if (!n) return;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var == from) n->var = to;
    for (int i = 0; i < n->n; i++) rename(n->kid[i], from, to);
}

/* Does nothing between two statements of the body change what the value is made of? */
static bool keeps(const struct split *s, const struct rg_cnode *body, int from, int to, const struct rg_cnode *value)
{
    for (int i = from + 1; i < to; i++) {
        for (int v = 0; v < s->t->n_vars; v++)
            if (rg__c_mentions_var(value, v) && rg__c_writes_var(body->kid[i], v)) return false;
        for (int a = 0; a < s->t->n_arrays; a++)
            if (rg__c_mentions_array(value, a) && rg__writes_array(body->kid[i], a)) return false;
    }
    return true;
}

static bool is_none(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_INT && !e->ivalue;
}

/* f ? c : 0 is f && c, of conditions, and f ? 0 : c is !f && c. */
static struct rg_cnode *joined(struct rg_ctree *t, struct rg_cnode *e)
{
    if (e->kind != RG_C_COND || e->n != 3) return e;
    const int arm = is_none(e->kid[2]) ? 1 : 2;
    if (!is_none(e->kid[3 - arm])) return e;
    struct rg_cnode *first = arm == 1 ? e->kid[0] : rg__negated(t, rg__c_copy(t, e->kid[0]));
    return rg__c_binary(t, RG_COP_AND, first, joined(t, e->kid[arm]));
}

/* So are flags that the rest goes by, of comparisons: an arg-max looks like one. */
static void join_flags(struct rg_ctree *t, struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++) {
        struct rg_cnode *d = body->kid[i], *inner;
        if (d->kind != RG_C_DECL || d->array >= 0 || !d->n || d->pointer || !rg__scalar_is_int(d->type)) continue;
        inner = d->kid[0];
        while (inner->kind == RG_C_COND && inner->n == 3) inner = inner->kid[is_none(inner->kid[2]) ? 1 : 2];
        if (rg_c_relation(inner->op)) d->kid[0] = rg__c_cast(t, joined(t, d->kid[0]), d->type);
    }
}

/* Conditions that a scalar of the iteration holds stand where statement `at` asks for them, so that a minimum looks
 * like one. */
static void put_flags(struct split *s, struct rg_cnode *n, const struct rg_cnode *body, int at)
{
    for (int i = 0; n && i < n->n; i++) {
        const struct rg_cnode *c = n->kind == RG_C_COND && i == 0 ? rg__c_uncast(n->kid[0], RG__C_CASTS) : NULL;
        const struct rg_cnode *flag = c && c->kind == RG_C_VAR && c->array < 0 && !c->pointer ? c : NULL, *value = NULL;
        for (int k = 0, writers = 0; flag && k < body->n; k++) {
            if (!rg__c_writes_var(body->kid[k], flag->var)) continue;
            value = !writers++ && declares(body->kid[k], flag->var) ? body->kid[k]->kid[0] : NULL;
            if (value && !keeps(s, body, k, at, value)) value = NULL;
        }
        if (value && rg__running_mask(&s->r, value) & s->group)
            n->kid[i] = joined(s->t, rg__c_copy(s->t, value));
        else
            put_flags(s, n->kid[i], body, at);
    }
}

/* Only to carry: what a flag is made of is still that where an update asks for it. */
static void plain_updates(struct split *s, struct rg_cnode *body)
{
    struct rg__kids kept = {0};
    for (int i = 0; i < body->n; i++)
        if (rg__running_written(&s->r, body->kid[i]) & s->group) put_flags(s, body->kid[i], body, i);
    for (int i = 0; i < body->n; i++) {
        bool used = body->kid[i]->kind != RG_C_DECL || body->kid[i]->array >= 0;
        for (int k = 0; k < body->n && !used; k++) used = k != i && rg__c_mentions_var(body->kid[k], body->kid[i]->var);
        if (used) rg__kids_add(&kept, body->kid[i]);
    }
    rg__block_splice(s->t, body, 0, body->n, &kept);
}

/* How many statements are in front of the rest then. */
static int distribute(struct split *s, const struct rg__running_place *p, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = s->t;
    struct rg_cnode *l = s->r.loop, *b = s->r.body;
    struct rg_cnode *one = rg__c_copy(t, l);
    struct rg__kids front = {0}, with = {0}, first = {0}, stores = {0}, second = {0};
    for (int k = 0; k < s->r.n; k++) {
        if (!(s->stored >> k & 1)) continue;
        int v = s->r.var[k], array = rg__running_array(t, rg_arena_printf(&t->arena, "%s_at", t->vars[v].name),
                                                       t->vars[v].type, p, l, &front);
        struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), l);
        rg__kids_add(&stores,
                     rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__running_element(t, array, p, l->var),
                                                             rg__c_var(t, v))),
                                  l));
        d->var = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        d->type = t->vars[v].type;
        d->kid[0] = rg__running_element(t, array, p, l->var);
        rg__kids_add(&second, d);
        for (int i = 0; i < b->n; i++)
            if (s->second[i]) rename(b->kid[i], v, d->var);
    }
    for (int i = 0; i < stores.n && !s->behind; i++) rg__kids_add(&first, stores.items[i]);
    for (int i = 0; i < b->n; i++) {
        if (s->first[i]) rg__kids_add(&first, one->kid[2]->kid[i]);
        if (s->second[i]) rg__kids_add(&second, b->kid[i]);
    }
    for (int i = 0; i < stores.n && s->behind; i++) rg__kids_add(&first, stores.items[i]);
    free(stores.items);
    one->kid[2] = rg__kids_node(t, RG_C_BLOCK, &first);
    plain_updates(s, one->kid[2]);
    rg__moves_fresh(t, one, one);
    l->kid[2] = rg__kids_node(t, RG_C_BLOCK, &second);
    join_flags(t, l->kid[2]);
    for (int i = 0; i < front.n; i++) rg__kids_add(&with, front.items[i]);
    free(front.items);
    rg__kids_add(&with, one);
    rg__kids_add(&with, l);
    int added = with.n - 1;
    rg__block_splice(t, block, at, 1, &with);
    return added;
}

/* ---- counters ---- */

/* v += c, a number, once in every iteration. */
static bool counts(const struct rg__running *r, int k, int *at, int64_t *by)
{
    int n = 0;
    for (int i = 0; i < r->body->n; i++)
        if (rg__c_writes_var(r->body->kid[i], r->var[k])) {
            *at = i;
            n++;
        }
    const struct rg_cnode *e = n == 1 && r->body->kid[*at]->kind == RG_C_STMT ? r->body->kid[*at]->kid[0] : NULL;
    if (!e || !rg__scalar_is_int(r->t->vars[r->var[k]].type) || e->kid[0]->kind != RG_C_VAR) return false;
    const struct rg_cnode *c = e->kind == RG_C_ASSIGN ? rg__c_uncast(e->kid[1], RG__C_INT_CASTS) : NULL;
    bool sum = c && (e->op == RG_COP_ADD_SET || e->op == RG_COP_SUB_SET) && c->kind == RG_C_INT;
    if (e->kind != RG_C_INCDEC && !sum) return false;
    *by = e->kind == RG_C_INCDEC ? (rg_c_increments(e->op) ? 1 : -1) : e->op == RG_COP_ADD_SET ? c->ivalue : -c->ivalue;
    return *by > -65536 && *by < 65536;
}

/* What is counted in every iteration, and asked for there, follows from the iteration's number. False: it is not. */
static bool counted(struct split *s, struct rg_cnode *block, int at)
{
    struct rg_ctree *t = s->t;
    struct rg__running *r = &s->r;
    struct rg_cnode *l = r->loop;
    for (int k = 0, i = 0; k < r->n; k++) {
        int64_t by = 0;
        bool asked = false;
        for (int j = 0; j < r->n; j++) asked |= j != k && r->from[j] >> k & 1;
        if (!asked || !counts(r, k, &i, &by) || l->n != 3 || l->step != 1 || !rg__c_of_params(t, l->kid[0]) ||
            !rg__c_of_params(t, l->kid[1]))
            continue;
        int v = r->var[k];
        enum rg_scalar type = t->vars[v].type;
        struct rg_cnode *d = rg__c_stands(rg_cnode_new(t, RG_C_DECL, 1), l), *trips,
                        *many = rg_cnode_new(t, RG_C_COND, 3);
        struct rg_cnode *number = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, l->var), rg__c_copy(t, l->kid[0]));
        d->var = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, type);
        d->type = type;
        number = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, number, type), rg__c_cast(t, rg__c_int(t, by), type));
        d->kid[0] = rg__c_cast(t, rg__c_binary(t, RG_COP_ADD, rg__c_var(t, v), number), type);
        rename(r->body, v, d->var);
        struct rg__kids with = {0}, behind = {0};
        rg__kids_add(&with, d);
        rg__block_splice(t, r->body, 0, 0, &with);
        trips = rg__c_binary(t, RG_COP_SUB, rg__c_copy(t, l->kid[1]), rg__c_copy(t, l->kid[0]));
        many->kid[0] = rg__c_binary(t, RG_COP_LT, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1]));
        many->kid[1] = rg__c_binary(t, RG_COP_MUL, rg__c_cast(t, trips, type), rg__c_cast(t, rg__c_int(t, by), type));
        many->type = many->kid[1]->type;
        many->kid[2] = rg__c_cast(t, rg__c_int(t, 0), many->type);
        rg__kids_add(&behind, rg__c_stands(rg__c_stmt(t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, v), many)), l));
        rg__block_splice(t, block, at + 1, 0, &behind);
        return true;
    }
    return false;
}

enum opening {        /* of conditions in the body */
               ARMS,  /* those with one arm that sets scalars */
               WIDE,  /* with two arms, conditions in them and stores, too */
               GATES, /* as WIDE; counters that count from an event on count without a condition, else the loop stays */
               N_OPENINGS
};

/* How many statements came in front of the rest of the loop; 0: it stays as it is. */
static int apart(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at, enum opening how)
{
    const bool gates = how == GATES;
    struct split s = {.t = t, .p = p};
    struct rg_cnode *loop = block->kid[at], *was = loop->kid[2], *b;
    struct rg__kids front = {0}, behind = {0};
    struct rg__running_place place;
    loop->kid[2] = b = how != ARMS ? rg__c_copy(t, was) : rg__c_shallow(&t->arena, was);
    rg__running_join_arms(t, b);
    rg__running_open_arms(t, b, how != ARMS);
    rg__running_declare(t, b);
    rg__running_read_back(t, p, loop, b);
    if (!gates) rg__running_counts(t, block, at, b);
    bool ok = !gates || rg__running_gates(t, loop, &front, &behind);
    ok = rg__running_look(&s.r, t, loop) && ok;
    for (int a = 0; a < t->n_arrays && ok; a++)
        ok = !rg__writes_array(b, a) ||
             (!rg__c_declares_array(b, a) && (!ties_elements(t, b, a) || own_elements(&s, a)));
    while (ok && !gates && choose(&s.r) && rg__running_places(t, loop, &place) && counted(&s, block, at)) {
        was = b;
        free(s.r.of);
        ok = rg__running_look(&s.r, t, loop);
    }
    ok = ok && (s.group = choose(&s.r)) && rg__running_places(t, loop, &place);
    s.first = rg_xcalloc((size_t)b->n + 1, sizeof *s.first);
    s.second = rg_xcalloc((size_t)b->n + 1, sizeof *s.second);
    int added = ok && slices(&s) ? distribute(&s, &place, block, at) : 0;
    if (added && gates) {
        int in_front = front.n;
        rg__block_splice(t, block, at + added + 1, 0, &behind);
        rg__block_splice(t, block, at, 0, &front);
        added += in_front;
    } else {
        free(front.items);
        free(behind.items);
    }
    if (!added) loop->kid[2] = was;
    free(s.first);
    free(s.second);
    free(s.r.of);
    return added;
}

void rg__running_outer(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n,
                       int (*take)(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *block, int at))
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_LOOP || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++)
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP)
            i += take(t, p, n, i);
        else
            rg__running_outer(t, p, n->kid[i], take);
}

static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n) || n->kind == RG_C_LOOP || n->kind == RG_C_OPAQUE) return;
    for (int i = 0; i < n->n; i++) {
        for (int added = 1; n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && added > 0; i += added) {
            added = 0;
            for (enum opening how = ARMS; how < N_OPENINGS && !added; how++) added = apart(t, p, n, i, how);
        }
        walk(t, p, n->kid[i]);
    }
}

void rg__canon_running(struct rg_ctree *t, const struct rg_problem *p)
{
    walk(t, p, t->root);
}
