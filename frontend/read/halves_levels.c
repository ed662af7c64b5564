/* A function that calls itself for both halves, as loops over the levels of its calls (halves.h): from the whole down
 * what stands in front of the calls, then what calls of one element do, then up again what stands behind the calls. */
#include "frontend/read/halves_phase.h"
#include <stdlib.h>
#include <string.h>

/* ---- names of their own for each phase ---- */

static void rename_in(struct rg_ctree *t, struct rg_cnode *n, int var, int to)
{
    if (!n) return;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_DECL) && n->array < 0 && n->var == var) n->var = to;
    for (int i = 0; i < n->n; i++) rename_in(t, n->kid[i], var, to);
}

/* Copies of the statements, with variables of their own. */
static void own_copy(struct rg__halves *x, const struct rg__kids *list, struct rg__kids *out)
{
    int n_vars = x->t->n_vars;
    for (int i = 0; i < list->n; i++) rg__kids_add(out, rg__c_copy(x->t, list->items[i]));
    for (int v = 0; v < n_vars; v++) {
        bool found = false;
        for (int i = 0; i < out->n && !found; i++) found = rg__c_declares(out->items[i], v);
        if (!found || x->t->vars[v].kind != RG_CVAR_LOCAL) continue;
        struct rg_cvar was = x->t->vars[v];
        int own = rg__c_add_var(x->t, was.wanted ? was.wanted : was.name, was.kind, was.type);
        x->t->vars[own].struct_index = was.struct_index;
        x->t->vars[own].c_type = was.c_type;
        for (int i = 0; i < out->n; i++) rename_in(x->t, out->items[i], v, own);
        for (int i = 0, n = x->n_sets; i < n; i++) /* what it is set to is the same */
            if (x->set[i].var == v && x->n_sets < RG__HALVES_SETS) {
                x->set[x->n_sets].var = own;
                x->set[x->n_sets++].value = x->set[i].value;
            }
    }
}

/* ---- loops ---- */

/* One loop of a phase, for all calls of the level. NULL: it can't be. */
static struct rg_cnode *for_all_calls(struct rg__halves_phase *p, struct rg_cnode *n, struct rg__kids *front)
{
    struct rg__halves *x = p->x;
    struct rg_ctree *t = p->t;
    struct rg__halves_loop l;
    if (!rg__halves_read_loop(x, n, &l)) return NULL;
    struct rg_cnode *first = n->kid[0], *step = n->kid[2];
    while (first->kind == RG_C_BLOCK || first->kind == RG_C_STMT) first = first->kid[0];
    first = first->kid[first->kind == RG_C_ASSIGN];
    while (step->kind == RG_C_BLOCK || step->kind == RG_C_STMT) step = step->kid[0];
    int k = l.counts ? l.var : rg__c_add_var(t, "pair", RG_CVAR_LOCAL, t->vars[l.var].type);
    struct rg__poly kk = rg__poly_var(x->k);
    x->loop_var = l.var;
    x->loop_value = rg__poly_mul(&kk, &l.step);
    x->loop_value = rg__poly_add(&x->loop_value, &l.first, 1);
    struct rg_cnode *pair = rg__c_var(t, k), *body = l.body;
    p->pair = pair;
    p->pairs = l.pairs;
    memset(p->load, -1, sizeof p->load);
    memset(p->written, 0, sizeof p->written);
    p->loads = (struct rg__kids){0};
    for (int i = 0; i < body->n; i++) rg__halves_note_written(p, body->kid[i]);
    rg__halves_note_members(p, body);
    bool ok = rg__halves_replace(p, &body, false);
    x->loop_var = -1;
    p->pair = NULL;
    for (int f = 0; f < x->n_families && ok; f++) /* the call's own memory is not what the calls left */
        if (rg__halves_moves(x, &x->family[f])) ok = p->written[f] == 3 && l.pairs;
    struct rg__kids inner = {0}, outer = {0};
    if (!l.counts) {
        struct rg_cnode *by = rg_c_increments(step->op) ? NULL : rg__c_copy(t, step->kid[1]), *value = rg__c_var(t, k);
        const struct rg_cnode *from = rg__c_uncast(first, RG__C_INT_CASTS);
        if (by) value = rg__c_binary(t, RG_COP_MUL, by, value);
        if (from->kind != RG_C_INT || from->ivalue) value = rg__halves_sum(t, rg__c_copy(t, first), value);
        struct rg_cnode *d = rg__halves_numbers(p, rg__halves_declared(t, l.var, value));
        if (d) rg__kids_add(&inner, d);
        ok = ok && d;
    }
    for (int i = 0; i < p->loads.n; i++) rg__kids_add(&inner, p->loads.items[i]);
    free(p->loads.items);
    for (int i = 0; i < body->n && ok; i++) {
        struct rg_cnode *s = rg__halves_numbers(p, body->kid[i]);
        if (s) rg__kids_add(&inner, s);
        ok = s != NULL;
    }
    struct rg_cnode *span = l.pairs ? rg__halves_half(p) : rg__c_var(t, p->level);
    for (int i = 0; i < front->n; i++) rg__kids_add(&outer, front->items[i]);
    rg__kids_add(&outer,
                 rg__halves_loop(t, k, rg__c_int(t, 0), RG_COP_LT, span, RG_COP_ADD_SET, rg__c_int(t, 1), &inner, n));
    struct rg_cnode *all = rg__halves_loop(t, p->call, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size),
                                           RG_COP_ADD_SET, rg__c_var(t, p->level), &outer, n);
    return ok ? all : NULL;
}

