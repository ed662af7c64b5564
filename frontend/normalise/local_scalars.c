/* Written parameters, dead assignments, and declarations moved to where they live. */
#include "frontend/normalise/canon.h"
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

struct uses {   /* by variable */
    int *reads; /* where the value matters to something else than the variable itself */
    bool verbatim;
};

static bool is_scalar(const struct rg_cnode *n)
{
    return n->kind == RG_C_VAR && n->array < 0;
}

/* v = e, v += e: what e reads of v itself keeps nothing alive. */
static bool self_update(const struct rg_cnode *s)
{
    return s->kind == RG_C_STMT && s->kid[0]->kind == RG_C_ASSIGN && is_scalar(s->kid[0]->kid[0]);
}

static void count_reads(struct uses *u, const struct rg_cnode *n, int except)
{
    if (!n) return;
    if (n->kind == RG_C_VERBATIM) u->verbatim = true;
    if (is_scalar(n) && n->var != except) u->reads[n->var]++;
    if (self_update(n)) {
        count_reads(u, n->kid[0]->kid[1], n->kid[0]->kid[0]->var);
        return;
    }
    bool plain = n->op == RG_COP_SET && is_scalar(n->kid[0]);
    for (int i = plain ? 1 : 0; i < n->n; i++) count_reads(u, n->kid[i], except);
}

static bool dead(const struct rg_ctree *t, const struct uses *u, int var)
{
    return var >= 0 && t->vars[var].kind == RG_CVAR_LOCAL && !u->reads[var];
}

static bool drop_writes(struct rg_ctree *t, struct rg_cnode *n, const struct uses *u)
{
    bool changed = false;
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_BLOCK) {
        int k = 0;
        for (int i = 0; i < n->n; i++) {
            struct rg_cnode *s = n->kid[i];
            bool drop =
                (self_update(s) && dead(t, u, s->kid[0]->kid[0]->var) && rg__c_pure(t, s->kid[0]->kid[1])) ||
                (s->kind == RG_C_DECL && s->array < 0 && dead(t, u, s->var) && (!s->n || rg__c_pure(t, s->kid[0])));
            changed |= drop;
            if (!drop) n->kid[k++] = s;
        }
        n->n = k;
    }
    for (int i = 0; i < n->n; i++) changed |= drop_writes(t, n->kid[i], u);
    return changed;
}

/* Is the value asked for, other than by what the variable becomes next? *address: is its address taken? */
static bool asked(const struct rg_ctree *t, const struct rg_cnode *n, int var, bool *address)
{
    if (!n || !rg__c_mentions_var(n, var)) return false;
    *address |= n->op == RG_COP_ADDRESS;
    if (is_scalar(n)) return n->var == var;
    if (self_update(n) && n->kid[0]->kid[0]->var == var) return !rg__c_pure(t, n->kid[0]->kid[1]);
    bool any = false;
    for (int i = 0; i < n->n; i++) any |= asked(t, n->kid[i], var, address);
    return any;
}

/* From statement `from` of a block on, or all of another one. */
static bool drop_updates(struct rg_ctree *t, struct rg_cnode *n, int from, int var)
{
    bool changed = false;
    if (!n || rg__c_is_expr(n)) return false;
    if (n->kind == RG_C_BLOCK) {
        int k = from;
        for (int i = from; i < n->n; i++) {
            struct rg_cnode *s = n->kid[i];
            const bool drop = self_update(s) && s->kid[0]->kid[0]->var == var;
            changed |= drop;
            if (!drop) n->kid[k++] = s;
        }
        n->n = k;
    }
    for (int i = from; i < n->n; i++) changed |= drop_updates(t, n->kid[i], 0, var);
    return changed;
}

/* Behind the last statement of a local's block that asks for it, it need not become anything. */
static bool drop_last(struct rg_ctree *t, struct rg_cnode *n)
{
    bool changed = false;
    if (!n || rg__c_is_expr(n)) return false;
    for (int i = 0; n->kind == RG_C_BLOCK && i < n->n; i++) {
        const struct rg_cnode *d = n->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || d->pointer) continue;
        int last = i;
        bool address = false;
        for (int k = i + 1; k < n->n; k++)
            if (asked(t, n->kid[k], d->var, &address)) last = k;
        if (!address) changed |= drop_updates(t, n, last + 1, d->var);
    }
    for (int i = 0; i < n->n; i++) changed |= drop_last(t, n->kid[i]);
    return changed;
}

