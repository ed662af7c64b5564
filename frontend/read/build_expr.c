/* Expressions: libclang's cursors give structure and types, our tokens the operators and literals. */
#include "frontend/read/build_columns.h"
#include "frontend/read/build_place.h"
#include "frontend/read/build_bits.h"
#include "frontend/read/build_field.h"
#include "frontend/read/build_void.h"
#include "frontend/read/build_cell.h"
#include "frontend/read/build_shape.h"
#include "frontend/read/build_string.h"
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

struct rg__sym *rg__sym_find(struct rg__build *b, uint32_t key)
{
    for (int i = b->n_syms - 1; i >= 0; i--) /* the latest: an inlined body binds its parameters anew */
        if (b->syms[i].key == key) return &b->syms[i];
    return NULL;
}

struct rg__sym *rg__sym_add(struct rg__build *b, uint32_t key, enum rg__sym_kind kind)
{
    RG_GROW(b->syms, b->n_syms, b->cap_syms);
    b->syms[b->n_syms] =
        (struct rg__sym){.key = key, .kind = kind, .var = -1, .array = -1, .off_var = -1, .null_var = -1};
    return &b->syms[b->n_syms++];
}

void rg__place_node(struct rg__build *b, struct rg_cnode *n, CXCursor c)
{
    struct rg__place p = rg__source_place(&b->u->src, rg__cursor_at(b->u, c));
    n->line = p.line;
    n->column = p.column;
}

struct rg_cnode *rg__verbatim(struct rg__build *b, CXCursor c, const char *fmt, ...)
{
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_VERBATIM, 0);
    struct rg_buf text = RG_BUF_INIT;
    rg__source_slice(&b->u->src, rg__cursor_at(b->u, c), rg__cursor_end(b->u, c), &text);
    n->text = rg_arena_strdup(&b->t->arena, text.data);
    rg_buf_release(&text);
    rg__place_node(b, n, c);
    if (!b->verbatim) {
        va_list ap;
        struct rg_buf why = RG_BUF_INIT;
        va_start(ap, fmt);
        rg_buf_vprintf(&why, fmt, ap);
        va_end(ap);
        b->verbatim = rg_arena_strdup(&b->t->arena, why.data);
        b->verbatim_line = n->line;
        b->verbatim_column = n->column;
        rg_buf_release(&why);
    }
    return n;
}

CXCursor rg__strip_parens(struct rg__build *b, CXCursor c)
{
    for (;;) {
        enum CXCursorKind k = b->c->getCursorKind(c);
        bool passes = k == CXCursor_CallExpr && rg__passes_first(rg__cursor_name(b->u, c, &b->p->arena));
        if (k != CXCursor_ParenExpr && k != CXCursor_UnexposedExpr && !passes) return c;
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (passes && kids.n > 1) {
            c = kids.items[1];
            continue;
        }
        if (kids.n != 1) return c;
        c = kids.items[0];
    }
}

const char *rg__operator_between(struct rg__build *b, CXCursor left, CXCursor right)
{
    const struct rg__source *s = &b->u->src;
    uint32_t end = rg__cursor_at(b->u, right);
    int k = rg__tok_from(s, rg__cursor_end(b->u, left));
    if (k >= s->n_toks || s->toks[k].at >= end) return "";
    return rg__tok_text(s, k, &b->t->arena);
}

/* Type of an expression node from its cursor. */
void rg__set_type(struct rg__build *b, struct rg_cnode *n, CXCursor c)
{
    CXType t = b->c->getCursorType(c);
    enum rg_scalar s;
    if (rg__type_scalar(b->u, t, &s)) {
        n->type = s;
        n->pointer = false;
    } else if (rg__type_is_record(b->u, t)) {
        n->type = RG_STRUCT;
        n->struct_index = rg__build_local_struct(b, t, "a structure used in the function");
    }
}

