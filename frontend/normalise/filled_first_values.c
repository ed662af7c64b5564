/* Values of scalars, as far as regions speak of them (filled_first.c): what assignments, conditions and counters say,
 * until something changes it. */
#include "frontend/normalise/filled_first_parts.h"
#include <stdlib.h>
#include <stdint.h>
#include <string.h>

/* Is it a value that the code changes? */
bool rg__filled_changed(const struct rg__filled_check *c, const struct rg__poly *p, const struct rg_cnode *code)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            int id = p->terms[i].var[k];
            if (id < RG__ATOM) {
                if (rg__c_writes_var(code, id)) return true;
                continue;
            }
            const struct rg_cnode *atom = c->r->atoms[id - RG__ATOM];
            if (rg__mentions_kind(atom, RG_C_CALL)) return true;
            for (int v = 0; v < c->t->n_vars; v++)
                if (rg__c_mentions_var(atom, v) && rg__c_writes_var(code, v)) return true;
            for (int a = 0; a < c->t->n_arrays; a++)
                if (rg__c_mentions_array(atom, a) && rg__writes_array(code, a)) return true;
        }
    return false;
}

/* Does the code move the local in one direction alone: +1 up, -1 down, 0: it does something else? */
static int moves(const struct rg_cnode *n, int var)
{
    int way = 0;
    if (!n || !rg__c_writes_var(n, var)) return 2; /* not at all */
    if (n->kind == RG_C_DECL) return 0;
    bool sets =
        (n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC) && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0;
    if (sets && n->kid[0]->var == var) {
        int64_t by = 1;
        bool steps = n->kind == RG_C_INCDEC || n->op == RG_COP_ADD_SET || n->op == RG_COP_SUB_SET;
        if (!steps || (n->kind == RG_C_ASSIGN && (!rg__c_number(n->kid[1], &by) || by < 0))) return 0;
        bool up = n->kind == RG_C_INCDEC ? rg_c_increments(n->op) : n->op == RG_COP_ADD_SET;
        return up ? 1 : -1;
    }
    for (int i = 0; i < n->n; i++) {
        int kid = moves(n->kid[i], var);
        if (kid == 2) continue;
        if (!kid || (way && way != kid)) return 0;
        way = kid;
    }
    return way;
}

/* What is known of values still holds where the code moves a local away from the end that is spoken of. */
static bool fact_stays(struct rg__filled_check *c, const struct rg__poly *fact, const struct rg_cnode *code)
{
    for (int i = 0; i < fact->n; i++)
        for (int k = 0; k < fact->terms[i].degree; k++) {
            int id = fact->terms[i].var[k];
            if (id < RG__ATOM && !rg__c_writes_var(code, id)) continue;
            if (id >= RG__ATOM || fact->terms[i].degree != 1) return false;
            if (moves(code, id) != (fact->terms[i].c > 0 ? 1 : -1)) return false;
        }
    return true;
}

/* `n += by`, of a scalar that is no pointer; -1: it is something else. */
int rg__filled_stepped(struct rg__filled_check *c, const struct rg_cnode *s, struct rg__poly *by)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : s;
    bool step = a && (a->kind == RG_C_INCDEC || a->op == RG_COP_ADD_SET || a->op == RG_COP_SUB_SET);
    if (!step || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 || a->kid[0]->pointer) return -1;
    const int var = a->kid[0]->var;
    const struct rg_cvar *v = &c->t->vars[var];
    if (v->kind != RG_CVAR_LOCAL || !rg__scalar_is_int(v->type) || rg_scalar_bytes(v->type) < 4) return -1;
    const bool up = a->kind == RG_C_INCDEC ? rg_c_increments(a->op) : a->op == RG_COP_ADD_SET;
    struct rg__poly zero = rg__poly_int(0),
                    size = a->kind == RG_C_INCDEC ? rg__poly_int(1) : rg__poly_of(c->r, a->kid[1]);
    if (size.bad || rg__poly_mentions(&size, var)) return -1;
    if (!rg_scalar_is_signed(v->type) && !up) { /* not past zero */
        struct rg__poly at = rg__poly_var(var), left = rg__poly_add(&at, &size, -1);
        if (!rg__prove(c->r, &left)) return -1;
    }
    *by = up ? size : rg__poly_add(&zero, &size, -1);
    return var;
}

