/* Intervals of integer expressions: types say what elements are, operators go on from there. Conditions count where
 * they ask for what an arm of ?: is made of: d < 0 ? -d : d, a > b ? a - b : b - a. */
#include "frontend/normalise/term_ranges.h"
#include "frontend/normalise/counted_loops.h"
#include "frontend/infer/infer.h"
#include <string.h>

enum { MOST_KNOWN = 8, DEEP = 24 };

struct range {
    int64_t lo, hi;
};

struct ask { /* a op b */
    enum rg_c_op op;
    const struct rg_cnode *a, *b;
};

struct known {
    const struct rg__term_at *where;
    int n, deep;
    struct ask asks[MOST_KNOWN];
};

static bool of_type(enum rg_scalar type, struct range *r)
{
    const size_t bytes = rg_scalar_bytes(type);
    if (!rg__scalar_is_int(type) || !bytes || (bytes == 8 && !rg_scalar_is_signed(type))) return false;
    if (type == RG_BOOL) return *r = (struct range){0, 1}, true;
    const int bits = (int)(8 * bytes);
    r->hi = rg_scalar_is_signed(type) ? (int64_t)((UINT64_C(1) << (bits - 1)) - 1) : (INT64_C(1) << bits) - 1;
    r->lo = rg_scalar_is_signed(type) ? -r->hi - 1 : 0;
    return true;
}

static bool inside(enum rg_scalar type, const struct range *r)
{
    struct range all = {0, INT64_MAX};
    if (!of_type(type, &all) && !(rg__scalar_is_int(type) && rg_scalar_bytes(type) == 8)) return false;
    return r->lo >= all.lo && r->hi <= all.hi;
}

static bool range_of(struct known *k, const struct rg_cnode *e, struct range *r);

/* The condition, or its opposite, holds. */
static void hold(struct known *k, const struct rg_cnode *c, bool not )
{
    c = rg__c_uncast(c, RG__C_WIDE_CASTS);
    if (c->op == RG_COP_NOT) {
        hold(k, c->kid[0], !not );
        return;
    }
    if (c->op == (not ? RG_COP_OR : RG_COP_AND)) {
        hold(k, c->kid[0], not );
        hold(k, c->kid[1], not );
        return;
    }
    if (c->kind != RG_C_BINARY || !rg_c_relation(c->op) || k->n == MOST_KNOWN) return;
    if (!rg__scalar_is_int(c->kid[0]->type) || !rg__scalar_is_int(c->kid[1]->type)) return;
    k->asks[k->n++] = (struct ask){not ? rg_c_opposite(c->op) : c->op, c->kid[0], c->kid[1]};
}

/* Below conversions that change no value: the comparison is of the values themselves. */
static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && rg__scalar_is_int(e->type) && rg_scalar_is_signed(e->type) &&
           rg__scalar_is_int(e->kid[0]->type) && rg_scalar_bytes(e->type) >= 4 &&
           (rg_scalar_bytes(e->type) > rg_scalar_bytes(e->kid[0]->type) ||
            (rg_scalar_bytes(e->type) == rg_scalar_bytes(e->kid[0]->type) && rg_scalar_is_signed(e->kid[0]->type))))
        e = e->kid[0];
    return e;
}

/* Is the comparison one of the values, and not of what a type without a sign makes of them? */
static bool compares_values(const struct ask *q)
{
    return rg_scalar_is_signed(rg__scalar_common(q->a->type, q->b->type));
}

static void narrow(struct range *r, enum rg_c_op op, int64_t than)
{
    if (op == RG_COP_LT && than > INT64_MIN && r->hi > than - 1) r->hi = than - 1;
    if (op == RG_COP_LE && r->hi > than) r->hi = than;
    if (op == RG_COP_GT && than < INT64_MAX && r->lo < than + 1) r->lo = than + 1;
    if (op == RG_COP_GE && r->lo < than) r->lo = than;
}

