/* Runs in print: what iterations in a row do to the values that a loop carries, as a small structure; how runs are put
 * together, exchanged among threads and applied; and the code of one iteration that makes its run. */
#include "poly/cuda/print.h"
#include "poly/kernel/recurrence.h"
#include <string.h>

enum { FRACTION = 4 }; /* members of (a * x + b) / (c * x + d) */

static const char *base(struct poly_print *pr, const struct poly_scan *sc, int i)
{
    const struct poly_carried *c = &sc->at[i];
    if (c->lag > 1) return rg__poly_fresh(pr, "%.60s%d", pr->t->arrays[c->array].name, c->lag);
    return c->array >= 0 ? pr->t->arrays[c->array].name : pr->t->vars[c->var].name;
}

const char *rg__poly_run_name(struct poly_print *pr, const struct poly_scan *sc)
{
    const struct poly_loop *l = &pr->s->loops[sc->loop];
    const char *name = rg__poly_printf(pr, "%.60s_run", l->name);
    for (int i = 0; i < pr->s->n_loops; i++)
        if (i != sc->loop && !strcmp(pr->s->loops[i].name, l->name))
            name = rg__poly_printf(pr, "%.60s_run%d", l->name, sc->loop);
    return sc->piece ? rg__poly_fresh(pr, "%s_%c", name, 'a' + (sc->piece - 1) % 26) : rg__poly_fresh(pr, "%s", name);
}

const char *rg__poly_carried_type(struct poly_print *pr, const struct poly_scan *sc, int i)
{
    return rg_scalar_cuda(sc->at[i].type);
    (void)pr;
}

enum rg_scalar rg__poly_run_type(const struct poly_scan *sc, int row)
{
    bool wide = rg__poly_has_bound(sc->at[row].op) && !rg_scalar_is_real(sc->at[row].type);
    return wide ? RG_LLONG : sc->at[row].type; /* sums that no bound keeps small */
}

bool rg__poly_run_has(const struct poly_scan *sc, int row, int col)
{
    if (rg__poly_has_bound(sc->at[row].op)) return col == 0;
    return sc->fraction ? col < FRACTION - 1 : sc->at[row].op == POLY_OP_NONE && (sc->at[row].group >> col & 1);
}

const char *rg__poly_run_member(struct poly_print *pr, const struct poly_scan *sc, int row, int col)
{
    static const char *const parts[FRACTION] = {"num_by", "num_plus", "den_by", "den_plus"};
    if (sc->fraction) return rg__poly_printf(pr, "%s_%s", base(pr, sc, row), parts[col < 0 ? FRACTION - 1 : col]);
    if (rg__poly_has_bound(sc->at[row].op))
        return rg__poly_printf(pr, "%s_%s", base(pr, sc, row), col < 0 ? "bound" : "plus");
    if (sc->at[row].op != POLY_OP_NONE) return base(pr, sc, row);
    return col < 0 ? rg__poly_printf(pr, "%s_plus", base(pr, sc, row))
                   : rg__poly_printf(pr, "%s_by_%s", base(pr, sc, row), base(pr, sc, col));
}

const char *rg__poly_carried_name(struct poly_print *pr, const struct poly_scan *sc, int i)
{
    return sc->at[i].var >= 0 ? pr->t->vars[sc->at[i].var].name : rg__poly_fresh(pr, "%.60s_last", base(pr, sc, i));
}

const char *rg__poly_carried_now(struct poly_print *pr, const struct poly_scan *sc, int i)
{
    return rg__poly_fresh(pr, sc->at[i].kind == POLY_CARRIED_CHAIN ? "%.60s_before" : "%.60s_now", base(pr, sc, i));
}

static bool in_group(const struct poly_scan *sc, int row, int col)
{
    return sc->at[row].op == POLY_OP_NONE && (sc->at[row].group >> col & 1);
}

/* ---- the code of one iteration ---- */

static void call_scalar(struct poly_print *pr, int var, const char *name)
{
    if (pr->n_acc == (int)(sizeof pr->acc / sizeof *pr->acc)) return;
    pr->acc[pr->n_acc].array = -1;
    pr->acc[pr->n_acc].at = 0;
    pr->acc[pr->n_acc].var = var;
    snprintf(pr->acc[pr->n_acc++].name, sizeof pr->acc[0].name, "%s", name);
}

