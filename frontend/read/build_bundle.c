/* Local structures with pointers in them (`struct pair g = {a, b};`) and arrays of a few pointers (`double *u[2] = {a,
 * b};`) are built as their parts: a view for each pointer, a variable for each number. */
#include "frontend/read/build_cell.h"
#include <string.h>

enum { MAX_PARTS = 64, MOST_LOCAL = 16 }; /* of a parameter; of a local variable */

struct rg__bundle {
    struct rg__bundle *next;
    int var; /* stands for the whole; never in a finished tree */
    int n;
    bool table;                  /* an array: parts by index */
    uint32_t key;                /* of an array's: what its form is remembered by; 0 */
    const struct rg__bundle *in; /* it is an element of a table; NULL */
    int at;
    struct {
        const char *name;
        int array, var;        /* one is -1 */
        struct rg_cnode *node; /* both are: this stands for it */
    } part[MAX_PARTS];
};

static struct rg_cnode *name_of(struct rg__build *b, int array, int var)
{
    return array < 0 ? rg__c_var(b->t, var) : rg__c_array_name(b->t, array);
}

static const struct rg__bundle *bundle_of(const struct rg__build *b, const struct rg_cnode *base)
{
    if (base->kind != RG_C_VAR || base->array >= 0) return NULL;
    for (const struct rg__bundle *x = b->bundles; x; x = x->next)
        if (x->var == base->var) return x;
    return NULL;
}

struct rg__bundle *rg__bundle_new(struct rg__build *b, const char *name)
{
    struct rg__bundle *x = rg_arena_alloc(&b->p->arena, sizeof *x);
    memset(x, 0, sizeof *x);
    x->var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_I32);
    x->next = b->bundles;
    b->bundles = x;
    return x;
}

void rg__bundle_part(struct rg__build *b, struct rg__bundle *x, const char *member, struct rg_cnode *node)
{
    if (x->n == MAX_PARTS) return;
    for (struct rg__bundle *k = b->bundles; k && x->table && node->kind == RG_C_VAR && node->array < 0; k = k->next)
        if (k->var == node->var) k->in = x, k->at = x->n;
    x->part[x->n].name = member;
    x->part[x->n].array = x->part[x->n].var = -1;
    x->part[x->n++].node = node;
}

int rg__bundle_var(const struct rg__bundle *x)
{
    return x->var;
}

void rg__bundle_parts(const struct rg__build *b, int var, void (*fn)(void *arg, const char *member, int array, int var),
                      void *arg)
{
    for (const struct rg__bundle *x = b->bundles; x; x = x->next)
        for (int i = 0; x->var == var && !x->table && i < x->n; i++) {
            const struct rg_cnode *n = x->part[i].node;
            if (!n)
                fn(arg, x->part[i].name, x->part[i].array, x->part[i].var);
            else if (n->kind == RG_C_VAR)
                fn(arg, x->part[i].name, n->array, n->array >= 0 ? -1 : n->var);
        }
}

bool rg__bundle_place(struct rg__build *b, const struct rg_cnode *view, const struct rg_cnode *value)
{
    for (struct rg__bundle *x = b->bundles; x; x = x->next)
        for (int i = 0; i < x->n; i++)
            if (view->kind == RG_C_VAR && view->array >= 0 && x->part[i].array == view->array && !x->part[i].node) {
                x->part[i].node = rg__c_copy(b->t, value);
                return true;
            }
    return false;
}

void rg__bundle_table(struct rg__bundle *x)
{
    x->table = true;
}

void rg__bundle_key(struct rg__bundle *x, uint32_t key)
{
    x->key = key;
}

bool rg__bundle_any(const struct rg__build *b, const struct rg_cnode *n)
{
    return bundle_of(b, n) != NULL;
}

struct rg_cnode *rg__bundle_at(struct rg__build *b, const struct rg_cnode *base, int i)
{
    const struct rg__bundle *x = bundle_of(b, base);
    if (!x || i >= x->n) return NULL;
    return x->part[i].node ? rg__c_copy(b->t, x->part[i].node) : name_of(b, x->part[i].array, x->part[i].var);
}

void rg__bundle_each(struct rg__build *b, const struct rg_cnode *base, void (*fn)(void *arg, int i, struct rg_cnode *n),
                     void *arg)
{
    const struct rg__bundle *x = bundle_of(b, base);
    for (int i = 0; x && i < x->n; i++) fn(arg, i, rg__bundle_at(b, base, i));
}