/* What is known of e by the conditions around it. */
static void by_asks(const struct known *k, const struct rg_cnode *e, struct range *r)
{
    const struct rg_cnode *v = plain(e);
    for (int i = 0; i < k->n; i++) {
        const struct ask *q = &k->asks[i];
        int64_t number;
        if (!compares_values(q)) continue;
        if (rg__c_number(q->b, &number) && rg__c_same(plain(q->a), v, RG__C_TYPED)) narrow(r, q->op, number);
        if (rg__c_number(q->a, &number) && rg__c_same(plain(q->b), v, RG__C_TYPED))
            narrow(r, rg_c_converse(q->op), number);
        if (e->op != RG_COP_SUB) continue;
        if (rg__c_same(plain(q->a), plain(e->kid[0]), RG__C_TYPED) &&
            rg__c_same(plain(q->b), plain(e->kid[1]), RG__C_TYPED))
            narrow(r, q->op, 0);
        if (rg__c_same(plain(q->b), plain(e->kid[0]), RG__C_TYPED) &&
            rg__c_same(plain(q->a), plain(e->kid[1]), RG__C_TYPED))
            narrow(r, rg_c_converse(q->op), 0);
    }
}

static bool binary(struct known *k, const struct rg_cnode *e, struct range *r)
{
    struct range a, b;
    if (rg_c_logic(e->op) || rg_c_relation(e->op)) {
        for (int i = 0; i < 2; i++) {
            const bool real = rg_scalar_is_real(e->kid[i]->type) && rg__c_pure(k->where->t, e->kid[i]);
            if (!real && !range_of(k, e->kid[i], &a)) return false;
        }
        return *r = (struct range){0, 1}, true;
    }
    if (!range_of(k, e->kid[0], &a) || !range_of(k, e->kid[1], &b)) return false;
    int64_t m[4];
    const bool same = rg__c_same(e->kid[0], e->kid[1], RG__C_TYPED);
    switch (e->op) {
    case RG_COP_ADD:
        if (__builtin_add_overflow(a.lo, b.lo, &r->lo) || __builtin_add_overflow(a.hi, b.hi, &r->hi)) return false;
        break;
    case RG_COP_SUB:
        if (__builtin_sub_overflow(a.lo, b.hi, &r->lo) || __builtin_sub_overflow(a.hi, b.lo, &r->hi)) return false;
        break;
    case RG_COP_MUL:
        if (__builtin_mul_overflow(a.lo, b.lo, &m[0]) || __builtin_mul_overflow(a.lo, b.hi, &m[1]) ||
            __builtin_mul_overflow(a.hi, b.lo, &m[2]) || __builtin_mul_overflow(a.hi, b.hi, &m[3]))
            return false;
        *r = (struct range){m[0], m[0]};
        for (int i = 1; i < 4; i++) {
            if (m[i] < r->lo) r->lo = m[i];
            if (m[i] > r->hi) r->hi = m[i];
        }
        if (same && r->lo < 0) r->lo = 0;
        break;
    case RG_COP_BAND: /* with something that is never negative */
        if (a.lo < 0 && b.lo < 0) return false;
        *r = (struct range){0, a.lo < 0 ? b.hi : b.lo < 0 ? a.hi : a.hi < b.hi ? a.hi : b.hi};
        break;
    case RG_COP_SHR:
        if (a.lo < 0 || b.lo != b.hi || b.lo < 0 || b.lo > 31) return false;
        *r = (struct range){a.lo >> b.lo, a.hi >> b.lo};
        break;
    case RG_COP_DIV:
        if (a.lo < 0 || b.lo != b.hi || b.lo < 1) return false;
        *r = (struct range){a.lo / b.lo, a.hi / b.lo};
        break;
    default:
        return false;
    }
    by_asks(k, e, r);
    return inside(e->type, r) && inside(rg__scalar_common(e->kid[0]->type, e->kid[1]->type), r);
}

/* May the condition be asked anywhere? */
static bool asked(struct known *k, const struct rg_cnode *c)
{
    struct range r;
    return (rg_scalar_is_real(c->type) && rg__c_pure(k->where->t, c)) || range_of(k, c, &r);
}

struct sets {
    int var, n;
    bool hidden;
    const struct rg_cnode *decl;
};

static bool note_set(void *arg, struct rg_cnode *n)
{
    struct sets *s = arg;
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == s->var) {
        s->hidden = s->hidden || s->decl || !n->n;
        s->decl = n;
    }
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 &&
        n->kid[0]->var == s->var)
        s->n++;
    if (n->op == RG_COP_ADDRESS && rg__c_mentions_var(n, s->var)) s->hidden = true;
    return true;
}