static void call_element(struct poly_print *pr, const struct rg_cnode *node, const char *name)
{
    pr->subst[pr->n_subst].node = node;
    snprintf(pr->subst[pr->n_subst++].name, sizeof pr->subst[0].name, "%s", name);
}

static bool is_carried_var(const struct poly_scan *sc, int var)
{
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].var == var && var >= 0) return true;
    return false;
}

static const char *temporary(struct poly_print *pr, const struct poly_scan *sc, int var, int col)
{
    return col < 0 ? rg__poly_fresh(pr, "%.60s_plus", pr->t->vars[var].name)
                   : rg__poly_fresh(pr, "%.60s_by_%.30s", pr->t->vars[var].name, base(pr, sc, col));
}

/* Names of what depends on carried values: its part that goes with the value col, or (-1) what is added. */
static void call_all(struct poly_print *pr, const struct poly_scan *sc, int n_acc, int col)
{
    pr->n_acc = n_acc;
    pr->n_subst = 0;
    for (int i = 0; i < sc->n; i++) {
        const char *name = rg__poly_printf(pr, "%s.%s", pr->scan_run,
                                           rg__poly_run_member(pr, sc, i, col >= 0 && in_group(sc, i, col) ? col : -1));
        if (sc->at[i].var >= 0)
            call_scalar(pr, sc->at[i].var, name);
        else
            call_element(pr, sc->at[i].in, name);
    }
    for (int v = 0; v < pr->t->n_vars; v++)
        if (sc->depends[v] && !is_carried_var(sc, v))
            call_scalar(pr, v, temporary(pr, sc, v, col >= 0 && (sc->depends[v] >> col & 1) ? col : -1));
}

static const char *plain(struct poly_print *pr, const struct rg_cnode *e)
{
    return rg__poly_factor(pr, rg__poly_text(pr, e));
}

/* What of e goes with the carried value col, in the names that are set; NULL: nothing. */
static const char *going_with(struct poly_print *pr, const struct poly_scan *sc, const struct rg_cnode *e, int col)
{
    int at;
    if (!(rg__poly_scan_mask(sc, e) >> col & 1)) return NULL;
    if (e->kind == RG_C_VAR || rg__poly_carried_node(sc, e, &at)) return rg__poly_text(pr, e);
    const char *a = e->n > 0 ? going_with(pr, sc, e->kid[0], col) : NULL,
               *b = e->n > 1 ? going_with(pr, sc, e->kid[1], col) : NULL;
    const char *c = e->n > 2 ? going_with(pr, sc, e->kid[2], col) : NULL;
    switch (e->kind) {
    case RG_C_CAST:
        return rg__poly_printf(pr, "(%s)%s", rg_scalar_cuda(e->type), rg__poly_factor(pr, a));
    case RG_C_UNARY:
        return e->op == RG_COP_NEG ? rg__poly_negated(pr, a) : a;
    case RG_C_COND:
        return rg__poly_printf(pr, "(%s ? %s : %s)", plain(pr, e->kid[0]), b ? rg__poly_factor(pr, b) : "0",
                               c ? rg__poly_factor(pr, c) : "0");
    case RG_C_CALL: /* fma */
        if (a || b)
            a = a ? rg__poly_printf(pr, "%s * %s", rg__poly_factor(pr, a), plain(pr, e->kid[1]))
                  : rg__poly_printf(pr, "%s * %s", plain(pr, e->kid[0]), rg__poly_factor(pr, b));
        return a && c ? rg__poly_printf(pr, "%s + %s", a, c) : a ? a : c;
    default:
        break;
    }
    if (e->op == RG_COP_MUL)
        return a ? rg__poly_printf(pr, "%s * %s", rg__poly_factor(pr, a), plain(pr, e->kid[1]))
                 : rg__poly_printf(pr, "%s * %s", plain(pr, e->kid[0]), rg__poly_factor(pr, b));
    if (e->op == RG_COP_DIV) return rg__poly_printf(pr, "%s / %s", rg__poly_factor(pr, a), plain(pr, e->kid[1]));
    if (e->op == RG_COP_ADD) return a && b ? rg__poly_printf(pr, "%s + %s", a, b) : a ? a : b;
    return a && b ? rg__poly_printf(pr, "%s - %s", a, rg__poly_factor(pr, b)) : a ? a : rg__poly_negated(pr, b);
}

