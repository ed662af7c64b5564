/* Written parameters, dead assignments, and declarations moved to where they live. */
#include "frontend/canon.h"
#include <stdlib.h>
#include <string.h>

void rg__canon_params(struct rg_ctree *t)
{
    int n = t->n_vars;
    struct rg__kids front = {0};
    for (int v = 0; v < n; v++) {
        if (t->vars[v].kind != RG_CVAR_PARAM || !rg__c_writes_var(t->root, v)) continue;
        t->vars[v].assigned = false;
        int local = rg__c_add_var(t, t->vars[v].name, RG_CVAR_LOCAL, t->vars[v].type);
        t->vars[local].struct_index = t->vars[v].struct_index;
        t->vars[local].c_type = t->vars[v].c_type;
        rg__c_replace_var(t, t->root, v, rg__c_var(t, local));
        struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
        d->var = local;
        d->type = t->vars[local].type;
        d->kid[0] = rg__c_var(t, v);
        rg__kids_add(&front, d);
    }
    rg__block_splice(t, t->root, 0, 0, &front);
}

/* ---- dead assignments ---- */

static int reads(const struct rg_cnode *n, int var)
{
    if (!n) return 0;
    if (n->kind == RG_C_VERBATIM) return 1;
    if (n->kind == RG_C_VAR) return n->array < 0 && n->var == var;
    int k = 0;
    for (int i = 0; i < n->n; i++) {
        /* k += e reads k only for itself; as a statement that is no use of it */
        if (i == 0 && n->kind == RG_C_STMT && n->kid[0]->kind == RG_C_ASSIGN && n->kid[0]->kid[0]->kind == RG_C_VAR &&
            n->kid[0]->kid[0]->array < 0 && n->kid[0]->kid[0]->var == var) {
            k += reads(n->kid[0]->kid[1], var);
            continue;
        }
        if (i == 0 && n->kind == RG_C_ASSIGN && !strcmp(n->text, "=") && n->kid[0]->kind == RG_C_VAR && n->kid[0]->var == var &&
            n->kid[0]->array < 0)
            continue;
        k += reads(n->kid[i], var);
    }
    return k;
}

static bool self_update(const struct rg_cnode *s, int var)
{ /* v = v + e, where nobody else reads v */
    const struct rg_cnode *a = s->kid[0];
    return a->kind == RG_C_ASSIGN && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && a->kid[0]->var == var;
}

static void drop_writes(struct rg_ctree *t, struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_BLOCK) {
        int k = 0;
        for (int i = 0; i < n->n; i++) {
            struct rg_cnode *s = n->kid[i];
            bool drop = (s->kind == RG_C_STMT && self_update(s, var) && rg__c_pure(t, s->kid[0]->kid[1])) ||
                        (s->kind == RG_C_DECL && s->var == var && s->array < 0 && (!s->n || rg__c_pure(t, s->kid[0])));
            if (!drop) n->kid[k++] = s;
        }
        n->n = k;
    }
    for (int i = 0; i < n->n; i++) drop_writes(t, n->kid[i], var);
}

static int own_reads(const struct rg_cnode *n, int var)
{ /* reads of var inside assignments to var */
    if (!n) return 0;
    if (n->kind == RG_C_STMT && self_update(n, var)) return reads(n->kid[0]->kid[1], var);
    int k = 0;
    for (int i = 0; i < n->n; i++) k += own_reads(n->kid[i], var);
    return k;
}

void rg__canon_dead(struct rg_ctree *t)
{
    for (int round = 0; round < 3; round++)
        for (int v = 0; v < t->n_vars; v++) {
            if (t->vars[v].kind != RG_CVAR_LOCAL) continue;
            if (reads(t->root, v) - own_reads(t->root, v) == 0) drop_writes(t, t->root, v);
        }
}

/* ---- sinking ---- */

/* Upward exposed: may read the value var had before n. kills: certainly writes it (when not exposed). */
static bool exposed(const struct rg_cnode *n, int var, bool *kills)
{
    bool k = false;
    *kills = false;
    if (!n || !rg__c_mentions_var(n, var)) return false;
    switch (n->kind) {
    case RG_C_BLOCK:
        for (int i = 0; i < n->n; i++) {
            if (exposed(n->kid[i], var, &k)) return true;
            if (k) return *kills = true, false;
        }
        return false;
    case RG_C_STMT: {
        const struct rg_cnode *a = n->kid[0];
        if (a->kind == RG_C_ASSIGN && !strcmp(a->text, "=") && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 && a->kid[0]->var == var) {
            if (rg__c_mentions_var(a->kid[1], var)) return true;
            *kills = true;
            return false;
        }
        return true;
    }
    case RG_C_DECL:
        if (n->var == var && n->array < 0) {
            *kills = n->n > 0;
            return false;
        }
        return true;
    case RG_C_IF: {
        bool both = n->n > 2;
        if (rg__c_mentions_var(n->kid[0], var)) return true;
        for (int i = 1; i < n->n; i++) {
            if (exposed(n->kid[i], var, &k)) return true;
            both &= k;
        }
        *kills = both;
        return false;
    }
    case RG_C_LOOP:
        if (rg__c_mentions_var(n->kid[0], var) || rg__c_mentions_var(n->kid[1], var)) return true;
        return exposed(n->kid[2], var, &k);
    case RG_C_FOR:
        for (int i = 0; i < 3; i++)
            if (n->kid[i] && rg__c_mentions_var(n->kid[i], var)) return true;
        return exposed(n->kid[3], var, &k);
    case RG_C_WHILE:
        if (rg__c_mentions_var(n->kid[0], var)) return true;
        return exposed(n->kid[1], var, &k);
    default: return true;
    }
}

