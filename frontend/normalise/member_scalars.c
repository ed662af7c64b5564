/* Members of a local structure that is copied or returned as a whole (`s.sum += x[i]; ... return s;`) are scalars in
 * loops that name them one by one, short arrays (`s.low[k]`) are arrays: read in front of the loop, stored behind it.
 * What the loop does to one member is then no business of the others. Sums of complex numbers are sums of their
 * parts. */
#include "frontend/normalise/canon.h"
#include <stdlib.h>
#include <string.h>

enum { MOST = 24, MOST_ELEMENTS = 16 };

struct member {
    const struct rg_cnode *node; /* with a subscript, of an array */
    int elements;                /* of that; 0: it is no array */
    bool written, read;
};

struct members {
    const struct rg_problem *p;
    int var, n; /* of the structure */
    bool whole; /* it is named in another way than by one of these */
    struct member at[MOST];
};

static bool is_struct(const struct rg_cnode *e, int var)
{
    return e->kind == RG_C_VAR && e->array < 0 && e->var == var;
}

/* s.sum, s.box.low.x, s.low[k] */
static bool is_member(const struct rg_cnode *e, int var)
{
    if (e->kind != RG_C_MEMBER || e->pointer || e->type == RG_STRUCT || e->n > 2) return false;
    e = e->kid[0];
    while (e->kind == RG_C_MEMBER && e->n == 1) e = e->kid[0];
    return is_struct(e, var);
}

static bool same_member(const struct rg_cnode *a, const struct rg_cnode *b)
{
    return a->n == b->n && !strcmp(a->text, b->text) && rg__c_equal(a->kid[0], b->kid[0]);
}

static void path_of(const struct rg_cnode *e, struct rg_buf *out)
{
    if (e->kind != RG_C_MEMBER) return;
    path_of(e->kid[0], out);
    rg_buf_printf(out, "%s%s", out->len ? "." : "", e->text);
}

/* How many elements the array member has; 0: too many, or not known. */
static int elements_of(const struct rg_problem *p, const struct rg_ctree *t, const struct rg_cnode *e, int var)
{
    const int s = t->vars[var].struct_index;
    struct rg_buf path = RG_BUF_INIT;
    int n = 0;
    path_of(e, &path);
    for (int i = 0; s >= 0 && s < p->n_structs && i < p->structs[s].n_fields; i++) {
        const struct rg_field *f = &p->structs[s].fields[i];
        if (!strcmp(f->path, path.data) && f->count <= MOST_ELEMENTS) n = (int)f->count;
    }
    rg_buf_release(&path);
    return n;
}

static void look(struct members *m, const struct rg_ctree *t, const struct rg_cnode *n, bool write, bool read)
{
    if (!n || m->whole) return;
    if (n->kind == RG_C_VERBATIM || is_struct(n, m->var) || (n->kind == RG_C_DECL && n->array < 0 && n->var == m->var))
        m->whole = true;
    if (m->whole) return;
    if (is_member(n, m->var)) {
        int i = 0;
        while (i < m->n && !same_member(m->at[i].node, n)) i++;
        const int elements = n->n > 1 ? elements_of(m->p, t, n, m->var) : 0;
        if (i == MOST || (n->n > 1 && !elements)) {
            m->whole = true;
            return;
        }
        if (i == m->n) m->at[m->n++] = (struct member){.node = n, .elements = elements};
        m->at[i].written |= write;
        m->at[i].read |= read;
        if (elements) look(m, t, n->kid[1], false, true);
        return;
    }
    if (n->op == RG_COP_ADDRESS && is_member(n->kid[0], m->var)) m->whole = true;
    bool sets = n->kind == RG_C_ASSIGN || n->kind == RG_C_INCDEC;
    for (int i = 0; i < n->n; i++) look(m, t, n->kid[i], sets && i == 0, !sets || i > 0 || n->op != RG_COP_SET);
}

static struct rg_cnode *element(struct rg_ctree *t, int array, struct rg_cnode *at)
{
    return rg__c_index(t, array, 1, &at);
}

