/* What names of pointers and toggling integers stand for, and what statements do to that. */
#include "frontend/normalise/pointer_rotation.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct rg__moves_state rg__moves_new(const struct rg__moves *m)
{
    size_t a = (size_t)m->n_arrays + 1, v = (size_t)m->n_vars + 1;
    struct rg__moves_state s = {rg_xcalloc(a, sizeof(int)), rg_xcalloc(v, 1), rg_xcalloc(v, sizeof(int64_t))};
    return s;
}

void rg__moves_free(struct rg__moves_state *s)
{
    free(s->stands_for);
    free(s->known);
    free(s->value);
}

void rg__moves_set(const struct rg__moves *m, struct rg__moves_state *to, const struct rg__moves_state *from)
{
    memcpy(to->stands_for, from->stands_for, sizeof(int) * (size_t)m->n_arrays);
    memcpy(to->known, from->known, (size_t)m->n_vars);
    memcpy(to->value, from->value, sizeof(int64_t) * (size_t)m->n_vars);
}

struct rg__moves_state rg__moves_copy(const struct rg__moves *m, const struct rg__moves_state *from)
{
    struct rg__moves_state s = rg__moves_new(m);
    rg__moves_set(m, &s, from);
    return s;
}

void rg__moves_join(const struct rg__moves *m, struct rg__moves_state *s, const struct rg__moves_state *other)
{
    for (int a = 0; a < m->n_arrays; a++)
        if (s->stands_for[a] != other->stands_for[a]) s->stands_for[a] = -1;
    for (int v = 0; v < m->n_vars; v++)
        if (!other->known[v] || s->value[v] != other->value[v]) s->known[v] = false;
}

int rg__moves_pointer(const struct rg_cnode *e)
{
    return e->kind == RG_C_VAR && e->pointer ? e->array : -1;
}

/* p = q as a statement: p; -1 otherwise. */
int rg__moves_moved(const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT || s->kid[0]->op != RG_COP_SET) return -1;
    return rg__moves_pointer(s->kid[0]->kid[0]);
}