/* Does a part that is no polynomial (n / 2) speak of the variable? */
static bool in_atoms(const struct rg__filled_check *c, const struct rg__poly *p, int var)
{
    for (int i = 0; i < p->n; i++)
        for (int k = 0; k < p->terms[i].degree; k++) {
            const int id = p->terms[i].var[k];
            if (id >= RG__ATOM && rg__c_mentions_var(c->r->atoms[id - RG__ATOM], var)) return true;
        }
    return false;
}

/* In terms of what the variable is behind the step. */
static bool shift(const struct rg__filled_check *c, struct rg__poly *p, int var, const struct rg__poly *by)
{
    if (in_atoms(c, p, var)) return false;
    struct rg__poly coef, rest, change;
    if (!rg__poly_mentions(p, var)) return true;
    if (!rg__poly_split(p, var, &coef, &rest)) return false;
    change = rg__poly_mul(&coef, by);
    *p = rg__poly_add(p, &change, -1);
    return !p->bad;
}

void rg__filled_shift_all(struct rg__filled_check *c, struct rg__filled *f, int var, const struct rg__poly *by)
{
    int n = 0;
    c->listed.set = c->listed.set && c->listed.count != var;
    for (int i = 0; i < c->r->n_facts; i++)
        if (!shift(c, &c->r->facts[i], var, by)) c->r->facts[i] = rg__poly_int(0);
    for (int i = 0; i < f->n; i++) {
        struct rg__region x = f->items[i];
        bool box = x.is_box, piece = x.is_piece && shift(c, &x.from, var, by) && shift(c, &x.to, var, by);
        for (int d = 0; d < c->n_dims && box; d++) box = shift(c, &x.low[d], var, by) && shift(c, &x.high[d], var, by);
        x.is_box = box;
        x.is_piece = piece;
        if (box || piece) f->items[n++] = x;
    }
    f->n = n;
}

/* Regions whose ends the code changes are no longer known, nor are values that it changes. */
void rg__filled_forget(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *code)
{
    for (int i = 0; i < c->r->n_facts; i++)
        if (rg__filled_changed(c, &c->r->facts[i], code) && !fact_stays(c, &c->r->facts[i], code))
            c->r->facts[i] = rg__poly_int(0);
    if (c->listed.set && (rg__writes_array(code, c->listed.list) || rg__c_writes_var(code, c->listed.count)))
        c->listed.set = false;
    int n = 0;
    for (int i = 0; i < f->n; i++) {
        struct rg__region *x = &f->items[i];
        bool gone = x->is_piece && (rg__filled_changed(c, &x->from, code) || rg__filled_changed(c, &x->to, code));
        for (int d = 0; d < c->n_dims && x->is_box && !gone; d++)
            gone = rg__filled_changed(c, &x->low[d], code) || rg__filled_changed(c, &x->high[d], code);
        if (!gone) f->items[n++] = *x;
    }
    f->n = n;
}

struct rg__filled_known *rg__filled_known_now(const struct rg__filled_check *c)
{
    struct rg__filled_known *k = rg_xmalloc(sizeof *k);
    k->n = c->r->n_facts;
    memcpy(k->facts, c->r->facts, (size_t)k->n * sizeof *k->facts);
    return k;
}

void rg__filled_known_again(struct rg__filled_check *c, const struct rg__filled_known *k)
{
    c->r->n_facts = k->n;
    memcpy(c->r->facts, k->facts, (size_t)k->n * sizeof *k->facts);
}

