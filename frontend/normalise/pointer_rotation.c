/* Pointer rotation (ping-pong buffers): pointers that move between arrays (a = b; b = tmp;) and indices that toggle
 * (cur = 1 - cur). The state is what each name stands for; a loop whose body leads from its state back to it in p
 * iterations is written out p times, each copy over the arrays themselves (pointer_rotation_loop.c). Here: the tree
 * rewritten under a state, statement by statement. */
#include "frontend/normalise/pointer_rotation.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

struct rg_cnode *rg__moves_substitute(struct rg__moves *m, const struct rg__moves_state *s, struct rg_cnode *n)
{
    struct rg_ctree *t = m->t;
    if (!n) return NULL;
    if (n->kind == RG_C_VAR && n->array < 0 && n->var >= 0 && n->var < m->n_vars && m->toggles[n->var] &&
        s->known[n->var])
        return rg__moves_known(m, s, n->var);
    int64_t c;
    if (n->kind == RG_C_COND && n->n == 3 && rg__moves_evaluate(m, s, n->kid[0], &c))
        return rg__moves_substitute(m, s, n->kid[c ? 1 : 2]);
    if (n->array >= 0 && n->array < m->n_arrays) {
        int to = s->stands_for[n->array];
        if (to < 0 || (n->kind == RG_C_INDEX && t->arrays[to].n_dims != t->arrays[n->array].n_dims) ||
            t->arrays[to].elem != t->arrays[n->array].elem)
            m->failed = true;
        else
            n->array = to;
    }
    bool target = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    for (int i = 0; i < n->n; i++) {
        const struct rg_cnode *k = n->kid[i];
        if (target && i == 0 && k && k->kind == RG_C_VAR && k->array < 0) continue;
        n->kid[i] = rg__moves_substitute(m, s, n->kid[i]);
    }
    if (n->kind == RG_C_BINARY && n->n == 2 && (n->op == RG_COP_EQ || n->op == RG_COP_NE)) {
        int a = rg__moves_pointer(n->kid[0]), b = rg__moves_pointer(n->kid[1]);
        if (a >= 0 && b >= 0) return rg__c_int(t, (a == b) == (n->op == RG_COP_EQ));
    }
    return n;
}

/* Memory that is got while it runs: a copy of its own would be twice as much. */
bool rg__moves_gets_memory(const struct rg_ctree *t, const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array >= 0) return t->arrays[n->array].mallocd || !t->arrays[n->array].dims;
    for (int i = 0; i < n->n; i++)
        if (rg__moves_gets_memory(t, n->kid[i])) return true;
    return false;
}

/* A copy has loop variables and locals of its own: every declaration is its own variable. */
void rg__moves_fresh(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_LOOP || (n->kind == RG_C_DECL && n->var >= 0 && n->array < 0)) {
        const struct rg_cvar old = t->vars[n->var];
        int v = rg__c_add_var(t, old.name, old.kind, old.type), was = n->var;
        t->vars[v].c_type = old.c_type;
        t->vars[v].struct_index = old.struct_index;
        rg__c_replace_var(t, root, was, rg__c_var(t, v));
        n->var = v;
    }
    for (int i = 0; i < n->n; i++) rg__moves_fresh(t, root, n->kid[i]);
}

void rg__moves_fresh_arrays(struct rg_ctree *t, struct rg_cnode *root, struct rg_cnode *n)
{
    if (!n) return;
    if (n->kind == RG_C_DECL && n->array >= 0 && !t->arrays[n->array].view) {
        int a = rg__c_add_array(t, t->arrays[n->array].name, t->arrays[n->array].elem), was = n->array;
        const char *name = t->arrays[a].name;
        t->arrays[a] = t->arrays[was];
        t->arrays[a].name = name;
        rg__c_rename_array(root, was, a);
    }
    for (int i = 0; i < n->n; i++) rg__moves_fresh_arrays(t, root, n->kid[i]);
}

bool rg__moves_local_arrays(const struct rg_cnode *n)
{
    if (!n) return false;
    if (n->kind == RG_C_DECL && n->array >= 0) return true;
    for (int i = 0; i < n->n; i++)
        if (rg__moves_local_arrays(n->kid[i])) return true;
    return false;
}

static void follow(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *const *items, int n,
                   struct rg__kids *out);

struct rg_cnode *rg__moves_followed(struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *block)
{
    struct rg__kids k = {0};
    follow(m, s, block->kid, block->n, &k);
    return rg__kids_node(m->t, RG_C_BLOCK, &k);
}