bool rg__moves_any(const struct rg_cnode *n)
{
    if (!n) return false;
    if ((n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && rg__moves_pointer(n->kid[0]) >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__moves_any(n->kid[i])) return true;
    return false;
}

bool rg__moves_local_int(const struct rg__moves *m, int var)
{
    return var >= 0 && var < m->n_vars && m->t->vars[var].kind == RG_CVAR_LOCAL && !m->hidden[var] &&
           rg__scalar_is_int(m->t->vars[var].type) && rg_scalar_bytes(m->t->vars[var].type) >= 4 &&
           !strchr(m->t->vars[var].c_type, '*');
}

/* e modulo q, where that follows from what the loop variable leaves. */
static bool rest_of(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e, int64_t q,
                    int64_t *v)
{
    int64_t a, b;
    if (m->mod_var < 0 || q <= 0 || m->mod % q) return false;
    if (e->kind == RG_C_VAR && e->array < 0 && e->var == m->mod_var) {
        *v = m->residue % q;
        return true;
    }
    if (e->kind == RG_C_CAST && rg__scalar_is_int(e->type)) return rest_of(m, s, e->kid[0], q, v);
    if (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL) {
        if (!rest_of(m, s, e->kid[0], q, &a) || !rest_of(m, s, e->kid[1], q, &b)) return false;
        *v = e->op == RG_COP_ADD ? a + b : e->op == RG_COP_SUB ? a - b + q : a * b;
        *v %= q;
        return true;
    }
    if (!rg__moves_evaluate(m, s, e, &a)) return false;
    *v = (a % q + q) % q;
    return true;
}

bool rg__moves_evaluate(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e,
                        int64_t *v)
{
    int64_t a, b;
    if (e->op == RG_COP_REM && e->kid[1]->kind == RG_C_INT && rest_of(m, s, e->kid[0], e->kid[1]->ivalue, v))
        return true;
    if (e->op == RG_COP_BAND && e->kid[1]->kind == RG_C_INT && e->kid[1]->ivalue == 1 && rest_of(m, s, e->kid[0], 2, v))
        return true;
    switch (e->kind) {
    case RG_C_INT:
        *v = e->ivalue;
        return true;
    case RG_C_VAR:
        if (e->array >= 0 || !rg__moves_local_int(m, e->var) || !s->known[e->var]) return false;
        *v = s->value[e->var];
        return *v < RG__MOVES_SYMBOL;
    case RG_C_CAST:
        return rg__scalar_is_int(e->type) && rg__moves_evaluate(m, s, e->kid[0], v) && *v >= 0 && *v < 128;
    case RG_C_UNARY:
        if (!rg__moves_evaluate(m, s, e->kid[0], &a)) return false;
        *v = e->op == RG_COP_NOT ? !a : e->op == RG_COP_NEG ? -a : e->op == RG_COP_COMPL ? ~a : a;
        return e->op != RG_COP_DEREF && e->op != RG_COP_ADDRESS && *v > -128 && *v < 128;
    case RG_C_COND:
        return rg__moves_evaluate(m, s, e->kid[0], &a) && rg__moves_evaluate(m, s, e->kid[a ? 1 : 2], v);
    case RG_C_BINARY:
        if (!rg__moves_evaluate(m, s, e->kid[0], &a) || !rg__moves_evaluate(m, s, e->kid[1], &b)) return false;
        if (llabs(a) > 1 << 20 || llabs(b) > 1 << 20) return false;
        if (e->op == RG_COP_ADD)
            *v = a + b;
        else if (e->op == RG_COP_SUB)
            *v = a - b;
        else if (e->op == RG_COP_MUL)
            *v = a * b;
        else if (e->op == RG_COP_XOR)
            *v = a ^ b;
        else if (e->op == RG_COP_BAND)
            *v = a & b;
        else if (e->op == RG_COP_BOR)
            *v = a | b;
        else if (e->op == RG_COP_EQ)
            *v = a == b;
        else if (e->op == RG_COP_NE)
            *v = a != b;
        else if (e->op == RG_COP_LT)
            *v = a < b;
        else if (e->op == RG_COP_GT)
            *v = a > b;
        else if (e->op == RG_COP_LE)
            *v = a <= b;
        else if (e->op == RG_COP_GE)
            *v = a >= b;
        else if (e->op == RG_COP_SHR && a >= 0 && b >= 0 && b < 31)
            *v = a >> b;
        else if (e->op == RG_COP_REM && b > 0 && a >= 0)
            *v = a % b;
        else if (e->op == RG_COP_DIV && b > 0 && a >= 0)
            *v = a / b;
        else
            return false;
        return true;
    default:
        return false;
    }
}

void rg__moves_forget(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *n)
{
    for (int v = 0; v < m->n_vars; v++)
        if (s->known[v] && rg__c_writes_var(n, v)) s->known[v] = false;
}

/* Is it a number that is the same wherever it stands? */
static bool lasts(const struct rg__moves *m, const struct rg_cnode *e)
{
    if (e->kind == RG_C_INT) return true;
    if (e->kind == RG_C_VAR)
        return e->array < 0 && !e->pointer && m->t->vars[e->var].kind == RG_CVAR_PARAM &&
               !m->t->vars[e->var].assigned && rg__scalar_is_int(m->t->vars[e->var].type);
    if (e->kind == RG_C_CAST) return rg__scalar_is_int(e->type) && !e->pointer && lasts(m, e->kid[0]);
    return (e->op == RG_COP_ADD || e->op == RG_COP_SUB || e->op == RG_COP_MUL) && !e->pointer && lasts(m, e->kid[0]) &&
           lasts(m, e->kid[1]);
}

/* The value of a variable of that type behind `= e`, where it is no small number. */
static bool symbol_of(const struct rg__moves *m, const struct rg__moves_state *s, enum rg_scalar type,
                      const struct rg_cnode *e, int64_t *v)
{
    enum { MOST = 24 };
    struct rg__moves_symbols *all = m->symbols;
    if (!all || type != RG_LONG) return false; /* nothing is lost on the way from one to another */
    if (e->kind == RG_C_VAR && e->array < 0 && rg__moves_local_int(m, e->var) && m->t->vars[e->var].type == type) {
        *v = s->value[e->var];
        return s->known[e->var];
    }
    if (!lasts(m, e) || rg__c_size(e) > MOST) return false;
    for (int i = 0; i < all->n; i++)
        if (rg__c_equal(all->of[i], e)) {
            *v = RG__MOVES_SYMBOL + i;
            return true;
        }
    if (all->n == RG__MOVES_SYMBOLS) return false;
    *v = RG__MOVES_SYMBOL + all->n;
    all->of[all->n++] = rg__c_copy(m->t, e);
    return true;
}

struct rg_cnode *rg__moves_known(const struct rg__moves *m, const struct rg__moves_state *s, int var)
{
    struct rg_ctree *t = m->t;
    const int64_t v = s->value[var];
    struct rg_cnode *e = v >= RG__MOVES_SYMBOL ? rg__c_copy(t, m->symbols->of[v - RG__MOVES_SYMBOL]) : rg__c_int(t, v);
    return rg__c_cast(t, e, t->vars[var].type);
}

/* An integer local after the statement; false: the statement is of another kind. */
bool rg__moves_note(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *n)
{
    int var = -1;
    int64_t v = 0;
    bool known = false, symbol = false;
    if (n->kind == RG_C_DECL && n->array < 0) {
        var = n->var;
        known = n->n && rg__moves_evaluate(m, s, n->kid[0], &v);
        symbol = !known && n->n && symbol_of(m, s, n->type, n->kid[0], &v);
    } else if (n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_ASSIGN && n->kid[0]->kid[0]->kind == RG_C_VAR &&
               n->kid[0]->kid[0]->array < 0) {
        const struct rg_cnode *a = n->kid[0];
        var = a->kid[0]->var;
        known = rg__moves_evaluate(m, s, a->kid[1], &v);
        symbol = !known && a->op == RG_COP_SET && symbol_of(m, s, a->kid[0]->type, a->kid[1], &v);
        if (known && a->op != RG_COP_SET) {
            struct rg_cnode *kids[2] = {a->kid[0], a->kid[1]},
                            both = {.kind = RG_C_BINARY, .op = rg_c_applied(a->op), .n = 2, .kid = kids};
            known = rg__moves_evaluate(m, s, &both, &v);
        }
    } else if (n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_INCDEC && n->kid[0]->kid[0]->kind == RG_C_VAR &&
               n->kid[0]->kid[0]->array < 0) {
        var = n->kid[0]->kid[0]->var;
        known = rg__moves_evaluate(m, s, n->kid[0]->kid[0], &v);
        v += rg_c_increments(n->kid[0]->op) ? 1 : -1;
    } else {
        return false;
    }
    if (var < 0 || var >= m->n_vars) return true;
    s->known[var] = rg__moves_local_int(m, var) && (symbol || (known && v > -64 && v < 64));
    s->value[var] = v;
    return true;
}

int rg__moves_declared(const struct rg__moves *m, const struct rg_cnode *s)
{
    return s->kind == RG_C_DECL && s->array >= 0 && s->array < m->n_arrays && !m->t->arrays[s->array].view ? s->array
                                                                                                           : -1;
}

/* Pointer value as an array; -1. */
int rg__moves_resolve(const struct rg__moves *m, const struct rg__moves_state *s, const struct rg_cnode *e)
{
    int64_t c;
    e = rg__c_uncast(e, RG__C_CASTS);
    if (e->kind == RG_C_COND && e->n == 3 && rg__moves_evaluate(m, s, e->kid[0], &c))
        return rg__moves_resolve(m, s, e->kid[c ? 1 : 2]);
    int a = rg__moves_pointer(e);
    return a >= 0 && a < m->n_arrays ? s->stands_for[a] : -1;
}

bool rg__moves_is_zero(const struct rg_cnode *e)
{
    e = rg__c_uncast(e, RG__C_CASTS);
    return e->kind == RG_C_INT && e->ivalue == 0;
}

void rg__moves_lose(struct rg__moves_state *s, const struct rg_cnode *n)
{
    if (!n) return;
    int p = rg__moves_moved(n);
    if (p >= 0) s->stands_for[p] = -1;
    for (int i = 0; i < n->n; i++) rg__moves_lose(s, n->kid[i]);
}

/* Follows the body once; false: it moves pointers in a way that is not followed. */
bool rg__moves_simulate(const struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *body)
{
    for (int i = 0; i < body->n; i++) {
        const struct rg_cnode *n = body->kid[i];
        int p = rg__moves_moved(n), to;
        int64_t c, lo, hi;
        if (p >= 0) {
            to = rg__moves_resolve(m, s, n->kid[0]->kid[1]);
            if (to < 0 && !rg__moves_is_zero(n->kid[0]->kid[1])) return false;
            s->stands_for[p] = to;
        } else if (rg__moves_declared(m, n) >= 0) {
            s->stands_for[n->array] = n->array;
        } else if (n->kind == RG_C_BLOCK) {
            if (!rg__moves_simulate(m, s, n)) return false;
        } else if (n->kind == RG_C_IF && rg__moves_evaluate(m, s, n->kid[0], &c)) {
            const struct rg_cnode *arm = c ? n->kid[1] : n->n > 2 ? n->kid[2] : NULL;
            if (arm && !rg__moves_simulate(m, s, arm)) return false;
        } else if (n->kind == RG_C_LOOP && n->n == 3 && n->step == 1 && rg__moves_any(n) &&
                   rg__moves_evaluate(m, s, n->kid[0], &lo) && rg__moves_evaluate(m, s, n->kid[1], &hi) &&
                   hi - lo <= RG__MOVES_TRIPS) {
            for (; lo < hi; lo++)
                if (!rg__moves_simulate(m, s, n->kid[2])) return false;
        } else if ((n->kind == RG_C_LOOP || n->kind == RG_C_IF) && rg__moves_any(n)) {
            /* where it stops, or which way it goes, nobody knows here; what follows the branches looks inside */
            rg__moves_lose(s, n);
            rg__moves_forget(m, s, n);
        } else if (!rg__moves_note(m, s, n)) {
            if (rg__moves_any(n)) return false;
            rg__moves_forget(m, s, n);
        }
    }
    return true;
}