/* The value that a chain's statement gives its element. */
static const char *chain_value(struct poly_print *pr, const struct poly_set *set)
{
    if (set->op == RG_COP_SET) return rg__poly_text(pr, set->value);
    return rg__poly_printf(pr, "%s %c %s", rg__poly_text(pr, set->target), rg_c_op_text(set->op)[0],
                           rg__poly_operand(pr, set->value));
}

/* Does anything of the iteration's part still ask for the element before, once this one is known? */
static bool asked_later(const struct poly_scan *sc, int which)
{
    bool lags = which + 1 < sc->n && sc->at[which + 1].lag > 1;
    if (!sc->at[which].lag) return false;
    return lags || sc->part->kid[sc->part->n - 1]->node != sc->at[which].leaf;
}

static const char *next_name(struct poly_print *pr, const struct poly_scan *sc, int which, int col)
{
    const char *member = rg__poly_run_member(pr, sc, which, col);
    return asked_later(sc, which) ? rg__poly_fresh(pr, "%.60s_next", member)
                                  : rg__poly_printf(pr, "%s.%s", pr->scan_run, member);
}

/* At the end of an iteration: chains move on, the oldest first. */
static void move_chains(struct poly_print *pr, const struct poly_scan *sc)
{
    for (int i = sc->n - 1; i >= 0; i--)
        for (int c = 0;
             c <= sc->n && sc->at[i].kind == POLY_CARRIED_CHAIN && sc->at[i].op == POLY_OP_NONE && !sc->fraction; c++) {
            int col = c < sc->n ? c : -1;
            if ((col >= 0 && !in_group(sc, i, col)) || (sc->at[i].lag <= 1 && !asked_later(sc, i))) continue;
            const char *from = sc->at[i].lag > 1
                                   ? rg__poly_printf(pr, "%s.%s", pr->scan_run, rg__poly_run_member(pr, sc, i - 1, col))
                                   : next_name(pr, sc, i, col);
            rg__poly_line(pr, "%s.%s = %s;", pr->scan_run, rg__poly_run_member(pr, sc, i, col), from);
        }
}

static void affine_leaf(struct poly_print *pr, const struct poly_scan *sc, const struct rg_cnode *n,
                        const struct poly_set *set, int which, int n_acc)
{
    bool chain = which >= 0 && sc->at[which].kind == POLY_CARRIED_CHAIN;
    unsigned cols = which >= 0 ? sc->at[which].group : sc->depends[set->var];
    const char *declared =
        chain && asked_later(sc, which) ? rg__poly_printf(pr, "const %s ", rg__poly_carried_type(pr, sc, which)) : "";
    for (int c = 0; c < sc->n; c++) {
        if (!(cols >> c & 1)) continue;
        call_all(pr, sc, n_acc, c);
        const char *to = chain           ? next_name(pr, sc, which, c)
                         : set->var >= 0 ? rg__poly_var_name(pr, set->var)
                                         : rg__poly_text(pr, set->target);
        const char *v = set->value ? going_with(pr, sc, set->value, c) : NULL;
        if (v && (set->op == RG_COP_SUB_SET || set->op == RG_COP_POST_DEC) && chain) v = rg__poly_negated(pr, v);
        if (chain)
            rg__poly_line(pr, "%s%s = %s;", declared, to, v ? v : "0");
        else if (set->op == RG_COP_SET)
            rg__poly_line(pr, "%s = %s;", to, v ? v : "0");
        else if (v && (set->op == RG_COP_ADD_SET || set->op == RG_COP_SUB_SET || set->op == RG_COP_POST_INC ||
                       set->op == RG_COP_POST_DEC))
            rg__poly_line(pr, "%s %s %s;", to, rg_c_op_text(set->op), v);
        else if (set->op == RG_COP_MUL_SET || set->op == RG_COP_DIV_SET)
            rg__poly_line(pr, "%s %s %s;", to, rg_c_op_text(set->op), rg__poly_text(pr, set->value));
    }
    call_all(pr, sc, n_acc, -1);
    if (chain) { /* until the iteration's end its element is the one before */
        rg__poly_line(pr, "%s%s = %s;", declared, next_name(pr, sc, which, -1), chain_value(pr, set));
    } else if (n->kind == RG_C_DECL) {
        rg__poly_line(pr, "%s = %s;", rg__poly_var_name(pr, set->var), rg__poly_text(pr, set->value));
    } else {
        rg__poly_statement(pr, n);
    }
}

