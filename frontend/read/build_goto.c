/* goto and labels become structure, before anything else looks at a body: a jump to what stands around the rest of a
 * block is an if, out of a loop a break, back to the start of a loop a do-while; every other jump goes by a flag that
 * skips what lies between (Erosa and Hendren, Taming control flow, 1994). A return of a helper that is put in place is
 * such a jump. */
#include "frontend/read/build.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 256, MAX_JUMPS = 400 };

struct path { /* n[0] the root; n[i + 1] is n[i]->kid[at[i]]; the last is the node */
    int depth;
    struct rg_cnode *n[MAX_DEPTH];
    int at[MAX_DEPTH];
};

struct label {
    const char *name;
    int flag;
};

struct jumps {
    struct rg_ctree *t;
    struct rg_cnode *root;
    struct label *labels;
    int n_labels, cap_labels, n_made;
    bool back; /* some jump leads back or into something: flags are cleared where they lead */
    const char *why;
};

static bool descend(struct rg_cnode *n, enum rg_c_kind kind, const char *name, int skip, int *seen, struct path *p)
{
    if (!n || rg__c_is_expr(n) || p->depth >= MAX_DEPTH) return false;
    p->n[p->depth] = n;
    if (n->kind == kind && (!name || !strcmp(n->text, name)) && (*seen)++ == skip) return true;
    p->depth++;
    for (int i = 0; i < n->n; i++) {
        p->at[p->depth - 1] = i;
        if (descend(n->kid[i], kind, name, skip, seen, p)) return true;
    }
    p->depth--;
    return false;
}

/* The skip-th node of a kind and name. */
static bool find(struct jumps *j, enum rg_c_kind kind, const char *name, int skip, struct path *p)
{
    int seen = 0;
    p->depth = 0;
    return descend(j->root, kind, name, skip, &seen, p);
}

/* The deepest block that has both: its depth. */
static int common(const struct path *a, const struct path *b)
{
    int d = 0;
    while (d < a->depth && d < b->depth && a->n[d + 1] == b->n[d + 1]) d++;
    if (d >= a->depth || d >= b->depth) d = (a->depth < b->depth ? a->depth : b->depth) - 1;
    while (d > 0 && a->n[d]->kind != RG_C_BLOCK) d--;
    return d;
}

static bool breakable(const struct rg_cnode *n)
{
    return n->kind == RG_C_FOR || n->kind == RG_C_WHILE || n->kind == RG_C_DO || n->kind == RG_C_SWITCH;
}

static struct rg_cnode *set(struct jumps *j, int var, int value, const struct rg_cnode *at)
{
    struct rg_cnode *s = rg__c_stmt(j->t, rg__c_assign(j->t, RG_COP_SET, rg__c_var(j->t, var), rg__c_int(j->t, value)));
    s->line = at->line;
    s->column = at->column;
    return s;
}

static struct rg_cnode *flag_is(struct jumps *j, int var, bool set)
{
    return rg__c_binary(j->t, set ? RG_COP_NE : RG_COP_EQ, rg__c_var(j->t, var), rg__c_int(j->t, 0));
}

static struct rg_cnode *if_then(struct jumps *j, struct rg_cnode *cond, struct rg__kids *then,
                                const struct rg_cnode *at)
{
    struct rg_cnode *x = rg_cnode_new(j->t, RG_C_IF, 2);
    x->kid[0] = cond;
    x->kid[1] = rg__kids_node(j->t, RG_C_BLOCK, then);
    x->line = at->line;
    x->column = at->column;
    return x;
}

static void replace(struct jumps *j, struct rg_cnode *block, int at, int count, struct rg_cnode *by)
{
    struct rg__kids one = {0};
    if (by) rg__kids_add(&one, by);
    rg__block_splice(j->t, block, at, count, &one);
}

static bool is_flag(const struct jumps *j, const struct rg_cnode *decl)
{
    for (int i = 0; i < j->n_labels; i++)
        if (decl->array < 0 && decl->var == j->labels[i].flag) return true;
    return false;
}

static bool used_from(const struct rg_cnode *block, int from, const struct rg_cnode *decl)
{
    for (int i = from; i < block->n; i++)
        if (decl->array >= 0 ? rg__c_mentions_array(block->kid[i], decl->array)
                             : rg__c_mentions_var(block->kid[i], decl->var))
            return true;
    return false;
}

