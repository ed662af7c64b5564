/* Index arithmetic as a person writes it: constants of a sum put together where no step of the sum takes a value that
 * fits less well than those it took before; and names for what a step put in place of the file's loop variables. */
#include "poly/reorder/reorder.h"
#include "poly/cuda/print.h"
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ADDENDS = 24 };

static bool signed_index(const struct rg_cnode *e)
{
    return !e->pointer && (e->type == RG_I32 || (rg_scalar_is_signed(e->type) && rg_scalar_bytes(e->type) == 8 &&
                                                 !rg_scalar_is_real(e->type)));
}

static bool is_sum(const struct rg_cnode *e)
{
    return e->op == RG_COP_ADD || e->op == RG_COP_SUB;
}

static bool plain_int(const struct rg_cnode *e, int64_t *v)
{
    *v = e->ivalue;
    return e->kind == RG_C_INT && signed_index(e);
}

static bool fits(const struct rg_cnode *sum, int64_t v)
{
    return rg_scalar_bytes(sum->type) == 8 || (v >= INT32_MIN && v <= INT32_MAX);
}

static struct rg_cnode *number(struct poly_print *pr, const struct rg_cnode *like, int64_t v)
{
    struct rg_cnode *c = rg__c_shallow(&pr->arena, like);
    c->kind = RG_C_INT;
    c->op = RG_COP_NONE;
    c->text = NULL;
    c->ivalue = v;
    c->value_of = 0;
    c->n = 0;
    return c;
}

static struct rg_cnode *plus(struct poly_print *pr, const struct rg_cnode *like, const struct rg_cnode *x, bool minus,
                             const struct rg_cnode *y)
{
    struct rg_cnode *c = rg__c_shallow(&pr->arena, like);
    c->op = minus ? RG_COP_SUB : RG_COP_ADD;
    c->value_of = 0;
    c->n = 2;
    c->kid = rg_arena_alloc(&pr->arena, 2 * sizeof *c->kid);
    c->kid[0] = (struct rg_cnode *)x;
    c->kid[1] = (struct rg_cnode *)y;
    return c;
}

/* a + b - 2 + c ..., as it is computed from the left. */
struct sum {
    int n;
    struct {
        const struct rg_cnode *term; /* NULL: a constant */
        bool minus;
        int64_t k;
    } at[MOST_ADDENDS];
};

static bool collect(struct poly_print *pr, struct sum *s, const struct rg_cnode *e, const struct rg_cnode *whole,
                    bool minus)
{
    int64_t v;
    if (!minus && is_sum(e) && e->type == whole->type && signed_index(e) && !rg__poly_value_named(pr, e)) {
        if (!collect(pr, s, e->kid[0], whole, false)) return false;
        const struct rg_cnode *y = e->kid[1];
        bool less = e->op == RG_COP_SUB;
        if (s->n == MOST_ADDENDS || !signed_index(y)) return false;
        y = rg__poly_tidy(pr, y);
        s->at[s->n].term = plain_int(y, &v) ? NULL : y;
        s->at[s->n].minus = !s->at[s->n].term ? false : less;
        s->at[s->n].k = less ? -v : v;
        if (!s->at[s->n].term && (v == INT64_MIN || !fits(whole, less ? -v : v))) return false;
        s->n++;
        return true;
    }
    if (s->n == MOST_ADDENDS || !signed_index(e)) return false;
    e = rg__poly_tidy(pr, e);
    s->at[s->n].term = plain_int(e, &v) ? NULL : e;
    s->at[s->n].minus = false;
    s->at[s->n++].k = v;
    return true;
}

/* The place among the addends for what all constants come to, such that no value on the way is further out than some
 * value of the sum as written that has the same terms in it; -1: there is none. */
static int place_for(const struct sum *s, int64_t total)
{
    for (int at = s->n - 1; at >= 0; at--) {
        bool ok = !s->at[at].term, begun = false;
        int64_t part = 0, least = 0, most = 0; /* the first term is a value itself */
        for (int i = 0, terms = 0; i < s->n && ok; terms++) {
            while (i < s->n && !s->at[i].term && !terms) { /* constants in front of all terms */
                part += s->at[i].k;
                begun = begun || (i++ == at && total);
            }
            if (i == s->n) break;
            ok = begun || !s->at[i].minus;
            begun = true;
            least = most = part;
            if (!terms) {
                least = part < 0 ? part : 0;
                most = part > 0 ? part : 0;
            }
            int from = i++;
            for (; i < s->n && !s->at[i].term; i++) {
                part += s->at[i].k;
                least = part < least ? part : least;
                most = part > most ? part : most;
            }
            for (int x = from; x < i; x++) ok = ok && (x >= at ? total : 0) >= least && (x >= at ? total : 0) <= most;
        }
        if (ok) return at;
    }
    return -1;
}

