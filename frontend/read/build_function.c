/* Pointers to functions: what they may point to, as far as the file says it. A parameter of an inlined helper stands
 * for what it is called with, a constant table for the functions in it; a call through either is a call of the one, or
 * a choice by the index. */
#include "frontend/read/build.h"
#include <string.h>

static const char mark[] = "a function";

bool rg__is_function_pointer(struct rg__build *b, CXType t)
{
    t = b->c->getCanonicalType(t);
    if (t.kind != CXType_Pointer) return false;
    t = b->c->getCanonicalType(b->c->getPointeeType(t));
    return t.kind == CXType_FunctionProto || t.kind == CXType_FunctionNoProto;
}

/* Parentheses, casts, and the * and & that mean nothing before a function. */
static CXCursor bare(struct rg__build *b, CXCursor c)
{
    for (;;) {
        c = rg__strip_parens(b, c);
        enum CXCursorKind k = b->c->getCursorKind(c);
        struct rg__children kids = rg__cursor_children(b->u, c, &b->p->arena);
        if (k == CXCursor_UnaryOperator && kids.n == 1) {
            int tok = rg__tok_from(&b->u->src, rg__cursor_at(b->u, c));
            if (!rg__tok_is(&b->u->src, tok, "*") && !rg__tok_is(&b->u->src, tok, "&")) return c;
        } else if (k != CXCursor_CStyleCastExpr || !kids.n) {
            return c;
        }
        c = kids.items[kids.n - 1];
    }
}

enum { MAX_INITS = RG__MAX_TARGETS };

struct inits { /* initialisers of what an expression names, and the index that chooses among them */
    int n;
    CXCursor items[MAX_INITS];
    bool chosen;
    CXCursor index;
};

static int field_of(struct rg__build *b, CXCursor member)
{
    CXCursor field = b->c->getCursorReferenced(member);
    int64_t at = b->c->Cursor_getOffsetOfField(field);
    return at < 0 ? -1 : (int)at;
}

struct nth {
    struct rg__build *b;
    int offset, at, n;
};

static enum CXVisitorResult count_fields(CXCursor c, CXClientData data)
{
    struct nth *f = data;
    if ((int)f->b->c->Cursor_getOffsetOfField(c) == f->offset) f->at = f->n;
    f->n++;
    return CXVisit_Continue;
}

/* Element i of {..}, or the one that a designator names; false: it has none. */
static bool element(struct rg__build *b, CXCursor list, int64_t i, const char *member, CXCursor *out)
{
    list = rg__strip_parens(b, list);
    if (b->c->getCursorKind(list) != CXCursor_InitListExpr) return false;
    struct rg__children kids = rg__cursor_children(b->u, list, &b->p->arena);
    int64_t at = 0;
    for (int k = 0; k < kids.n; k++, at++) {
        struct rg__children parts = rg__cursor_children(b->u, kids.items[k], &b->p->arena);
        CXCursor value = kids.items[k];
        bool named = false;
        if (b->c->getCursorKind(value) == CXCursor_UnexposedExpr && parts.n == 2) { /* [i] = f, .apply = f */
            int64_t v;
            value = parts.items[1];
            if (b->c->getCursorKind(parts.items[0]) == CXCursor_MemberRef) {
                named = member && !strcmp(rg__cursor_name(b->u, parts.items[0], &b->p->arena), member);
                if (!named) continue;
            } else if (rg__eval_int(b->u, parts.items[0], &v)) {
                at = v;
            }
        }
        if (named || at == i) {
            *out = value;
            return true;
        }
    }
    return false;
}

static bool initialisers(struct rg__build *b, CXCursor e, struct inits *out)
{
    e = rg__strip_parens(b, e);
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    switch (b->c->getCursorKind(e)) {
    case CXCursor_DeclRefExpr: {
        CXCursor d = b->c->getCursorReferenced(e), def = b->c->getCursorDefinition(d);
        if (!b->c->Cursor_isNull(def)) d = def;
        if (b->c->getCursorKind(d) != CXCursor_VarDecl || rg__is_written(b, rg__decl_key(b->u, d))) return false;
        struct rg__children parts = rg__cursor_children(b->u, d, &b->p->arena);
        if (!parts.n) return false;
        *out = (struct inits){.n = 1, .items = {parts.items[parts.n - 1]}};
        return true;
    }
    case CXCursor_ArraySubscriptExpr: {
        struct inits base;
        int64_t known;
        if (kids.n != 2 || !initialisers(b, kids.items[0], &base) || base.n != 1) return false;
        *out = (struct inits){.n = 0, .chosen = true, .index = kids.items[1]};
        if (rg__eval_int(b->u, kids.items[1], &known)) {
            out->chosen = false;
            return element(b, base.items[0], known, NULL, &out->items[out->n++]);
        }
        while (out->n < MAX_INITS && element(b, base.items[0], out->n, NULL, &out->items[out->n])) out->n++;
        return out->n > 0 && out->n < MAX_INITS;
    }
    case CXCursor_MemberRefExpr: {
        if (!kids.n || !initialisers(b, kids.items[0], out)) return false;
        struct nth f = {b, field_of(b, e), -1, 0};
        CXType t = b->c->getCanonicalType(b->c->getCursorType(kids.items[0]));
        if (t.kind == CXType_Pointer) return false;
        b->c->Type_visitFields(t, count_fields, &f);
        for (int i = 0; i < out->n; i++)
            if (!element(b, out->items[i], f.at, rg__cursor_name(b->u, e, &b->p->arena), &out->items[i])) return false;
        return true;
    }
    default:
        return false;
    }
}

