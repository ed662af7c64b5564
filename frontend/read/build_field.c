/* Integer members of structures that are parameters, or variables of the file that the function only reads, and
 * elements of small array members, as parameters of their own:
 * `g->nx`, `g->dim[2]` bound loops and say how long arrays are. */
#include "frontend/read/build_reads.h"
#include "frontend/read/build_field.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/directive.h"
#include <string.h>

enum { MOST_ELEMENTS = 8 };

static bool unwritten(struct rg__build *b, int structure, const char *member)
{
    for (int i = 0; i < b->n_elements; i++)
        if (b->elements[i].structure == structure && !strcmp(b->elements[i].member, member))
            return b->elements[i].only_read;
    const bool is = rg__member_unwritten(b, structure, member);
    RG_GROW(b->elements, b->n_elements, b->cap_elements);
    b->elements[b->n_elements++] = (struct rg__elements){structure, rg_arena_strdup(&b->p->arena, member), is};
    return is;
}

/* The parameter of the problem that holds the structure, which the function leaves as it is, or of which it leaves
 * that member; -1. member: NULL, all of them. */
static int holder(struct rg__build *b, const struct rg_cnode *base, const char *member)
{
    int parent = -1;
    if (base->kind == RG_C_VAR && base->array < 0 && b->t->vars[base->var].kind == RG_CVAR_PARAM &&
        !b->t->vars[base->var].assigned)
        parent = b->t->vars[base->var].param;
    if (base->kind == RG_C_INDEX && base->n == 1 && base->kid[0]->kind == RG_C_INT && base->kid[0]->ivalue == 0)
        parent = b->t->arrays[base->array].param;
    if (parent < 0 || b->p->params[parent].elem != RG_STRUCT) return -1;
    if (b->p->params[parent].origin == RG_ORIGIN_GLOBAL && b->origins[parent].layout == RG__FILE_VALUE &&
        b->p->params[parent].kind == RG_PARAM_SCALAR && !b->origins[parent].outside)
        return parent; /* a variable of the file that the function only reads */
    if (b->p->params[parent].origin != RG_ORIGIN_ARG) return -1;
    if (base->kind != RG_C_INDEX || rg__only_members_read(b, b->origins[parent].name)) return parent;
    return member && rg__one_structure(b, b->origins[parent].name) &&
                   unwritten(b, b->p->params[parent].struct_index, member)
               ? parent
               : -1;
}

/* `member` in C, `name` where an identifier is asked for. */
static struct rg_cnode *field_param(struct rg__build *b, int parent, const char *member, const char *name,
                                    enum rg_scalar s)
{
    for (int v = 0; v < b->t->n_vars; v++) {
        int q = b->t->vars[v].kind == RG_CVAR_PARAM ? b->t->vars[v].param : -1;
        if (q >= 0 && b->origins[q].layout == RG__FIELD && b->origins[q].parent == parent &&
            !strcmp(b->origins[q].member, member))
            return rg__c_var(b->t, v);
    }
    struct rg_arena *a = &b->p->arena;
    name = rg_arena_printf(a, "%s_%s", b->p->params[parent].name, name);
    struct rg_param *p = rg__add_param(b, name, RG_PARAM_SCALAR, RG_ORIGIN_GLOBAL);
    int index = b->p->n_params - 1;
    p->elem = s;
    p->elem_bytes = (int64_t)rg_scalar_bytes(s);
    p->c_elem = rg_scalar_c(s);
    p->c_decl = rg_arena_printf(a, "%s %s", p->c_elem, name);
    b->origins[index].layout = RG__FIELD;
    b->origins[index].parent = parent;
    b->origins[index].member = rg_arena_strdup(a, member);
    int v = rg__c_add_var(b->t, name, RG_CVAR_PARAM, s);
    b->t->vars[v].param = index;
    b->p->params[index].name = rg_arena_strdup(a, b->t->vars[v].name);
    b->p->params[index].c_name = rg_arena_printf(a, "%s.%s", rg_param_shown(&b->p->params[parent]), member);
    return rg__c_var(b->t, v);
}

struct rg_cnode *rg__build_field_param(struct rg__build *b, const struct rg_cnode *base, const char *member,
                                       CXType type)
{
    enum rg_scalar s;
    if (b->helper || !rg__type_scalar(b->u, type, &s) || !rg__scalar_is_int(s)) return NULL;
    const int parent = holder(b, base, member);
    return parent < 0 ? NULL : field_param(b, parent, member, member, s);
}

/* ---- elements of array members ---- */

struct uses {
    struct rg__build *b;
    const char *record, *member;
    int all, elements, constant; /* uses; of an element; of one by a constant */
    int whole;                   /* neither, of arrays that are const where they are used */
    bool written;
};

