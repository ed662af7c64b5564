/* Graph searches with a list of what is still to be visited: a queue, a queue gone through level by level, two lists
 * that take turns, a stack. Where the order within a level does not matter (work_lists_proof.c), a round visits all
 * vertices of a level, by their numbers:
 *     while (head < tail) { u = queue[head++]; for e: if (level[adj[e]] < 0) { level[adj[e]] = level[u] + 1; ... } }
 * becomes
 *     while (head < tail) { end = tail; for u: if (front[u] == round) for e: if (front[adj[e]] < 0) {
 *         level[adj[e]] = round + 1; front[adj[e]] = round + 1; tail++; } head = end; }
 * The list itself is gone. Marks that were there before the search say who can be found (work_lists_preset.c). */
#include "frontend/infer/infer.h"
#include "frontend/normalise/update_rounds.h"
#include "frontend/normalise/work_lists.h"
#include "ir/range.h"
#include <stdlib.h>
#include <string.h>

static bool scalar(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->array < 0 && !e->pointer;
}

static const struct rg_cnode *expression(const struct rg_cnode *k)
{
    return k->kind == RG_C_STMT ? k->kid[0] : NULL;
}

static bool local_list(const struct rg_ctree *t, int array)
{
    return t->arrays[array].param < 0 && !t->arrays[array].constant_table && t->arrays[array].n_dims == 1 &&
           rg__scalar_is_int(t->arrays[array].elem) && rg_scalar_bytes(t->arrays[array].elem) >= 4;
}

/* u = list[place]; the declaration of u. */
static const struct rg_cnode *taken(const struct rg_ctree *t, const struct rg_cnode *k, int *u, int *list)
{
    const struct rg_cnode *v = k->kind == RG_C_DECL && k->array < 0 && k->n ? k->kid[0] : NULL;
    if (!v) return NULL;
    v = rg__c_uncast(v, RG__C_INT_CASTS);
    if (v->kind != RG_C_INDEX || v->n != 1 || v->pointer || !local_list(t, v->array)) return NULL;
    *u = k->var;
    *list = v->array;
    return rg__c_uncast(v->kid[0], RG__C_INT_CASTS);
}

/* `head < tail` and its like; the empty list is 0 elements of a stack. */
static bool asks_for_more(const struct rg_cnode *c, int head, int tail)
{
    double zero;
    c = rg__c_uncast(c, RG__C_CASTS);
    if (rg__list_is_var(c, tail)) return head < 0;
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op)) return false;
    const bool other = rg__list_is_var(c->kid[1], tail);
    const struct rg_cnode *low = c->kid[!other];
    const enum rg_c_op op = other ? c->op : rg_c_converse(c->op); /* low op tail */
    if (!rg__list_is_var(c->kid[other], tail) || (op != RG_COP_LT && op != RG_COP_NE)) return false;
    return head < 0 ? rg__round_number(low, &zero) && zero == 0 : rg__list_is_var(low, head);
}

/* The last statement of the body says whether there is more. */
static bool goes_on(const struct rg__list *l, int head, int tail)
{
    const struct rg_cnode *value;
    const struct rg_cnode *last = l->body->n ? l->body->kid[l->body->n - 1] : NULL;
    return last && scalar(l->loop->kid[3]) && rg__list_gives(last, &value) == l->loop->kid[3]->var &&
           asks_for_more(value, head, tail);
}

/* The variable that all pushes to the list go by; -1: there is none, or several. */
static int pushed_by(const struct rg_cnode *n, int list, int tail)
{
    if (!n || tail == -2) return tail;
    const struct rg_cnode *e = n->kind == RG_C_ASSIGN ? n->kid[0] : NULL;
    if (e && e->kind == RG_C_INDEX && e->array == list) {
        const struct rg_cnode *at = e->n == 1 ? rg__c_uncast(e->kid[0], RG__C_INT_CASTS) : NULL;
        if (n->op != RG_COP_SET || !at || !scalar(at) || (tail >= 0 && tail != at->var)) return -2;
        tail = at->var;
    }
    for (int i = 0; i < n->n; i++) tail = pushed_by(n->kid[i], list, tail);
    return tail;
}