static bool is_function(struct rg__build *b, CXCursor e, CXCursor *decl)
{
    e = bare(b, e);
    if (b->c->getCursorKind(e) != CXCursor_DeclRefExpr) return false;
    *decl = b->c->getCursorReferenced(e);
    return b->c->getCursorKind(*decl) == CXCursor_FunctionDecl;
}

/* c ? f : g: those of both sides, one behind the other. */
static bool chosen(struct rg__build *b, CXCursor e, struct rg__targets *out)
{
    struct rg__children kids = rg__cursor_children(b->u, e, &b->p->arena);
    struct rg__targets side[2];
    if (kids.n != 3) return false;
    for (int i = 0; i < 2; i++)
        if (!rg__function_targets(b, kids.items[1 + i], &side[i])) return false;
    if (side[0].n + side[1].n > RG__MAX_TARGETS) return false;
    struct rg_cnode *which = rg_cnode_new(b->t, RG_C_COND, 3);
    which->type = RG_I32;
    which->kid[0] = rg__build_expr(b, kids.items[0]);
    which->kid[1] = side[0].n > 1 ? side[0].pick : rg__c_int(b->t, 0);
    which->kid[2] = rg__c_int(b->t, side[0].n);
    if (side[1].n > 1) which->kid[2] = rg__c_binary(b->t, RG_COP_ADD, which->kid[2], side[1].pick);
    *out = side[0];
    for (int i = 0; i < side[1].n; i++) out->decl[out->n++] = side[1].decl[i];
    out->pick = which;
    return rg__c_pure(b->t, which);
}

bool rg__function_targets(struct rg__build *b, CXCursor e, struct rg__targets *out)
{
    e = bare(b, e);
    if (b->c->getCursorKind(e) == CXCursor_ConditionalOperator) return chosen(b, e, out);
    *out = (struct rg__targets){.n = 0};
    if (is_function(b, e, &out->decl[0])) {
        out->n = 1;
        return true;
    }
    if (b->c->getCursorKind(e) == CXCursor_DeclRefExpr) {
        CXCursor d = b->c->getCursorReferenced(e);
        const struct rg__sym *s = rg__sym_find(b, rg__decl_key(b->u, d));
        if (s && s->kind == RG__SYM_FUNCTION) {
            *out = *s->targets;
            return true;
        }
        if (b->c->getCursorKind(d) == CXCursor_ParmDecl) return false;
    }
    struct inits in;
    if (!initialisers(b, e, &in)) return false;
    for (int i = 0; i < in.n; i++)
        if (!is_function(b, in.items[i], &out->decl[i])) return false;
    out->n = in.n;
    if (in.n > 1) out->pick = rg__build_expr(b, in.index);
    return in.n == 1 || rg__c_pure(b->t, out->pick);
}

void rg__bind_function(struct rg__build *b, uint32_t key, const struct rg__targets *t, struct rg__kids *out)
{
    struct rg__targets *own = rg_arena_alloc(&b->t->arena, sizeof *own);
    *own = *t;
    if (own->pick && own->pick->kind != RG_C_VAR && own->pick->kind != RG_C_INT) { /* as it is now */
        int v = rg__c_add_var(b->t, "which", RG_CVAR_LOCAL, RG_I32);
        struct rg_cnode *d = rg_cnode_new(b->t, RG_C_DECL, 1);
        d->var = v;
        d->type = RG_I32;
        d->kid[0] = own->pick;
        rg__kids_add(out, d);
        own->pick = rg__c_var(b->t, v);
    }
    rg__sym_add(b, key, RG__SYM_FUNCTION)->targets = own;
}

struct rg_cnode *rg__function_value(struct rg__build *b, CXCursor e)
{
    struct rg__targets t;
    if (!rg__function_targets(b, e, &t)) return NULL;
    RG_GROW(b->targets, b->n_targets, b->cap_targets);
    b->targets[b->n_targets] = t;
    struct rg_cnode *n = rg_cnode_new(b->t, RG_C_STRING, 0);
    n->text = mark;
    n->ivalue = b->n_targets++;
    return n;
}

const struct rg__targets *rg__targets_of(const struct rg__build *b, const struct rg_cnode *n)
{
    return n->kind == RG_C_STRING && n->text == mark ? &b->targets[n->ivalue] : NULL;
}