void rg__filled_drop_flags(struct rg__filled_check *c, const struct rg_cnode *code)
{
    for (int i = 0; i < c->n_flags; i++) {
        bool gone = rg__c_writes_var(code, c->flags[i]->var);
        for (int v = 0; v < c->t->n_vars && !gone; v++)
            gone = rg__c_mentions_var(c->flags[i]->kid[0], v) && rg__c_writes_var(code, v);
        if (gone) c->flags[i--] = c->flags[--c->n_flags];
    }
}

void rg__filled_note_flag(struct rg__filled_check *c, const struct rg_cnode *s)
{
    const struct rg_cnode *value = s->kind == RG_C_DECL && s->array < 0 && s->n ? s->kid[0] : NULL;
    rg__filled_drop_flags(c, s);
    const bool says = value && (rg_c_relation(value->op) || rg_c_logic(value->op) || value->op == RG_COP_NOT);
    if (says && c->n_flags < RG__FILLED_FLAGS) c->flags[c->n_flags++] = s;
}

static bool of_scalars(const struct rg_cnode *e)
{
    return !rg__mentions_kind(e, RG_C_INDEX) && !rg__mentions_kind(e, RG_C_MEMBER) && !rg__mentions_kind(e, RG_C_CALL);
}

const struct rg_cnode *rg__filled_flag(const struct rg__filled_check *c, const struct rg_cnode *condition)
{
    for (int i = 0; i < c->n_flags && condition->kind == RG_C_VAR && condition->array < 0; i++)
        if (c->flags[i]->var == condition->var) {
            const struct rg_cnode *is = c->flags[i]->kid[0]; /* memory may have changed since */
            return of_scalars(is) ? is : condition;
        }
    return condition;
}

/* What the condition says is known as long as `code` changes nothing that it names. */
void rg__filled_assume(struct rg__filled_check *c, const struct rg_cnode *condition, bool holds,
                       const struct rg_cnode *code)
{
    condition = rg__filled_flag(c, condition);
    struct rg__poly said = rg__poly_of(c->r, condition); /* its parts, as one atom or more */
    if (!said.bad && !rg__filled_changed(c, &said, code)) rg__range_assume(c->r, condition, holds);
}

bool rg__filled_leaves(const struct rg_cnode *body)
{
    return rg__leaves_loop(body) || rg__continues_loop(body) || rg__mentions_kind(body, RG_C_RETURN) ||
           rg__mentions_kind(body, RG_C_GOTO);
}

/* `int j = i - 1;`: both are the same until one of them changes. Where it says what is written next, there is nothing
 * yet between the two: `n = 0; .. buf[n] = a; n += 1;` leaves the elements from 0 to n - 1 written. */