bool rg__bundle_is(const struct rg__build *b, const struct rg_cnode *n)
{
    const struct rg__bundle *x = bundle_of(b, n);
    return x && !x->table;
}

struct rg_cnode *rg__bundle_member(struct rg__build *b, const struct rg_cnode *base, const char *member)
{
    const struct rg__bundle *x = bundle_of(b, base);
    for (int i = 0; x && !x->table && i < x->n; i++)
        if (!strcmp(x->part[i].name, member))
            return x->part[i].node ? rg__c_copy(b->t, x->part[i].node) : name_of(b, x->part[i].array, x->part[i].var);
    return NULL;
}

/* An index with what locals are known to be, parameters of a body that is put in place among them: half(e, i). */
static struct rg_cnode *known_index(struct rg__build *b, struct rg_cnode *index)
{
    if (b->follow) index = rg__expand_known(b, index);
    return (struct rg_cnode *)rg__c_uncast(index, RG__C_INT_CASTS);
}

struct rg_cnode *rg__bundle_element(struct rg__build *b, const struct rg_cnode *base, struct rg_cnode *index)
{
    const struct rg__bundle *x = bundle_of(b, base);
    if (!x || !x->table) return NULL;
    index = (struct rg_cnode *)rg__c_uncast(index, RG__C_INT_CASTS);
    int64_t at;
    const struct rg_cnode *known = known_index(b, index);
    if (rg__cell_evaluate(known, &at) && at >= 0 && at < x->n) return rg__bundle_at(b, base, (int)at);
    if (x->part[0].node) { /* of cells: which one must be known */
        const struct rg__cell *c = rg__cell_named(b, x->part[0].node);
        bool again = b->follow && b->follow->again;
        rg__unroll_for(b, known);
        if (!c && rg__fix_sizes(b, known)) return NULL;
        if (c && !c->pointer && !again && !b->follow->again) rg__cell_decide(b, x->key, RG__ESCAPES);
        return NULL;
    }
    struct rg_cnode *all = name_of(b, x->part[x->n - 1].array, -1);
    for (int i = x->n - 2; i >= 0; i--) {
        struct rg_cnode *c = rg_cnode_new(b->t, RG_C_COND, 3);
        c->kid[0] = rg__c_binary(b->t, RG_COP_EQ, rg__c_copy(b->t, index), rg__c_int(b->t, i));
        c->kid[1] = name_of(b, x->part[i].array, -1);
        c->kid[2] = all;
        c->type = all->type;
        c->struct_index = all->struct_index;
        c->pointer = true;
        all = c;
    }
    return all;
}

struct rg_cnode *rg__bundle_moved(struct rg__build *b, const struct rg_cnode *p, struct rg_cnode *by)
{
    const struct rg__bundle *x = bundle_of(b, p->op == RG_COP_ADDRESS ? p->kid[0] : p), *table = x;
    int64_t k;
    if (x && !x->table) table = p->op == RG_COP_ADDRESS ? x->in : NULL;
    if (!table || !table->n || !table->part[0].node || !bundle_of(b, table->part[0].node)) return NULL;
    by = known_index(b, by);
    if (!rg__cell_evaluate(by, &k)) {
        rg__unroll_for(b, by);
        rg__fix_sizes(b, by);
        return NULL;
    }
    k += table == x ? 0 : x->at;
    if (k < 0 || k >= table->n) return NULL;
    struct rg_cnode *n = rg__c_operation(b->t, RG_C_UNARY, RG_COP_ADDRESS);
    n->kid[0] = rg__c_copy(b->t, table->part[k].node);
    n->type = RG_STRUCT;
    n->pointer = true;
    return n;
}

/* A view of pointers to such elements; -1 for others. */
static int view_of(struct rg__build *b, CXType pointer, const char *name)
{
    CXType elem = b->c->getPointeeType(b->c->getCanonicalType(pointer));
    enum rg_scalar s;
    if (!rg__type_scalar(b->u, elem, &s)) return -1;
    int a = rg__c_add_array(b->t, name, s);
    struct rg_carray *x = &b->t->arrays[a];
    if (!rg__set_element(b, a, elem)) return -1;
    x = &b->t->arrays[a];
    x->view = true;
    x->is_const = b->c->isConstQualifiedType(elem);
    x->n_dims = 1;
    x->dims = rg_arena_alloc(&b->t->arena, sizeof *x->dims);
    return a;
}

