/* The code of one iteration in kernel IR: what it does to the carried values, put behind the run of those in front of
 * it; then, with the values that it finds, the iteration itself. */
#include "ir/ctree_util.h"
#include "poly/kernel/run_code.h"

enum {
    PARTS = POLY_MAX_CARRIED + 1,
    LONG = 16 /* plain operations: below, loads from the nearest cache and a few more cost less than registers */
};

static struct kir_node *value_of(struct poly_run_code *x, const struct rg_cnode *e)
{
    struct kir_node *v = rg__kir_of(x->t->names, e);
    x->failed = x->failed || !v;
    return v;
}

static struct kir_node *number(struct kir_kernel *k, enum rg_scalar type, int64_t v)
{
    return rg_scalar_is_real(type) ? rg__kir_real(k, (double)v, type) : rg__kir_cast(k, type, rg__kir_int(k, v));
}

static bool is_carried(const struct poly_scan *sc, int var)
{
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].var == var && var >= 0) return true;
    return false;
}

static bool in_group(const struct poly_scan *sc, int row, int col)
{
    return col >= 0 && sc->at[row].op == POLY_OP_NONE && (sc->at[row].group >> col & 1);
}

/* ---- what names mean in a pass ---- */

static struct kir_node *own_member(const struct poly_run_code *x, int i, int col)
{
    if (x->sums && rg__poly_has_bound(x->sc->at[i].op))
        col = 0;
    else if (!in_group(x->sc, i, col))
        col = -1;
    return x->own->of[rg__poly_run_member(x, i, col)];
}

static struct kir_node **part_of(const struct poly_run_code *x, int var, int col)
{
    return &x->part[var * PARTS + (col >= 0 && x->sc->depends[var] >> col & 1 ? col + 1 : 0)];
}

/* Of what depends on carried values, the part that goes with the value col, or (-1) what is added. */
static void mean(struct poly_run_code *x, int col, bool sums)
{
    struct kir_names *names = x->t->names;
    x->col = col;
    x->sums = sums;
    for (int i = 0; i < x->sc->n; i++)
        if (x->sc->at[i].var >= 0) {
            rg__kir_bind(names, x->sc->at[i].var, own_member(x, i, col));
            names->as_is[x->sc->at[i].var] = true;
        }
    for (int v = 0; v < names->t->n_vars; v++)
        if (x->part[v * PARTS]) rg__kir_bind(names, v, *part_of(x, v, col));
}

static struct kir_node *carried_element(void *arg, const struct rg_cnode *index)
{
    const struct poly_run_code *x = arg;
    const struct poly_scan *sc = x->sc;
    for (int i = 0; i < sc->n; i++) {
        if (sc->at[i].array != index->array || !rg__c_same(sc->at[i].in, index, RG__C_UNCAST)) continue;
        if (x->own) return own_member(x, i, x->col);
        if (sc->at[i].kind != POLY_CARRIED_CHAIN || sc->at[i].lag) return x->now[i];
    }
    return NULL;
}

/* ---- expressions that both passes need ---- */

static void keep(struct poly_run_code *x, const struct rg_cnode *leaf, const struct rg_cnode *e)
{
    if (x->n_twice == POLY_TWICE) return;
    x->twice[x->n_twice].node = e;
    x->twice[x->n_twice++].leaf = leaf;
}

/* The largest such parts of an expression that is evaluated whenever its statement is. */
static void look(struct poly_run_code *x, const struct rg_cnode *leaf, const struct rg_cnode *e)
{
    if (!e || rg__poly_weight(x->t->p->scop, e) < LONG) return;
    bool number = !e->pointer && e->type != RG_STRUCT && e->type != RG_F16 && e->kind != RG_C_INDEX &&
                  e->kind != RG_C_VAR && e->kind != RG_C_INITLIST;
    if (number && !rg__poly_scan_mask(x->sc, e) && !rg__poly_has_effects(e)) {
        keep(x, leaf, e);
        return;
    }
    bool choice = e->kind == RG_C_COND || rg_c_lazy(e->op);
    for (int i = 0; i < (choice && e->n ? 1 : e->n); i++) look(x, leaf, e->kid[i]);
}