/* if (c) v = e; : e. */
static const struct rg_cnode *set_where(const struct rg_cnode *s, int var)
{
    if (s->kind != RG_C_IF || s->n > 2) return NULL;
    const struct rg_cnode *a = s->kid[1];
    if (a->kind == RG_C_BLOCK && a->n == 1) a = a->kid[0];
    a = a->kind == RG_C_STMT ? a->kid[0] : NULL;
    return a && a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 &&
                   a->kid[0]->var == var
               ? a->kid[1]
               : NULL;
}

static bool inside_of(enum rg_scalar type, struct range *r)
{
    return inside(type, r) || of_type(type, r); /* a conversion may give any value of the type */
}

/* What a declaration gives: what stands behind it, and conditions around the use, speak of later values. */
static bool declared(const struct known *k, const struct rg_cnode *decl, struct range *r)
{
    const struct rg__term_at *w = k->where;
    struct rg__term_at there = {w->t, w->scope, NULL, 0};
    for (int i = 0; w->block && i < w->at; i++)
        if (w->block->kid[i] == decl) there.block = w->block, there.at = i;
    struct known before = {.where = &there, .deep = k->deep};
    return range_of(&before, decl->kid[0], r);
}

/* What the scope declares and sets there, or by one condition behind that: if (d < 0) d = -d; */
static bool local(struct known *k, const struct rg_cnode *e, struct range *r)
{
    const struct rg__term_at *w = k->where;
    struct sets s = {.var = e->var};
    const enum rg_scalar type = w->t->vars[e->var].type;
    rg__c_walk((struct rg_cnode *)w->scope, note_set, &s);
    if (!s.decl || s.hidden || s.n > 1) return of_type(type, r);
    if (!s.n) return declared(k, s.decl, r) && inside_of(type, r);
    int first = -1, then = -1;
    for (int i = 0; w->block && i < w->at; i++) {
        if (w->block->kid[i] == s.decl) first = i;
        if (first >= 0 && set_where(w->block->kid[i], e->var)) then = i;
    }
    if (then < 0) return of_type(type, r);
    const struct rg_cnode *ask = w->block->kid[then]->kid[0], *value = set_where(w->block->kid[then], e->var);
    struct range was, set;
    /* conditions around the use speak of the value behind it */
    struct known before = {.where = &(struct rg__term_at){w->t, s.decl, NULL, 0}, .deep = k->deep};
    if (!range_of(&before, s.decl->kid[0], &was) || !inside(type, &was)) return of_type(type, r);
    struct known yes = before, no = before;
    hold(&yes, ask, false);
    hold(&no, ask, true);
    *r = was;
    by_asks(&no, e, r);
    struct rg_cnode back = *value;
    if (back.kind == RG_C_UNARY && back.op == RG_COP_NEG && back.kid[0]->kind == RG_C_VAR &&
        back.kid[0]->var == e->var) {
        by_asks(&yes, back.kid[0], &was);
        if (was.lo == INT64_MIN) return false;
        set = (struct range){-was.hi, -was.lo};
        if (!inside(type, &set)) return false;
    } else if (!range_of(&before, value, &set) || rg__c_mentions_var(value, e->var) || !inside(type, &set)) {
        return of_type(type, r);
    }
    if (set.lo < r->lo) r->lo = set.lo;
    if (set.hi > r->hi) r->hi = set.hi;
    return true;
}

static bool call(struct known *k, const struct rg_cnode *e, struct range *r)
{
    if (e->callee >= 0 || e->n != 1 || !e->text) return false;
    if (strstr(e->text, "popc") && rg__c_pure(k->where->t, e)) return *r = (struct range){0, 64}, true;
    if (strcmp(e->text, "abs") && strcmp(e->text, "labs") && strcmp(e->text, "llabs")) return false;
    const enum rg_scalar type = !strcmp(e->text, "abs") ? RG_I32 : RG_LONG;
    if (!range_of(k, e->kid[0], r) || !inside(type, r) || r->lo == INT64_MIN) return false;
    const int64_t low = r->lo < 0 ? -r->lo : r->lo, high = r->hi < 0 ? -r->hi : r->hi;
    const bool both = r->lo <= 0 && r->hi >= 0;
    *r = (struct range){both ? 0 : low < high ? low : high, low > high ? low : high};
    return inside(type, r);
}

