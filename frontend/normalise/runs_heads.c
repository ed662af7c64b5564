/* Where runs begin, for loops from run to run that ask it of every element: those that go over the elements behind all
 * runs, and those that take a run in pieces,
 *     while (i < n) { j = i + 1; while (j < n && key[j] == key[i] && j - i < 255) j++; ...; i = j; }
 * A piece begins wherever the way from the run's begin is a multiple of their length. */
#include "frontend/normalise/canon.h"
#include "frontend/normalise/runs.h"

enum { LEAST = 1, MOST = 1 << 30 }; /* lengths of pieces */

/* ---- limits ---- */

/* The integer below all conversions to types that hold every length up to the limit. */
static const struct rg_cnode *unconverted(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && !e->pointer && !e->kid[0]->pointer && rg__scalar_is_int(e->type) &&
           rg__scalar_is_int(e->kid[0]->type) && rg_scalar_bytes(e->type) >= 4)
        e = e->kid[0];
    return e;
}

/* (j + a) - (i + b): a - b. The variables are no wider than the difference, so it is the way from the one to the
 * other. */
static bool is_way(const struct rg_cnode *e, int i, int j, int64_t *k)
{
    int64_t a, b;
    e = unconverted(e);
    if (e->op == RG_COP_ADD && e->kid[1]->kind == RG_C_INT) { /* j - i + 1 */
        if (!is_way(e->kid[0], i, j, k)) return false;
        *k += e->kid[1]->ivalue;
        return true;
    }
    if (e->op != RG_COP_SUB || !rg__runs_offset(e->kid[0], j, &a) || !rg__runs_offset(e->kid[1], i, &b)) return false;
    *k = a - b;
    return true;
}

/* j - i < most, j < i + most: from the one side or the other. */
static bool is_limit(const struct rg_cnode *c, int i, int j, int64_t *most)
{
    enum rg_c_op op = c->op;
    if (op != RG_COP_LT && op != RG_COP_LE && op != RG_COP_GT && op != RG_COP_GE && op != RG_COP_NE) return false;
    const struct rg_cnode *a = c->kid[0], *b = c->kid[1];
    if (op == RG_COP_GT || op == RG_COP_GE || (op == RG_COP_NE && a->kind == RG_C_INT)) {
        const struct rg_cnode *other = a;
        a = b;
        b = other;
        op = op == RG_COP_GT ? RG_COP_LT : op == RG_COP_GE ? RG_COP_LE : op;
    }
    int64_t k, top;
    const struct rg_cnode *sum = rg__runs_widened(b);
    if (rg__c_number(b, &top) && is_way(a, i, j, &k)) {
        *most = top - k;
    } else if (rg__runs_offset(a, j, &k) && rg__runs_offset(b, i, &top) && top > 0 &&
               (rg_scalar_is_signed(sum->type) || rg_scalar_bytes(sum->type) == 8)) {
        *most = top - k; /* where i + most does not wrap around: no array has so many elements */
    } else {
        return false;
    }
    *most += op == RG_COP_LE;
    return k >= 0 && top >= 0 && top < MOST;
}

struct rg_cnode *rg__runs_unlimited(struct rg_ctree *t, struct rg_cnode *c, int i, int j, int64_t *most)
{
    int64_t here;
    *most = 0;
    if (is_limit(c, i, j, &here)) {
        *most = here;
        return NULL;
    }
    if (c->op != RG_COP_AND) return c;
    int64_t with[2];
    struct rg_cnode *rest[2];
    for (int k = 0; k < 2; k++) {
        rest[k] = rg__runs_unlimited(t, c->kid[k], i, j, &with[k]);
        if (!rest[k] && with[k] < LEAST) {
            *most = 0;
            return NULL;
        }
        if (with[k] && (!*most || with[k] < *most)) *most = with[k];
    }
    if (!*most) return c;
    return rest[0] && rest[1] ? rg__c_binary(t, RG_COP_AND, rest[0], rest[1]) : rest[0] ? rest[0] : rest[1];
}

struct rg_cnode *rg__runs_limits_last(struct rg_ctree *t, struct rg_cnode *c, const struct rg_cnode *end)
{
    struct rg_cnode *late = NULL;
    for (;;) {
        struct rg_cnode *first = c, *rest = NULL;
        int64_t number;
        while (first->op == RG_COP_AND) {
            rest = rest ? rg__c_binary(t, RG_COP_AND, first->kid[1], rest) : first->kid[1];
            first = first->kid[0];
        }
        const bool compares = first->op == RG_COP_LT || first->op == RG_COP_LE || first->op == RG_COP_NE;
        if (!rest || !compares || !rg__c_number(first->kid[1], &number) ||
            rg__c_same(first->kid[1], end, RG__C_UNCAST) || rg__mentions_kind(first, RG_C_INDEX) ||
            !rg__c_pure(t, first))
            break;
        late = late ? rg__c_binary(t, RG_COP_AND, late, first) : first;
        c = rest;
    }
    return late ? rg__c_binary(t, RG_COP_AND, c, late) : c;
}

