/* Allocation functions of a file that nobody gave: an init function asks `void *get(size_t n, int bytes)` for scratch,
 * and only a declaration is there. As much zeroed memory as the product of its arguments stands for it, so that the
 * inputs are the user's own. The function that is verified gets none: what it calls must be there. */
#include "frontend/emit/emit.h"
#include "frontend/infer/infer.h"
#include <string.h>

enum { MAX_SEEN = 8 };

struct callees {
    struct rg__load *l;
    struct rg_buf *out;
    struct rg_buf names;
    int n;
    const char *seen[MAX_SEEN];
};

static void stand_in(void *arg, CXCursor x)
{
    struct callees *s = arg;
    struct rg__unit *u = &s->l->unit;
    struct rg_arena *a = &s->l->dirs.arena;
    if (u->c->getCursorKind(x) != CXCursor_CallExpr) return;
    CXCursor f = u->c->getCursorReferenced(x);
    if (u->c->Cursor_isNull(f) || u->c->getCursorKind(f) != CXCursor_FunctionDecl ||
        !u->c->Cursor_isNull(u->c->getCursorDefinition(f)) || rg__source_place(&u->src, rg__decl_key(u, f)).system)
        return;
    CXType back = u->c->getCanonicalType(u->c->getResultType(u->c->getCursorType(f)));
    if (back.kind != CXType_Pointer || u->c->getCanonicalType(u->c->getPointeeType(back)).kind != CXType_Void) return;
    const char *name = rg__cursor_name(u, f, a);
    for (int i = 0; i < s->n; i++)
        if (!strcmp(s->seen[i], name)) return;
    if (s->n == MAX_SEEN) return;
    struct rg_buf head = RG_BUF_INIT, product = RG_BUF_INIT;
    struct rg__children kids = rg__cursor_children(u, f, a);
    int n = 0;
    bool integers = true;
    for (int i = 0; i < kids.n; i++) {
        enum rg_scalar type;
        if (u->c->getCursorKind(kids.items[i]) != CXCursor_ParmDecl) continue;
        CXType t = u->c->getCursorType(kids.items[i]);
        integers = integers && rg__type_scalar(u, t, &type) && rg__scalar_is_int(type);
        rg_buf_printf(&head, "%s%s rg_%d", n ? ", " : "", rg__type_name(u, t, a), n);
        rg_buf_printf(&product, " * (unsigned long)rg_%d", n);
        n++;
    }
    if (n && integers) {
        rg_buf_printf(s->out, "__attribute__((weak)) void *%s(%s) { return __builtin_calloc(1ul%s, 1ul); }\n", name,
                      head.data, product.data);
        rg_buf_printf(&s->names, "%s%s", s->n ? ", " : "", name);
        s->seen[s->n++] = name;
    }
    rg_buf_release(&head);
    rg_buf_release(&product);
}

void rg__stand_ins(struct rg__load *l, struct rg_buf *out)
{
    struct rg_problem *p = l->p;
    struct callees s = {.l = l, .out = out};
    for (int i = 0; i < l->n_inits; i++)
        rg__cursor_walk(&l->unit, l->unit.functions[l->inits[i].function].body, stand_in, &s);
    for (int i = 0; i < l->sequence.n && l->n_inits; i++)
        rg__cursor_walk(&l->unit, l->unit.functions[l->sequence.of[i]].body, stand_in, &s);
    const char *before = p->init_note ? p->init_note : "";
    if (s.names.len && !strstr(before, s.names.data))
        p->init_note =
            rg_arena_printf(&p->arena, "%s%s%s: defined in no file given; calloc stands for what %s asks of it", before,
                            *before ? "; " : "", s.names.data, p->init_function);
    rg_buf_release(&s.names);
}