static void note_arrays(const struct rg_cnode *n, bool *named)
{
    if (!n) return;
    if (n->kind != RG_C_DECL && n->array >= 0) named[n->array] = true;
    for (int i = 0; i < n->n; i++) note_arrays(n->kid[i], named);
}

/* The queue of a search whose levels have become loops over all vertices: memory that nothing names. */
static void drop_arrays(struct rg_ctree *t, struct rg_cnode *n, const bool *named)
{
    if (!n || rg__c_is_expr(n)) return;
    if (n->kind == RG_C_BLOCK) {
        int k = 0;
        for (int i = 0; i < n->n; i++) {
            const struct rg_cnode *s = n->kid[i];
            bool drop = s->kind == RG_C_DECL && s->array >= 0 && !s->n && !named[s->array] && !t->arrays[s->array].view;
            if (!drop) n->kid[k++] = n->kid[i];
        }
        n->n = k;
    }
    for (int i = 0; i < n->n; i++) drop_arrays(t, n->kid[i], named);
}

void rg__canon_dead(struct rg_ctree *t)
{
    struct uses u = {.reads = rg_xcalloc((size_t)t->n_vars + 1, sizeof *u.reads)};
    for (int round = 0; round < 8; round++) { /* what a dead assignment read may be dead next */
        memset(u.reads, 0, (size_t)t->n_vars * sizeof *u.reads);
        count_reads(&u, t->root, -1);
        if (u.verbatim) break;
        const bool all = drop_writes(t, t->root, &u), last = drop_last(t, t->root);
        if (!all && !last) break;
    }
    if (!u.verbatim) {
        bool *named = rg_xcalloc((size_t)t->n_arrays + 1, sizeof *named);
        note_arrays(t->root, named);
        drop_arrays(t, t->root, named);
        free(named);
    }
    free(u.reads);
}

/* ---- names ---- */

static void note_names(struct rg_cnode *n, bool *used)
{
    if (!n) return;
    if ((n->kind == RG_C_VAR || n->kind == RG_C_LOOP || n->kind == RG_C_DECL) && n->var >= 0) used[n->var] = true;
    for (int i = 0; i < n->n; i++) note_names(n->kid[i], used);
}

void rg__canon_names(struct rg_ctree *t)
{
    if (rg__mentions_kind(t->root, RG_C_VERBATIM)) return;
    bool *used = rg_xcalloc((size_t)t->n_vars + 1, sizeof *used);
    note_names(t->root, used);
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind != RG_CVAR_PARAM && !used[v]) t->vars[v].name = ""; /* nobody takes it from now on */
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind != RG_CVAR_PARAM && used[v] && t->vars[v].wanted &&
            strcmp(t->vars[v].name, t->vars[v].wanted)) {
            t->vars[v].name = "";
            t->vars[v].name = rg__c_unique(t, t->vars[v].wanted);
        }
    for (int v = 0; v < t->n_vars; v++)
        if (!*t->vars[v].name) t->vars[v].name = rg__c_unique(t, t->vars[v].wanted ? t->vars[v].wanted : "v");
    free(used);
}

/* ---- sinking ---- */

/* v = e, which reads no v. */
static bool sets_anew(const struct rg_cnode *n, int var)
{
    const struct rg_cnode *a = n && n->kind == RG_C_STMT ? n->kid[0] : n;
    return a && a->kind == RG_C_ASSIGN && a->op == RG_COP_SET && is_scalar(a->kid[0]) && a->kid[0]->var == var &&
           !rg__c_mentions_var(a->kid[1], var);
}

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
    case RG_C_STMT:
        *kills = sets_anew(n, var);
        return !*kills;
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
        if (n->n > 3 && rg__c_mentions_var(n->kid[3], var)) return true;
        return exposed(n->kid[2], var, &k);
    case RG_C_FOR:
        if (sets_anew(n->kid[0], var)) return *kills = true, false;
        for (int i = 0; i < 3; i++)
            if (n->kid[i] && rg__c_mentions_var(n->kid[i], var)) return true;
        return exposed(n->kid[3], var, &k);
    case RG_C_WHILE:
        if (rg__c_mentions_var(n->kid[0], var)) return true;
        return exposed(n->kid[1], var, &k);
    default:
        return true;
    }
}