/* ---- fractions: numerator and denominator, each what goes with the value and what does not; NULL: 0 ---- */

struct affine {
    const char *by, *plus;
};

static const char *times(struct poly_print *pr, const char *a, const char *b)
{
    if (!a || !b) return NULL;
    return !strcmp(a, "1")   ? b
           : !strcmp(b, "1") ? a
                             : rg__poly_printf(pr, "%s * %s", rg__poly_factor(pr, a), rg__poly_factor(pr, b));
}

static const char *sum(struct poly_print *pr, const char *a, char sign, const char *b)
{
    if (!b) return a;
    if (!a) return sign == '+' ? b : rg__poly_negated(pr, b);
    return rg__poly_printf(pr, "%s %c %s", a, sign, sign == '+' ? b : rg__poly_factor(pr, b));
}

static struct affine product(struct poly_print *pr, struct affine a, struct affine b)
{
    return (struct affine){sum(pr, times(pr, a.by, b.plus), '+', times(pr, a.plus, b.by)), times(pr, a.plus, b.plus)};
}

static void fraction_of(struct poly_print *pr, const struct poly_scan *sc, const struct rg_cnode *e, struct affine *num,
                        struct affine *den)
{
    int at;
    *den = (struct affine){NULL, "1"};
    if (!rg__poly_scan_mask(sc, e)) {
        *num = (struct affine){NULL, rg__poly_text(pr, e)};
        return;
    }
    if (rg__poly_carried_node(sc, e, &at)) {
        *num = (struct affine){"1", NULL};
        return;
    }
    if (e->kind != RG_C_BINARY) {
        fraction_of(pr, sc, e->kind == RG_C_VAR ? rg__poly_carry_value(sc, e->var) : e->kid[0], num, den);
        if (e->op == RG_COP_NEG) *num = (struct affine){sum(pr, NULL, '-', num->by), sum(pr, NULL, '-', num->plus)};
        return;
    }
    struct affine n[2], d[2];
    for (int i = 0; i < 2; i++) fraction_of(pr, sc, e->kid[i], &n[i], &d[i]);
    bool over = e->op == RG_COP_DIV;
    if (over || e->op == RG_COP_MUL) {
        *num = product(pr, n[0], over ? d[1] : n[1]);
        *den = product(pr, d[0], over ? n[1] : d[1]);
        return;
    }
    struct affine a = product(pr, n[0], d[1]), b = product(pr, n[1], d[0]);
    const char sign = e->op == RG_COP_ADD ? '+' : '-';
    *num = (struct affine){sum(pr, a.by, sign, b.by), sum(pr, a.plus, sign, b.plus)};
    *den = product(pr, d[0], d[1]);
}

/* The iteration's own fraction, behind those in front of it. */
static void fraction_leaf(struct poly_print *pr, const struct poly_scan *sc, const struct poly_set *set)
{
    struct affine num, den;
    const char *run = rg__poly_run_name(pr, sc), *one = rg__poly_fresh(pr, "one");
    fraction_of(pr, sc, set->value, &num, &den);
    const char *texts[FRACTION] = {num.by, num.plus, den.by, den.plus};
    rg__poly_line(pr, "%s %s;", run, one);
    for (int i = 0; i < FRACTION; i++)
        rg__poly_line(pr, "%s.%s = %s;", one, rg__poly_run_member(pr, sc, 0, i), texts[i] ? texts[i] : "0");
    rg__poly_line(pr, "%s = %s_then(%s, %s);", pr->scan_run, run, pr->scan_run, one);
}

/* What of x = e is a sum, where no bound decides; nothing where x is set anew. */
static const char *sum_text(struct poly_print *pr, const struct poly_scan *sc, const struct rg_cnode *e, int which)
{
    struct poly_set set = {.var = sc->at[which].var, .op = RG_COP_SET, .value = e};
    enum poly_op op;
    const struct rg_cnode *sum;
    if (!rg__poly_scan_mask(sc, e)) return rg__poly_no_bound(pr, sc, which);
    if (!rg__poly_scan_clamped(sc, which, &set, &op, &sum)) return "0";
    if (sum->kind != RG_C_COND || sum->n != 3) return rg__poly_text(pr, sum);
    const char *yes = sum_text(pr, sc, sum->kid[1], which), *no = sum_text(pr, sc, sum->kid[2], which);
    return rg__poly_printf(pr, "%s ? (long long)(%s) : (long long)(%s)", rg__poly_text(pr, sum->kid[0]), yes, no);
}