/* Is it `x.member` of such a structure? */
static bool names(const struct uses *u, CXCursor c)
{
    struct rg__build *b = u->b;
    if (b->c->getCursorKind(c) != CXCursor_MemberRefExpr ||
        strcmp(rg__cursor_name(b->u, c, &b->p->arena), u->member) != 0)
        return false;
    CXCursor of = b->c->getCursorSemanticParent(b->c->getCursorReferenced(c));
    return !strcmp(rg__plain_type(b, b->c->getCursorType(of)), u->record);
}

static bool is_element(const struct uses *u, CXCursor c)
{
    struct rg__build *b = u->b;
    c = rg__strip_parens(b, c);
    struct rg__children kids = b->c->getCursorKind(c) == CXCursor_ArraySubscriptExpr
                                   ? rg__cursor_children(b->u, c, &b->p->arena)
                                   : (struct rg__children){0};
    return kids.n == 2 && names(u, rg__strip_parens(b, kids.items[0]));
}

static bool is_const(struct rg__build *b, CXCursor c)
{
    CXType t = b->c->getCanonicalType(b->c->getCursorType(c)); /* the qualifiers stand at the whole there */
    return rg__type_is_array(b->u, t) &&
           (b->c->isConstQualifiedType(t) || b->c->isConstQualifiedType(b->c->getArrayElementType(t)));
}

bool rg__is_set_or_taken(struct rg__build *b, CXCursor c, CXCursor *to)
{
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (k != CXCursor_CompoundAssignOperator && k != CXCursor_BinaryOperator && k != CXCursor_UnaryOperator)
        return false;
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    bool is = k == CXCursor_CompoundAssignOperator && kids.n;
    if (k == CXCursor_BinaryOperator && kids.n == 2)
        is = !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "=");
    if (k == CXCursor_UnaryOperator && kids.n == 1) {
        const uint32_t at = rg__cursor_at(b->u, c);
        const bool prefix = rg__cursor_at(b->u, kids.items[0]) > at;
        const int tok = rg__tok_from(&b->u->src, prefix ? at : rg__cursor_end(b->u, kids.items[0]));
        is = rg__tok_is(&b->u->src, tok, "++") || rg__tok_is(&b->u->src, tok, "--") || rg__tok_is(&b->u->src, tok, "&");
    }
    if (is) *to = rg__strip_parens(b, kids.items[0]);
    return is;
}