/* block[from, to) will stand in a block of its own: what is declared there and used behind it goes to `out`, first
 * values stay. */
static void take(struct jumps *j, const struct rg_cnode *block, int from, int to, struct rg__kids *out,
                 struct rg__kids *inside)
{
    for (int i = from; i < to; i++) {
        struct rg_cnode *s = block->kid[i];
        if (s->kind == RG_C_CASE) j->why = "a jump into a switch";
        if (s->kind != RG_C_DECL || !(is_flag(j, s) || used_from(block, to, s))) {
            rg__kids_add(inside, s);
            continue;
        }
        if (s->n && s->array >= 0) j->why = "a jump past the values of an array";
        if (s->n && s->array < 0 && !is_flag(j, s)) { /* flags are 0 but on their way */
            struct rg_cnode *d = rg_cnode_new(j->t, RG_C_DECL, 0);
            d->var = s->var;
            d->type = s->type;
            d->struct_index = s->struct_index;
            d->line = s->line;
            d->column = s->column;
            struct rg_cnode *a = rg__c_stmt(j->t, rg__c_assign(j->t, RG_COP_SET, rg__c_var(j->t, s->var), s->kid[0]));
            if (s->kid[0]->kind == RG_C_INITLIST) j->why = "a jump past the values of a structure";
            a->line = s->line;
            a->column = s->column;
            rg__kids_add(inside, a);
            s = d;
        }
        rg__kids_add(out, s);
    }
}

/* Do they ask the same of the same flag? */
static bool same(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->kind == RG_C_BINARY && a->kid[0]->kind == RG_C_VAR && a->kid[0]->array < 0 &&
           a->kid[1]->kind == RG_C_INT && rg__c_equal(a, b);
}

/* block[from, to) under a condition; how many statements stand there then. */
static int guard(struct jumps *j, struct rg_cnode *block, int from, int to, struct rg_cnode *cond)
{
    if (to <= from) return 0;
    struct rg__kids out = {0}, inside = {0};
    const struct rg_cnode *first = block->kid[from];
    take(j, block, from, to, &out, &inside);
    if (inside.n == 1 && inside.items[0]->kind == RG_C_IF && inside.items[0]->n == 2 &&
        same(inside.items[0]->kid[0], cond)) {
        rg__kids_add(&out, inside.items[0]); /* by another jump to there */
        free(inside.items);
    } else if (inside.n) {
        rg__kids_add(&out, if_then(j, cond, &inside, first));
    }
    int n = out.n;
    rg__block_splice(j->t, block, from, to - from, &out);
    return n;
}

static bool labelled(const struct rg_cnode *block, int from, int to)
{
    for (int i = from; i < to && i < block->n; i++)
        if (rg__mentions_kind(block->kid[i], RG_C_LABEL)) return true;
    return false;
}

/* Up to where nothing behind a jump is reached: in the block of a switch the next case is. */
static int unreached(const struct rg_cnode *block, int from)
{
    while (from < block->n && block->kid[from]->kind != RG_C_CASE) from++;
    return from;
}

/* Is it if (c) { ...; goto L; } with no other jump to anywhere around it? */
static bool ends_in(const struct rg_cnode *s, const struct rg_cnode *jump)
{
    return s->kind == RG_C_IF && (s->n < 3 || !s->kid[2] || !s->kid[2]->n) && s->kid[1]->n &&
           s->kid[1]->kid[s->kid[1]->n - 1] == jump;
}

/* Does what ends block n[i] go on right behind the statement of block n[d]? */
static bool falls_through(const struct path *g, int d, int i)
{
    for (int k = d + 1; k < i; k++) {
        if (g->n[k]->kind != RG_C_BLOCK && g->n[k]->kind != RG_C_IF) return false;
        if (g->n[k]->kind == RG_C_BLOCK && g->at[k] + 1 != g->n[k]->n) return false;
    }
    return true;
}