/* What the statement adds, where no bound decides, to the run's sum. */
static void bound_leaf(struct poly_print *pr, const struct poly_scan *sc, const struct poly_set *set, int which)
{
    enum poly_op op;
    const struct rg_cnode *sum;
    const char *plus = rg__poly_printf(pr, "%s.%s", pr->scan_run, rg__poly_run_member(pr, sc, which, 0));
    if (!rg__poly_scan_clamped(sc, which, set, &op, &sum)) return;
    call_all(pr, sc, pr->scan_accs, -1);
    for (int i = pr->scan_accs; i < pr->n_acc; i++)
        if (sc->at[which].var >= 0 && pr->acc[i].array < 0 && pr->acc[i].var == sc->at[which].var)
            snprintf(pr->acc[i].name, sizeof pr->acc[0].name, "%s", plus);
    for (int i = 0; i < pr->n_subst; i++)
        if (sc->at[which].var < 0 && pr->subst[i].node == sc->at[which].in)
            snprintf(pr->subst[i].name, sizeof pr->subst[0].name, "%s", plus);
    if (sum)
        rg__poly_line(pr, "%s = %s;", plus, sum_text(pr, sc, sum, which));
    else if (set->value)
        rg__poly_line(pr, "%s %s %s;", plus, rg_c_op_text(set->op), rg__poly_text(pr, set->value));
    else
        rg__poly_line(pr, "%s %s 1;", plus, set->op == RG_COP_POST_INC ? "+=" : "-=");
    call_all(pr, sc, pr->scan_accs, -1);
}

bool rg__poly_run_leaf(struct poly_print *pr, const struct rg_cnode *n)
{
    const struct poly_scan *sc = pr->scan;
    struct poly_set set;
    if (pr->scan_part) rg__poly_twice_leaf(pr, n);
    if (!rg__poly_set_of(n, &set)) /* a temporary's name: declared with its parts */
        return pr->scan_part && n->kind == RG_C_DECL && n->array < 0 && sc->depends[n->var] && !(n->n && n->kid[0]);
    int which = rg__poly_scan_updates(sc, n, &set);
    bool chain = which >= 0 && sc->at[which].kind == POLY_CARRIED_CHAIN;
    if (pr->scan_part && sc->fraction) {
        if (chain) fraction_leaf(pr, sc, &set);
        return chain || rg__poly_scan_mask(sc, set.value);
    }
    if (pr->scan_part) {
        if (which >= 0 && rg__poly_has_bound(sc->at[which].op)) bound_leaf(pr, sc, &set, which);
        bool affine = which >= 0 ? sc->at[which].op == POLY_OP_NONE : set.var >= 0 && sc->depends[set.var];
        if (affine) {
            affine_leaf(pr, sc, n, &set, which, pr->scan_accs);
        } else if (chain) {
            rg__poly_line(pr, "%s.%s = %s;", pr->scan_run, rg__poly_run_member(pr, sc, which, -1),
                          chain_value(pr, &set));
        } else {
            return false;
        }
        return true;
    }
    if (!chain || !sc->at[which].lag) return false;
    const char *now = rg__poly_fresh(pr, "%.60s_now", base(pr, sc, which));
    rg__poly_line(pr, "const %s %s = %s;", rg__poly_carried_type(pr, sc, which), now, chain_value(pr, &set));
    rg__poly_line(pr, "%s = %s;", rg__poly_text(pr, set.target), now);
    return true;
}

void rg__poly_run_part(struct poly_print *pr, const struct poly_scan *sc, const char *run)
{
    int n_acc = pr->n_acc, n_subst = pr->n_subst;
    pr->scan = sc;
    pr->scan_part = true;
    pr->scan_run = run;
    pr->scan_accs = n_acc;
    for (int v = 0; v < pr->t->n_vars; v++) {
        if (!sc->depends[v] || is_carried_var(sc, v) || sc->fraction) continue;
        for (int c = -1; c < sc->n; c++)
            if (c < 0 || (sc->depends[v] >> c & 1))
                rg__poly_line(pr, "%s %s = 0;", rg__poly_var_type(pr, v), temporary(pr, sc, v, c));
    }
    call_all(pr, sc, n_acc, -1);
    rg__poly_thread_code(pr, sc->part);
    move_chains(pr, sc);
    pr->n_acc = n_acc;
    pr->n_subst = n_subst;
    pr->scan = NULL;
}