static bool can_hold(const struct rg_cnode *s) { return s->kind == RG_C_LOOP; }

static void sink_block(struct rg_ctree *t, struct rg_cnode *b);

static bool sink_decl(struct rg_ctree *t, struct rg_cnode *b, int at)
{
    struct rg_cnode *d = b->kid[at];
    int var = d->var;
    bool kills, dead_init = !d->n || rg__c_pure(t, d->kid[0]);
    /* segments: [start, end) of statements that share one value chain */
    int n_segments = 0, cap = 0;
    struct segment { int first, last; bool starts_fresh, killed; } *seg = NULL;
    for (int i = at + 1; i < b->n; i++) {
        if (!rg__c_mentions_var(b->kid[i], var)) continue;
        bool e = exposed(b->kid[i], var, &kills);
        if (!e) {
            RG_GROW(seg, n_segments, cap);
            seg[n_segments++] = (struct segment){i, i, true, kills};
        } else {
            /* its value comes from the last chain that certainly wrote */
            while (n_segments > 1 && !seg[n_segments - 1].killed) {
                seg[n_segments - 2].last = seg[n_segments - 1].last;
                n_segments--;
            }
            if (!n_segments || !seg[n_segments - 1].killed) { /* the initial value is read */
                free(seg);
                return false;
            }
            seg[n_segments - 1].last = i;
        }
    }
    bool moved = false, left = false;
    for (int k = 0; k < n_segments; k++) {
        if (seg[k].first != seg[k].last || !can_hold(b->kid[seg[k].first])) {
            left = true;
            continue;
        }
    }
    if (!dead_init) left = true;
    for (int k = 0; k < n_segments; k++) {
        struct rg_cnode *s = b->kid[seg[k].first];
        if (seg[k].first != seg[k].last || !can_hold(s)) continue;
        bool last_use = !left && k == n_segments - 1; /* the original variable moves there, others get copies */
        int v = var;
        if (!last_use) {
            v = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
            t->vars[v].struct_index = t->vars[var].struct_index;
            t->vars[v].c_type = t->vars[var].c_type;
            rg__c_replace_var(t, s, var, rg__c_var(t, v));
        }
        struct rg_cnode *decl = rg_cnode_new(t, RG_C_DECL, 0);
        decl->var = v;
        decl->type = d->type;
        decl->line = d->line;
        decl->column = d->column;
        struct rg__kids front = {0};
        rg__kids_add(&front, decl);
        rg__block_splice(t, s->kid[2], 0, 0, &front);
        moved = true;
    }
    free(seg);
    if (!left && (moved || !n_segments)) {
        struct rg__kids none = {0};
        rg__block_splice(t, b, at, 1, &none);
        return true;
    }
    return false;
}

/* `float s; ... s = e;` reads better, and is one statement less to analyse, as `float s = e;`. */
static void join_decl(struct rg_ctree *t, struct rg_cnode *b)
{
    for (int i = 0; i < b->n; i++) {
        struct rg_cnode *d = b->kid[i];
        if (d->kind != RG_C_DECL || d->n || d->array >= 0 || d->pointer) continue;
        for (int k = i + 1; k < b->n; k++) {
            struct rg_cnode *s = b->kid[k];
            if (!rg__c_mentions_var(s, d->var)) continue;
            const struct rg_cnode *a = s->kind == RG_C_STMT ? s->kid[0] : NULL;
            if (!a || a->kind != RG_C_ASSIGN || strcmp(a->text, "=") || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 ||
                a->kid[0]->var != d->var || rg__c_mentions_var(a->kid[1], d->var))
                break;
            struct rg_cnode *full = rg_cnode_new(t, RG_C_DECL, 1);
            full->var = d->var;
            full->type = d->type;
            full->line = s->line;
            full->column = s->column;
            full->kid[0] = a->kid[1];
            b->kid[k] = full;
            for (int m = i; m + 1 < b->n; m++) b->kid[m] = b->kid[m + 1];
            b->n--;
            i--;
            break;
        }
    }
}

static void sink_block(struct rg_ctree *t, struct rg_cnode *b)
{
    if (!b || rg__c_is_expr(b)) return;
    if (b->kind == RG_C_BLOCK) {
        for (int i = 0; i < b->n; i++)
            if (b->kid[i]->kind == RG_C_DECL && b->kid[i]->array < 0 && !b->kid[i]->pointer && sink_decl(t, b, i)) i--;
        join_decl(t, b);
    }
    for (int i = 0; i < b->n; i++) sink_block(t, b->kid[i]);
}

void rg__canon_sink(struct rg_ctree *t) { sink_block(t, t->root); }