/* if (c) { ...; goto L; } rest  as if-else. */
static void otherwise(struct jumps *j, struct rg_cnode *b, int from, int to)
{
    struct rg_cnode *s = b->kid[from], *arm = s->kid[1];
    arm->n--;
    struct rg__kids out = {0}, rest = {0};
    take(j, b, from + 1, to, &out, &rest);
    if (arm->n) {
        struct rg_cnode *x = rg_cnode_new(j->t, RG_C_IF, 3);
        x->kid[0] = s->kid[0];
        x->kid[1] = arm;
        x->kid[2] = rg__kids_node(j->t, RG_C_BLOCK, &rest);
        x->line = s->line;
        x->column = s->column;
        rg__kids_add(&out, x);
    } else {
        rg__kids_add(&out, if_then(j, rg__negated(j->t, s->kid[0]), &rest, s));
    }
    rg__block_splice(j->t, b, from, to - from, &out);
}

/* Forms that people mean. */
static bool plain_form(struct jumps *j, struct path *g, struct path *l)
{
    struct rg_ctree *t = j->t;
    int d = common(g, l);
    struct rg_cnode *b = g->n[d], *jump = g->n[g->depth], *s = b->kid[g->at[d]];
    int from = g->at[d], to = l->at[d];
    bool here = l->n[d + 1]->kind == RG_C_LABEL; /* the label stands in the block itself */
    if (!here) return false;
    if (from < to && s == jump && !labelled(b, from + 1, to)) { /* nothing between is ever reached */
        replace(j, b, from, to - from, NULL);
        return true;
    }
    if (from < to && (from + 1 == to) && (ends_in(s, jump) || s == jump)) { /* to the next statement */
        struct rg_cnode *p = g->n[g->depth - 1];
        replace(j, p, g->at[g->depth - 1], 1, NULL);
        return true;
    }
    if (from < to && ends_in(s, jump)) { /* if (c) goto out; rest; out: */
        otherwise(j, b, from, to);
        return true;
    }
    if (from + 1 == to && g->depth > d + 2) { /* the same, where what is around ends at the label */
        struct rg_cnode *arm = g->n[g->depth - 1];
        bool last = arm->kind == RG_C_BLOCK && g->at[g->depth - 1] + 1 == arm->n;
        if (last && falls_through(g, d, g->depth - 1)) {
            arm->n--;
            return true;
        }
        int i = g->depth - 3;
        struct rg_cnode *around = i > d ? g->n[i] : NULL;
        if (around && around->kind == RG_C_BLOCK && ends_in(around->kid[g->at[i]], jump) && falls_through(g, d, i) &&
            !labelled(around, g->at[i], around->n)) {
            otherwise(j, around, g->at[i], around->n);
            return true;
        }
    }
    int inner = -1;
    for (int i = g->depth - 1; i > d && inner < 0; i--)
        if (breakable(g->n[i])) inner = i;
    struct rg_cnode *p = g->n[g->depth - 1];
    int at = g->at[g->depth - 1];
    const int end = unreached(p, at + 1);
    if (from + 1 == to && inner == d + 1 && !labelled(p, at + 1, end)) {
        replace(j, p, at, end - at, rg_cnode_new(t, RG_C_BREAK, 0));
        p->kid[at]->line = jump->line;
        return true;
    }
    bool body =
        d > 0 && (g->n[d - 1]->kind == RG_C_FOR || g->n[d - 1]->kind == RG_C_WHILE || g->n[d - 1]->kind == RG_C_DO);
    bool last = true;
    for (int i = to + 1; i < b->n; i++) last = last && b->kid[i]->kind == RG_C_LABEL;
    if (from < to && body && last && inner < 0 && !labelled(p, at + 1, end)) { /* next: stands at the end of the body */
        replace(j, p, at, end - at, rg_cnode_new(t, RG_C_CONTINUE, 0));
        p->kid[at]->line = jump->line;
        return true;
    }
    bool whole = to < from;
    for (int i = to + 1; i <= from && whole; i++) whole = !rg__leaves_loop(b->kid[i]);
    if (!whole || (s != jump && !ends_in(s, jump))) return false;
    struct rg__kids out = {0}, rest = {0};
    struct rg_cnode *x;
    if (s != jump && s->kid[1]->n > 1 && from == to + 1) { /* again: if (c) { ...; goto again; } */
        s->kid[1]->n--;
        x = rg_cnode_new(t, RG_C_WHILE, 2);
        x->kid[0] = s->kid[0];
        x->kid[1] = s->kid[1];
    } else if (s == jump || s->kid[1]->n == 1) { /* again: ...; if (c) goto again; */
        take(j, b, to + 1, from, &out, &rest);
        x = rg_cnode_new(t, RG_C_DO, 2);
        x->kid[0] = rg__kids_node(t, RG_C_BLOCK, &rest);
        x->kid[1] = s == jump ? rg__c_int(t, 1) : s->kid[0];
    } else {
        return false;
    }
    x->line = b->kid[to]->line;
    x->column = b->kid[to]->column;
    rg__kids_add(&out, b->kid[to]); /* other jumps may go there */
    rg__kids_add(&out, x);
    rg__block_splice(t, b, to, from - to + 1, &out);
    return true;
}

