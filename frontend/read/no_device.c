/* C that runs as it is written, and has what CUDA C++ has not: said with its line, not by a compiler that is shown the
 * kernel. */
#include "frontend/read/read.h"
#include <string.h>

struct found {
    const struct rg__load *l;
    const char *what;
    uint32_t at;
};

static void look(void *arg, CXCursor c)
{
    struct found *x = arg;
    enum CXCursorKind k = x->l->b.c->getCursorKind(c);
    const char *what = k == CXCursor_GCCAsmStmt || k == CXCursor_MSAsmStmt             ? "inline assembly"
                       : k == CXCursor_IndirectGotoStmt || k == CXCursor_AddrLabelExpr ? "a computed goto"
                                                                                       : NULL;
    if (!what || x->what) return;
    x->what = what;
    x->at = rg__cursor_at(&x->l->unit, c);
}

static void look_for_choices(struct found *x, const struct rg__function *f)
{
    const struct rg__source *s = &x->l->unit.src;
    for (int k = rg__tok_from(s, f->at); !x->what && k + 1 < s->n_toks && s->toks[k].at < f->end; k++)
        if (rg__tok_is(s, k, "?") && rg__tok_is(s, k + 1, ":")) {
            x->what =
                "'?:' with the middle left out, behind something that does more than have a value (name it first)";
            x->at = s->toks[k].at;
        }
}

enum rg_status rg__refuse_no_device(struct rg__load *l)
{
    struct found x = {.l = l};
    const struct rg__unit *u = &l->unit;
    for (int i = 0; i < u->n_functions && !x.what; i++) {
        const struct rg__function *f = &u->functions[i];
        const bool runs = i == l->function || (l->b.in_run ? l->b.in_run[i] : f->called);
        if (!runs || l->b.c->Cursor_isNull(f->body) || rg__source_place(&u->src, f->at).system) continue;
        rg__cursor_walk(u, f->body, look, &x);
        look_for_choices(&x, f);
    }
    if (!x.what) return RG_OK;
    struct rg__place at = rg__source_place(&u->src, x.at);
    return rg_error_at(l->err, RG_INPUT, at.file, at.line, at.column, "%s cannot run on a device", x.what);
}
