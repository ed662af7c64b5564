/* Places: pointers to a member of a structure, or to something that is no array element, that stand for what they point
 * to; their subscripts are what they were where the pointer was set. */
#include "frontend/read/build_place.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_reads.h"
#include "frontend/read/build_shape.h"
#include <string.h>

bool rg__is_place(const struct rg_cnode *p)
{
    return p->op == RG_COP_ADDRESS && (p->kid[0]->kind == RG_C_VAR || p->kid[0]->kind == RG_C_MEMBER);
}

static void fix_subscript(struct rg__build *b, struct rg_cnode **sub, const char *name, struct rg__kids *out)
{
    if ((*sub)->kind == RG_C_INT || rg__cell_fixed(b, sub)) return;
    int v = rg__c_add_var(b->t, rg_arena_printf(&b->t->arena, "%s_at", name), RG_CVAR_LOCAL, RG_LONG);
    if (b->follow && !b->helper) { /* what jumps are left of may put its place into an arm */
        rg__set_var(b, v, NULL, true, b->prologue);
        rg__set_var(b, v, *sub, false, out);
    } else {
        rg__set_var(b, v, *sub, true, out);
    }
    *sub = rg__c_var(b->t, v);
}

void rg__fix_place(struct rg__build *b, struct rg_cnode *p, const char *name, struct rg__kids *out)
{
    rg__note_walk(b, p);
    if (p->kind == RG_C_UNARY || p->kind == RG_C_MEMBER || p->kind == RG_C_BINARY || rg__is_rows(p))
        rg__fix_place(b, p->kid[0], name, out);
    if (p->kind == RG_C_INDEX || p->kind == RG_C_MEMBER || p->kind == RG_C_BINARY)
        for (int i = p->kind != RG_C_INDEX; i < p->n; i++) fix_subscript(b, &p->kid[i], name, out);
}

/* s.m, s.m + k, &s.m[k], &s.x with s a local structure or an array's element: no pointer is followed on the way there.
 */
bool rg__names_member(const struct rg__build *b, const struct rg_cnode *p)
{
    bool address = rg__is_place(p);
    if (address) p = p->kid[0];
    if (!address && p->op == RG_COP_ADD && p->pointer) p = p->kid[0];
    if (p->kind != RG_C_MEMBER || p->pointer == address) return false;
    while (p->kind == RG_C_MEMBER) p = p->kid[0];
    if (p->kind == RG_C_INDEX) return !p->pointer && !b->t->arrays[p->array].view;
    return p->kind == RG_C_VAR && p->array < 0 && !p->pointer;
}

int rg__member_extents(const struct rg__build *b, const struct rg_cnode *m, const int64_t **dims)
{
    const struct rg_cnode *of = m->kid[0];
    int index = of->kind == RG_C_INDEX                  ? b->t->arrays[of->array].struct_index
                : of->kind == RG_C_VAR && of->array < 0 ? b->t->vars[of->var].struct_index
                                                        : -1;
    if (index < 0 || index >= b->p->n_structs) return 0;
    const struct rg_struct *s = &b->p->structs[index];
    for (int f = 0; f < s->n_fields; f++)
        if (!strcmp(s->fields[f].path, m->text)) return *dims = s->fields[f].dims, s->fields[f].n_dims;
    return 0;
}

struct rg_cnode *rg__member_element(struct rg__build *b, const struct rg_cnode *at, struct rg_cnode *sub)
{
    struct rg_cnode *m = rg__c_copy(b->t, at);
    const int64_t *dims;
    int n = m->n - 1;
    struct rg_cnode *last = m->kid[n], *x = sub;
    if (n == 1 || rg__member_extents(b, m, &dims) != n || !rg__c_pure(b->t, sub)) {
        m->kid[n] = rg__c_binary(b->t, RG_COP_ADD, last, sub);
        return m;
    }
    int64_t row = 1;
    for (int d = n; d > 0; row *= dims[--d]) { /* elements in front of it */
        struct rg_cnode *k = m->kid[d];
        if (k->kind == RG_C_INT && !k->ivalue) continue;
        x = rg__c_binary(b->t, RG_COP_ADD, row == 1 ? k : rg__c_binary(b->t, RG_COP_MUL, k, rg__c_int(b->t, row)), x);
    }
    for (int d = n; d > 0; d--) {
        struct rg_cnode *extent = rg__c_int(b->t, dims[d - 1]);
        m->kid[d] = d > 1 ? rg__c_binary(b->t, RG_COP_REM, rg__c_copy(b->t, x), extent) : x;
        if (d > 1) x = rg__c_binary(b->t, RG_COP_DIV, x, extent);
    }
    return m;
}