static void look_in(struct poly_run_code *x, const struct poly_knode *n)
{
    struct poly_set set;
    if (!n || n->kind == KN_LOOP) return; /* a value for each of its iterations */
    if (n->kind == KN_LEAF && rg__poly_set_of(n->node, &set)) look(x, n->node, set.value);
    for (int i = 0; i < n->n; i++) look_in(x, n->kid[i]);
}

void rg__poly_run_twice(struct poly_run_code *x, struct kir_node *seq, struct kir_node *items)
{
    struct kir_kernel *k = x->k;
    x->n_twice = 0;
    look_in(x, x->sc->part);
    for (int i = 0; i < x->n_twice; i++) {
        enum rg_scalar type = x->twice[i].node->type;
        x->twice[i].symbol =
            items ? rg__kir_buffer(k, "kept", KIR_REGISTER, type, 1, &items) : rg__kir_scalar(k, "kept", type);
        struct kir_node *own =
            items ? rg__kir_own_buffer(k, x->twice[i].symbol) : rg__kir_var(k, x->twice[i].symbol, NULL);
        if (!i) rg__kir_note(own, "worked out once for both passes");
        rg__kir_add_to(k, seq, own);
    }
}

static struct kir_node *kept_at(const struct poly_run_code *x, int i)
{
    int s = x->twice[i].symbol;
    return x->q ? rg__kir_at(x->k, s, 1, x->q) : rg__kir_name(x->k, s);
}

static struct kir_node *kept(void *arg, const struct rg_cnode *e)
{
    const struct poly_run_code *x = arg;
    for (int i = 0; i < x->n_twice; i++)
        if (x->twice[i].node == e && !x->making) return kept_at(x, i);
    return NULL;
}

static void work_out(struct poly_run_code *x, struct kir_node *seq, const struct rg_cnode *leaf)
{
    for (int i = 0; i < x->n_twice; i++) {
        if (x->twice[i].leaf != leaf) continue;
        x->making = true;
        struct kir_node *v = value_of(x, x->twice[i].node), *place = kept_at(x, i);
        x->making = false;
        if (v) rg__kir_add_to(x->k, seq, x->q ? rg__kir_store(x->k, place, v) : rg__kir_assign(x->k, place->symbol, v));
    }
}

/* ---- affine updates ---- */

/* What of e goes with the carried value col, as names are; NULL: nothing. */
static struct kir_node *going_with(struct poly_run_code *x, const struct rg_cnode *e, int col)
{
    struct kir_kernel *k = x->k;
    struct kir_node *kid[3] = {NULL}, *other;
    int at;
    if (!(rg__poly_scan_mask(x->sc, e) >> col & 1)) return NULL;
    if (e->kind == RG_C_VAR || rg__poly_carried_node(x->sc, e, &at)) return value_of(x, e);
    for (int i = 0; i < e->n && i < 3; i++) kid[i] = going_with(x, e->kid[i], col);
    struct kir_node *a = kid[0], *b = kid[1];
    switch (e->kind) {
    case RG_C_CAST:
        return a ? rg__kir_cast(k, e->type, a) : NULL;
    case RG_C_UNARY:
        return a && e->op == RG_COP_NEG ? rg__kir_unary(k, RG_COP_NEG, a) : a;
    case RG_C_COND:
        other = value_of(x, e->kid[0]);
        if (!other || (!b && !kid[2])) return NULL;
        return rg__kir_select(k, other, b ? b : number(k, kid[2]->type, 0), kid[2] ? kid[2] : number(k, b->type, 0));
    case RG_C_CALL: /* fma */
    case RG_C_BINARY:
        break;
    default:
        return NULL;
    }
    if (e->op == RG_COP_REM) {
        other = a ? value_of(x, e->kid[1]) : NULL;
        return other ? rg__kir_binary(k, RG_COP_REM, a, other) : NULL;
    }
    if (e->kind == RG_C_CALL || e->op == RG_COP_MUL || e->op == RG_COP_DIV) {
        other = a || b ? value_of(x, e->kid[a != NULL]) : NULL;
        if (other)
            a = e->op == RG_COP_DIV && e->kind != RG_C_CALL ? rg__kir_div(k, a, other)
                : a                                         ? rg__kir_mul(k, a, other)
                                                            : rg__kir_mul(k, other, b);
        return e->kind == RG_C_CALL && kid[2] ? a ? rg__kir_add(k, a, kid[2]) : kid[2] : a;
    }
    if (a && b) return rg__kir_binary(k, e->op, a, b);
    return a ? a : e->op == RG_COP_ADD ? b : rg__kir_unary(k, RG_COP_NEG, b);
}