static const struct rg_cnode *tidy_sum(struct poly_print *pr, const struct rg_cnode *e)
{
    struct sum s = {0};
    int constants = 0, terms = 0;
    int64_t total = 0;
    if (!collect(pr, &s, e, e, false)) return e;
    for (int i = 0; i < s.n; i++) {
        terms += s.at[i].term != NULL;
        if (s.at[i].term) continue;
        constants++;
        if (__builtin_add_overflow(total, s.at[i].k, &total) || !fits(e, total)) return e;
    }
    if (!terms) return e->type == RG_I32 ? number(pr, e, total) : e;
    int at = constants ? place_for(&s, total) : -1;
    bool merge = at >= 0 && (constants > 1 || total <= 0);
    const struct rg_cnode *x = NULL;
    for (int i = 0; i < s.n; i++) {
        bool constant = !s.at[i].term;
        if (constant && merge && (i != at || !total)) continue;
        int64_t k = merge ? total : s.at[i].k;
        bool minus = constant ? k < 0 && x : s.at[i].minus;
        if (!x && !constant && (s.at[i].minus || s.at[i].term->type != e->type))
            return e; /* a sum of another type, or one that begins with a minus */
        if (constant && minus && k == INT64_MIN) return e;
        const struct rg_cnode *y = constant ? number(pr, e, minus ? -k : k) : s.at[i].term;
        x = x ? plus(pr, e, x, minus, y) : y;
    }
    return x ? x : e;
}

const struct rg_cnode *rg__poly_tidy(struct poly_print *pr, const struct rg_cnode *e)
{
    int64_t v;
    if (!e || pr->n_twice) return e;
    bool relation = rg_c_logic(e->op);
    if (!relation && !signed_index(e)) return e;
    if (is_sum(e)) return rg__poly_value_named(pr, e) ? e : tidy_sum(pr, e);
    bool inside = relation || (rg_c_arithmetic(e->op) && !is_sum(e)) || e->kind == RG_C_COND || e->kind == RG_C_CAST ||
                  e->op == RG_COP_NEG ||
                  (e->kind == RG_C_CALL && e->callee < 0 && (!strcmp(e->text, "min") || !strcmp(e->text, "max")));
    if (!inside) return e;
    struct rg_cnode *c = NULL;
    for (int i = 0; i < e->n; i++) {
        const struct rg_cnode *k = rg__poly_tidy(pr, e->kid[i]);
        if (k == e->kid[i]) continue;
        if (!c) c = rg__c_shallow(&pr->arena, e);
        c->kid[i] = (struct rg_cnode *)k;
    }
    const struct rg_cnode *r = c ? c : e;
    if (r->op == RG_COP_MUL && signed_index(r->kid[0]) && signed_index(r->kid[1])) {
        if (plain_int(r->kid[0], &v) && v == 1 && r->kid[1]->type == r->type) return r->kid[1];
        if (plain_int(r->kid[1], &v) && v == 1 && r->kid[0]->type == r->type) return r->kid[0];
        if (r->type == RG_I32 && ((plain_int(r->kid[0], &v) && v == 0) || (plain_int(r->kid[1], &v) && v == 0)))
            return number(pr, r, 0);
    }
    return r;
}

/* ---- variables of loops that run with a dimension ---- */