static int array_of_pushes(const struct rg_ctree *t, const struct rg_cnode *n, int other)
{
    if (!n) return -1;
    if (n->kind == RG_C_ASSIGN && n->op == RG_COP_SET && n->kid[0]->kind == RG_C_INDEX && n->kid[0]->n == 1 &&
        n->kid[0]->array != other && local_list(t, n->kid[0]->array))
        return n->kid[0]->array;
    for (int i = 0; i < n->n; i++) {
        int a = array_of_pushes(t, n->kid[i], other);
        if (a >= 0) return a;
    }
    return -1;
}

/* A round that visits one: u = queue[head++]; or u = stack[--top]; */
static bool one_each(struct rg__list *l)
{
    struct rg_cnode *b = l->body;
    const struct rg_cnode *at = b->n > 1 ? taken(l->t, b->kid[0], &l->u, &l->in) : NULL;
    if (!at || !scalar(at->kind == RG_C_INCDEC ? at->kid[0] : at)) return false;
    l->work = b;
    l->first = 1;
    l->end = b->n - 1;
    l->out = l->in;
    l->tail = pushed_by(b, l->in, -1);
    if (at->kind == RG_C_INCDEC) {
        const int v = at->kid[0]->var;
        l->stack = at->op == RG_COP_PRE_DEC && v == l->tail;
        if (!l->stack && at->op != RG_COP_POST_INC) return false;
        l->head = l->stack ? -1 : v;
    } else { /* head++ stands by itself, right behind */
        const struct rg_cnode *e = b->n > 2 ? expression(b->kid[1]) : NULL;
        if (!e || e->n < 1 || !rg__list_is_var(e->kid[0], at->var)) return false;
        double by;
        bool up = e->kind == RG_C_INCDEC ? rg_c_increments(e->op)
                                         : e->op == RG_COP_ADD_SET && rg__round_number(e->kid[1], &by) && by == 1;
        if (!up) return false;
        l->head = at->var;
        l->first = 2;
    }
    return l->tail >= 0 && l->tail != l->head && goes_on(l, l->head, l->tail);
}

/* A round that visits a level: for (; first < end; first++) u = queue[first], for (i = 0; i < size; i++) u =
 * queue[head++], for (q = 0; q < n_now; q++) u = now[q] */