static struct rg_cnode *integer(struct rg__build *b, CXCursor c)
{
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_INT, 0);
    rg__set_type(b, n, c);
    n->text = rg__tok_text(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), &b->t->arena);
    int64_t v;
    bool binary = n->text[0] == '0' && (n->text[1] == 'b' || n->text[1] == 'B');
    if (b->c->getCursorKind(c) == CXCursor_IntegerLiteral && !binary) {
        n->ivalue = (int64_t)strtoull(n->text, NULL, 0);
    } else if (rg__eval_int(b->u, c, &v)) {
        n->ivalue = v;
        n->text = rg_arena_printf(&b->t->arena, "%lld", (long long)v);
    }
    return n;
}

static struct rg_cnode *real(struct rg__build *b, CXCursor c)
{
    enum rg_scalar s;
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_REAL, 0);
    char *text = rg__tok_text(&b->u->src, rg__tok_from(&b->u->src, rg__cursor_at(b->u, c)), &b->t->arena);
    size_t len = strlen(text);
    /* DBL_MAX and its like are written as long double and cast to double: no variable is, or the tree ends there */
    if (!rg__type_scalar(b->u, b->c->getCursorType(c), &s)) s = RG_F64;
    if (len && (text[len - 1] == 'l' || text[len - 1] == 'L')) text[len - 1] = 0;
    n->type = s;
    n->text = text;
    n->rvalue = strtod(n->text, NULL);
    return n;
}

struct rg_cnode *rg__symbol_value(struct rg__build *b, const struct rg__sym *s)
{
    struct rg_cnode *n;
    switch (s->kind) {
    case RG__SYM_VAR:
        return rg__c_var(b->t, s->var);
    case RG__SYM_POINTER:
        n = rg__c_var(b->t, s->var);
        n->pointer = true;
        return n;
    case RG__SYM_VALUE:
        return rg__c_copy(b->t, s->value);
    case RG__SYM_ALIAS:
        if (s->array < 0) return NULL;
        return rg__alias_value(b, s);
    case RG__SYM_ARRAY:
        n = rg_cnode_new(b->t, RG_C_VAR, 0);
        n->array = s->array;
        n->type = b->t->arrays[s->array].elem;
        n->struct_index = b->t->arrays[s->array].struct_index;
        n->pointer = true;
        return n;
    case RG__SYM_FUNCTION:
        return NULL;
    case RG__SYM_CELL: {
        struct rg_cnode *zero = rg__c_int(b->t, 0);
        return rg__c_index(b->t, s->array, 1, &zero);
    }
    }
    return NULL;
}

static struct rg_cnode *reference(struct rg__build *b, CXCursor c)
{
    CXCursor d = b->c->getCursorReferenced(c);
    enum CXCursorKind k = b->c->getCursorKind(d);
    if (k == CXCursor_EnumConstantDecl) return rg__c_int(b->t, b->c->getEnumConstantDeclValue(d));
    const char *name = rg__cursor_name(b->u, c, &b->t->arena);
    if (k != CXCursor_VarDecl && k != CXCursor_ParmDecl)
        return rg__verbatim(b, c, "the function '%s' is used as a value", name);
    struct rg_cnode *null = rg__own_null(b, c);
    if (null) return null;
    const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
    if (!s) s = rg__build_global(b, d);
    struct rg_cnode *n = s ? rg__symbol_value(b, s) : NULL;
    if (n) n = rg__cell_load(b, n);
    if (!n) return rg__verbatim(b, c, "'%s' is read before it points anywhere or cannot be reached on a device", name);
    return n;
}