/* By the variable or, of a member with elements, by the array's. */
static void replace(struct rg_ctree *t, struct rg_cnode *n, const struct rg_cnode *member, int var, int array)
{
    for (int i = 0; n && i < n->n; i++) {
        struct rg_cnode *e = n->kid[i];
        if (e && e->kind == RG_C_MEMBER && same_member(e, member)) {
            if (array >= 0) e = element(t, array, e->kid[1]);
            e = n->kid[i] = array >= 0 ? e : rg__c_var(t, var);
        }
        replace(t, e, member, var, array);
    }
}

/* Is the structure given a value, or asked for, outside that loop? */
static bool named_beside(const struct rg_cnode *n, const struct rg_cnode *loop, int var)
{
    if (!n || n == loop) return false;
    if (n->kind == RG_C_VERBATIM || is_struct(n, var) ||
        (n->kind == RG_C_DECL && n->array < 0 && n->var == var && n->n))
        return true;
    for (int i = 0; i < n->n; i++)
        if (named_beside(n->kid[i], loop, var)) return true;
    return false;
}

struct moved {
    struct rg_ctree *t;
    const struct rg_cnode *loop;
    struct rg__kids front, behind;
};

static void put(struct moved *x, struct rg__kids *to, struct rg_cnode *s)
{
    s->line = x->loop->line;
    s->column = x->loop->column;
    rg__kids_add(to, s);
}

static void set(struct moved *x, struct rg__kids *to, const struct rg_cnode *place, const struct rg_cnode *value)
{
    struct rg_ctree *t = x->t;
    put(x, to, rg__c_stmt(t, rg__c_assign(t, RG_COP_SET, rg__c_copy(t, place), rg__c_copy(t, value))));
}

/* first: its value in front of the loop, where it is known. */
static void promote_scalar(struct moved *x, const struct member *m, const char *name, bool beside,
                           struct rg_cnode *first)
{
    struct rg_ctree *t = x->t;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, beside);
    d->var = rg__c_add_var(t, name, RG_CVAR_LOCAL, m->node->type);
    d->type = m->node->type;
    if (beside) d->kid[0] = first ? first : rg__c_copy(t, m->node);
    put(x, &x->front, d);
    if (m->written && beside) set(x, &x->behind, m->node, rg__c_var(t, d->var));
}

static void promote_array(struct moved *x, const struct member *m, const char *name, bool beside)
{
    struct rg_ctree *t = x->t;
    const int array = rg__c_add_array(t, name, m->node->type);
    struct rg_carray *a = &t->arrays[array];
    const struct rg_expr **dims = rg_arena_alloc(&t->arena, sizeof *dims);
    dims[0] = rg__c_to_expr(t, rg__c_int(t, m->elements), &t->arena);
    a->n_dims = 1;
    a->dims = dims;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 0);
    d->array = array;
    d->type = m->node->type;
    put(x, &x->front, d);
    for (int k = 0; k < m->elements && beside; k++) {
        struct rg_cnode *e = rg__c_copy(t, m->node), *to = element(t, array, rg__c_int(t, k));
        e->kid[1] = rg__c_int(t, k);
        set(x, &x->front, to, e);
        if (m->written) set(x, &x->behind, e, to);
    }
}

/* The number that the structure's declaration, the last in front of block->kid[at] that names it, gives the member;
 * NULL: it is none. */