/* The scalar that a statement sets or declares. */
static int var_set(const struct rg_cnode *s)
{
    if (s->kind != RG_C_STMT) return s->kind == RG_C_DECL ? s->var : -1;
    const struct rg_cnode *to = s->kid[0]->n ? s->kid[0]->kid[0] : s->kid[0];
    while (to->kind == RG_C_MEMBER) to = to->kid[0];
    return to->kind == RG_C_VAR && to->array < 0 ? to->var : -1;
}

static int times_named(const struct rg_cnode *n, int var)
{
    return rg__c_count_var(n, var) + (n->kind == RG_C_DECL && n->var == var);
}

static bool writes_any(const struct rg_cnode *n, const struct rg_cnode *s)
{
    return var_set(s) >= 0 && rg__c_writes_var(n, var_set(s));
}

static bool names_places(const struct rg__halves_phase *p, const struct rg__kids *l)
{
    for (int i = 0; i < l->n; i++)
        for (int k = 0; k < p->n_places; k++)
            if (rg__c_mentions_var(l->items[i], p->places[k])) return true;
    return false;
}

/* For all levels, one after the other, what stands in the list. */
static bool level(struct rg__halves *x, const struct rg__kids *list, bool down, struct rg__kids *out)
{
    struct rg__halves_phase p = {.x = x, .t = x->t};
    struct rg_ctree *t = x->t;
    struct rg__kids own = {0}, body = {0};
    int loops = 0;
    bool ok = true;
    own_copy(x, list, &own);
    p.level = rg__c_add_var(t, "m", RG_CVAR_LOCAL, rg__halves_counted_in(x));
    const struct rg_cnode *at = NULL;
    for (int i = 0; i < own.n; i++) loops += own.items[i]->kind == RG_C_FOR;
    for (int i = 0; i < own.n && !at; i++) at = own.items[i]->kind == RG_C_FOR ? own.items[i] : NULL;
    for (int i = 0; i < own.n && ok; i++) {
        struct rg_cnode *s = own.items[i];
        struct rg__kids front = {0};
        p.call = rg__c_add_var(t, "first", RG_CVAR_LOCAL, rg__halves_counted_in(x));
        if (s->kind == RG_C_DECL && s->array >= 0) continue; /* memory of the call: what it stood for is elsewhere */
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        if (s->kind == RG_C_FOR) {
            for (int k = 0; k < i && ok; k++) { /* what runs along begins anew for each call */
                if (own.items[k]->kind != RG_C_DECL && own.items[k]->kind != RG_C_STMT) continue;
                if (own.items[k]->array >= 0 || !writes_any(s, own.items[k])) continue;
                ok = loops == 1;
                struct rg_cnode *set = rg__halves_numbers(&p, own.items[k]);
                if (set) rg__kids_add(&front, set);
                ok = ok && set;
            }
            struct rg_cnode *f = ok ? for_all_calls(&p, s, &front) : NULL;
            if (f) rg__kids_add(&body, f);
            ok = f != NULL;
        } else if (rg__halves_is_scalar_set(x, s)) {
            bool runs_along = false;
            for (int k = i + 1; k < own.n; k++)
                runs_along = runs_along || (own.items[k]->kind == RG_C_FOR && writes_any(own.items[k], s));
            struct rg_cnode *set = runs_along ? s : rg__halves_numbers(&p, s);
            for (int q = 0; q < x->n && set && !runs_along; q++) /* a call's own place is no number of the level */
                if (x->p[q].kind == RG__HALVES_BLOCK && rg__c_mentions_var(list->items[i], x->p[q].var)) set = NULL;
            if (set && !runs_along)
                rg__kids_add(&body, set);
            else if (!set &&
                     p.n_places < RG__HALVES_SETS) /* of a pointer, say: elements say by themselves where they are */
                p.places[p.n_places++] = var_set(s);
            else
                ok = set != NULL;
        } else {
            ok = false;
        }
        free(front.items);
    }
    free(own.items);
    ok = ok && !names_places(&p, &body);
    if (!loops || !ok) {
        free(body.items);
        return ok;
    }
    struct rg_cnode *n = rg__c_copy(t, x->whole_size), *two = rg__c_int(t, 2);
    rg__kids_add(out, down
                          ? rg__halves_loop(t, p.level, n, RG_COP_GT, rg__c_int(t, 1), RG_COP_DIV_SET, two, &body, at)
                          : rg__halves_loop(t, p.level, two, RG_COP_LE, n, RG_COP_MUL_SET, rg__c_int(t, 2), &body, at));
    return true;
}