struct rg_cnode *rg__along_rows(struct rg__build *b, struct rg_cnode *p)
{
    const int64_t *dims;
    if (p->op == RG_COP_ADD && p->pointer) p->kid[0] = rg__along_rows(b, p->kid[0]);
    if (p->kind != RG_C_MEMBER || !p->pointer || p->n < 2 || rg__member_extents(b, p, &dims) != p->n) return p;
    struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, p->n + 1),
                    *address = rg__c_operation(b->t, RG_C_UNARY, RG_COP_ADDRESS);
    for (int i = 0; i < p->n; i++) m->kid[i] = p->kid[i];
    m->kid[p->n] = rg__c_int(b->t, 0);
    m->text = p->text;
    m->type = address->type = p->type;
    m->struct_index = address->struct_index = p->struct_index;
    address->kid[0] = m;
    address->pointer = true;
    return address;
}

const char *rg__bind_place(struct rg__build *b, CXCursor param, struct rg_cnode *arg, struct rg__kids *out)
{
    const int64_t *dims;
    uint32_t key = rg__decl_key(b->u, param);
    bool address = rg__is_place(arg);
    if (!address) { /* a member that is an array: the parameter goes along its last dimension */
        const struct rg_cnode *m = arg->op == RG_COP_ADD ? arg->kid[0] : arg;
        CXType to = b->c->getCanonicalType(b->c->getCursorType(param)); /* `T x[16]` is no pointer to libclang */
        enum rg_scalar s;
        to = rg__type_is_array(b->u, to) ? b->c->getArrayElementType(to) : b->c->getPointeeType(to);
        if (!rg__type_scalar(b->u, to, &s) || s != m->type || rg__member_extents(b, m, &dims) != m->n)
            return "a part of a structure is passed under another shape";
        arg = rg__along_rows(b, arg);
    }
    if (rg__is_written(b, key)) return "the address of a variable is moved";
    rg__fix_place(b, arg, rg__cursor_name(b->u, param, &b->p->arena), out);
    rg__sym_add(b, key, RG__SYM_VALUE)->value = arg;
    return NULL;
}

bool rg__rows_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out)
{
    CXType to = b->c->getPointeeType(b->c->getCanonicalType(b->c->getCursorType(decl)));
    if (!rg__type_is_array(b->u, to) || rg__is_written(b, rg__decl_key(b->u, decl)) || rg__sets_or_calls(b, init, true))
        return false;
    struct rg_cnode *p = rg__declared_shape(b, rg__build_expr(b, init), decl);
    bool member = p->kind == RG_C_MEMBER && rg__names_member(b, p) && rg__pointer_depth(b, p) > 1;
    if (!rg__is_rows(p) && !member) return false;
    p = rg__c_copy(b->t, p);
    rg__fix_place(b, p, rg__cursor_name(b->u, decl, &b->p->arena), out);
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VALUE)->value = p;
    return true;
}

bool rg__place_declare(struct rg__build *b, CXCursor decl, CXCursor init, struct rg__kids *out)
{
    if (rg__is_written(b, rg__decl_key(b->u, decl)) || rg__sets_or_calls(b, init, true)) return false;
    CXCursor in = rg__strip_parens(b, init);
    CXType to = b->c->getCanonicalType(b->c->getCursorType(in)),
           own = b->c->getCanonicalType(b->c->getCursorType(decl));
    to = rg__type_is_array(b->u, to) ? b->c->getArrayElementType(to) : b->c->getPointeeType(to);
    if (to.kind == CXType_Invalid || strcmp(rg__plain_type(b, to), rg__plain_type(b, b->c->getPointeeType(own))) != 0)
        return false;
    struct rg_cnode *p = rg__build_expr(b, init);
    if (!rg__names_member(b, p)) return false;
    p = rg__along_rows(b, rg__c_copy(b->t, p));
    rg__fix_place(b, p, rg__cursor_name(b->u, decl, &b->p->arena), out);
    rg__sym_add(b, rg__decl_key(b->u, decl), RG__SYM_VALUE)->value = p;
    return true;
}