/* By data: where nobody has asked for them they may lead anywhere. */
static bool led(const struct rg_cnode *e)
{
    for (int i = 0; i < e->n; i++)
        if ((e->kind == RG_C_INDEX && rg__mentions_kind(e->kid[i], RG_C_INDEX)) || led(e->kid[i])) return true;
    return false;
}

static bool range_of(struct known *k, const struct rg_cnode *e, struct range *r)
{
    struct range other;
    if (k->deep > DEEP || e->pointer || (e->kind != RG_C_CALL && !rg__scalar_is_int(e->type))) return false;
    k->deep++;
    bool ok = false;
    switch (e->kind) {
    case RG_C_INT:
        *r = (struct range){e->ivalue, e->ivalue};
        ok = true;
        break;
    case RG_C_INDEX:
    case RG_C_MEMBER:
        ok = of_type(e->type, r) && rg__c_pure(k->where->t, e) && !led(e);
        break;
    case RG_C_VAR:
        ok = e->array < 0 && local(k, e, r);
        break;
    case RG_C_CAST:
        ok = !e->text && range_of(k, e->kid[0], r) && inside_of(e->type, r);
        break;
    case RG_C_UNARY:
        if (e->op == RG_COP_NOT) {
            *r = (struct range){0, 1};
            ok = true;
        } else if ((e->op == RG_COP_NEG || e->op == RG_COP_POS) && range_of(k, e->kid[0], &other)) {
            *r = e->op == RG_COP_POS ? other : (struct range){other.lo, other.hi};
            ok = other.lo > INT64_MIN;
            if (ok && e->op == RG_COP_NEG) *r = (struct range){-other.hi, -other.lo};
            ok = ok && inside(e->type, r);
        }
        break;
    case RG_C_BINARY:
        ok = binary(k, e, r);
        break;
    case RG_C_COND: {
        struct known no = *k;
        const int n = k->n;
        hold(k, e->kid[0], false);
        ok = range_of(k, e->kid[1], r);
        k->n = n;
        hold(&no, e->kid[0], true);
        ok = ok && range_of(&no, e->kid[2], &other);
        k->n = n;
        ok = ok && asked(k, e->kid[0]);
        if (ok && other.lo < r->lo) r->lo = other.lo;
        if (ok && other.hi > r->hi) r->hi = other.hi;
        break;
    }
    case RG_C_CALL:
        ok = call(k, e, r);
        break;
    default:
        break;
    }
    k->deep--;
    if (ok) by_asks(k, e, r);
    return ok && r->lo <= r->hi;
}

bool rg__term_range(const struct rg__term_at *where, const struct rg_cnode *e, int64_t *lo, int64_t *hi)
{
    struct known k = {.where = where};
    struct range r;
    if (!range_of(&k, e, &r)) return false;
    *lo = r.lo;
    *hi = r.hi;
    return true;
}

/* ---- sums ---- */

struct sum {
    struct rg__load *l;
    struct rg__term_at where;
    int var, adds, others;
    int64_t total, open; /* the most that is added; the most for each trip of the loop whose bound the sizes say */
    const struct rg_cnode *bound;
    bool sizes; /* the sizes say how often a loop goes round, not their types alone */
    bool far;   /* ... neither says that */
    bool ok;
};

static int64_t times(int64_t a, int64_t b)
{
    int64_t m;
    return __builtin_mul_overflow(a, b, &m) ? INT64_MAX : m;
}

static int64_t plus(int64_t a, int64_t b)
{
    int64_t m;
    return __builtin_add_overflow(a, b, &m) ? INT64_MAX : m;
}

/* How often the loop goes round at most; 1, and *bound, for a parameter's value. */
static int64_t trips_of(struct sum *s, const struct rg_cnode *f, struct rg_cnode *condition,
                        const struct rg_cnode **bound)
{
    struct rg__counted h;
    int64_t from, to;
    if (!condition || !rg__counted(s->l->t, f, condition, &h) || h.down || !rg__c_number(h.lower, &from) || from < 0)
        return -1;
    if (h.step < 1) return -1;
    if (rg__c_number(h.upper, &to)) return to > from ? (to - from + h.step - 1) / h.step : 0;
    const struct rg_cnode *e = rg__c_uncast(h.upper, RG__C_WIDE_CASTS);
    struct range all;
    if (!s->sizes && rg_scalar_bytes(e->type) <= 4 && of_type(e->type, &all)) return all.hi;
    if (e->kind != RG_C_VAR || e->array >= 0 || !rg__c_of_params(s->l->t, e)) return -1;
    *bound = e;
    return 1;
}