struct rg_cnode *rg__moves_block(struct rg__moves *m, struct rg_cnode *const *items, int n)
{
    struct rg__kids k = {0};
    for (int i = 0; i < n; i++) {
        m->nodes += rg__c_size(items[i]);
        rg__kids_add(&k, rg__c_copy(m->t, items[i]));
    }
    m->failed |= m->nodes > RG__MOVES_NODES;
    return rg__kids_node(m->t, RG_C_BLOCK, &k);
}

/* A block under a state of its own, with variables and arrays of its own. */
struct rg_cnode *rg__moves_branch(struct rg__moves *m, const struct rg__moves_state *s, struct rg_cnode *const *rest,
                                  int n, struct rg__moves_state *end)
{
    struct rg__moves_state mine = rg__moves_copy(m, s);
    struct rg_cnode *b = rg__moves_block(m, rest, n), *r = m->failed ? b : rg__moves_followed(m, &mine, b);
    if (!m->failed) {
        rg__moves_fresh(m->t, r, r);
        rg__moves_fresh_arrays(m->t, r, r);
    }
    if (end) rg__moves_set(m, end, &mine);
    rg__moves_free(&mine);
    return r;
}

struct rg_cnode *rg__moves_if(struct rg__moves *m, struct rg_cnode *c, struct rg_cnode *yes, struct rg_cnode *no,
                              int line)
{
    struct rg_cnode *x = rg_cnode_new(m->t, RG_C_IF, no ? 3 : 2);
    x->kid[0] = c;
    x->kid[1] = yes;
    if (no) x->kid[2] = no;
    x->line = line;
    return x;
}

struct rg_cnode *rg__moves_twins(struct rg_cnode *n)
{
    n->twins = true;
    return n;
}

/* What is about to be written several times: memory that is got there cannot. */
void rg__moves_once(struct rg__moves *m, struct rg_cnode *const *rest, int n)
{
    for (int i = 0; i < n; i++) m->failed |= rg__moves_gets_memory(m->t, rest[i]);
}

static void join_ends(const struct rg__moves *m, struct rg__moves_state *s, struct rg__moves_state end[2])
{
    rg__moves_join(m, &end[0], &end[1]);
    rg__moves_set(m, s, &end[0]);
    for (int k = 0; k < 2; k++) rg__moves_free(&end[k]);
}

/* p = c ? q : r: the rest is written for both. */
static void choose(struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *n, int p,
                   struct rg_cnode *const *rest, int left, struct rg__kids *out)
{
    const struct rg_cnode *v = n->kid[0]->kid[1];
    v = rg__c_uncast(v, RG__C_CASTS);
    rg__moves_once(m, rest, left);
    if (m->failed || v->kind != RG_C_COND || m->depth != m->free_depth || ++m->forks > rg__moves_most_forks(m)) {
        m->failed = true;
        return;
    }
    struct rg_cnode *c = rg__moves_substitute(m, s, rg__c_copy(m->t, v->kid[0])), *arm[2];
    struct rg__moves_state end[2];
    for (int k = 0; k < 2; k++) {
        struct rg__moves_state mine = rg__moves_copy(m, s);
        mine.stands_for[p] = rg__moves_resolve(m, s, v->kid[k + 1]);
        end[k] = rg__moves_new(m);
        arm[k] = rg__moves_branch(m, &mine, rest, left, &end[k]);
        rg__moves_free(&mine);
    }
    join_ends(m, s, end);
    if (m->failed) return;
    if (c->kind == RG_C_INT) {
        struct rg_cnode *taken = arm[c->ivalue ? 0 : 1];
        for (int i = 0; i < taken->n; i++) rg__kids_add(out, taken->kid[i]);
    } else {
        rg__kids_add(out, rg__moves_twins(rg__moves_if(m, c, arm[0], arm[1], n->line)));
    }
}

/* if (c) p = q;  the rest behind each arm. */
static void fork_at(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *n, struct rg_cnode *const *rest,
                    int left, struct rg__kids *out)
{
    struct rg_cnode *arm[2] = {NULL, NULL};
    struct rg__moves_state end[2];
    rg__moves_once(m, rest, left);
    if (m->failed || m->depth != m->free_depth || ++m->forks > rg__moves_most_forks(m)) {
        m->failed = true;
        return;
    }
    for (int k = 0; k < 2; k++) {
        struct rg__kids all = {0};
        const struct rg_cnode *a = k + 1 < n->n ? n->kid[k + 1] : NULL;
        for (int i = 0; a && i < a->n; i++) rg__kids_add(&all, a->kid[i]);
        for (int i = 0; i < left; i++) rg__kids_add(&all, rest[i]);
        end[k] = rg__moves_new(m);
        arm[k] = rg__moves_branch(m, s, all.items, all.n, &end[k]);
        free(all.items);
    }
    join_ends(m, s, end);
    rg__kids_add(out, rg__moves_if(m, n->kid[0], arm[0], arm[1], n->line));
}