struct rg_cnode *rg__as_pointed(struct rg__build *b, struct rg_cnode *x, CXCursor c)
{
    enum rg_scalar s;
    if (x->pointer || !rg__type_scalar(b->u, b->c->getCursorType(c), &s)) return x;
    const bool place = x->kind == RG_C_INDEX || x->kind == RG_C_VAR || x->kind == RG_C_MEMBER;
    if (place && rg__has_bits_of(s, x->type)) return rg__bits_as(b, x, s);
    if (!rg__scalar_is_int(x->type)) return x;
    if (x->kind == RG_C_COND) {
        for (int i = 1; i < x->n; i++) x->kid[i] = rg__as_pointed(b, x->kid[i], c);
        x->type = s;
        return x;
    }
    bool other = x->kind == RG_C_INDEX && rg__scalar_is_int(s) && rg_scalar_bytes(s) == rg_scalar_bytes(x->type) &&
                 rg_scalar_is_signed(s) != rg_scalar_is_signed(x->type);
    return other ? rg__c_cast(b->t, x, s) : x;
}

struct rg_cnode *rg__build_subscript(struct rg__build *b, struct rg_cnode *p, struct rg_cnode *sub, CXCursor where)
{
    while (p->kind == RG_C_CAST && p->pointer && (!p->text || p->kid[0]->pointer)) p = p->kid[0];
    rg__cell_unset_read(b, p);
    struct rg_cnode *part = rg__bundle_element(b, p, sub);
    if (part) return rg__cell_load(b, part);
    if (p->kind == RG_C_COND && p->pointer && p->n == 3) { /* (c ? a : b)[i] */
        struct rg_cnode *x = rg_cnode_new(b->t, RG_C_COND, 3);
        x->kid[0] = p->kid[0];
        x->kid[1] = rg__build_subscript(b, p->kid[1], sub, where);
        x->kid[2] = rg__build_subscript(b, p->kid[2], rg__c_copy(b->t, sub), where);
        x->type = x->kid[1]->type;
        x->struct_index = x->kid[1]->struct_index;
        x->pointer = x->kid[1]->pointer;
        return x;
    }
    if (rg__is_rows(p)) return rg__rows_moved(b, p, sub, true);
    if (p->kind == RG_C_VAR && p->array >= 0) return rg__c_index(b->t, p->array, 1, &sub);
    if (p->kind == RG_C_INDEX && p->pointer && p->n < b->t->arrays[p->array].n_dims && p->n < 8) {
        struct rg_cnode *subs[9];
        for (int i = 0; i < p->n; i++) subs[i] = p->kid[i];
        subs[p->n] = sub;
        return rg__c_index(b->t, p->array, p->n + 1, subs);
    }
    if (p->op == RG_COP_ADD && p->pointer) {
        bool zero = sub->kind == RG_C_INT && sub->ivalue == 0;
        rg__note_walk(b, p->kid[0]);
        return rg__build_subscript(b, p->kid[0], zero ? p->kid[1] : rg__c_binary(b->t, RG_COP_ADD, p->kid[1], sub),
                                   where);
    }
    if (p->kind == RG_C_MEMBER && p->pointer) { /* element of an array member */
        struct rg_cnode *known = rg__build_element_param(b, p, sub);
        if (known) return known;
        struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, p->n + 1);
        m->text = p->text;
        m->type = p->type;
        m->struct_index = p->struct_index;
        for (int i = 0; i < p->n; i++) m->kid[i] = p->kid[i];
        m->kid[p->n] = sub;
        rg__set_type(b, m, where);
        m->pointer = rg__type_is_array(b->u, b->c->getCursorType(where));
        return m;
    }
    if (p->op == RG_COP_ADDRESS && sub->kind == RG_C_INT && sub->ivalue == 0) return rg__cell_load(b, p->kid[0]);
    if (p->op == RG_COP_ADDRESS && p->kid[0]->kind == RG_C_MEMBER && p->kid[0]->n > 1) /* (&s.m[k])[i] is s.m[k + i] */
        return rg__member_element(b, p->kid[0], sub);
    if (!p->pointer) return rg__verbatim(b, where, "a subscript on something that is no array");
    struct rg_cnode *sum = p;
    if (sub->kind != RG_C_INT || sub->ivalue != 0) {
        sum = rg__c_operation(b->t, RG_C_BINARY, RG_COP_ADD);
        sum->pointer = true;
        sum->kid[0] = p;
        sum->kid[1] = sub;
    }
    struct rg_cnode *n = rg__c_operation(b->t, RG_C_UNARY, RG_COP_DEREF);
    n->kid[0] = sum;
    rg__set_type(b, n, where);
    return n;
}