/* The value that a chain's statement gives its element. */
static struct kir_node *chain_value(struct poly_run_code *x, const struct poly_set *set)
{
    struct kir_node *v = value_of(x, set->value), *was;
    if (set->op == RG_COP_SET || !v) return v;
    was = value_of(x, set->target);
    return was ? rg__kir_binary(x->k, rg_c_applied(set->op), was, v) : NULL;
}

/* Does anything of the iteration's part still ask for the element before, once this one is known? */
static bool asked_later(const struct poly_scan *sc, int which)
{
    bool lags = which + 1 < sc->n && sc->at[which + 1].lag > 1;
    if (!sc->at[which].lag) return false;
    return lags || sc->part->kid[sc->part->n - 1]->node != sc->at[which].leaf;
}

/* A chain's member: until the iteration's end its element is the one before. */
static void set_chain(struct poly_run_code *x, struct kir_node *seq, int which, int col, struct kir_node *v)
{
    struct kir_kernel *k = x->k;
    int m = rg__poly_run_member(x, which, col);
    if (!v) return;
    if (!asked_later(x->sc, which)) {
        rg__kir_add_to(k, seq, rg__kir_assign(k, x->own->of[m]->symbol, v));
        return;
    }
    int next = rg__kir_value(k, rg_arena_printf(k->arena, "%s_next", x->at[m].name), x->at[m].type);
    rg__kir_add_to(k, seq, rg__kir_let(k, next, v));
    x->next[m] = rg__kir_name(k, next);
}

/* At the end of an iteration: chains move on, the oldest first. */
static void move_chains(struct poly_run_code *x, struct kir_node *seq)
{
    const struct poly_scan *sc = x->sc;
    for (int i = sc->n - 1; i >= 0; i--) {
        bool affine = sc->at[i].kind == POLY_CARRIED_CHAIN && sc->at[i].op == POLY_OP_NONE && !sc->fraction;
        for (int c = 0; c <= sc->n && affine; c++) {
            int col = c < sc->n ? c : -1, m = rg__poly_run_member(x, i, col);
            if (col >= 0 && !in_group(sc, i, col)) continue;
            struct kir_node *from = sc->at[i].lag > 1 ? x->own->of[rg__poly_run_member(x, i - 1, col)] : x->next[m];
            if (from) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, x->own->of[m]->symbol, from));
        }
    }
}

/* The part of a value set that goes with col. */
static void set_column(struct poly_run_code *x, struct kir_node *seq, const struct poly_set *set, int which, int col)
{
    struct kir_kernel *k = x->k;
    bool chain = which >= 0 && x->sc->at[which].kind == POLY_CARRIED_CHAIN,
         less = set->op == RG_COP_SUB_SET || set->op == RG_COP_POST_DEC,
         more = set->op == RG_COP_ADD_SET || set->op == RG_COP_POST_INC;
    struct kir_node *v = set->value ? going_with(x, set->value, col) : NULL,
                    *to = which >= 0 ? own_member(x, which, col) : *part_of(x, set->var, col);
    if (chain) {
        if (v && less) v = rg__kir_unary(k, RG_COP_NEG, v);
        set_chain(x, seq, which, col, v ? v : number(k, to->type, 0));
        return;
    }
    if (set->op == RG_COP_SET) {
        v = v ? v : number(k, to->type, 0);
    } else if (set->op == RG_COP_MUL_SET || set->op == RG_COP_DIV_SET) {
        v = value_of(x, set->value);
        if (v) v = rg__kir_binary(k, rg_c_applied(set->op), to, v);
    } else if (v && (less || more)) {
        v = rg__kir_binary(k, less ? RG_COP_SUB : RG_COP_ADD, to, v);
    } else {
        return;
    }
    if (v) rg__kir_add_to(k, seq, rg__kir_assign(k, to->symbol, v));
}