void rg__poly_run_body(struct poly_print *pr, const struct poly_scan *sc, const struct poly_knode *body, bool more)
{
    int n_acc = pr->n_acc, n_subst = pr->n_subst;
    pr->scan = sc;
    pr->scan_part = false;
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].var >= 0)
            call_scalar(pr, sc->at[i].var, rg__poly_carried_now(pr, sc, i));
        else if (sc->at[i].kind != POLY_CARRIED_CHAIN || sc->at[i].lag)
            call_element(pr, sc->at[i].in, rg__poly_carried_now(pr, sc, i));
    rg__poly_thread_code(pr, body);
    for (int i = sc->n - 1; i >= 0 && more; i--)
        if (sc->at[i].kind == POLY_CARRIED_CHAIN && sc->at[i].lag)
            rg__poly_line(pr, "%s = %s;", rg__poly_carried_now(pr, sc, i),
                          sc->at[i].lag > 1 ? rg__poly_carried_now(pr, sc, i - 1)
                                            : rg__poly_fresh(pr, "%.60s_now", base(pr, sc, i)));
    pr->n_acc = n_acc;
    pr->n_subst = n_subst;
    pr->scan = NULL;
}

const char *rg__poly_run_after(struct poly_print *pr, const struct poly_scan *sc, const char *run, bool now)
{
    const char *s = rg__poly_printf(pr, "%s_after(%s", rg__poly_run_name(pr, sc), run);
    for (int i = 0; i < sc->n; i++)
        s = rg__poly_printf(pr, "%s, %s", s, now ? rg__poly_carried_now(pr, sc, i) : rg__poly_carried_name(pr, sc, i));
    return rg__poly_printf(pr, "%s);", s);
}

/* ---- runs put together and exchanged ---- */

struct members {
    int n;
    struct {
        int row, col;
        const char *name;
    } at[POLY_MAX_CARRIED * (POLY_MAX_CARRIED + 1)];
};

static void members_of(struct poly_print *pr, const struct poly_scan *sc, struct members *m)
{
    m->n = 0;
    for (int i = 0; i < sc->n; i++)
        for (int c = 0; c <= POLY_MAX_CARRIED; c++) {
            int col = c < POLY_MAX_CARRIED ? c : -1;
            if (col >= 0 && !rg__poly_run_has(sc, i, col)) continue;
            m->at[m->n].row = i;
            m->at[m->n].col = col;
            m->at[m->n++].name = rg__poly_run_member(pr, sc, i, col);
        }
}

/* sum of the products of row's factors in b with what `of` names; its own addend last. */
static const char *row_text(struct poly_print *pr, const struct poly_scan *sc, int row, int col, bool through)
{
    const char *t = NULL;
    for (int c = 0; c < sc->n; c++) {
        if (!in_group(sc, row, c)) continue;
        const char *by = through ? rg__poly_printf(pr, "a.%s", rg__poly_run_member(pr, sc, c, col))
                                 : rg__poly_printf(pr, "was_%s", base(pr, sc, c));
        const char *x = rg__poly_printf(pr, "b.%s * %s", rg__poly_run_member(pr, sc, row, c), by);
        t = t ? rg__poly_printf(pr, "%s + %s", t, x) : x;
    }
    return col < 0 ? rg__poly_printf(pr, "%s + b.%s", t, rg__poly_run_member(pr, sc, row, -1)) : t;
}

static void fraction_then(const struct members *m, const char *type, struct rg_buf *b)
{
    const char *nb = m->at[0].name, *np = m->at[1].name, *db = m->at[2].name, *dp = m->at[3].name;
    rg_buf_printf(b, "    r.%s = b.%s * a.%s + b.%s * a.%s;\n    r.%s = b.%s * a.%s + b.%s * a.%s;\n", nb, nb, nb, np,
                  db, np, nb, np, np, dp);
    rg_buf_printf(b, "    r.%s = b.%s * a.%s + b.%s * a.%s;\n    r.%s = b.%s * a.%s + b.%s * a.%s;\n", db, db, nb, dp,
                  db, dp, db, np, dp, dp);
    rg_buf_printf(b, "    %s size = fmax(fmax(fabs(r.%s), fabs(r.%s)), fmax(fabs(r.%s), fabs(r.%s)));\n", type, nb, np,
                  db, dp);
    rg_buf_printf(b,
                  "    size = size > 0 ? 1 / size : 1; // a common factor changes nothing: none grows out of range\n"
                  "    r.%s *= size;\n    r.%s *= size;\n    r.%s *= size;\n    r.%s *= size;\n",
                  nb, np, db, dp);
}