static bool a_level(struct rg__list *l)
{
    const struct rg_cnode *at = NULL, *value;
    for (int i = 0; i < l->body->n && !at; i++) {
        struct rg_cnode *k = l->body->kid[i];
        if (k->kind != RG_C_LOOP || k->n != 3 || k->kid[2]->kind != RG_C_BLOCK || !k->kid[2]->n) continue;
        at = taken(l->t, k->kid[2]->kid[0], &l->u, &l->in);
        l->inner = k;
    }
    if (!at) return false;
    struct rg_cnode *in = l->inner;
    l->work = in->kid[2];
    l->first = 1;
    l->end = l->work->n;
    const bool own = at->kind == RG_C_INCDEC;
    const struct rg_cnode *v = own ? at->kid[0] : at;
    double low, high;
    if (!scalar(v) || (own ? at->op != RG_COP_POST_INC : v->var != in->var || in->step != 1)) return false;
    if (!own && rg__round_number(in->kid[0], &low)) { /* two lists: all of one */
        const struct rg_cnode *n = rg__c_uncast(in->kid[1], RG__C_INT_CASTS);
        l->out = array_of_pushes(l->t, l->work, l->in);
        l->tail = l->out < 0 ? -1 : pushed_by(l->work, l->out, -1);
        if (low != 0 || !scalar(n) || l->tail < 0) return false;
        bool reset = false, handed = false; /* n_next = 0; ...; n_now = n_next; */
        for (int i = 0; i < l->body->n; i++) {
            const struct rg_cnode *k = l->body->kid[i];
            const int given = rg__list_gives(k, &value);
            if (k == in && !reset) return false;
            if (k == in) continue;
            if (given == l->tail && !reset && !handed) {
                double zero;
                if (!rg__round_number(value, &zero) || zero != 0) return false;
                reset = true;
            } else if (given == n->var && reset) {
                if (!rg__list_is_var(value, l->tail)) return false;
                handed = true;
            } else if (rg__c_writes_var(k, n->var) || (rg__c_writes_var(k, l->tail) && !handed)) {
                return false;
            }
        }
        l->head = -1;
        return handed && n->var != l->tail && (goes_on(l, -1, n->var) || goes_on(l, -1, l->tail));
    }
    l->out = l->in;
    l->tail = pushed_by(l->work, l->in, -1);
    if (l->tail < 0) return false;
    int end = -1, size = -1; /* what says how far: at the begin of a round */
    for (int i = 0; i < l->body->n && l->body->kid[i] != in; i++) {
        int given = rg__list_gives(l->body->kid[i], &value);
        if (given < 0) continue;
        value = rg__c_uncast(value, RG__C_INT_CASTS);
        if (rg__list_is_var(value, l->tail)) end = given;
        if (value->op == RG_COP_SUB && rg__list_is_var(value->kid[0], l->tail)) {
            const struct rg_cnode *from = rg__c_uncast(value->kid[1], RG__C_INT_CASTS);
            size = given;
            l->head = scalar(from) ? from->var : -1;
        }
    }
    if (own) { /* size elements from head on */
        bool up = in->step == 1 && rg__round_number(in->kid[0], &low) && low == 0 && rg__list_is_var(in->kid[1], size);
        const struct rg_cnode *from = rg__c_uncast(in->kid[0], RG__C_INT_CASTS);
        bool down = in->step == -1 && from->op == RG_COP_SUB && rg__list_is_var(from->kid[0], size) &&
                    rg__round_number(from->kid[1], &high) && high == 1 && rg__round_number(in->kid[1], &low) &&
                    low == -1;
        if (size < 0 || l->head != v->var || (!up && !down)) return false;
    } else {
        const struct rg_cnode *from = rg__c_uncast(in->kid[0], RG__C_INT_CASTS);
        l->head = scalar(from) ? from->var : -1;
        if (end < 0 || l->head < 0 || !rg__list_is_var(in->kid[1], end)) return false;
        bool moved = false; /* head = head < end ? end : head; */
        for (int i = 0; i < l->body->n; i++) {
            const struct rg_cnode *k = l->body->kid[i];
            if (rg__list_gives(k, &value) != l->head) {
                if (rg__c_writes_var(k, l->head)) return false;
                continue;
            }
            value = rg__c_uncast(value, RG__C_INT_CASTS);
            bool most = value->kind == RG_C_COND && value->kid[0]->op == RG_COP_LT &&
                        rg__list_is_var(value->kid[0]->kid[0], l->head) &&
                        rg__list_is_var(value->kid[0]->kid[1], end) && rg__list_is_var(value->kid[1], end) &&
                        rg__list_is_var(value->kid[2], l->head);
            if (moved || (!most && !rg__list_is_var(value, end))) return false;
            moved = true;
        }
        if (!moved) return false;
    }
    return l->tail != l->head && goes_on(l, l->head, l->tail);
}

/* t = now; now = next; next = t; or a loop that copies what is next: lists take turns. How many statements. */
static int takes_turns(const struct rg__list *l, int at)
{
    const struct rg_cnode *k = l->body->kid[at];
    if (l->in == l->out) return 0;
    if (k->kind == RG_C_LOOP && k->n == 3 && k->kid[2]->n == 1) {
        const struct rg_cnode *e = expression(k->kid[2]->kid[0]);
        const struct rg_cnode *to = e && e->op == RG_COP_SET ? e->kid[0] : NULL, *from = e && to ? e->kid[1] : NULL;
        double zero;
        from = from ? rg__c_uncast(from, RG__C_INT_CASTS) : NULL;
        return from && to->kind == RG_C_INDEX && to->array == l->in && from->kind == RG_C_INDEX &&
               from->array == l->out && rg__list_is_var(to->kid[0], k->var) && rg__list_is_var(from->kid[0], k->var) &&
               k->step == 1 && rg__round_number(k->kid[0], &zero) && zero == 0 && rg__list_is_var(k->kid[1], l->tail);
    }
    if (at + 2 >= l->body->n) return 0;
    const struct rg_cnode *to[3], *from[3];
    for (int i = 0; i < 3; i++) {
        const struct rg_cnode *s = l->body->kid[at + i], *e = expression(s);
        const bool declared = s->kind == RG_C_DECL && s->pointer && s->n == 1 && !i;
        if (!declared && (!e || e->kind != RG_C_ASSIGN || e->op != RG_COP_SET || e->kid[0]->kind != RG_C_VAR)) return 0;
        to[i] = declared ? s : e->kid[0];
        from[i] = rg__c_uncast(declared ? s->kid[0] : e->kid[1], RG__C_CASTS);
        if (from[i]->kind != RG_C_VAR) return 0;
    }
    bool turn = from[0]->array == to[1]->array && from[1]->array == to[2]->array && to[0]->array == from[2]->array &&
                to[0]->var == from[2]->var;
    bool both = (to[1]->array == l->in && to[2]->array == l->out) || (to[1]->array == l->out && to[2]->array == l->in);
    return turn && both && to[0]->array != l->in && to[0]->array != l->out ? 3 : 0;
}