static void affine_leaf(struct poly_run_code *x, struct kir_node *seq, const struct rg_cnode *n,
                        const struct poly_set *set, int which)
{
    unsigned cols = which >= 0 ? x->sc->at[which].group : x->sc->depends[set->var];
    struct kir_node *s;
    for (int c = 0; c < x->sc->n; c++) {
        if (!(cols >> c & 1)) continue;
        mean(x, c, false);
        set_column(x, seq, set, which, c);
    }
    mean(x, -1, false);
    if (which >= 0 && x->sc->at[which].kind == POLY_CARRIED_CHAIN) {
        set_chain(x, seq, which, -1, chain_value(x, set));
        return;
    }
    if (n->kind == RG_C_DECL) {
        struct kir_node *v = value_of(x, set->value);
        s = v ? rg__kir_assign(x->k, (*part_of(x, set->var, -1))->symbol, v) : NULL;
    } else {
        s = rg__kir_statement(x->t->names, n);
    }
    x->failed = x->failed || !s;
    if (s) rg__kir_add_to(x->k, seq, s);
}

/* ---- fractions: numerator and denominator, each what goes with the value and what does not; NULL: 0 ---- */

struct affine {
    struct kir_node *by, *plus;
};

static bool is_one(const struct kir_node *n)
{
    return n->kind == KIR_REAL && n->rvalue == 1;
}

static struct kir_node *times(struct poly_run_code *x, struct kir_node *a, struct kir_node *b)
{
    return !a || !b ? NULL : is_one(a) ? b : is_one(b) ? a : rg__kir_mul(x->k, a, b);
}

static struct kir_node *sum(struct poly_run_code *x, struct kir_node *a, enum rg_c_op op, struct kir_node *b)
{
    if (!b) return a;
    if (!a) return op == RG_COP_ADD ? b : rg__kir_unary(x->k, RG_COP_NEG, b);
    return rg__kir_binary(x->k, op, a, b);
}

static struct affine product(struct poly_run_code *x, struct affine a, struct affine b)
{
    return (struct affine){sum(x, times(x, a.by, b.plus), RG_COP_ADD, times(x, a.plus, b.by)),
                           times(x, a.plus, b.plus)};
}

static void fraction_of(struct poly_run_code *x, const struct rg_cnode *e, struct affine *num, struct affine *den)
{
    struct kir_node *one = rg__kir_real(x->k, 1, x->at[0].type);
    int at;
    *den = (struct affine){NULL, one};
    if (!rg__poly_scan_mask(x->sc, e)) {
        *num = (struct affine){NULL, value_of(x, e)};
        return;
    }
    if (rg__poly_carried_node(x->sc, e, &at)) {
        *num = (struct affine){one, NULL};
        return;
    }
    if (e->kind != RG_C_BINARY) {
        fraction_of(x, e->kind == RG_C_VAR ? rg__poly_carry_value(x->sc, e->var) : e->kid[0], num, den);
        if (e->op == RG_COP_NEG)
            *num = (struct affine){sum(x, NULL, RG_COP_SUB, num->by), sum(x, NULL, RG_COP_SUB, num->plus)};
        return;
    }
    struct affine n[2], d[2];
    for (int i = 0; i < 2; i++) fraction_of(x, e->kid[i], &n[i], &d[i]);
    bool over = e->op == RG_COP_DIV;
    if (over || e->op == RG_COP_MUL) {
        *num = product(x, n[0], over ? d[1] : n[1]);
        *den = product(x, d[0], over ? n[1] : d[1]);
        return;
    }
    struct affine a = product(x, n[0], d[1]), b = product(x, n[1], d[0]);
    *num = (struct affine){sum(x, a.by, e->op, b.by), sum(x, a.plus, e->op, b.plus)};
    *den = product(x, d[0], d[1]);
}