void rg__filled_note_value(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s)
{
    const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL, *value = NULL;
    struct rg__range *r = c->r;
    int var = -1;
    if (s->kind == RG_C_DECL && s->array < 0 && s->n) var = s->var, value = s->kid[0];
    if (a && a->op == RG_COP_SET && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0)
        var = a->kid[0]->var, value = a->kid[1];
    if (var < 0 || !value || value->pointer || !rg__scalar_is_int(value->type)) return;
    const struct rg_cvar *v = &c->t->vars[var];
    const struct rg_cnode *bare = rg__c_uncast(value, RG__C_WIDE_CASTS);
    const bool kept =
        value == bare || (value->kid[0] == bare && rg_scalar_bytes(value->type) >= rg_scalar_bytes(bare->type));
    const bool same = kept && bare->kind == RG_C_VAR && bare->array < 0 && !rg_scalar_is_signed(bare->type) &&
                      !rg_scalar_is_signed(v->type) && rg_scalar_bytes(bare->type) <= rg_scalar_bytes(v->type);
    const bool number =
        bare->kind == RG_C_INT && bare->ivalue >= 0 && bare->ivalue <= INT32_MAX; /* whatever its sign */
    if (number || same) value = bare;
    if (v->kind != RG_CVAR_LOCAL || rg_scalar_bytes(v->type) < 4 || !rg__scalar_is_int(v->type) ||
        (!number && !same && !(rg_scalar_is_signed(value->type) && rg_scalar_is_signed(v->type))) ||
        (!number && rg_scalar_bytes(value->type) > rg_scalar_bytes(v->type)) || rg__c_mentions_var(value, var))
        return;
    struct rg__poly is = rg__poly_of(r, value), at = rg__poly_var(var);
    for (int i = 0; i < is.n; i++)
        for (int k = 0; k < is.terms[i].degree; k++)
            if (is.terms[i].var[k] >= RG__ATOM && !of_scalars(r->atoms[is.terms[i].var[k] - RG__ATOM])) return;
    if (is.bad || in_atoms(c, &is, var)) return;
    if (c->n_dims == 1 && c->counts[var]) {
        struct rg__poly one = rg__poly_int(1);
        struct rg__region none = {.is_box = true, .low = {is}, .high = {rg__poly_add(&at, &one, -1)}};
        rg__filled_add(f, &none, 1);
    }
    if (r->n_facts + 2 > RG__MAX_FACTS / 2) return;
    r->facts[r->n_facts++] = rg__poly_add(&at, &is, -1);
    r->facts[r->n_facts++] = rg__poly_add(&is, &at, -1);
}

/* Does the condition hold here, whatever else is the case? */
static bool holds(struct rg__filled_check *c, const struct rg_cnode *e, bool wanted)
{
    if (e->op == RG_COP_NOT) return holds(c, e->kid[0], !wanted);
    if (e->op == RG_COP_AND || e->op == RG_COP_OR) {
        const bool both = (e->op == RG_COP_AND) == wanted, first = holds(c, e->kid[0], wanted);
        return both ? first && holds(c, e->kid[1], wanted) : first || holds(c, e->kid[1], wanted);
    }
    for (int i = 0; i < c->n_flags && e->kind == RG_C_VAR && e->array < 0; i++)
        if (c->flags[i]->var == e->var) return holds(c, c->flags[i]->kid[0], wanted);
    if (!rg_c_relation(e->op)) return false;
    struct rg__poly a = rg__poly_of(c->r, e->kid[0]), b = rg__poly_of(c->r, e->kid[1]);
    return !a.bad && !b.bad && rg__range_decide(c->r, e->op, &a, &b) == wanted;
}

const struct rg_cnode *rg__filled_begins(struct rg__filled_check *c, const struct rg_cnode *loop)
{
    const struct rg_cnode *body = loop->kid[2], *last = body->n ? body->kid[body->n - 1] : NULL, *flag;
    if (loop->n < 4 || loop->step != 1 || body->kind != RG_C_BLOCK || !last || last->kind != RG_C_STMT ||
        rg__filled_leaves(body))
        return NULL;
    flag = loop->kid[3];
    const struct rg_cnode *set = last->kid[0];
    if (flag->kind != RG_C_VAR || set->kind != RG_C_ASSIGN || set->op != RG_COP_SET || set->kid[0]->kind != RG_C_VAR ||
        set->kid[0]->array >= 0 || set->kid[0]->var != flag->var || rg__c_mentions_var(set->kid[1], flag->var) ||
        !rg__c_pure(c->t, set->kid[1]))
        return NULL;
    struct rg_cnode *first = rg__c_binary(c->t, RG_COP_SUB, rg__c_copy(c->t, loop->kid[0]), rg__c_int(c->t, 1)),
                    *before = rg__c_binary(c->t, RG_COP_SUB, rg__c_var(c->t, loop->var), rg__c_int(c->t, 1));
    first = rg__c_replace_var(c->t, rg__c_copy(c->t, set->kid[1]), loop->var, first);
    if (!holds(c, first, true)) return NULL;
    return rg__c_replace_var(c->t, rg__c_copy(c->t, set->kid[1]), loop->var, before);
}