/* What else a round does leaves the lists, marks and levels alone; behind the loop nobody asks for the lists. */
static bool left_alone(const struct rg__list *l)
{
    for (int i = 0; i < l->body->n && l->inner; i++) {
        const struct rg_cnode *k = l->body->kid[i];
        int turns = takes_turns(l, i);
        if (k == l->inner) continue;
        if (turns) {
            i += turns - 1;
            continue;
        }
        if (rg__c_mentions_array(k, l->in) || rg__c_mentions_array(k, l->out) || rg__writes_array(k, l->mark))
            return false;
        for (int a = 0; a < l->n_levels; a++)
            if (rg__writes_array(k, l->level[a].array)) return false;
        if (l->in == l->out && rg__c_writes_var(k, l->tail)) return false;
    }
    return true;
}

static int mentions(const struct rg_cnode *n, int array)
{
    if (!n) return 0;
    int count = n->array == array && (n->kind == RG_C_INDEX || n->kind == RG_C_VAR);
    for (int i = 0; i < n->n; i++) count += mentions(n->kid[i], array);
    return count;
}

/* Nobody else in the function has to do with the lists. */
static bool own_lists(const struct rg__list *l)
{
    int lists[2] = {l->in, l->out};
    for (int k = 0; k < (l->in == l->out ? 1 : 2); k++) {
        int inside = mentions(l->loop, lists[k]);
        for (int i = 0; i < l->at; i++) inside += mentions(l->block->kid[i], lists[k]);
        if (mentions(l->t->root, lists[k]) != inside) return false;
    }
    int named = rg__c_count_var(l->loop, l->tail);
    for (int i = 0; i < l->n_front; i++) named += rg__c_count_var(l->front[i], l->tail);
    return !l->stack || rg__c_count_var(l->t->root, l->tail) == named; /* it would be 0 behind */
}

/* ---- the new loop ---- */

struct rewrite {
    struct rg__list *l;
    int front, u;                   /* array: the round in which a vertex is visited, -1; the iterator over vertices */
    const struct rg_cnode *skip[2]; /* statements that are gone */
};

static struct rg_cnode *round_plus(struct rg_ctree *t, int round, int64_t k)
{
    struct rg_cnode *r = rg__c_var(t, round);
    return k ? rg__c_binary(t, RG_COP_ADD, r, rg__c_int(t, k)) : r;
}

static struct rg_cnode *element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

/* first + by * round, of so many rounds later */
static struct rg_cnode *level_at(const struct rewrite *w, int level, int later)
{
    struct rg_ctree *t = w->l->t;
    const struct rg__list_level *d = &w->l->level[level];
    const int64_t first = d->first + later * d->by;
    struct rg_cnode *e = rg__c_var(t, w->l->loop->var);
    if (d->by != 1) e = rg__c_binary(t, RG_COP_MUL, e, rg__c_int(t, d->by));
    if (first) e = rg__c_binary(t, RG_COP_ADD, e, rg__c_int(t, first));
    return rg__c_cast(t, e, t->arrays[d->array].elem);
}