/* The value of a bit-field, as C takes it: an int, unless it may be greater. */
static struct rg_cnode *promoted(struct rg__build *b, CXCursor c, struct rg_cnode *m)
{
    const int width = b->c->getFieldDeclBitWidth(b->c->getCursorReferenced(c));
    return rg__c_cast(b->t, m, width < 32 || rg_scalar_is_signed(m->type) ? RG_I32 : RG_U32);
}

static struct rg_cnode *member(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    if (!kids.n) return rg__verbatim(b, c, "a member of nothing");
    struct rg_cnode *base = rg__build_expr(b, kids.items[0]);
    const char *name = rg__cursor_name(b->u, c, &b->t->arena);
    if (base->pointer) base = rg__build_subscript(b, base, rg__c_int(b->t, 0), kids.items[0]);
    if (base->kind == RG_C_UNARY && base->type != RG_STRUCT) base->type = RG_STRUCT; /* p-> through a pointer */
    if (!*name) return base;                                                         /* an anonymous struct inside */
    struct rg_cnode *part = rg__bundle_member(b, base, name);
    if (part) return rg__cell_load(b, part);
    part = rg__columns_member(b, base, name);
    if (part) return part;
    part = rg__union_member(b, base, b->c->getCursorType(kids.items[0]), b->c->getCursorType(c));
    if (part) return part;
    const bool bits = b->c->Cursor_isBitField(b->c->getCursorReferenced(c));
    struct rg_cnode *field = bits ? NULL : rg__build_field_param(b, base, name, b->c->getCursorType(c));
    if (field) return field;
    struct rg_cnode *m = rg_cnode_new(b->t, RG_C_MEMBER, 1);
    m->kid[0] = base;
    m->text = name;
    rg__set_type(b, m, c);
    CXType t = b->c->getCursorType(c);
    if (rg__type_is_array(b->u, t)) {
        CXType e = t;
        while (rg__type_is_array(b->u, e)) e = b->c->getArrayElementType(b->c->getCanonicalType(e));
        rg__type_scalar(b->u, e, &m->type);
        m->pointer = true;
    }
    return bits ? promoted(b, c, m) : m;
}

/* An implicit conversion, or something libclang has no name for. */
static struct rg_cnode *unexposed(struct rg__build *b, CXCursor c)
{
    struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
    int64_t v;
    if (kids.n != 1) {
        if (rg__eval_int(b->u, c, &v)) return rg__c_int(b->t, v);
        return rg__verbatim(b, c, "a construct that libclang does not name");
    }
    struct rg_cnode *k = rg__build_expr(b, kids.items[0]);
    enum rg_scalar s, part;
    if (!k->pointer && rg__type_complex(b, b->c->getCursorType(c), &part)) return rg__to_complex(b, k, part);
    if (k->pointer) return rg__from_void(b, c, k);
    if (!rg__type_scalar(b->u, b->c->getCursorType(c), &s)) return k;
    if (rg__c_is_complex(b, k, &part)) k = rg__complex_part(b, k, false);
    if (k->type == RG_STRUCT) return k;
    /* integer conversions happen again by themselves when the text is compiled */
    bool value_changes =
        rg__scalar_is_int(k->type) != rg__scalar_is_int(s) || (!rg__scalar_is_int(s) && k->type != s) || s == RG_BOOL;
    return value_changes ? rg__c_cast(b->t, k, s) : k;
}