static bool sets(const struct rg_cnode *n, int var)
{
    if (!n) return false;
    bool stores = (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR &&
                  n->kid[0]->array < 0 && n->kid[0]->var == var;
    if (stores || n->kind == RG_C_VERBATIM ||
        ((n->kind == RG_C_LOOP || n->kind == RG_C_DECL) && n->array < 0 && n->var == var))
        return true;
    for (int i = 0; i < n->n; i++)
        if (sets(n->kid[i], var)) return true;
    return false;
}

struct setting {
    int var;
    bool found;
};

static bool look(void *arg, const struct poly_knode *k)
{
    struct setting *s = arg;
    s->found =
        s->found || (k->kind == KN_LOOP ? k->node->var == s->var
                                        : k->node && sets(k->kind == KN_LEAF ? k->node : k->node->kid[0], s->var));
    return !s->found;
}

bool rg__poly_sets_var(const struct poly_print *pr, int var)
{
    struct setting s = {var, false};
    for (int h = 0; h < pr->k->n_host; h++) s.found = s.found || pr->s->loops[pr->k->host[h]].var == var;
    rg__poly_knode_walk(pr->k->body, look, &s);
    return s.found;
}

void rg__poly_find_aliases(struct poly_print *pr)
{
    for (int v = 0; v < pr->t->n_vars; v++) pr->same_as[v] = v;
    for (int a = 0; a < pr->k->n_alias; a++) {
        int v = pr->s->loops[pr->k->alias[a].loop].var, d = pr->s->loops[pr->k->dims[pr->k->alias[a].dim]].var;
        bool one = v != d && pr->t->vars[v].type == pr->t->vars[d].type && !rg__poly_sets_var(pr, v) &&
                   !rg__poly_sets_var(pr, d);
        for (int x = 0; x < pr->k->n_dims; x++) one = one && pr->s->loops[pr->k->dims[x]].var != v;
        for (int b = 0; b < pr->k->n_alias; b++) /* of two dimensions */
            one = one && (pr->s->loops[pr->k->alias[b].loop].var != v || pr->k->alias[b].dim == pr->k->alias[a].dim);
        if (one) pr->same_as[v] = d;
    }
}

/* ---- names for values ---- */

/* The innermost of the open scopes that the expression's variables need; -1: something is known in none of them. */
static int scope_of(struct poly_print *pr, const struct rg_cnode *e)
{
    int scope = 0;
    if (e->kind == RG_C_VAR) {
        const struct rg_cvar *v = &pr->t->vars[e->var];
        bool known = e->array < 0 && v->kind == RG_CVAR_PARAM && !v->assigned;
        for (int h = 0; h < pr->k->n_host; h++) known = known || pr->s->loops[pr->k->host[h]].var == e->var;
        for (int d = 0; d < pr->k->n_dims; d++) known = known || pr->s->loops[pr->k->dims[d]].var == e->var;
        for (int i = 1; i < pr->n_scopes; i++)
            if (pr->scope[i].var == e->var) {
                scope = i;
                known = true;
            }
        return known ? scope : -1;
    }
    if (e->kind == RG_C_INDEX || e->kind == RG_C_VERBATIM) return -1;
    for (int i = 0; i < e->n && scope >= 0; i++) {
        int inner = scope_of(pr, e->kid[i]);
        scope = inner < 0 ? -1 : inner > scope ? inner : scope;
    }
    return scope;
}

const char *rg__poly_value_named(struct poly_print *pr, const struct rg_cnode *e)
{
    int var = e->value_of - 1;
    if (var < 0 || !pr->n_scopes) return NULL;
    for (int i = 0; i < pr->n_values; i++)
        if (pr->value[i].var == var) return rg__c_same(pr->value[i].node, e, RG__C_UNCAST) ? pr->value[i].name : NULL;
    int scope = scope_of(pr, e);
    if (scope < 0 || pr->n_values == (int)(sizeof pr->value / sizeof *pr->value)) return NULL;
    bool taken = rg__poly_sets_var(pr, var);
    for (int d = 0; d < pr->k->n_dims; d++) taken = taken || pr->s->loops[pr->k->dims[d]].var == var;
    for (int a = 0; a < pr->k->n_alias; a++) taken = taken || pr->s->loops[pr->k->alias[a].loop].var == var;
    const char *name = pr->t->vars[var].name;
    pr->value[pr->n_values].var = var;
    pr->value[pr->n_values].node = e;
    pr->value[pr->n_values].scope = scope;
    return pr->value[pr->n_values++].name = taken ? rg__poly_fresh(pr, "%s_c", name) : name;
}

void rg__poly_open_scope(struct poly_print *pr, int var)
{
    if (pr->n_scopes == (int)(sizeof pr->scope / sizeof *pr->scope) || (var >= 0 && !pr->n_scopes)) {
        pr->n_closed++; /* not one of those that have names */
        return;
    }
    pr->scope[pr->n_scopes].at = pr->out.len;
    pr->scope[pr->n_scopes].indent = pr->indent;
    pr->scope[pr->n_scopes++].var = var;
}

void rg__poly_close_scope(struct poly_print *pr)
{
    if (pr->n_closed) {
        pr->n_closed--;
        return;
    }
    int scope = --pr->n_scopes, kept = 0;
    for (int i = 0; i < pr->n_values; i++) {
        if (pr->value[i].scope != scope) {
            pr->value[kept++] = pr->value[i];
            continue;
        }
        struct rg_cnode bare = *pr->value[i].node;
        bare.value_of = 0;
        if (rg__poly_uses_name(pr, pr->scope[scope].at, pr->value[i].name))
            rg__poly_insert_line(pr, pr->scope[scope].at, pr->scope[scope].indent,
                                 rg__poly_printf(pr, "const %s %s = %s;", rg__poly_index_type(pr, pr->value[i].var),
                                                 pr->value[i].name, rg__poly_text(pr, &bare)));
    }
    pr->n_values = kept;
}