static struct rg_cnode *rewritten(const struct rewrite *w, struct rg_cnode *n)
{
    struct rg_ctree *t = w->l->t;
    const struct rg_cnode *place;
    if (!n) return n;
    if (rg__c_is_expr(n)) {
        int level = rg__list_level_of(w->l, n), next = rg__list_level_read(w->l, n),
            asks = rg__list_asks(w->l, n, &place);
        if (level >= 0) return level_at(w, level, 0);
        if (next >= 0) return level_at(w, next, 1);
        if (asks >= 0)
            return rg__c_binary(t, asks ? RG_COP_LT : RG_COP_GE,
                                element(t, w->front, rewritten(w, rg__c_copy(t, place))), rg__c_int(t, 0));
        if (scalar(n) && n->var == w->l->u) return rg__c_var(t, w->u);
    }
    const struct rg_cnode *x = n->kind == RG_C_STMT ? rg__list_pushed(w->l, n) : NULL;
    if (x) {
        struct rg_cnode *s = rg__c_stmt(
            t, rg__c_assign(t, RG_COP_SET, element(t, w->front, rg__c_copy(t, x)), round_plus(t, w->l->loop->var, 1)));
        s->line = n->line;
        s->column = n->column;
        s->kid[0]->kid[0]->kid[0] = rewritten(w, s->kid[0]->kid[0]->kid[0]);
        return s;
    }
    bool stored = n->kind == RG_C_ASSIGN && n->kid[0]->kind == RG_C_INDEX;
    for (int i = 0; i < n->n; i++) {
        if (stored && i == 0)
            for (int d = 0; d < n->kid[0]->n; d++) n->kid[0]->kid[d] = rewritten(w, n->kid[0]->kid[d]);
        else
            n->kid[i] = rewritten(w, n->kid[i]);
    }
    return n;
}

static struct rg_cnode *over_vertices(struct rg__list *l, int iter, struct rg_cnode *body)
{
    struct rg_ctree *t = l->t;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_LOOP, 3);
    x->var = iter;
    x->step = 1;
    x->kid[0] = rg__c_cast(t, rg__c_int(t, 0), t->vars[iter].type);
    x->kid[1] = rg__c_cast(t, rg__c_copy(t, l->vertices), t->vars[iter].type);
    x->kid[2] = body;
    x->line = body->line = l->loop->line;
    x->column = l->loop->column;
    return x;
}

static struct rg_cnode *block_of(struct rg_ctree *t, struct rg_cnode *s)
{
    struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = s;
    b->line = s->line;
    return b;
}

static struct rg_cnode *set_var(struct rg_ctree *t, int var, struct rg_cnode *value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_var(t, var), value));
    s->line = at->line;
    return s;
}