static struct rg_cnode *by_kind(struct rg__build *b, CXCursor c)
{
    struct rg_cnode *n;
    switch (b->c->getCursorKind(c)) {
    case CXCursor_UnexposedExpr:
        n = unexposed(b, c);
        break;
    case CXCursor_ParenExpr: {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        n = kids.n == 1 ? rg__build_expr(b, kids.items[0]) : rg__verbatim(b, c, "parentheses around nothing");
        break;
    }
    case CXCursor_DeclRefExpr:
        n = reference(b, c);
        break;
    case CXCursor_IntegerLiteral:
    case CXCursor_CharacterLiteral:
        n = integer(b, c);
        break;
    case CXCursor_FloatingLiteral:
        n = real(b, c);
        break;
    case CXCursor_ImaginaryLiteral:
        n = rg__complex_literal(b, c);
        break;
    case CXCursor_StringLiteral:
        n = rg_cnode_new(b->t, RG_C_STRING, 0);
        n->text = rg__string_text(b, c);
        n->type = RG_CHAR;
        n->pointer = true;
        break;
    case CXCursor_UnaryOperator:
        n = rg__build_unary(b, c);
        break;
    case CXCursor_BinaryOperator:
        n = rg__build_binary(b, c, false);
        break;
    case CXCursor_CompoundAssignOperator:
        n = rg__build_binary(b, c, true);
        break;
    case CXCursor_ConditionalOperator:
        n = rg__build_conditional(b, c);
        break;
    case CXCursor_CStyleCastExpr:
        n = rg__build_cast(b, c);
        break;
    case CXCursor_CallExpr:
        n = rg__build_call(b, c);
        break;
    case CXCursor_MemberRefExpr:
        n = member(b, c);
        break;
    case CXCursor_InitListExpr:
        n = rg__build_init(b, c, b->c->getCursorType(c));
        break;
    case CXCursor_CompoundLiteralExpr:
        n = rg__build_compound(b, c);
        break;
    case CXCursor_ArraySubscriptExpr: {
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (kids.n != 2) {
            n = rg__verbatim(b, c, "a subscript without two parts");
            break;
        }
        if (rg__is_ctype_table(b, kids.items[0])) {
            n = rg_cnode_new(b->t, RG_C_CALL, 1);
            n->text = "rg_ctype";
            n->kid[0] = rg__build_expr(b, kids.items[1]);
            n->type = RG_U16;
            break;
        }
        struct rg_cnode *l = rg__build_expr(b, kids.items[0]), *r = rg__build_expr(b, kids.items[1]);
        struct rg_cnode *characters = rg__string_table(b, l); /* "0123456789abcdef"[digit] */
        if (characters) l = characters;
        n = rg__bundle_element(b, l, r);
        if (n) n = rg__cell_load(b, n);
        if (n) break;
        n = rg__as_pointed(b, l->pointer ? rg__build_subscript(b, l, r, c) : rg__build_subscript(b, r, l, c), c);
        break;
    }
    case CXCursor_UnaryExpr: /* sizeof, alignof */
        n = rg__build_sizeof(b, c);
        break;
    case CXCursor_StmtExpr:
        n = rg__build_statement_value(b, c);
        break;
    case CXCursor_GenericSelectionExpr:
        n = rg__verbatim(b, c, "_Generic (tgmath)");
        break;
    default:
        n = rg__verbatim(b, c, "a construct that has no node in the tree");
        break;
    }
    return n;
}

struct rg_cnode *rg__build_expr(struct rg__build *b, CXCursor c)
{
    enum { MAX_EXPRESSION = 1500 }; /* every later pass recurses as deep */
    if (b->depth >= MAX_EXPRESSION) return rg__verbatim(b, c, "an expression nested more than %d deep", MAX_EXPRESSION);
    b->depth++;
    struct rg_cnode *n = by_kind(b, c);
    b->depth--;
    if (!n->line) rg__place_node(b, n, c);
    return n;
}