static void note(void *arg, CXCursor c)
{
    struct uses *u = arg;
    struct rg__build *b = u->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    if (names(u, c)) u->all++, u->whole += is_const(b, c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (k == CXCursor_ArraySubscriptExpr && is_element(u, c)) {
        int64_t at;
        u->elements++;
        u->whole -= is_const(b, rg__strip_parens(b, kids.items[0]));
        u->constant += rg__eval_int(b->u, kids.items[1], &at);
    }
    CXCursor to;
    if (rg__is_set_or_taken(b, c, &to)) u->written |= is_element(u, to);
    if (k == CXCursor_CStyleCastExpr && kids.n) u->written |= names(u, rg__strip_parens(b, kids.items[kids.n - 1]));
}

bool rg__elements_only_read(struct rg__build *b, const char *record, const char *member, bool constant)
{
    struct uses u = {.b = b, .record = record, .member = member};
    for (int i = 0; i < b->u->n_functions; i++)
        if ((!b->in_run || b->in_run[i]) && !b->c->Cursor_isNull(b->u->functions[i].body))
            rg__cursor_walk(b->u, b->u->functions[i].body, note, &u);
    return !u.written && (constant ? u.all == u.constant : u.all == u.elements + u.whole);
}

/* The answer is remembered: subscripts are many. */
static bool only_read(struct rg__build *b, int structure, const char *member)
{
    for (int i = 0; i < b->n_elements; i++)
        if (b->elements[i].structure == structure && !strcmp(b->elements[i].member, member))
            return b->elements[i].only_read;
    RG_GROW(b->elements, b->n_elements, b->cap_elements);
    const bool is = rg__elements_only_read(b, b->p->structs[structure].c_name, member, false);
    b->elements[b->n_elements++] = (struct rg__elements){structure, rg_arena_strdup(&b->p->arena, member), is};
    return is;
}

bool rg__is_directed(const struct rg__build *b, const char *name)
{
    for (int i = 0; b->dirs && i < b->dirs->n; i++)
        if (b->dirs->items[i].name && !strcmp(b->dirs->items[i].name, name)) return true;
    return false;
}

/* The member whose elements are parameters, of the parameter `parent`; NULL: it is none of these. */
static const struct rg_field *split(struct rg__build *b, const struct rg_cnode *array, int *parent)
{
    if (b->helper || array->kind != RG_C_MEMBER || array->n != 1 || !rg__scalar_is_int(array->type)) return NULL;
    *parent = holder(b, array->kid[0], NULL);
    if (*parent < 0) return NULL;
    const struct rg_param *q = &b->p->params[*parent];
    const struct rg_struct *s = &b->p->structs[q->struct_index];
    for (int i = 0; i < s->n_fields; i++) {
        const struct rg_field *f = &s->fields[i];
        if (strcmp(f->path, array->text) != 0) continue;
        const bool is = f->n_dims == 1 && f->count <= MOST_ELEMENTS && f->type == array->type &&
                        only_read(b, q->struct_index, array->text) &&
                        !rg__is_directed(b, rg_arena_printf(&b->p->arena, "%s_%s", q->name, f->path));
        return is ? f : NULL;
    }
    return NULL;
}

struct rg_cnode *rg__build_element_param(struct rg__build *b, const struct rg_cnode *array, const struct rg_cnode *sub)
{
    int64_t k;
    int parent;
    const struct rg_field *f =
        rg__cell_evaluate(rg__c_uncast(sub, RG__C_INT_CASTS), &k) ? split(b, array, &parent) : NULL;
    if (!f || k < 0 || k >= f->count) return NULL;
    return field_param(b, parent, rg_arena_printf(&b->p->arena, "%s[%d]", f->path, (int)k),
                       rg_arena_printf(&b->p->arena, "%s_%d", f->path, (int)k), f->type);
}

/* ---- loops over them ---- */

struct picks {
    struct rg__build *b;
    uint32_t counter;
    bool picks, leaves;
};

static bool is_counter(const struct picks *p, CXCursor c)
{
    c = rg__strip_parens(p->b, c);
    return p->b->c->getCursorKind(c) == CXCursor_DeclRefExpr &&
           rg__decl_key(p->b->u, p->b->c->getCursorReferenced(c)) == p->counter;
}

static void note_pick(void *arg, CXCursor c)
{
    struct picks *p = arg;
    struct rg__build *b = p->b;
    const enum CXCursorKind k = b->c->getCursorKind(c);
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    p->leaves |= k == CXCursor_BreakStmt || k == CXCursor_ContinueStmt || k == CXCursor_ReturnStmt ||
                 k == CXCursor_GotoStmt || k == CXCursor_LabelStmt;
    if (k == CXCursor_UnaryOperator || k == CXCursor_CompoundAssignOperator || k == CXCursor_BinaryOperator) {
        const bool sets = k != CXCursor_BinaryOperator ||
                          (kids.n == 2 && !strcmp(rg__operator_between(b, kids.items[0], kids.items[1]), "="));
        p->leaves |= sets && kids.n && is_counter(p, kids.items[0]); /* or -k, which is rare */
    }
    if (k != CXCursor_ArraySubscriptExpr || kids.n != 2 || p->picks || !is_counter(p, kids.items[1])) return;
    CXCursor array = rg__strip_parens(b, kids.items[0]);
    if (b->c->getCursorKind(array) != CXCursor_MemberRefExpr) return;
    struct rg__children of = rg__cursor_children(b->u, array, &b->p->arena);
    if (of.n && b->c->getCursorKind(rg__strip_parens(b, of.items[0])) != CXCursor_DeclRefExpr) return;
    int parent;
    struct rg_cnode *node = of.n ? rg__build_expr(b, array) : NULL;
    p->picks = node && split(b, node, &parent);
}

bool rg__picks_elements(struct rg__build *b, CXCursor body, uint32_t counter)
{
    struct picks p = {.b = b, .counter = counter};
    rg__cursor_walk(b->u, body, note_pick, &p);
    return p.picks && !p.leaves;
}

static void note_array(void *arg, CXCursor c)
{
    struct picks *p = arg;
    struct rg__build *b = p->b;
    struct rg__children kids = b->c->getCursorKind(c) == CXCursor_ArraySubscriptExpr
                                   ? rg__cursor_children(b->u, c, &b->p->arena)
                                   : (struct rg__children){0};
    p->picks |= kids.n == 2 && b->c->getCursorKind(rg__strip_parens(b, kids.items[0])) == CXCursor_MemberRefExpr &&
                b->c->getCursorKind(rg__strip_parens(b, kids.items[1])) == CXCursor_DeclRefExpr;
}

bool rg__may_pick_elements(struct rg__build *b, CXCursor body)
{
    struct picks p = {.b = b};
    if (!b->helper) rg__cursor_walk(b->u, body, note_array, &p);
    return p.picks;
}