/* Does what follows read a pointer that is moved below n? */
static bool moved_matters(const struct rg__moves *m, const struct rg_cnode *n, struct rg_cnode *const *rest, int left)
{
    int p = n ? rg__moves_moved(n) : -1;
    for (int i = 0; i < left && p >= 0; i++) {
        const struct rg__moves_turns *k = rg__moves_sets_turn(m, rest[i]);
        if (rg__c_mentions_array(rest[i], p) || (k && k->carried[p])) return true;
    }
    for (int i = 0; n && i < n->n; i++)
        if (moved_matters(m, n->kid[i], rest, left)) return true;
    return false;
}

/* A block and what follows it, as one. */
static void follow_within(struct rg__moves *m, struct rg__moves_state *s, const struct rg_cnode *block,
                          struct rg_cnode *const *rest, int n, struct rg__kids *out)
{
    struct rg__kids all = {0};
    for (int i = 0; i < block->n; i++) rg__kids_add(&all, block->kid[i]);
    for (int i = 0; i < n; i++) rg__kids_add(&all, rest[i]);
    follow(m, s, all.items, all.n, out);
    free(all.items);
}

static void follow(struct rg__moves *m, struct rg__moves_state *s, struct rg_cnode *const *items, int n,
                   struct rg__kids *out)
{
    for (int i = 0; i < n && !m->failed; i++) {
        struct rg_cnode *x = items[i];
        int p = rg__moves_moved(x);
        struct rg__moves_turns *turns = rg__moves_sets_turn(m, x);
        if (turns) {
            x->kid[0]->kid[1] = rg__c_int(m->t, rg__moves_turn(m, turns, s));
            rg__kids_add(out, x);
        } else if (p >= 0) {
            const struct rg_cnode *v = x->kid[0]->kid[1];
            int to = rg__moves_resolve(m, s, v);
            m->any = true;
            if (to < 0 && !rg__moves_is_zero(v)) {
                choose(m, s, x, p, items + i + 1, n - i - 1, out);
                return;
            }
            s->stands_for[p] = to;
        } else if (rg__moves_declared(m, x) >= 0) { /* new memory, under its own name */
            s->stands_for[x->array] = x->array;
            m->declared[x->array] = m->depth;
            for (int k = 0; k < x->n; k++) x->kid[k] = rg__moves_substitute(m, s, x->kid[k]);
            rg__kids_add(out, x);
        } else if (x->kind == RG_C_LOOP) {
            i += rg__moves_loop(m, s, x, items + i + 1, n - i - 1, out);
        } else if (x->kind == RG_C_BLOCK) {
            follow_within(m, s, x, items + i + 1, n - i - 1, out);
            return;
        } else if (x->kind == RG_C_IF) {
            int64_t c;
            x->kid[0] = rg__moves_substitute(m, s, x->kid[0]);
            if (rg__moves_evaluate(m, s, x->kid[0], &c)) {
                struct rg_cnode *arm = c ? x->kid[1] : x->n > 2 ? x->kid[2] : NULL;
                if (!arm) continue;
                follow_within(m, s, arm, items + i + 1, n - i - 1, out);
                return;
            } else if (rg__moves_any(x) && moved_matters(m, x, items + i + 1, n - i - 1)) {
                fork_at(m, s, x, items + i + 1, n - i - 1, out);
                return;
            } else {
                struct rg__moves_state before = rg__moves_copy(m, s);
                rg__moves_lose(s, x); /* of the branch's own */
                for (int k = 1; k < x->n; k++) {
                    struct rg__moves_state mine = rg__moves_copy(m, &before);
                    if (x->kid[k]) x->kid[k] = rg__moves_followed(m, &mine, x->kid[k]);
                    rg__moves_free(&mine);
                }
                rg__moves_free(&before);
                rg__moves_forget(m, s, x);
                rg__kids_add(out, x);
            }
        } else if (rg__moves_any(x)) {
            m->failed = true;
        } else {
            struct rg__moves_state before = rg__moves_copy(m, s);
            if (!rg__moves_note(m, s, x)) {
                rg__moves_forget(m, s, x);
                rg__moves_forget(m, &before, x);
            }
            rg__kids_add(out, rg__moves_substitute(m, &before, x));
            rg__moves_free(&before);
        }
    }
}