/* The iteration's own fraction, behind those in front of it. */
static void fraction_leaf(struct poly_run_code *x, struct kir_node *seq, const struct poly_set *set)
{
    struct affine num, den;
    struct poly_run one, both;
    fraction_of(x, set->value, &num, &den);
    struct kir_node *of[POLY_FRACTION] = {num.by, num.plus, den.by, den.plus};
    for (int i = 0; i < POLY_FRACTION; i++) {
        int s = rg__kir_value(x->k, rg_arena_printf(x->k->arena, "one_%s", x->at[i].name), x->at[i].type);
        rg__kir_add_to(x->k, seq, rg__kir_let(x->k, s, of[i] ? of[i] : number(x->k, x->at[i].type, 0)));
        one.of[i] = rg__kir_name(x->k, s);
    }
    both = rg__poly_run_then(x, seq, x->own, &one);
    rg__poly_run_set(x, seq, x->own, &both);
}

/* ---- sums with a bound ---- */

/* What of x = e is a sum, where no bound decides; nothing where x is set anew. NULL: the code does not convert. */
static struct kir_node *sum_value(struct poly_run_code *x, const struct rg_cnode *e, int which)
{
    struct poly_set set = {.var = x->sc->at[which].var, .op = RG_COP_SET, .value = e};
    enum poly_op op;
    const struct rg_cnode *sum;
    if (!rg__poly_scan_mask(x->sc, e)) return rg__poly_run_no_bound(x, which);
    if (!rg__poly_scan_clamped(x->sc, which, &set, &op, &sum)) return NULL;
    if (sum->kind != RG_C_COND || sum->n != 3) return value_of(x, sum);
    struct kir_node *test = value_of(x, sum->kid[0]), *yes = sum_value(x, sum->kid[1], which),
                    *no = sum_value(x, sum->kid[2], which);
    if (!test || !yes || !no) return NULL;
    enum rg_scalar type = rg_scalar_is_real(x->sc->at[which].type) ? x->sc->at[which].type : RG_LLONG;
    return rg__kir_select(x->k, test, rg__kir_cast(x->k, type, yes), rg__kir_cast(x->k, type, no));
}

/* What the statement adds, where no bound decides, to the run's sum. */
static void bound_leaf(struct poly_run_code *x, struct kir_node *seq, const struct poly_set *set, int which)
{
    enum poly_op op;
    const struct rg_cnode *sum;
    struct kir_node *plus = x->own->of[rg__poly_run_member(x, which, 0)], *v;
    if (!rg__poly_scan_clamped(x->sc, which, set, &op, &sum)) return;
    mean(x, -1, true);
    bool less = set->op == RG_COP_SUB_SET || set->op == RG_COP_POST_DEC;
    v = sum ? sum_value(x, sum, which) : set->value ? value_of(x, set->value) : rg__kir_int(x->k, 1);
    if (v && !sum) v = rg__kir_binary(x->k, less ? RG_COP_SUB : RG_COP_ADD, plus, v);
    if (v) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, plus->symbol, v));
    mean(x, -1, false);
}

/* ---- set anew ---- */

/* Whether behind x = e the run keeps what is in front of it; `keeps`: in front of the statement. NULL: the code does
 * not convert. */