/* ---- calls of one element ---- */

static struct rg_cnode *mirror(const struct rg__halves *x, int var)
{
    struct rg_cnode *c = rg_cnode_new(x->t, RG_C_CALL, 2);
    c->text = "rg_mirrored";
    c->type = x->t->vars[var].type;
    c->kid[0] = rg__c_var(x->t, var);
    c->kid[1] = rg__c_cast(x->t, rg__c_copy(x->t, x->whole_size), RG_ULLONG);
    return c;
}

static bool leaves(struct rg__halves *x, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    struct rg__halves_phase p = {.x = x, .t = t, .level = -1};
    struct rg__kids own = {0}, body = {0};
    own_copy(x, &x->base, &own);
    p.call = rg__c_add_var(t, "first", RG_CVAR_LOCAL, rg__halves_counted_in(x));
    int r = rg__c_add_var(t, "place", RG_CVAR_LOCAL, rg__halves_counted_in(x));
    p.mirrored = rg__c_var(t, r);
    bool ok = true, any = false, asks = false;
    for (int i = 0; i < own.n && ok; i++) {
        struct rg_cnode *s = own.items[i];
        if (s->kind == RG_C_BLOCK && !s->n) continue;
        any = any || !rg__halves_is_scalar_set(x, s);
        x->plain = true; /* of one element: no half of it */
        ok = rg__halves_replace(&p, &s, false);
        x->plain = false;
        struct rg_cnode *n = ok ? rg__halves_numbers(&p, s) : NULL;
        ok = n != NULL;
        if (n) asks = asks || rg__c_mentions_var(n, r);
        if (n) rg__kids_add(&body, n);
    }
    const struct rg_cnode *at = own.n ? own.items[0] : NULL;
    free(own.items);
    if (!ok || !any) {
        free(body.items);
        return ok;
    }
    struct rg__kids all = {0};
    if (asks) rg__kids_add(&all, rg__halves_declared(t, r, mirror(x, p.call)));
    for (int i = 0; i < body.n; i++) rg__kids_add(&all, body.items[i]);
    free(body.items);
    rg__kids_add(out, rg__halves_loop(t, p.call, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size),
                                      RG_COP_ADD_SET, rg__c_int(t, 1), &all, at));
    return true;
}