/* The flag of a label, declared in the block that has all jumps to it. */
static int make_flag(struct jumps *j, const char *name)
{
    struct path g, l, deepest;
    int d = MAX_DEPTH, at = 0;
    if (!find(j, RG_C_LABEL, name, 0, &l)) return -1;
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; find(j, RG_C_GOTO, name, k, &g); k++) {
            int c = common(&g, &l), first = g.at[c] < l.at[c] ? g.at[c] : l.at[c];
            if (pass == 0 && c < d) d = c, deepest = g;
            if (pass == 1 && c == d && (first < at || !k)) at = first;
            if (pass == 1 && c != d && (g.at[d] < at || !k)) at = g.at[d];
        }
    int flag = rg__c_add_var(j->t, rg_arena_printf(&j->t->arena, "to_%.40s", name[0] == '<' ? "exit" : name),
                             RG_CVAR_LOCAL, RG_I32);
    struct rg_cnode *decl = rg_cnode_new(j->t, RG_C_DECL, 1), *label = l.n[l.depth];
    decl->var = flag;
    decl->type = RG_I32;
    decl->kid[0] = rg__c_int(j->t, 0);
    decl->line = label->line;
    if (j->back) {
        struct rg__kids both = {0};
        rg__kids_add(&both, label);
        rg__kids_add(&both, set(j, flag, 0, label));
        rg__block_splice(j->t, l.n[l.depth - 1], l.at[l.depth - 1], 1, &both);
    }
    struct rg__kids first = {0};
    rg__kids_add(&first, decl);
    rg__block_splice(j->t, deepest.n[d], at, 0, &first);
    return flag;
}

static int flag_of(struct jumps *j, const char *name, bool *is_new)
{
    *is_new = false;
    for (int i = 0; i < j->n_labels; i++)
        if (!strcmp(j->labels[i].name, name)) return j->labels[i].flag;
    *is_new = true;
    RG_GROW(j->labels, j->n_labels, j->cap_labels);
    j->labels[j->n_labels++] = (struct label){name, make_flag(j, name)};
    return j->labels[j->n_labels - 1].flag;
}

/* From the jump out to block n[d]: breaks leave loops, what else lies behind it is skipped. */
static void outward(struct jumps *j, struct path *g, int d, int flag)
{
    bool in_loop = false;
    for (int i = d + 1; i < g->depth; i++) in_loop |= breakable(g->n[i]);
    struct rg_cnode *jump = g->n[g->depth], *p = g->n[g->depth - 1];
    int at = g->at[g->depth - 1];
    bool direct = g->depth - 1 == d;
    struct rg__kids by = {0};
    rg__kids_add(&by, set(j, flag, 1, jump));
    if (in_loop) {
        rg__kids_add(&by, rg_cnode_new(j->t, RG_C_BREAK, 0));
        by.items[1]->line = jump->line;
    }
    if (!direct && !in_loop) guard(j, p, at + 1, p->n, flag_is(j, flag, false));
    const int end = unreached(p, at + 1);
    if (!direct && in_loop && !labelled(p, at + 1, end)) replace(j, p, at + 1, end - at - 1, NULL);
    rg__block_splice(j->t, p, at, 1, &by);
    for (int i = g->depth - 2; i > d; i--) {
        if (g->n[i]->kind != RG_C_BLOCK) continue;
        bool around = false;
        for (int k = d + 1; k < i; k++) around |= breakable(g->n[k]);
        if (breakable(g->n[i + 1]) && around) {
            struct rg__kids leave = {0};
            struct rg_cnode *b = rg_cnode_new(j->t, RG_C_BREAK, 0);
            b->line = jump->line;
            rg__kids_add(&leave, b);
            struct rg_cnode *x = if_then(j, flag_is(j, flag, true), &leave, jump);
            rg__kids_add(&leave, x);
            const struct rg_cnode *next = g->at[i] + 1 < g->n[i]->n ? g->n[i]->kid[g->at[i] + 1] : NULL;
            bool there = next && next->kind == RG_C_IF && same(next->kid[0], x->kid[0]);
            if (!there)
                rg__block_splice(j->t, g->n[i], g->at[i] + 1, 0, &leave);
            else
                free(leave.items);
        } else if (!around) {
            guard(j, g->n[i], g->at[i] + 1, g->n[i]->n, flag_is(j, flag, false));
        }
    }
}

