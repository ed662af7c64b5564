/* The slice of a loop nest that says where one subscript leads: the loops, conditions and declarations that it needs,
 * and in the middle a question. Nothing that the slice reads changes in the code that it is asked for, so the answer
 * holds there. */
#include "frontend/normalise/block_parts.h"
#include "frontend/normalise/pointer_rotation.h"
#include <stdlib.h>
#include <string.h>

enum { MAX_PATH = 64 };

struct slice {
    struct rg_ctree *t;
    struct rg_cnode *from;
    int n_path;
    struct rg_cnode *path[MAX_PATH + 1]; /* from `from` down to the subscript */
    int n_vars;
    bool *needed, *bound; /* by variable: the slice reads it; declares it */
    bool failed;
};

static bool find_path(struct slice *s, struct rg_cnode *n, const struct rg_cnode *to)
{
    if (!n || s->n_path > MAX_PATH) return false;
    s->path[s->n_path++] = n;
    if (n == to) return true;
    for (int i = 0; i < n->n && s->n_path <= MAX_PATH; i++)
        if (find_path(s, n->kid[i], to)) return true;
    s->n_path--;
    return false;
}

/* The expression is evaluated in front: it must be a value, of things that stay as they are. */
static struct rg_cnode *take(struct slice *s, const struct rg_cnode *e)
{
    const struct rg_ctree *t = s->t;
    bool pointer = e->pointer || e->op == RG_COP_DEREF || e->op == RG_COP_ADDRESS || e->kind == RG_C_COMMA;
    s->failed |= pointer || e->kind == RG_C_VERBATIM || e->kind == RG_C_ASSIGN || e->kind == RG_C_INCDEC;
    if (e->kind == RG_C_CALL) s->failed |= !rg__c_pure(t, e);
    if (e->kind == RG_C_VAR && e->array >= 0) s->failed = true;
    if (e->kind == RG_C_VAR && e->array < 0) s->needed[e->var] = true;
    for (int a = 0; e->kind == RG_C_INDEX && a < t->n_arrays; a++) {
        bool same = a == e->array || (t->arrays[a].param >= 0 && t->arrays[a].param == t->arrays[e->array].param);
        s->failed |= same && rg__writes_array(s->from, a);
    }
    for (int i = 0; i < e->n && !s->failed; i++) take(s, e->kid[i]);
    return s->failed ? NULL : rg__c_copy(s->t, e);
}

static struct rg_cnode *block_of(struct rg_ctree *t, struct rg_cnode *n)
{
    if (n->kind == RG_C_BLOCK) return n;
    struct rg_cnode *b = rg_cnode_new(t, RG_C_BLOCK, 1);
    b->kid[0] = n;
    return b;
}

static struct rg_cnode *under(struct slice *s, const struct rg_cnode *condition, bool holds, struct rg_cnode *body)
{
    struct rg_cnode *c = take(s, condition);
    if (!c) return NULL;
    struct rg_cnode *x = rg_cnode_new(s->t, RG_C_IF, 2);
    x->kid[0] = holds ? c : rg__negated(s->t, c);
    x->kid[1] = block_of(s->t, body);
    return x;
}

/* Values that the body reads of declarations in front of it, whatever else stands there. */
static struct rg_cnode *behind(struct slice *s, const struct rg_cnode *block, const struct rg_cnode *child,
                               struct rg_cnode *body)
{
    int at = 0;
    while (block->kid[at] != child) at++;
    for (int i = at - 1; i >= 0 && !s->failed; i--) {
        const struct rg_cnode *d = block->kid[i];
        if (d->kind != RG_C_DECL || d->array >= 0 || d->var >= s->n_vars || !s->needed[d->var] || s->bound[d->var])
            continue;
        struct rg_cnode *x = rg_cnode_new(s->t, RG_C_DECL, 1), *b = rg_cnode_new(s->t, RG_C_BLOCK, 0);
        s->failed |= !d->n || d->pointer || d->type == RG_STRUCT;
        if (s->failed || !(x->kid[0] = take(s, d->kid[0]))) return NULL;
        for (int k = i + 1; k < block->n; k++) s->failed |= rg__c_writes_var(block->kid[k], d->var);
        x->var = d->var;
        x->type = d->type;
        s->bound[d->var] = true;
        struct rg__kids with = {0};
        rg__kids_add(&with, x);
        for (int k = 0; body->kind == RG_C_BLOCK && k < body->n; k++) rg__kids_add(&with, body->kid[k]);
        if (body->kind != RG_C_BLOCK) rg__kids_add(&with, body);
        rg__block_splice(s->t, b, 0, 0, &with);
        body = b;
    }
    return s->failed ? NULL : body;
}

static bool over_params(const struct rg_ctree *t, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && t->vars[e->var].kind == RG_CVAR_PARAM && !t->vars[e->var].assigned;
    if (e->kind == RG_C_INDEX || e->kind == RG_C_CALL || e->kind == RG_C_MEMBER) return false;
    for (int i = 0; i < e->n; i++)
        if (!over_params(t, e->kid[i])) return false;
    return true;
}

/* A loop whose variable the slice does not need runs it once: where it has an iteration. */
static struct rg_cnode *around(struct slice *s, const struct rg_cnode *l, struct rg_cnode *body)
{
    struct rg_ctree *t = s->t;
    if (!s->needed[l->var] && over_params(t, l->kid[0]) && over_params(t, l->kid[1])) {
        enum rg_c_op runs = l->step > 0 ? RG_COP_LT : RG_COP_GT;
        return under(s, rg__c_binary(t, runs, rg__c_copy(t, l->kid[0]), rg__c_copy(t, l->kid[1])), true, body);
    }
    s->failed |= l->n != 3;
    struct rg_cnode *lower = take(s, l->kid[0]), *upper = lower ? take(s, l->kid[1]) : NULL;
    if (!upper) return NULL;
    struct rg_cnode *x = rg_cnode_new(t, RG_C_LOOP, 3);
    x->var = l->var;
    x->step = l->step;
    x->kid[0] = lower;
    x->kid[1] = upper;
    x->kid[2] = block_of(t, body);
    s->bound[l->var] = true;
    return x;
}