/* A loop's body, or outside of loops the branches of a condition that does not ask for it. */
static bool can_hold(const struct rg_cnode *s, int var, bool in_loop)
{
    if (s->kind == RG_C_LOOP) return true;
    if (in_loop || s->kind != RG_C_IF || rg__c_mentions_var(s->kid[0], var)) return false;
    for (int i = 1; i < s->n; i++)
        if (s->kid[i]->kind != RG_C_BLOCK) return false;
    return true;
}

static void sink_block(struct rg_ctree *t, struct rg_cnode *b, bool in_loop);

static bool sink_decl(struct rg_ctree *t, struct rg_cnode *b, int at, bool in_loop)
{
    struct rg_cnode *d = b->kid[at];
    int var = d->var;
    bool kills, dead_init = !d->n || rg__c_pure(t, d->kid[0]);
    /* segments: [start, end) of statements that share one value chain */
    int n_segments = 0, cap = 0;
    struct segment {
        int first, last;
        bool starts_fresh, killed;
    } *seg = NULL;
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
        if (seg[k].first != seg[k].last || !can_hold(b->kid[seg[k].first], var, in_loop)) {
            left = true;
            continue;
        }
    }
    if (!dead_init) left = true;
    for (int k = 0; k < n_segments; k++) {
        struct rg_cnode *s = b->kid[seg[k].first];
        if (seg[k].first != seg[k].last || !can_hold(s, var, in_loop)) continue;
        bool last_use = !left && k == n_segments - 1 &&
                        s->kind == RG_C_LOOP; /* the original variable moves there, others get copies */
        for (int i = s->kind == RG_C_LOOP ? 2 : 1; i < (s->kind == RG_C_LOOP ? 3 : s->n); i++) {
            struct rg_cnode *block = s->kid[i];
            if (s->kind == RG_C_IF && !rg__c_mentions_var(block, var)) continue;
            int v = var;
            if (!last_use) {
                v = rg__c_add_var(t, t->vars[var].name, RG_CVAR_LOCAL, t->vars[var].type);
                t->vars[v].struct_index = t->vars[var].struct_index;
                t->vars[v].c_type = t->vars[var].c_type;
                rg__c_replace_var(t, s->kind == RG_C_LOOP ? s : block, var, rg__c_var(t, v));
            }
            struct rg_cnode *decl = rg_cnode_new(t, RG_C_DECL, 0);
            decl->var = v;
            decl->type = d->type;
            decl->line = d->line;
            decl->column = d->column;
            struct rg__kids front = {0};
            rg__kids_add(&front, decl);
            rg__block_splice(t, block, 0, 0, &front);
        }
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
            if (!a || a->op != RG_COP_SET || a->kid[0]->kind != RG_C_VAR || a->kid[0]->array >= 0 ||
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

static void sink_block(struct rg_ctree *t, struct rg_cnode *b, bool in_loop)
{
    if (!b || rg__c_is_expr(b)) return;
    if (b->kind == RG_C_BLOCK) {
        for (int i = 0; i < b->n; i++)
            if (b->kid[i]->kind == RG_C_DECL && b->kid[i]->array < 0 && !b->kid[i]->pointer &&
                sink_decl(t, b, i, in_loop))
                i--;
        join_decl(t, b);
    }
    for (int i = 0; i < b->n; i++)
        sink_block(t, b->kid[i], in_loop || b->kind == RG_C_LOOP || b->kind == RG_C_FOR || b->kind == RG_C_WHILE);
}

void rg__canon_sink(struct rg_ctree *t)
{
    sink_block(t, t->root, false);
}