/* Which of the two arrays the calls of one element have, by the number of levels: the first where that is even. */
static struct rg_cnode *even_levels(struct rg__halves *x)
{
    struct rg_cnode *mask = rg_cnode_new(x->t, RG_C_INT, 0);
    mask->ivalue = 0x5555555555555555;
    mask->type = RG_ULLONG;
    mask->text = "0x5555555555555555ull";
    struct rg_cnode *bits =
        rg__c_binary(x->t, RG_COP_BAND, rg__c_cast(x->t, rg__c_copy(x->t, x->whole_size), RG_ULLONG), mask);
    return rg__c_binary(x->t, RG_COP_NE, bits, rg__c_cast(x->t, rg__c_int(x->t, 0), RG_ULLONG));
}

/* Every other element, level by level: element i is that at i's bits in reverse. */
static bool sort_out(struct rg__halves *x, const struct rg__halves_family *f, struct rg__kids *out)
{
    struct rg_ctree *t = x->t;
    const struct rg__halves_param *p = &x->p[f->param];
    int i = rg__c_add_var(t, "i", RG_CVAR_LOCAL, rg__halves_counted_in(x)),
        e = rg__c_add_var(t, "i", RG_CVAR_LOCAL, rg__halves_counted_in(x));
    struct rg__kids body = {0}, back = {0};
    struct rg_cnode *value = rg__halves_element(x, f, rg__c_var(t, i));
    int copy;
    struct rg__halves_family by = {f->param, -1};
    if (p->kind == RG__HALVES_SWAP) {
        by.param = p->partner;
        copy = x->p[p->partner].array;
        struct rg_cnode *choice = rg_cnode_new(t, RG_C_COND, 3);
        choice->kid[0] = even_levels(x);
        choice->kid[1] = value;
        choice->kid[2] = rg__halves_element(x, &by, rg__c_var(t, i));
        choice->type = value->type;
        choice->struct_index = value->struct_index;
        value = choice;
    } else {
        const struct rg_expr *n = rg__c_size_expr(t, rg__expand_known(x->b, x->whole_size), &t->arena);
        if (!n) return false;
        struct rg_carray from = t->arrays[p->array];
        copy = rg__c_add_array(t, rg_arena_printf(&t->arena, "%s_before", from.name), from.elem);
        struct rg_carray *a = &t->arrays[copy];
        a->struct_index = from.struct_index;
        a->c_elem = from.c_elem;
        a->mallocd = true;
        a->n_dims = 1;
        a->dims = rg_arena_alloc(&t->arena, sizeof *a->dims);
        a->dims[0] = n;
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
        d->array = copy;
        d->var = -1;
        d->type = from.elem;
        rg__kids_add(out, d);
    }
    struct rg_cnode *sub = rg__c_var(t, i), *mirrored = mirror(x, e),
                    *to = p->kind == RG__HALVES_SWAP ? rg__halves_element(x, &by, sub) : rg__c_index(t, copy, 1, &sub),
                    *from = p->kind == RG__HALVES_SWAP ? rg__halves_element(x, &by, mirrored)
                                                       : rg__c_index(t, copy, 1, &mirrored);
    rg__kids_add(&body, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, to, value)));
    rg__kids_add(&back, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__halves_element(x, f, rg__c_var(t, e)), from)));
    rg__kids_add(out, rg__halves_loop(t, i, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                                      rg__c_int(t, 1), &body, x->again[0]));
    rg__kids_add(out, rg__halves_loop(t, e, rg__c_int(t, 0), RG_COP_LT, rg__c_copy(t, x->whole_size), RG_COP_ADD_SET,
                                      rg__c_int(t, 1), &back, x->again[0]));
    return true;
}

/* ---- the whole ---- */