static struct kir_node *keeps_value(struct poly_run_code *x, const struct rg_cnode *e, struct kir_node *keeps)
{
    if (!rg__poly_scan_mask(x->sc, e)) return rg__kir_int(x->k, 0);
    if (e->kind == RG_C_CAST && e->n == 1) return keeps_value(x, e->kid[0], keeps);
    if (e->kind != RG_C_COND || e->n != 3 || rg__poly_scan_mask(x->sc, e->kid[0])) return keeps;
    struct kir_node *yes = keeps_value(x, e->kid[1], keeps), *no = keeps_value(x, e->kid[2], keeps);
    if (yes == no) return yes;
    struct kir_node *test = value_of(x, e->kid[0]);
    return test && yes && no ? rg__kir_select(x->k, test, yes, no) : NULL;
}

static void keeps_leaf(struct poly_run_code *x, struct kir_node *seq, const struct poly_set *set, int which)
{
    struct kir_node *keeps = x->own->of[rg__poly_run_member(x, which, POLY_KEEPS)], *v;
    if (set->op != RG_COP_SET) return;
    v = keeps_value(x, set->value, keeps);
    if (v && v != keeps) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, keeps->symbol, v));
}

/* ---- tables ---- */

static void table_leaf(struct poly_run_code *x, struct kir_node *seq, const struct poly_set *set, int which)
{
    struct kir_node *own = x->own->of[rg__poly_run_member(x, which, -1)], *v;
    const struct rg_cnode *word;
    int bits;
    if (!rg__poly_scan_table(x->t->names->t, x->sc, which, set, &bits, &word)) return;
    v = value_of(x, word);
    if (v) v = rg__poly_run_table(x, seq, which, own, v);
    if (v) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, own->symbol, v));
}

/* ---- statements ---- */

static void part_leaf(struct poly_run_code *x, struct kir_node *seq, const struct rg_cnode *n,
                      const struct poly_set *set, bool *done)
{
    const struct poly_scan *sc = x->sc;
    int which = rg__poly_scan_updates(sc, n, set);
    bool chain = which >= 0 && sc->at[which].kind == POLY_CARRIED_CHAIN;
    if (sc->fraction) {
        *done = chain || rg__poly_scan_mask(sc, set->value);
        if (chain) fraction_leaf(x, seq, set);
        return;
    }
    if (which >= 0 && sc->at[which].resets) keeps_leaf(x, seq, set, which);
    if (which >= 0 && rg__poly_has_bound(sc->at[which].op)) bound_leaf(x, seq, set, which);
    const bool table = which >= 0 && sc->at[which].op == POLY_OP_TABLE;
    if (table) table_leaf(x, seq, set, which);
    bool affine = which >= 0 ? sc->at[which].op == POLY_OP_NONE : set->var >= 0 && sc->depends[set->var];
    *done = affine || chain || table;
    if (affine) {
        affine_leaf(x, seq, n, set, which);
    } else if (chain) {
        struct kir_node *v = chain_value(x, set);
        if (v) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, own_member(x, which, -1)->symbol, v));
    }
}

/* The iteration itself: a chain's element has a name for the next one. */
static void body_leaf(struct poly_run_code *x, struct kir_node *seq, const struct rg_cnode *n,
                      const struct poly_set *set, bool *done)
{
    int which = rg__poly_scan_updates(x->sc, n, set);
    *done = which >= 0 && x->sc->at[which].kind == POLY_CARRIED_CHAIN && x->sc->at[which].lag;
    if (!*done) return;
    const char *name = rg_arena_printf(x->k->arena, "%s_now", rg__poly_carried_base(x, which));
    struct kir_node *v = chain_value(x, set), *place = v ? value_of(x, set->target) : NULL;
    if (!place) return;
    int now = rg__kir_value(x->k, name, x->sc->at[which].type);
    rg__kir_add_to(x->k, seq, rg__kir_let(x->k, now, v));
    x->made[which] = rg__kir_name(x->k, now);
    rg__kir_add_to(x->k, seq, rg__kir_store(x->k, place, x->made[which]));
}

