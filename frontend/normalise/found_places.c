/* What bsearch finds in an array is a place there:
 *     const struct item *p = bsearch(key, a, n, sizeof *a, order);
 *     if (p == NULL) ..; else y[i] = p->price * w[p - a];
 * becomes, where nothing else is done with the pointer,
 *     long p_at = rg_bplace(key, a, n, sizeof *a, order);
 *     if (p_at < 0) ..; else y[i] = a[p_at].price * w[p_at];
 * so that reads by way of it are seen to be of the array. So is a call that is only asked whether there is one. */
#include "frontend/normalise/canon.h"
#include "ir/ctree_util.h"
#include <string.h>

struct found {
    struct rg_ctree *t;
    const struct rg_problem *p;
    int var, array; /* the pointer; where it leads to; -1 */
    int at;         /* the variable with the place */
    int sets;
    bool bad;
};

static const struct rg_cnode *plain(const struct rg_cnode *e)
{
    while (e->kind == RG_C_CAST && e->pointer && e->n == 1) e = e->kid[0];
    return e;
}

static bool is_it(const struct found *f, const struct rg_cnode *e)
{
    e = plain(e);
    return e->kind == RG_C_VAR && e->array < 0 && e->var == f->var;
}

static bool is_null(const struct rg_cnode *e)
{
    int64_t zero;
    return rg__c_number(rg__c_uncast(plain(e), RG__C_CASTS), &zero) && !zero;
}

/* bsearch(key, array, n, sizeof an element, order): the array; -1. */
static int searched(const struct found *f, const struct rg_cnode *e)
{
    e = plain(e);
    if (e->kind != RG_C_CALL || e->callee >= 0 || !e->text || strcmp(e->text, "rg_bsearch") || e->n != 5) return -1;
    const struct rg_cnode *a = plain(e->kid[1]);
    int64_t bytes;
    if (a->kind != RG_C_VAR || a->array < 0 || e->kid[4]->kind != RG_C_STRING) return -1;
    const struct rg_carray *c = &f->t->arrays[a->array];
    if (c->view || c->n_dims != 1 || !rg__c_number(e->kid[3], &bytes)) return -1;
    const int64_t has = c->elem == RG_STRUCT ? f->p->structs[c->struct_index].bytes : (int64_t)rg_scalar_bytes(c->elem);
    return bytes == has ? a->array : -1;
}

/* The value that the statement gives the pointer; NULL. */
static struct rg_cnode **given(const struct found *f, struct rg_cnode *n)
{
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == f->var && n->n == 1) return &n->kid[0];
    struct rg_cnode *e = n->kind == RG_C_STMT ? n->kid[0] : NULL;
    return e && e->kind == RG_C_ASSIGN && e->op == RG_COP_SET && is_it(f, e->kid[0]) ? &e->kid[1] : NULL;
}

/* p == NULL and its like, either way round: is it asked for none? */
static bool asks(const struct found *f, const struct rg_cnode *n, bool *none)
{
    if (n->kind == RG_C_UNARY && n->op == RG_COP_NOT && is_it(f, n->kid[0])) return *none = true;
    if (n->kind != RG_C_BINARY || (n->op != RG_COP_EQ && n->op != RG_COP_NE)) return false;
    *none = n->op == RG_COP_EQ;
    return (is_it(f, n->kid[0]) && is_null(n->kid[1])) || (is_it(f, n->kid[1]) && is_null(n->kid[0]));
}

/* Is the pointer one to what the array has? */
static bool of_elements(const struct found *f)
{
    const struct rg_carray *a = &f->t->arrays[f->array];
    const char *type = f->t->vars[f->var].c_type, *elem = a->c_elem;
    if (a->elem != RG_STRUCT) return true; /* its type says so */
    if (!type || !elem) return false;
    if (!strncmp(type, "const ", 6)) type += 6;
    const size_t n = strlen(elem);
    return !strncmp(type, elem, n) && !strcmp(type + n + strspn(type + n, " "), "*");
}

static bool is_element(const struct found *f, const struct rg_cnode *n)
{
    const struct rg_carray *a = &f->t->arrays[f->array];
    return n->kind == RG_C_UNARY && n->op == RG_COP_DEREF && !n->pointer && is_it(f, n->kid[0]) && n->type == a->elem &&
           of_elements(f);
}

static bool is_difference(const struct found *f, const struct rg_cnode *n)
{
    if (n->kind != RG_C_BINARY || n->op != RG_COP_SUB || n->pointer || !is_it(f, n->kid[0])) return false;
    const struct rg_cnode *a = plain(n->kid[1]);
    return a->kind == RG_C_VAR && a->array == f->array;
}

/* Does a kid of the node only say whether it is 0? */
static bool is_asked(const struct rg_cnode *n, int kid)
{
    if (n->kind == RG_C_BINARY) return rg_c_lazy(n->op);
    return kid == 0 && (n->kind == RG_C_IF || n->kind == RG_C_COND || n->kind == RG_C_WHILE);
}