static void hide_addressed(const struct rg_cnode *n, bool *hidden, int n_vars)
{
    if (!n) return;
    if (n->op == RG_COP_ADDRESS && n->kid[0]->kind == RG_C_VAR && n->kid[0]->array < 0 && n->kid[0]->var >= 0 &&
        n->kid[0]->var < n_vars)
        hidden[n->kid[0]->var] = true;
    for (int i = 0; i < n->n; i++) hide_addressed(n->kid[i], hidden, n_vars);
}

/* (c ? a : b)[i] = v;  as an if: the tree has no place that is one of two. */
static void split_targets(struct rg_ctree *t, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        bool stores = s && s->kind == RG_C_STMT && (s->kid[0]->kind == RG_C_ASSIGN || s->kid[0]->kind == RG_C_INCDEC);
        if (stores && s->kid[0]->kid[0]->kind == RG_C_COND && n->kind == RG_C_BLOCK) {
            struct rg_cnode *target = s->kid[0]->kid[0], *x = rg_cnode_new(t, RG_C_IF, 3);
            x->kid[0] = target->kid[0];
            x->line = s->line;
            x->column = s->column;
            for (int k = 1; k < 3; k++) {
                struct rg_cnode *mine = rg__c_copy(t, s), *b = rg_cnode_new(t, RG_C_BLOCK, 1);
                mine->kid[0]->kid[0] = rg__c_copy(t, target->kid[k]);
                b->kid[0] = mine;
                x->kid[k] = b;
            }
            n->kid[i] = x;
        }
        split_targets(t, n->kid[i]);
    }
}

/* False: the tree is as it was. */
static bool try_moves(struct rg_ctree *t, const struct rg_problem *p, unsigned may, int own_depth)
{
    struct rg__moves m = {
        .t = t, .may = may, .n_arrays = t->n_arrays, .n_vars = t->n_vars, .mod_var = -1, .own_depth = own_depth};
    struct rg_cnode *root = t->root;
    struct rg__moves_symbols symbols = {0};
    m.symbols = &symbols;
    m.toggles = rg_xcalloc((size_t)m.n_vars + 1, 1);
    m.hidden = rg_xcalloc((size_t)m.n_vars + 1, 1);
    m.declared = rg_xcalloc((size_t)m.n_arrays + 1, sizeof *m.declared);
    hide_addressed(root, m.hidden, m.n_vars);
    struct rg__moves_state s = rg__moves_new(&m);
    for (int a = 0; a < m.n_arrays; a++) s.stands_for[a] = t->arrays[a].view ? -1 : a;
    struct rg_cnode *done = rg__moves_followed(&m, &s, rg__c_copy(t, root));
    if (!m.failed && m.any) {
        done->line = root->line;
        t->root = done;
        if (m.n_own) rg__canon_element_pointers(t); /* they are read, not given away */
        if ((may & RG__MOVES_OWN) && (!m.n_own || !rg__moves_own_proven(&m, p))) {
            t->root = root;
            m.failed = true;
        }
    }
    if (m.failed) { /* what it has added is in no tree */
        t->n_arrays = m.n_arrays;
        t->n_vars = m.n_vars;
    }
    rg__moves_free(&s);
    free(m.toggles);
    free(m.hidden);
    free(m.declared);
    return !m.failed;
}

void rg__canon_moves(struct rg_ctree *t, const struct rg_problem *p)
{
    enum { DEEPEST = 3 };
    const int n_arrays = t->n_arrays;
    split_targets(t, t->root);
    bool done = try_moves(t, p, 0, 0);
    for (int depth = DEEPEST; depth >= 0 && !done; depth--) /* the innermost: those around it may be parallel as well */
        done = try_moves(t, p, RG__MOVES_OWN, depth) || try_moves(t, p, RG__MOVES_OWN | RG__MOVES_TURNS, depth);
    if (!done) done = try_moves(t, p, RG__MOVES_TURNS, 0);
    if (!done) rg__canon_views_back(t);
    for (int a = 0; a < n_arrays; a++) /* nothing names them any more */
        if (t->arrays[a].view) rg_expr_parse_all(&t->arena, "1", &t->arrays[a].dims[0], NULL);
}