static void structure(struct poly_print *pr, const struct poly_scan *sc, const struct members *m, const char *run,
                      struct rg_buf *b)
{
    rg_buf_printf(b, "// scan.block: what iterations of loop %s in a row do to what it carries.\nstruct %s {\n",
                  pr->s->loops[sc->loop].name, run);
    for (int i = 0; i < m->n; i++)
        rg_buf_printf(b, "    %s %s;\n", rg_scalar_cuda(rg__poly_run_type(sc, m->at[i].row)), m->at[i].name);
    rg_buf_printf(b, "};\n\n__device__ __forceinline__ %s %s_none()\n{\n    %s r;\n", run, run, run);
    for (int i = 0; i < m->n; i++) {
        const struct poly_carried *c = &sc->at[m->at[i].row];
        bool one = sc->fraction ? i == 0 || i == FRACTION - 1 : m->at[i].row == m->at[i].col;
        rg_buf_printf(b, "    r.%s = %s;\n", m->at[i].name,
                      rg__poly_has_bound(c->op) ? (m->at[i].col < 0 ? rg__poly_no_bound(pr, sc, m->at[i].row) : "0")
                      : c->op != POLY_OP_NONE   ? rg__poly_identity(pr, c->op, c->type)
                      : one                     ? "1"
                                                : "0");
    }
    rg_buf_printf(b,
                  "    return r;\n}\n\n// a, then b\n__device__ __forceinline__ %s %s_then(const %s &a, const %s "
                  "&b)\n{\n    %s r;\n",
                  run, run, run, run, run);
    if (sc->fraction) fraction_then(m, rg__poly_carried_type(pr, sc, 0), b);
    for (int i = 0; i < m->n && !sc->fraction; i++) {
        const struct poly_carried *c = &sc->at[m->at[i].row];
        const char *x = rg__poly_printf(pr, "a.%s", m->at[i].name), *y = rg__poly_printf(pr, "b.%s", m->at[i].name);
        rg_buf_printf(b, "    r.%s = %s;\n", m->at[i].name,
                      rg__poly_has_bound(c->op) ? (m->at[i].col < 0 ? rg__poly_bound_text(pr, sc, m->at[i].row, x)
                                                                    : rg__poly_bound_sum(pr, sc, m->at[i].row, x, y))
                      : c->op != POLY_OP_NONE   ? rg__poly_combine(pr, c->op, x, y)
                                                : row_text(pr, sc, m->at[i].row, m->at[i].col, true));
    }
    rg_buf_printf(b, "    return r;\n}\n\n__device__ __forceinline__ void %s_after(const %s &b", run, run);
    for (int i = 0; i < sc->n; i++) rg_buf_printf(b, ", %s &v_%s", rg__poly_carried_type(pr, sc, i), base(pr, sc, i));
    rg_buf_str(b, ")\n{\n");
    for (int i = 0; i < sc->n; i++)
        if (sc->at[i].op == POLY_OP_NONE)
            rg_buf_printf(b, "    const %s was_%s = v_%s;\n", rg__poly_carried_type(pr, sc, i), base(pr, sc, i),
                          base(pr, sc, i));
    if (sc->fraction)
        rg_buf_printf(b, "    v_%s = (b.%s * was_%s + b.%s) / (b.%s * was_%s + b.%s);\n", base(pr, sc, 0),
                      m->at[0].name, base(pr, sc, 0), m->at[1].name, m->at[2].name, base(pr, sc, 0), m->at[3].name);
    for (int i = 0; i < sc->n && !sc->fraction; i++) {
        const char *v = rg__poly_printf(pr, "v_%s", base(pr, sc, i)),
                   *y = rg__poly_printf(pr, "b.%s", rg__poly_run_member(pr, sc, i, -1));
        rg_buf_printf(b, "    %s = %s;\n", v,
                      rg__poly_has_bound(sc->at[i].op) ? rg__poly_bound_text(pr, sc, i, v)
                      : sc->at[i].op != POLY_OP_NONE   ? rg__poly_combine(pr, sc->at[i].op, v, y)
                                                       : row_text(pr, sc, i, -1, false));
    }
    rg_buf_str(b, "}\n\n");
}