static void check(struct found *f, const struct rg_cnode *n)
{
    bool none;
    if (!n || f->bad) return;
    struct rg_cnode **value = given(f, (struct rg_cnode *)n);
    if (value && is_null(*value)) return;
    if (value) {
        const int array = searched(f, *value);
        f->bad = array < 0 || f->sets++;
        f->array = array;
        for (int i = 0; i < plain(*value)->n; i++) check(f, plain(*value)->kid[i]);
        return;
    }
    if (asks(f, n, &none) || (f->array >= 0 && (is_element(f, n) || is_difference(f, n)))) return;
    f->bad = n->kind == RG_C_VERBATIM || is_it(f, n) || n->kind == RG_C_LABEL || n->kind == RG_C_GOTO;
    for (int i = 0; i < n->n; i++)
        if (n->kid[i] && !(is_asked(n, i) && is_it(f, n->kid[i]))) check(f, n->kid[i]);
}

static struct rg_cnode *place_of(struct rg_cnode *search)
{
    struct rg_cnode *c = (struct rg_cnode *)plain(search);
    c->text = "rg_bplace";
    c->type = RG_LONG;
    c->pointer = false;
    c->struct_index = -1;
    return c;
}

static struct rg_cnode *there(const struct found *f, struct rg_cnode *at, bool none)
{
    return rg__c_binary(f->t, none ? RG_COP_LT : RG_COP_GE, at, rg__c_int(f->t, 0));
}

static void rewrite(const struct found *f, struct rg_cnode **slot)
{
    struct rg_cnode *n = *slot, *at = rg__c_var(f->t, f->at);
    bool none;
    if (!n) return;
    struct rg_cnode **value = given(f, n);
    if (value) {
        *value = is_null(*value) ? rg__c_int(f->t, -1) : place_of(*value);
        for (int i = 0; i < (*value)->n; i++) rewrite(f, &(*value)->kid[i]);
    }
    if (n->kind == RG_C_DECL && n->array < 0 && n->var == f->var) {
        n->var = f->at;
        n->type = RG_LONG;
        n->pointer = false;
        n->struct_index = -1;
        return;
    }
    if (value) {
        n->kid[0]->kid[0] = at;
        n->kid[0]->type = RG_LONG;
        n->kid[0]->pointer = false;
        n->kid[0]->struct_index = -1;
        return;
    }
    if (asks(f, n, &none)) {
        *slot = there(f, at, none);
    } else if (is_element(f, n)) {
        *slot = rg__c_index(f->t, f->array, 1, &at);
    } else if (is_difference(f, n)) {
        *slot = at;
    } else {
        for (int i = 0; i < n->n; i++)
            if (n->kid[i] && is_asked(n, i) && is_it(f, n->kid[i]))
                n->kid[i] = there(f, rg__c_var(f->t, f->at), false);
            else
                rewrite(f, &n->kid[i]);
        return;
    }
    (*slot)->line = n->line;
    (*slot)->column = n->column;
}

/* Calls that are only asked whether there is one. */
static void ask(struct rg_ctree *t, const struct rg_problem *p, struct rg_cnode *n)
{
    if (!n) return;
    const struct found f = {.t = t, .p = p, .var = -1};
    for (int i = 0; i < n->n; i++) {
        struct rg_cnode *e = n->kid[i];
        if (!e) continue;
        const bool equals = e->kind == RG_C_BINARY && (e->op == RG_COP_EQ || e->op == RG_COP_NE);
        const bool negated = e->kind == RG_C_UNARY && e->op == RG_COP_NOT;
        if (is_asked(n, i) && searched(&f, e) >= 0)
            n->kid[i] = there(&f, place_of(e), false);
        else if (negated && searched(&f, e->kid[0]) >= 0)
            n->kid[i] = there(&f, place_of(e->kid[0]), true);
        else if (equals && searched(&f, e->kid[0]) >= 0 && is_null(e->kid[1]))
            n->kid[i] = there(&f, place_of(e->kid[0]), e->op == RG_COP_EQ);
        else if (equals && searched(&f, e->kid[1]) >= 0 && is_null(e->kid[0]))
            n->kid[i] = there(&f, place_of(e->kid[1]), e->op == RG_COP_EQ);
        if (n->kid[i] != e) n->kid[i]->line = e->line;
        ask(t, p, n->kid[i]);
    }
}

void rg__canon_found_places(struct rg_ctree *t, const struct rg_problem *p)
{
    for (int v = 0, n = t->n_vars; v < n; v++) {
        struct found f = {.t = t, .p = p, .var = v, .array = -1};
        if (t->vars[v].kind != RG_CVAR_LOCAL) continue;
        check(&f, t->root);
        if (f.bad || f.sets != 1) continue;
        f.at = rg__c_add_var(t, rg_arena_printf(&t->arena, "%s_at", t->vars[v].name), RG_CVAR_LOCAL, RG_LONG);
        rewrite(&f, &t->root);
    }
    ask(t, p, t->root);
}