static struct rg_cnode * or (struct jumps * j, int flag, struct rg_cnode *cond)
{
    struct rg_cnode *in = flag_is(j, flag, true);
    return cond->op == RG_COP_OR && same(cond->kid[0], in) ? cond : rg__c_binary(j->t, RG_COP_OR, in, cond);
}

/* From block n[d] down to the label: conditions let the jump in, what stands in front is skipped. */
static void inward(struct jumps *j, struct path *l, int d, int flag)
{
    for (int i = l->depth - 1; i > d; i--) {
        struct rg_cnode *n = l->n[i];
        switch (n->kind) {
        case RG_C_BLOCK:
            guard(j, n, 0, l->at[i], flag_is(j, flag, false));
            break;
        case RG_C_IF:
            n->kid[0] = l->at[i] == 1 ? or (j, flag, n->kid[0])
                                      : rg__c_binary(j->t, RG_COP_AND, flag_is(j, flag, false), n->kid[0]);
            break;
        case RG_C_WHILE:
            n->kid[0] = or (j, flag, n->kid[0]);
            break;
        case RG_C_DO:
            break;
        case RG_C_FOR:
            if (n->kid[1]) n->kid[1] = or (j, flag, n->kid[1]);
            if (n->kid[0]) { /* the first values belong in front, under the guard of what stands there */
                struct rg_cnode *b = l->n[i - 1], *init = n->kid[0];
                struct rg__kids front = {0};
                if (rg__c_is_expr(init)) init = rg__c_stmt(j->t, init);
                if (init->kind == RG_C_BLOCK)
                    for (int k = 0; k < init->n; k++) rg__kids_add(&front, init->kid[k]);
                else
                    rg__kids_add(&front, init);
                n->kid[0] = NULL;
                int count = front.n;
                rg__block_splice(j->t, b, l->at[i - 1], 0, &front);
                if (i - 1 == d) count = guard(j, b, l->at[i - 1], l->at[i - 1] + count, flag_is(j, flag, false));
                l->at[i - 1] += count;
            }
            break;
        default:
            j->why = "a jump into a switch";
            return;
        }
    }
}

/* Below n, every break (or continue) of the loop around it becomes a jump to `name`. */
static void name_exits(struct jumps *j, struct rg_cnode *n, enum rg_c_kind kind, const char *name)
{
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        if (!s || rg__c_is_expr(s)) continue;
        if (s->kind == kind) {
            struct rg_cnode *jump = rg_cnode_new(j->t, RG_C_GOTO, 0);
            jump->text = name;
            jump->line = s->line;
            n->kid[i] = jump;
        } else if (s->kind == RG_C_SWITCH ? kind == RG_C_CONTINUE : !breakable(s)) {
            name_exits(j, s, kind, name);
        }
    }
}

/* block n[d], [from, to], becomes a loop of its own: what leaves the loop around it is said by name. true when there
 * was such. */