static struct rg_cnode *declared(struct rg_ctree *t, const struct rg_problem *p, const struct rg_cnode *block, int at,
                                 const struct rg_cnode *member)
{
    const struct rg_cnode *of = member->kid[0], *list = NULL;
    if (of->kind != RG_C_VAR || of->struct_index < 0 || of->struct_index >= p->n_structs) return NULL;
    for (int k = at - 1; k >= 0 && !list; k--) {
        const struct rg_cnode *s = block->kid[k];
        if (s->kind == RG_C_DECL && s->array < 0 && s->var == of->var)
            list = s->n && s->kid[0]->kind == RG_C_INITLIST ? s->kid[0] : s;
        else if (rg__c_mentions_var(s, of->var) || s->kind == RG_C_VERBATIM)
            return NULL;
    }
    const struct rg_struct *s = &p->structs[of->struct_index];
    if (!list || list->kind != RG_C_INITLIST || list->n != s->n_fields) return NULL;
    int64_t v;
    for (int f = 0; f < s->n_fields; f++)
        if (s->fields[f].count == 1 && !strcmp(s->fields[f].path, member->text) && rg__scalar_is_int(member->type) &&
            list->kid[f] && rg__c_number(list->kid[f], &v))
            return rg__c_cast(t, rg__c_copy(t, list->kid[f]), member->type);
    return NULL;
}

static void promote(struct rg_ctree *t, struct rg_cnode *block, int *at, const struct members *m)
{
    struct rg_cnode *loop = block->kid[*at];
    const bool beside = named_beside(t->root, loop, m->var); /* else there is nothing to read in front of it */
    struct moved x = {.t = t, .loop = loop};
    for (int i = 0; i < m->n; i++) {
        struct member k = m->at[i];
        k.node = rg__c_copy(t, k.node);
        const char *name = rg_arena_printf(&t->arena, "%s_%s", t->vars[m->var].name, k.node->text);
        if (k.elements)
            promote_array(&x, &k, name, beside);
        else
            promote_scalar(&x, &k, name, beside, beside ? declared(t, m->p, block, *at, k.node) : NULL);
        replace(t, loop, k.node, t->n_vars - 1, k.elements ? t->n_arrays - 1 : -1);
    }
    int added = x.front.n;
    rg__block_splice(t, block, *at + 1, 0, &x.behind);
    rg__block_splice(t, block, *at, 0, &x.front);
    *at += added;
}

/* Outermost loops first, where an iteration reads what others have set; a structure that a loop declares is each
 * iteration's own, and the device's compiler keeps it in registers. */
static void walk(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n, int var)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *s = n->kid[i];
        bool loop = s && (s->kind == RG_C_LOOP || s->kind == RG_C_FOR || s->kind == RG_C_WHILE || s->kind == RG_C_DO);
        if (loop && rg__c_declares(s, var)) continue;
        if (loop && n->kind == RG_C_BLOCK && rg__c_mentions_var(s, var)) {
            struct members m = {.p = p, .var = var};
            bool carried = false;
            look(&m, t, s, false, true);
            for (int k = 0; k < m.n; k++) carried |= m.at[k].written && m.at[k].read;
            if (!m.whole && !rg__mentions_kind(s, RG_C_RETURN)) {
                if (carried) promote(t, n, &i, &m);
                continue;
            }
        }
        walk(t, p, s, var);
    }
}

/* ---- sums of complex numbers ---- */

struct sums {
    struct rg_ctree *t;
    const struct rg_problem *p;
    const struct rg_cnode *loop; /* the outermost */
};

static bool is_complex(const struct sums *s, const struct rg_cnode *e)
{
    if (e->type != RG_STRUCT || e->pointer || e->struct_index < 0 || e->struct_index >= s->p->n_structs) return false;
    const char *name = s->p->structs[e->struct_index].c_name;
    return !strcmp(name, "rg_complexf") || !strcmp(name, "rg_complexd");
}

/* The same place all through the loop: a variable from outside, an element whose subscripts are numbers. */
static bool is_place(const struct sums *s, const struct rg_cnode *e)
{
    if (e->kind == RG_C_VAR) return e->array < 0 && !rg__c_declares(s->loop, e->var);
    if (e->kind != RG_C_INDEX || rg__c_declares_array(s->loop, e->array)) return false;
    for (int i = 0; i < e->n; i++)
        if (rg__c_uncast(e->kid[i], RG__C_INT_CASTS)->kind != RG_C_INT) return false;
    return true;
}