static void exchange(const struct members *m, const char *to, const char *from, const char *what, const char *arg,
                     struct rg_buf *b)
{
    for (int i = 0; i < m->n; i++)
        rg_buf_printf(b, "%s%s.%s = %s(team, %s.%s, %s, LANES);\n", arg[0] == 'd' ? "        " : "    ", to,
                      m->at[i].name, what, from, m->at[i].name, arg);
}

static void warps(const struct members *m, const char *run, struct rg_buf *b)
{
    rg_buf_printf(b,
                  "// this lane's run and all in front of it in the team\ntemplate <int LANES> __device__ "
                  "__forceinline__ %s %s_through(%s v, unsigned team)\n{\n"
                  "    for (int d = 1; d < LANES; d *= 2) {\n        %s w;\n",
                  run, run, run, run);
    exchange(m, "w", "v", "__shfl_up_sync", "d", b);
    rg_buf_printf(b, "        if (threadIdx.x %% LANES >= d) v = %s_then(w, v);\n    }\n    return v;\n}\n\n", run);
    rg_buf_printf(
        b, "template <int LANES> __device__ __forceinline__ %s %s_of(%s v, unsigned team, int lane)\n{\n    %s w;\n",
        run, run, run, run);
    exchange(m, "w", "v", "__shfl_sync", "lane", b);
    rg_buf_printf(b,
                  "    return w;\n}\n\ntemplate <int LANES> __device__ __forceinline__ %s %s_left(%s v, unsigned "
                  "team)\n{\n    %s w;\n",
                  run, run, run, run);
    exchange(m, "w", "v", "__shfl_up_sync", "1", b);
    rg_buf_printf(b, "    return threadIdx.x %% LANES ? w : %s_none();\n}\n\n", run);
}

static void blocks(const char *run, struct rg_buf *b)
{
    rg_buf_printf(b,
                  "// what is in front of this thread in the block; all: of all its threads\n"
                  "template <int BLOCK> __device__ __forceinline__ %s %s_in_front(%s v, %s &all)\n{\n"
                  "    __shared__ %s part[BLOCK / 32];\n"
                  "    const int lane = threadIdx.x %% 32, warp = threadIdx.x / 32;\n"
                  "    v = %s_through<32>(v, 0xffffffffu);\n"
                  "    if (lane == 31) part[warp] = v;\n"
                  "    __syncthreads();\n"
                  "    %s w = lane < BLOCK / 32 ? part[lane] : %s_none();\n"
                  "    w = %s_through<32>(w, 0xffffffffu);\n"
                  "    all = %s_of<32>(w, 0xffffffffu, 31);\n"
                  "    w = %s_of<32>(w, 0xffffffffu, warp ? warp - 1 : 0);\n"
                  "    v = %s_left<32>(v, 0xffffffffu);\n"
                  "    __syncthreads();\n"
                  "    return warp ? %s_then(w, v) : v;\n}\n\n",
                  run, run, run, run, run, run, run, run, run, run, run, run, run);
}

void rg__poly_run_helpers(struct poly_print *pr, struct rg_buf *out)
{
    for (int i = 0; i < pr->k->n_scans; i++) {
        const struct poly_scan *sc = pr->k->scans[i];
        bool block = pr->k->form == POLY_SCAN_OFFSETS || (pr->k->form == POLY_BLOCK && pr->k->team == POLY_TEAM_BLOCK);
        const char *run = rg__poly_run_name(pr, sc);
        struct members m;
        members_of(pr, sc, &m);
        rg__poly_bound_helpers(sc, out);
        for (int part = 0; part < 2 + block; part++) {
            struct rg_buf b = RG_BUF_INIT;
            if (part == 0)
                structure(pr, sc, &m, run, &b);
            else if (part == 1)
                warps(&m, run, &b);
            else
                blocks(run, &b);
            if (!strstr(out->data, b.data)) rg_buf_str(out, b.data);
            rg_buf_release(&b);
        }
    }
}