static void add_up(struct sum *s, const struct rg_cnode *n, int64_t trips, const struct rg_cnode *bound)
{
    if (!n || !s->ok || !rg__c_writes_var(n, s->var)) return;
    if (n->kind == RG_C_FOR) {
        const struct rg_cnode *mine = NULL;
        const int64_t many = trips_of(s, n, n->kid[1], &mine);
        s->far = s->far || many < 0 || (mine && bound);
        s->ok = !rg__c_writes_var(n->kid[1], s->var) && !(n->kid[0] && rg__c_writes_var(n->kid[0], s->var)) &&
                !(n->kid[2] && rg__c_writes_var(n->kid[2], s->var));
        add_up(s, n->kid[3], times(trips, many < 0 ? 1 : many), mine ? mine : bound);
        return;
    }
    if (n->kind == RG_C_BLOCK || n->kind == RG_C_IF) {
        for (int i = n->kind == RG_C_IF; i < n->n; i++) {
            if (n->kind == RG_C_BLOCK) s->where.block = n, s->where.at = i;
            add_up(s, n->kid[i], trips, bound);
        }
        s->ok = s->ok && !(n->kind == RG_C_IF && rg__c_writes_var(n->kid[0], s->var));
        return;
    }
    const struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : n;
    int64_t lo = 1, hi = 1;
    const struct rg_cnode *term = e->op == RG_COP_ADD_SET ? e->kid[1] : NULL;
    if (e->op == RG_COP_SET && e->kid[1]->op == RG_COP_ADD && e->kid[1]->kid[0]->kind == RG_C_VAR &&
        e->kid[1]->kid[0]->array < 0 && e->kid[1]->kid[0]->var == s->var)
        term = e->kid[1]->kid[1];
    const bool counts = e->kind == RG_C_INCDEC && rg_c_increments(e->op);
    if (!term && !counts) {
        s->others++;
        return;
    }
    s->adds++;
    s->ok = counts || (!rg__c_mentions_var(term, s->var) && rg__term_range(&s->where, term, &lo, &hi) && lo >= 0);
    if (bound) {
        s->ok = s->ok && (!s->bound || rg__c_equal(s->bound, bound));
        s->bound = bound;
        s->open = plus(s->open, times(hi, trips));
    } else {
        s->total = plus(s->total, times(hi, trips));
    }
}

static bool held(struct rg__load *l, const struct rg_cnode *loop, int var, int64_t first, bool sizes,
                 const struct rg_expr **need)
{
    enum { FEW = 1024 }; /* sizes that nobody has much of */
    struct rg_ctree *t = l->t;
    struct sum s = {.l = l, .where = {t, loop, NULL, 0}, .var = var, .sizes = sizes, .ok = true};
    struct range all = {0, INT64_MAX};
    *need = NULL;
    add_up(&s, loop, 1, NULL);
    if (!s.ok || !s.adds) return s.ok;
    if (s.far || s.others || (!of_type(t->vars[var].type, &all) && !inside(t->vars[var].type, &all))) return false;
    const int64_t room = first >= 0 && s.total < INT64_MAX ? all.hi - first - s.total : -1;
    if (room < 0 || s.open == INT64_MAX) return false;
    if (!s.bound || !s.open) return true;
    if (room / s.open < FEW) return false;
    struct rg_cnode *most = rg__c_binary(t, RG_COP_LE, rg__c_copy(t, s.bound), rg__c_int(t, room / s.open));
    *need = rg__c_to_expr(t, most, &l->p->arena);
    return *need && rg__may_hold(l, *need);
}

bool rg__term_sum_held(struct rg__load *l, const struct rg_cnode *loop, int var, int64_t first,
                       const struct rg_expr **need)
{
    return held(l, loop, var, first, false, need) || held(l, loop, var, first, true, need);
}