/* Does a loop of the list hand a number on to what is neither it nor what the number begins as? */
static bool hands_on(const struct rg__halves *x, const struct rg__kids *list, const struct rg__kids *more)
{
    for (int i = 0; i < list->n; i++) {
        const struct rg_cnode *f = list->items[i];
        for (int v = 0; f->kind == RG_C_FOR && v < x->t->n_vars; v++) {
            if (!rg__c_writes_var(f, v) || rg__c_declares(f, v)) continue;
            for (int k = 0; k < list->n + more->n; k++) {
                const struct rg_cnode *s = k < list->n ? list->items[k] : more->items[k - list->n];
                bool begins = k < i && rg__halves_is_scalar_set(x, s) && var_set(s) == v && times_named(s, v) == 1;
                if (s != f && !begins && rg__c_mentions_var(s, v)) return true;
            }
        }
    }
    return false;
}

/* Numbers that the function sets in front of its calls and asks for behind them are set again there. */
static bool behind(struct rg__halves *x, struct rg__kids *list)
{
    struct rg__kids none = {0};
    if (hands_on(x, &x->pre, &x->post) || hands_on(x, &x->post, &none)) return false;
    for (int i = 0; i < x->pre.n; i++) {
        struct rg_cnode *s = x->pre.items[i];
        if (s->kind == RG_C_FOR || (s->kind == RG_C_DECL && s->array >= 0) || (s->kind == RG_C_BLOCK && !s->n))
            continue;
        if (!rg__halves_is_scalar_set(x, s)) return false;
        bool runs_along = false; /* what begins anew for each call's loop is no matter of what follows */
        for (int k = 0; k < x->pre.n; k++)
            runs_along = runs_along || (x->pre.items[k]->kind == RG_C_FOR && writes_any(x->pre.items[k], s));
        if (!runs_along) rg__kids_add(list, s);
    }
    for (int i = 0; i < x->post.n; i++) rg__kids_add(list, x->post.items[i]);
    return true;
}

/* Counters that are declared elsewhere become the loops' own; false: one is asked for outside of its loop. */
static bool own_counters(struct rg__halves *x)
{
    struct rg__kids *lists[3] = {&x->pre, &x->post, &x->base};
    for (int v = 0, n_vars = x->t->n_vars; v < n_vars; v++) {
        bool any = false;
        for (int l = 0; l < 3; l++)
            for (int i = 0; i < lists[l]->n; i++) {
                struct rg_cnode *f = lists[l]->items[i];
                struct rg__halves_loop loop;
                if (f->kind != RG_C_FOR || rg__c_declares(f, v) || !rg__halves_read_loop(x, f, &loop) || loop.var != v)
                    continue;
                rename_in(x->t, f, v, rg__c_add_var(x->t, x->t->vars[v].name, RG_CVAR_LOCAL, x->t->vars[v].type));
                any = true;
            }
        for (int l = 0; l < 3 && any; l++)
            for (int i = 0; i < lists[l]->n; i++) {
                struct rg_cnode *s = lists[l]->items[i];
                if (!rg__c_mentions_var(s, v)) continue;
                if (s->kind != RG_C_DECL || s->var != v || s->n) return false;
                s->kind = RG_C_BLOCK; /* nobody's any more */
            }
    }
    return true;
}

bool rg__halves_levels(struct rg__halves *x, struct rg__kids *out)
{
    struct rg__kids post = {0};
    if (!own_counters(x)) return false;
    for (int i = 0; i < x->n; i++) {
        struct rg__halves_param *p = &x->p[i];
        if (p->array < 0 && p->kind == RG__HALVES_SAME && !rg__halves_same_everywhere(x, p->top))
            rg__kids_add(out, rg__halves_declared(x->t, p->var, p->top));
        else if (p->top && !rg__halves_same_everywhere(x, p->top))
            return false;
    }
    if (!x->sorted_out && !level(x, &x->pre, true, out)) return false;
    for (int i = 0; i < x->n_families && x->sorted_out; i++)
        if (!sort_out(x, &x->family[i], out)) return false;
    if (!leaves(x, out)) return false;
    bool ok = behind(x, &post) && level(x, &post, false, out);
    free(post.items);
    return ok;
}