struct fields {
    struct rg__build *b;
    int n, pointers;
    bool bad;
    CXCursor item[MAX_PARTS];
};

static enum CXVisitorResult field(CXCursor c, CXClientData data)
{
    struct fields *f = data;
    CXType t = f->b->c->getCursorType(c);
    enum rg_scalar s;
    bool pointer = rg__type_is_pointer(f->b->u, t);
    if (f->n == MOST_LOCAL || (!pointer && !rg__type_scalar(f->b->u, t, &s)))
        f->bad = true;
    else if (pointer && !rg__type_scalar(f->b->u, f->b->c->getPointeeType(f->b->c->getCanonicalType(t)), &s))
        f->bad = true;
    else
        f->item[f->n++] = c;
    f->pointers += pointer;
    return f->bad ? CXVisit_Break : CXVisit_Continue;
}

bool rg__bundle_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out)
{
    CXType type = b->c->getCursorType(decl), canonical = b->c->getCanonicalType(type);
    const char *name = rg__cursor_name(b->u, decl, &b->p->arena);
    struct fields f = {.b = b};
    struct rg__bundle *x = rg_arena_alloc(&b->p->arena, sizeof *x);
    memset(x, 0, sizeof *x);
    CXType pointer = type;
    x->table = rg__type_is_array(b->u, type);
    if (x->table) {
        pointer = b->c->getArrayElementType(canonical);
        int64_t n = rg__type_is_pointer(b->u, pointer) ? b->c->getArraySize(canonical) : 0;
        if (n < 1 || n > MOST_LOCAL) return false;
        f.n = (int)n;
    } else {
        if (!rg__type_is_record(b->u, type)) return false;
        b->c->Type_visitFields(canonical, field, &f);
        if (f.bad || !f.pointers) return false;
    }
    const char *names[MAX_PARTS];
    for (int i = 0; i < f.n; i++)
        names[i] = x->table ? rg_arena_printf(&b->p->arena, "%d", i) : rg__cursor_name(b->u, f.item[i], &b->p->arena);
    CXCursor given[MAX_PARTS];
    bool is_given[MAX_PARTS] = {false}, has_init = !b->c->Cursor_isNull(init);
    if (has_init) {
        if (b->c->getCursorKind(init) != CXCursor_InitListExpr) return false;
        struct rg__children values = rg__cursor_children(b->u, init, &b->p->arena);
        for (int i = 0, at = 0; i < values.n; i++, at++) {
            CXCursor v;
            at = rg__init_slot(b, values.items[i], at, names, f.n, &v);
            if (at < 0 || at >= f.n) return false;
            given[at] = v;
            is_given[at] = true;
        }
    }
    for (int i = 0; i < f.n; i++) {
        CXType t = x->table ? pointer : b->c->getCursorType(f.item[i]);
        const char *full = rg_arena_printf(&b->t->arena, "%s_%s", name, names[i]);
        enum rg_scalar s = RG_I32;
        x->part[i].name = names[i];
        x->part[i].array = x->part[i].var = -1;
        if (rg__type_is_pointer(b->u, t)) {
            x->part[i].array = view_of(b, t, full);
            if (x->part[i].array < 0) return false;
        } else {
            rg__type_scalar(b->u, t, &s);
            x->part[i].var = rg__c_add_var(b->t, full, RG_CVAR_LOCAL, s);
        }
    }
    x->n = f.n;
    x->var = rg__c_add_var(b->t, name, RG_CVAR_LOCAL, RG_I32);
    x->next = b->bundles;
    for (int i = 0; i < x->n; i++) {
        struct rg_cnode *v = is_given[i] ? rg__build_expr(b, given[i]) : NULL;
        if (x->part[i].var >= 0) {
            struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, v || has_init ? 1 : 0);
            d->var = x->part[i].var;
            d->type = b->t->vars[d->var].type;
            if (v || has_init) d->kid[0] = v ? v : rg__c_cast(b->t, rg__c_int(b->t, 0), d->type);
            rg__place_node(b, d, decl);
            rg__kids_add(out, d);
        } else if (v && !rg__is_null_pointer(v)) { /* NULL: an array is allocated into it, or nothing reads it */
            struct rg_cnode *st = rg__c_stmt(b->t, rg__c_assign(b->t, RG_COP_SET, name_of(b, x->part[i].array, -1), v));
            rg__place_node(b, st, decl);
            rg__kids_add(out, st);
        }
    }
    b->bundles = x;
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VAR)->var = x->var;
    return true;
}