static void remake(struct rg__list *l, const struct rg_expr *extent)
{
    struct rg_ctree *t = l->t;
    struct rewrite w = {.l = l};
    w.front = rg__c_add_array(t, "front", RG_I32);
    struct rg_carray *a = &t->arrays[w.front];
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    dims[0] = extent;
    a->n_dims = 1;
    a->dims = dims;
    a->mallocd = true;
    struct rg_cnode *made = rg_cnode_new(t, RG_C_DECL, 0);
    made->array = w.front;
    made->type = RG_I32;
    made->line = l->loop->line;
    w.u = rg__c_add_var(t, t->vars[l->u].name, RG_CVAR_ITER, t->vars[l->u].type);
    struct rg__kids work = {0}, in = {0};
    for (int i = l->first; i < l->end; i++) rg__kids_add(&work, rewritten(&w, l->work->kid[i]));
    struct rg_cnode *visits = rg_cnode_new(t, RG_C_IF, 2);
    visits->kid[0] = rg__c_binary(t, RG_COP_EQ, element(t, w.front, rg__c_var(t, w.u)), rg__c_var(t, l->loop->var));
    visits->kid[1] = rg__kids_node(t, RG_C_BLOCK, &work);
    visits->line = visits->kid[1]->line = l->loop->line;
    struct rg_cnode *all = over_vertices(l, w.u, block_of(t, visits));
    struct rg__kids body = {0};
    int end = -1, head = l->head;
    const bool moves =
        !l->inner || l->work->kid[0]->kid[0]->kind == RG_C_INCDEC || rg__mentions_kind(l->work->kid[0], RG_C_INCDEC);
    if (l->stack) head = rg__c_add_var(t, "visited", RG_CVAR_LOCAL, t->vars[l->tail].type);
    if (l->in == l->out && moves) { /* who is visited now was on the list when the round began */
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        end = rg__c_add_var(t, "end", RG_CVAR_LOCAL, t->vars[l->tail].type);
        d->var = end;
        d->type = t->vars[end].type;
        d->kid[0] = rg__c_var(t, l->tail);
        d->line = l->loop->line;
        rg__kids_add(&body, d);
    }
    for (int i = 0; i < l->body->n; i++) {
        struct rg_cnode *k = l->body->kid[i];
        int turns = l->inner ? takes_turns(l, i) : 0;
        if (turns) {
            i += turns - 1;
        } else if (l->inner ? k == l->inner : i == l->first) {
            struct rg__kids behind = {0};
            rg__list_extremes_behind(t, all, &body, &behind);
            rg__kids_add(&body, all);
            for (int b = 0; b < behind.n; b++) rg__kids_add(&body, behind.items[b]);
            free(behind.items);
            if (end >= 0) rg__kids_add(&body, set_var(t, head, rg__c_var(t, end), k));
        }
        if (turns || k == l->inner || (!l->inner && i + 1 < l->body->n)) continue;
        if (l->stack) { /* top > 0 */
            int flag = l->loop->kid[3]->var;
            k = set_var(t, flag, rg__c_binary(t, RG_COP_LT, rg__c_var(t, head), rg__c_var(t, l->tail)), k);
        }
        rg__kids_add(&body, k);
    }
    rg__block_splice(t, l->body, 0, l->body->n, &body);
    const struct rg_cnode *source = l->seed->kid[0]->kid[1];
    int iter = rg__c_add_var(t, "i", RG_CVAR_ITER, t->vars[w.u].type);
    struct rg_cnode *none = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, element(t, w.front, rg__c_var(t, iter)),
                                                       rg__list_not_yet(l, rg__c_var(t, iter))));
    struct rg_cnode *first =
        rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, element(t, w.front, rg__c_copy(t, source)), rg__c_int(t, 0)));
    none->line = first->line = l->block->kid[l->sources]->line;
    rg__kids_add(&in, made);
    if (l->stack) {
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = head;
        d->type = t->vars[head].type;
        d->kid[0] = rg__c_cast(t, rg__c_int(t, 0), d->type);
        d->line = l->loop->line;
        rg__kids_add(&in, d);
    }
    rg__kids_add(&in, over_vertices(l, iter, block_of(t, none)));
    if (l->seeds) /* in its place in the loop */
        l->seed->kid[0] = first->kid[0];
    else
        rg__kids_add(&in, first);
    rg__block_splice(t, l->block, l->sources, l->seeds ? 0 : 1, &in);
    for (int i = 0; i < l->block->n; i++) /* nobody asks for the lists any more */
        while (i < l->block->n && l->block->kid[i]->kind == RG_C_DECL &&
               (l->block->kid[i]->array == l->in || l->block->kid[i]->array == l->out) &&
               !mentions(t->root, l->block->kid[i]->array)) {
            struct rg__kids nothing = {0};
            rg__block_splice(t, l->block, i, 1, &nothing);
        }
}

/* How many vertices there are as an expression over parameters; locals that are set once stand for their values. */
static const struct rg_expr *extent_of(struct rg__list *l)
{
    for (int i = 0; i < l->n_front; i++) {
        const struct rg_cnode *d = l->front[i];
        if (d->kind == RG_C_DECL && d->array < 0 && d->n && rg__c_mentions_var(l->vertices, d->var) &&
            rg__c_of_params(l->t, d->kid[0])) {
            for (int k = 0; k < l->n_front; k++)
                if (k != i && rg__c_writes_var(l->front[k], d->var)) return NULL;
            for (int k = l->at; k < l->block->n; k++)
                if (rg__c_writes_var(l->block->kid[k], d->var)) return NULL;
            l->vertices = rg__c_replace_var(l->t, l->vertices, d->var, d->kid[0]);
        }
    }
    return rg__c_to_expr(l->t, rg__c_strip_int_casts(rg__c_copy(l->t, l->vertices)), &l->t->arena);
}