/* Is the variable, which the code only moves up, surely moved? A loop of few rounds by the first, the last or the one
 * at 0: the pixel in the middle of a window is never outside the picture. */
static bool surely_steps(struct rg__filled_check *c, const struct rg_cnode *s, int var, int depth)
{
    enum { MOST_LOOPS = 3 };
    struct rg__poly by, one = rg__poly_int(1);
    if (!s || !rg__c_writes_var(s, var)) return false;
    if (s->kind == RG_C_STMT && rg__filled_stepped(c, s, &by) == var) {
        by = rg__poly_add(&by, &one, -1);
        return rg__prove(c->r, &by);
    }
    if (s->kind == RG_C_IF)
        return (holds(c, s->kid[0], true) && surely_steps(c, s->kid[1], var, depth)) ||
               (s->n > 2 && holds(c, s->kid[0], false) && surely_steps(c, s->kid[2], var, depth));
    if (s->kind == RG_C_BLOCK) {
        struct rg__filled_known *before = rg__filled_known_now(c);
        struct rg__filled *none = rg_xcalloc(1, sizeof *none);
        const struct rg_cnode *flags[RG__FILLED_FLAGS];
        const int n_flags = c->n_flags;
        memcpy(flags, c->flags, sizeof flags);
        bool is = false;
        for (int i = 0; i < s->n && !is; i++) {
            is = surely_steps(c, s->kid[i], var, depth);
            rg__filled_forget(c, none, s->kid[i]);
            rg__filled_note_value(c, none, s->kid[i]);
            rg__filled_note_flag(c, s->kid[i]);
        }
        c->n_flags = n_flags;
        memcpy(c->flags, flags, sizeof flags);
        rg__filled_known_again(c, before);
        free(before);
        free(none);
        return is;
    }
    if (s->kind != RG_C_LOOP || s->step != 1 || s->n > 3 || rg__filled_leaves(s->kid[2]) || depth == MOST_LOOPS)
        return false;
    struct rg__poly low = rg__poly_of(c->r, s->kid[0]), end = rg__poly_of(c->r, s->kid[1]), zero = rg__poly_int(0),
                    last = rg__poly_add(&end, &one, -1);
    const struct rg__poly at[] = {zero, low, last};
    for (int i = 0; i < 3; i++) {
        struct rg__poly above = rg__poly_add(&at[i], &low, -1), below = rg__poly_add(&last, &at[i], -1);
        if (at[i].bad || !rg__prove(c->r, &above) || !rg__prove(c->r, &below)) continue;
        struct rg_cnode *round = rg__c_copy(c->t, s->kid[2]);
        round = rg__c_replace_var(c->t, round, s->var, rg__poly_node(c->r, &at[i]));
        if (surely_steps(c, round, var, depth + 1)) return true;
    }
    return false;
}

/* Behind a loop that only moves a counter up, and surely does: it is more than it was at least. */
void rg__filled_note_steps(struct rg__filled_check *c, const struct rg_cnode *s)
{
    bool steps[RG__MAX_FACTS] = {false}; /* all are looked at before any says more: inside the loop that is not known */
    for (int i = 0; i < c->r->n_facts; i++)
        for (int k = 0; k < c->r->facts[i].n && !steps[i]; k++) {
            const struct rg__term *x = &c->r->facts[i].terms[k];
            if (x->degree != 1 || x->c != 1 || x->var[0] >= RG__ATOM || !c->counts[x->var[0]]) continue;
            const int n_facts = c->r->n_facts; /* of atoms that are met there */
            steps[i] = moves(s, x->var[0]) == 1 && surely_steps(c, s, x->var[0], 0);
            c->r->n_facts = n_facts;
        }
    for (int i = 0; i < c->r->n_facts; i++)
        if (steps[i]) {
            struct rg__poly one = rg__poly_int(1);
            c->r->facts[i] = rg__poly_add(&c->r->facts[i], &one, -1);
        }
}