/* ---- where runs begin ---- */

int rg__runs_scratch(struct rg_ctree *t, const char *name, enum rg_scalar type, const struct rg_expr *extent, int line,
                     struct rg__kids *declarations)
{
    const int array = rg__c_add_array(t, name, type);
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    struct rg_cnode *made = rg_cnode_new(t, RG_C_DECL, 0);
    dims[0] = extent;
    t->arrays[array].n_dims = 1;
    t->arrays[array].dims = dims;
    t->arrays[array].mallocd = true;
    made->array = array;
    made->type = type;
    made->line = line;
    rg__kids_add(declarations, made);
    return array;
}

struct rg_cnode *rg__runs_element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

struct rg_cnode *rg__runs_set(struct rg_ctree *t, struct rg_cnode *to, struct rg_cnode *value, int line)
{
    struct rg_cnode *s = rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, to, value));
    s->line = line;
    return s;
}

struct rg_cnode *rg__runs_once_more(struct rg_ctree *t, const struct rg_cnode *loop, int h, struct rg__kids *body)
{
    struct rg_cnode *f = rg_cnode_new(t, RG_C_FOR, 4);
    const int each = rg__c_add_var(t, t->vars[h].name, RG_CVAR_LOCAL, t->vars[h].type);
    f->line = loop->line;
    f->column = loop->column;
    for (int k = 0; k < 3; k++) f->kid[k] = rg__c_copy(t, loop->kid[k]);
    f->kid[3] = rg__kids_node(t, RG_C_BLOCK, body);
    f->kid[3]->line = loop->line;
    f->kid[0]->var = each;
    for (int k = 1; k < f->n; k++) f->kid[k] = rg__c_replace_var(t, f->kid[k], h, rg__c_var(t, each));
    return f;
}

/* int head = 0; for (h = 0; h < n; h++) { own = !alike ? h : 0; head = own > head ? own : head; heads[h] = head; } */
void rg__runs_heads(struct rg_ctree *t, const struct rg_cnode *loop, struct rg_cnode *alike, int h, int heads,
                    struct rg__kids *out)
{
    const enum rg_scalar type = t->vars[h].type;
    const int head = rg__c_add_var(t, "head", RG_CVAR_LOCAL, type), own = rg__c_add_var(t, "own", RG_CVAR_LOCAL, type),
              line = loop->line;
    struct rg_cnode *zero = rg_cnode_new(t, RG_C_DECL, 1), *mine = rg_cnode_new(t, RG_C_DECL, 1),
                    *first = rg_cnode_new(t, RG_C_COND, 3), *most = rg_cnode_new(t, RG_C_COND, 3);
    struct rg__kids body = {0};
    first->kid[0] = rg__c_binary(t, RG_COP_AND, rg__c_binary(t, RG_COP_GT, rg__c_var(t, h), rg__c_int(t, 0)),
                                 rg__negated(t, alike));
    first->kid[1] = rg__c_var(t, h);
    first->kid[2] = rg__c_cast(t, rg__c_int(t, 0), type);
    most->kid[0] = rg__c_binary(t, RG_COP_GT, rg__c_var(t, own), rg__c_var(t, head));
    most->kid[1] = rg__c_var(t, own);
    most->kid[2] = rg__c_var(t, head);
    zero->var = head;
    mine->var = own;
    zero->type = mine->type = first->type = most->type = type;
    zero->kid[0] = rg__c_cast(t, rg__c_int(t, 0), type);
    mine->kid[0] = first;
    zero->line = mine->line = line;
    rg__kids_add(&body, mine);
    rg__kids_add(&body, rg__runs_set(t, rg__c_var(t, head), most, line));
    rg__kids_add(&body, rg__runs_set(t, rg__runs_element(t, heads, rg__c_var(t, h)), rg__c_var(t, head), line));
    rg__kids_add(out, zero);
    rg__kids_add(out, rg__runs_once_more(t, loop, h, &body));
}

struct rg_cnode *rg__runs_begins_piece(struct rg_ctree *t, int h, int heads, int64_t most)
{
    struct rg_cnode *way = rg__c_binary(t, RG_COP_SUB, rg__c_var(t, h), rg__runs_element(t, heads, rg__c_var(t, h)));
    struct rg_cnode *rest = rg__c_binary(t, RG_COP_REM, way, rg__c_int(t, most));
    return rg__c_binary(t, RG_COP_EQ, rest, rg__c_int(t, 0));
}