/* Are there as many marks as vertices? Where a caller has more of them, nobody knows what those are. */
static bool all_marks(const struct rg__list *l)
{
    const struct rg_carray *a = &l->t->arrays[l->mark];
    const bool known = a->param >= 0 && a->n_dims == 1 && a->dims && a->dims[0];
    struct rg_cnode *n = known ? rg__c_from_expr(l->t, a->dims[0]) : NULL;
    if (!n) return true;
    struct rg__range r;
    rg__range_init(&r, l->t, NULL);
    const struct rg__poly there = rg__poly_of(&r, n), visited = rg__poly_of(&r, l->vertices);
    return rg__poly_equal(&there, &visited);
}

static bool take(struct rg__load *load, struct rg_cnode *block, int at, const struct rg__kids *front)
{
    static bool (*const forms[])(struct rg__list *) = {one_each, a_level};
    for (int f = 0; f < 2; f++) {
        struct rg__list l = {.t = load->t,
                             .block = block,
                             .at = at,
                             .loop = block->kid[at],
                             .head = -1,
                             .mark = -1,
                             .front = front->items,
                             .n_front = front->n};
        l.body = l.loop->kid[2];
        if (l.body->kind != RG_C_BLOCK || !forms[f](&l) || !rg__list_begins(&l)) continue;
        if (rg__c_mentions_var(l.body, l.loop->var) || !rg__list_proven(&l) || !left_alone(&l) || !own_lists(&l))
            return false;
        const struct rg_expr *extent = extent_of(&l);
        if (!extent || !all_marks(&l)) return false;
        if (l.bounded) {
            struct rg_cnode *few =
                rg__c_binary(l.t, RG_COP_LT, rg__c_copy(l.t, l.vertices), rg__c_int(l.t, (int64_t)l.clear));
            const struct rg_expr *e = rg__c_to_expr(l.t, rg__c_strip_int_casts(few), &load->p->arena);
            if (!e) return false;
            rg__add_require(load->p, e);
        }
        remake(&l, extent);
        return true;
    }
    return false;
}

/* `front`: what runs before n does. */
static void walk(struct rg__load *load, struct rg_cnode *n, struct rg__kids *front)
{
    if (!n || (n->kind != RG_C_BLOCK && n->kind != RG_C_IF)) return;
    const int before = front->n;
    for (int i = 0; i < n->n; i++) {
        int was = n->n;
        if (n->kind == RG_C_BLOCK && n->kid[i]->kind == RG_C_LOOP && n->kid[i]->n == 4 && take(load, n, i, front)) {
            i += n->n > was ? n->n - was : 0;
            front->n = before;
            for (int k = 0; k < i; k++) rg__kids_add(front, n->kid[k]);
        } else {
            walk(load, n->kid[i], front);
        }
        if (n->kind == RG_C_BLOCK || i == 0) rg__kids_add(front, n->kid[i]);
    }
    front->n = before;
}

/* Does a loop that ends by its data take numbers from a local array? */
static bool takes_from_lists(const struct rg_ctree *t, const struct rg_cnode *n, bool inside)
{
    if (!n) return false;
    inside = inside || (n->kind == RG_C_LOOP && n->n == 4);
    const struct rg_cnode *value;
    const struct rg_cnode *v =
        inside && (n->kind == RG_C_STMT || n->kind == RG_C_DECL) && rg__list_gives(n, &value) >= 0 ? value : NULL;
    v = v ? rg__c_uncast(v, RG__C_INT_CASTS) : NULL;
    if (v && v->kind == RG_C_INDEX && v->n == 1 && !v->pointer && local_list(t, v->array)) return true;
    for (int i = 0; i < n->n; i++)
        if (takes_from_lists(t, n->kid[i], inside)) return true;
    return false;
}

enum rg_status rg__canon_work_lists(struct rg__load *l)
{
    if (l->p->may_alias || !takes_from_lists(l->t, l->t->root, false)) return RG_OK;
    rg__canon_dead(l->t); /* C89 declares at the top of the function what a vertex has of its own */
    rg__canon_sink(l->t);
    rg__own_scalars(l->t);
    struct rg__kids front = {0};
    walk(l, l->t->root, &front);
    free(front.items);
    return RG_OK;
}