/* for (k = a; k < b; k++) of bounds that data say. */
static struct rg_cnode *around_for(struct slice *s, const struct rg_cnode *f, struct rg_cnode *body)
{
    struct rg_ctree *t = s->t;
    const struct rg_cnode *first = f->kid[0], *step = f->kid[2], *value;
    if (!first || !f->kid[1] || !step || rg__leaves_early(f->kid[3])) return NULL;
    if (step->kind == RG_C_STMT) step = step->kid[0];
    bool counts = step->kind == RG_C_INCDEC || (step->kind == RG_C_ASSIGN && rg_c_applied(step->op) != RG_COP_NONE);
    int var = counts && step->kid[0]->kind == RG_C_VAR && step->kid[0]->array < 0 ? step->kid[0]->var : -1;
    if (first->kind == RG_C_STMT) first = first->kid[0];
    bool declares = first->kind == RG_C_DECL && first->array < 0 && first->n && first->var == var,
         sets = first->kind == RG_C_ASSIGN && first->op == RG_COP_SET && first->kid[0]->kind == RG_C_VAR &&
                first->kid[0]->array < 0 && first->kid[0]->var == var;
    if (var < 0 || var >= s->n_vars || (!declares && !sets) || rg__c_writes_var(f->kid[3], var)) return NULL;
    value = first->kid[sets];
    struct rg_cnode *x = rg_cnode_new(t, RG_C_FOR, 4), *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = var;
    d->type = t->vars[var].type;
    if (!(d->kid[0] = take(s, value)) || !(x->kid[1] = take(s, f->kid[1]))) return NULL;
    if (step->kind == RG_C_ASSIGN && !take(s, step->kid[1])) return NULL;
    x->kid[0] = d;
    x->kid[2] = rg__c_copy(t, f->kid[2]);
    x->kid[3] = block_of(t, body);
    s->bound[var] = true;
    return x;
}

static int kid_of(const struct rg_cnode *n, const struct rg_cnode *child)
{
    int i = 0;
    while (n->kid[i] != child) i++;
    return i;
}

static struct rg_cnode *outward(struct slice *s, int at, struct rg_cnode *body)
{
    const struct rg_cnode *n = s->path[at], *child = s->path[at + 1];
    int k = kid_of(n, child);
    switch (n->kind) {
    case RG_C_BLOCK:
        return behind(s, n, child, body);
    case RG_C_LOOP:
        return k == 2 ? around(s, n, body) : body;
    case RG_C_FOR: /* the condition is asked once more, behind the last iteration */
        return k == 3 ? around_for(s, n, body) : NULL;
    case RG_C_IF:
    case RG_C_COND:
        return k == 0 ? body : under(s, n->kid[0], k == 1, body);
    case RG_C_OPAQUE:
    case RG_C_STMT:
    case RG_C_DECL:
    case RG_C_INDEX:
    case RG_C_MEMBER:
    case RG_C_UNARY:
    case RG_C_ASSIGN:
    case RG_C_CAST:
    case RG_C_CALL:
        return body;
    case RG_C_BINARY:
        return rg_c_lazy(n->op) && k == 1 ? under(s, n->kid[0], n->op == RG_COP_AND, body) : body;
    default:
        return NULL;
    }
}

/* Of variables that the slice reads and does not declare: do they hold, in front, what they do at the place? */
static bool known_in_front(const struct slice *s)
{
    for (int v = 0; v < s->n_vars; v++) {
        const struct rg_cvar *x = &s->t->vars[v];
        if (!s->needed[v] || s->bound[v] || (x->kind == RG_CVAR_PARAM && !x->assigned)) continue;
        if (s->from == s->t->root || rg__c_writes_var(s->from, v) || rg__c_declares(s->from, v)) return false;
    }
    return true;
}

struct rg_cnode *rg__part_check(struct rg_ctree *t, struct rg_cnode *from, const struct rg_cnode *place,
                                const struct rg_cnode *value, const struct rg_cnode *last, int strays)
{
    struct slice s = {.t = t, .from = from, .n_vars = t->n_vars};
    s.needed = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool));
    s.bound = rg_xcalloc((size_t)t->n_vars + 1, sizeof(bool));
    struct rg_cnode *v = find_path(&s, from, place) ? take(&s, value) : NULL, *body = NULL;
    if (v) {
        struct rg_cnode *out =
            rg__c_binary(t, RG_COP_OR, rg__c_binary(t, RG_COP_LT, v, rg__c_cast(t, rg__c_int(t, 0), v->type)),
                         rg__c_binary(t, RG_COP_GT, rg__c_copy(t, v), rg__c_copy(t, last)));
        body = rg__c_stmt(
            t, rg__c_assign(t, RG_COP_ADD_SET, rg__c_var(t, strays), rg__c_cast(t, out, t->vars[strays].type)));
    }
    for (int i = s.n_path - 2; i >= 0 && body; i--) body = outward(&s, i, body);
    bool ok = body && !s.failed && known_in_front(&s);
    free(s.needed);
    free(s.bound);
    if (!ok) return NULL;
    rg__moves_fresh(t, body, body);
    return body;
}