static bool leaf(void *arg, struct kir_node *seq, const struct rg_cnode *n, bool *done)
{
    struct poly_run_code *x = arg;
    struct poly_set set;
    *done = false;
    if (x->own) work_out(x, seq, n);
    if (rg__poly_set_of(n, &set))
        (x->own ? part_leaf : body_leaf)(x, seq, n, &set, done);
    else /* a temporary's name: declared with its parts */
        *done = x->own && n->kind == RG_C_DECL && n->array < 0 && x->sc->depends[n->var] && !(n->n && n->kid[0]);
    return !x->failed;
}

/* ---- the passes ---- */

static void elements_taken(struct poly_run_code *x, bool taken)
{
    for (int i = 0; i < x->sc->n; i++)
        if (x->sc->at[i].array >= 0) x->t->taken[x->sc->at[i].array] = taken;
}

static struct kir_node **open_pass(struct poly_run_code *x)
{
    x->pass = (struct poly_pass){x, carried_element, kept, leaf};
    x->t->pass = &x->pass;
    elements_taken(x, true);
    return rg__poly_enter_loop(x->t);
}

static void close_pass(struct poly_run_code *x, struct kir_node **before)
{
    rg__poly_leave_loop(x->t, before);
    elements_taken(x, false);
    x->t->pass = NULL;
    x->own = NULL;
    for (int i = 0; i < x->sc->n; i++)
        if (x->sc->at[i].var >= 0) x->t->names->as_is[x->sc->at[i].var] = false;
}

/* Scalars that depend on carried ones, part by part. */
static void declare_parts(struct poly_run_code *x, struct kir_node *seq)
{
    const struct rg_ctree *t = x->t->names->t;
    struct kir_kernel *k = x->k;
    x->part = rg_arena_alloc(k->arena, (size_t)(t->n_vars + 1) * PARTS * sizeof *x->part);
    for (int v = 0; v < t->n_vars; v++)
        for (int c = -1; c < x->sc->n && x->sc->depends[v] && !is_carried(x->sc, v) && !x->sc->fraction; c++) {
            if (c >= 0 && !(x->sc->depends[v] >> c & 1)) continue;
            const char *name =
                c < 0 ? rg_arena_printf(k->arena, "%s_plus", t->vars[v].name)
                      : rg_arena_printf(k->arena, "%s_by_%s", t->vars[v].name, rg__poly_carried_base(x, c));
            int s = rg__kir_scalar(k, name, t->vars[v].type);
            rg__kir_add_to(k, seq, rg__kir_var(k, s, number(k, t->vars[v].type, 0)));
            x->part[v * PARTS + c + 1] = rg__kir_name(k, s);
        }
}

bool rg__poly_run_part(struct poly_run_code *x, struct kir_node *seq, const struct poly_run *own)
{
    struct kir_node **before = open_pass(x);
    x->own = own;
    x->failed = false;
    for (int i = 0; i < x->n; i++) x->next[i] = NULL;
    declare_parts(x, seq);
    mean(x, -1, false);
    bool ok = rg__poly_add_code(x->t, seq, x->sc->part) && !x->failed;
    if (ok) move_chains(x, seq);
    close_pass(x, before);
    return ok;
}

bool rg__poly_run_body(struct poly_run_code *x, struct kir_node *seq, const struct poly_knode *body, bool more)
{
    const struct poly_scan *sc = x->sc;
    struct kir_node **before = open_pass(x);
    x->failed = false;
    for (int i = 0; i < sc->n; i++) {
        x->made[i] = NULL;
        if (sc->at[i].var >= 0) rg__kir_bind(x->t->names, sc->at[i].var, x->now[i]);
    }
    bool ok = rg__poly_add_code(x->t, seq, body) && !x->failed;
    for (int i = sc->n - 1; i >= 0 && more && ok; i--) {
        bool chain = sc->at[i].kind == POLY_CARRIED_CHAIN && sc->at[i].lag;
        struct kir_node *from = !chain ? NULL : sc->at[i].lag > 1 ? x->now[i - 1] : x->made[i];
        if (from) rg__kir_add_to(x->k, seq, rg__kir_assign(x->k, x->now[i]->symbol, from));
    }
    close_pass(x, before);
    return ok;
}