static bool mentions(const struct rg_cnode *e, const struct rg_cnode *x)
{
    return x->kind == RG_C_VAR ? rg__c_mentions_var(e, x->var) : rg__c_mentions_array(e, x->array);
}

static bool is_call(const struct rg_cnode *e, const char *name)
{
    return e->kind == RG_C_CALL && e->n == 2 && e->text && e->callee < 0 && !strncmp(e->text, name, strlen(name));
}

/* x.re += term.re; */
static struct rg_cnode *part(struct rg_ctree *t, const struct rg_cnode *x, int term, const char *name,
                             enum rg_scalar type, enum rg_c_op op)
{
    struct rg_cnode *of[2] = {rg__c_copy(t, x), rg__c_var(t, term)}, *m[2];
    of[1]->type = RG_STRUCT;
    of[1]->struct_index = x->struct_index;
    for (int i = 0; i < 2; i++) {
        m[i] = rg_cnode_new(t, RG_C_MEMBER, 1);
        m[i]->text = name;
        m[i]->type = type;
        m[i]->kid[0] = of[i];
    }
    return rg__c_stmt(t, rg__c_assign(t, op, m[0], m[1]));
}

/* x = x + e, x = e + x, x = x - e, the statement block->kid[*at]: as a term, and its parts. */
static bool in_parts(const struct sums *s, struct rg_cnode *block, int *at)
{
    struct rg_ctree *t = s->t;
    const struct rg_cnode *st = block->kid[*at], *a = st->kind == RG_C_STMT ? st->kid[0] : NULL;
    if (!a || a->kind != RG_C_ASSIGN || a->op != RG_COP_SET || !is_complex(s, a->kid[0]) || !is_place(s, a->kid[0]))
        return false;
    const struct rg_cnode *x = a->kid[0], *e = a->kid[1];
    bool add = is_call(e, "rg_cadd_"), right = add && rg__c_equal(e->kid[1], x);
    if ((!add && !is_call(e, "rg_csub_")) || !rg__c_equal(e->kid[right], x) || mentions(e->kid[!right], x))
        return false;
    enum rg_scalar type = s->p->structs[x->struct_index].fields[0].type;
    struct rg_cnode *d = rg_cnode_new(t, RG_C_DECL, 1);
    d->var = rg__c_add_var(t, "term", RG_CVAR_LOCAL, RG_STRUCT);
    t->vars[d->var].struct_index = d->struct_index = x->struct_index;
    t->vars[d->var].c_type = s->p->structs[x->struct_index].c_name;
    d->type = RG_STRUCT;
    d->kid[0] = e->kid[!right];
    struct rg__kids with = {0};
    rg__kids_add(&with, d);
    for (int i = 0; i < 2; i++)
        rg__kids_add(&with, part(t, x, d->var, i ? "im" : "re", type, add ? RG_COP_ADD_SET : RG_COP_SUB_SET));
    for (int i = 0; i < with.n; i++) {
        with.items[i]->line = st->line;
        with.items[i]->column = st->column;
    }
    rg__block_splice(t, block, *at, 1, &with);
    *at += 2;
    return true;
}

static void look_for_sums(struct sums *s, struct rg_cnode *n)
{
    if (!n || rg__c_is_expr(n)) return;
    for (int i = 0; i < n->n; i++) {
        bool outermost = !s->loop && n->kid[i] && n->kid[i]->kind == RG_C_LOOP;
        if (s->loop && n->kind == RG_C_BLOCK && in_parts(s, n, &i)) continue;
        if (outermost) s->loop = n->kid[i];
        look_for_sums(s, n->kid[i]);
        if (outermost) s->loop = NULL;
    }
}

void rg__canon_members(struct rg_ctree *t, const struct rg_problem *p)
{
    struct sums s = {.t = t, .p = p};
    look_for_sums(&s, t->root);
    for (int v = 0; v < t->n_vars; v++)
        if (t->vars[v].kind == RG_CVAR_LOCAL && t->vars[v].type == RG_STRUCT) walk(t, p, t->root, v);
}