static bool free_exits(struct jumps *j, struct path *g, int d, int from, int to)
{
    struct rg_cnode part = {.kind = RG_C_BLOCK, .n = to - from + 1, .kid = g->n[d]->kid + from};
    if (!rg__leaves_loop(&part)) return false;
    bool continues = rg__continues_loop(&part);
    int loop = d - 1;
    while (loop > 0 && (!breakable(g->n[loop]) || (continues && g->n[loop]->kind == RG_C_SWITCH))) loop--;
    if (loop <= 0 || g->n[loop - 1]->kind != RG_C_BLOCK) {
        j->why = "a jump back around what leaves no loop";
        return true;
    }
    struct rg__kids one = {0};
    struct rg_cnode *label = rg_cnode_new(j->t, RG_C_LABEL, 0);
    label->text = rg_arena_printf(&j->t->arena, "<%s%d>", continues ? "next" : "left", ++j->n_made);
    label->line = g->n[loop]->line;
    name_exits(j, &part, continues ? RG_C_CONTINUE : RG_C_BREAK, label->text);
    rg__kids_add(&one, label);
    if (continues)
        rg__block_splice(j->t, g->n[loop + 1], g->n[loop + 1]->n, 0, &one);
    else
        rg__block_splice(j->t, g->n[loop - 1], g->at[loop - 1] + 1, 0, &one);
    return true;
}

static void by_flag(struct jumps *j, struct path *g, struct path *l, int flag)
{
    int d = common(g, l), from = g->at[d], to = l->at[d];
    struct rg_cnode *b = g->n[d];
    struct rg_cnode *jump = g->n[g->depth];
    if (to <= from && free_exits(j, g, d, to, from)) return;
    struct path into = *l;
    outward(j, g, d, flag);
    inward(j, &into, d, flag);
    if (j->why) return;
    if (from < to) {
        guard(j, b, from + 1, to, flag_is(j, flag, false));
        return;
    }
    from += into.at[d] - to; /* the first values of a loop that is entered */
    struct rg__kids out = {0}, rest = {0};
    take(j, b, to, from + 1, &out, &rest);
    struct rg_cnode *x = rg_cnode_new(j->t, RG_C_DO, 2);
    x->kid[0] = rg__kids_node(j->t, RG_C_BLOCK, &rest);
    x->kid[1] = flag_is(j, flag, true);
    x->line = jump->line;
    x->column = jump->column;
    rg__kids_add(&out, x);
    rg__block_splice(j->t, b, to, from - to + 1, &out);
}

static void remove_labels(struct jumps *j, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        if (n->kid[i] && n->kid[i]->kind == RG_C_LABEL) {
            replace(j, n, i--, 1, NULL);
            continue;
        }
        remove_labels(j, n->kid[i]);
    }
}

/* The next jump to take: to the next statement, then those back, as they make loops that others leave. false: there is
 * none, or it goes nowhere. */
static bool next_jump(struct jumps *j, struct path *g, struct path *l)
{
    for (int pass = 0; pass < 2; pass++)
        for (int k = 0; find(j, RG_C_GOTO, NULL, k, g); k++) {
            if (!find(j, RG_C_LABEL, g->n[g->depth]->text, 0, l)) return false;
            int d = common(g, l);
            if (pass ? l->at[d] <= g->at[d] : l->at[d] == g->at[d] + 1 && d + 1 == g->depth && d + 1 == l->depth)
                return true;
        }
    return find(j, RG_C_GOTO, NULL, 0, g) && find(j, RG_C_LABEL, g->n[g->depth]->text, 0, l);
}

const char *rg__structure_jumps(struct rg_ctree *t, struct rg_cnode *block, int *line)
{
    struct jumps j = {.t = t, .root = block};
    struct path g, l;
    if (rg__mentions_kind(block, RG_C_VERBATIM)) return NULL; /* it stays a text */
    *line = 0;
    for (int k = 0; find(&j, RG_C_GOTO, NULL, k, &g); k++) {
        if (!find(&j, RG_C_LABEL, g.n[g.depth]->text, 0, &l)) continue;
        int d = common(&g, &l);
        j.back |= l.at[d] <= g.at[d] || l.n[d + 1]->kind != RG_C_LABEL;
    }
    for (int n = 0; !j.why && next_jump(&j, &g, &l); n++) {
        bool is_new;
        *line = g.n[g.depth]->line;
        if (n > MAX_JUMPS) {
            j.why = "too many jumps";
            break;
        }
        if (plain_form(&j, &g, &l)) continue;
        int flag = flag_of(&j, g.n[g.depth]->text, &is_new);
        if (!is_new) by_flag(&j, &g, &l, flag); /* else the places have moved */
    }
    free(j.labels);
    if (!j.why && rg__mentions_kind(block, RG_C_GOTO)) j.why = "a jump to nowhere";
    if (!j.why) remove_labels(&j, block);
    return j.why;
}
