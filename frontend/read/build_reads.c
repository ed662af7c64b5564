/* Pointers through which members are read, and nothing else is done: `a->n`, `(*a).n`, and `f(a)` where f does no more
 * with its parameter. Read off the tokens, before there is a tree. */
#include "frontend/read/build_reads.h"
#include <string.h>

enum { DEPTH = 8 };

static bool read_in(struct rg__build *b, CXCursor body, const char *name, int depth);

static bool changed(const struct rg__source *s, int before, int after)
{
    static const char *const writes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        if (rg__tok_is(s, after, writes[i])) return true;
    return rg__tok_is(s, before, "++") || rg__tok_is(s, before, "--") || rg__tok_is(s, before, "&");
}

bool rg__argument_only_read(struct rg__build *b, int tok, int depth)
{
    const struct rg__source *s = &b->u->src;
    int index = 0, open = tok, level = 0;
    if (depth >= DEPTH) return false;
    for (open--; open > 0; open--) {
        if (rg__tok_is(s, open, ")") || rg__tok_is(s, open, "]")) level++;
        if ((rg__tok_is(s, open, "(") || rg__tok_is(s, open, "[")) && level-- == 0) break;
        if (rg__tok_is(s, open, ";") || rg__tok_is(s, open, "{") || rg__tok_is(s, open, "}")) return false;
        index += !level && rg__tok_is(s, open, ",");
    }
    if (open < 1 || !rg__tok_is(s, open, "(") || s->toks[open - 1].kind != RG__TOK_IDENT) return false;
    const int f = rg__unit_function_named(b->u, rg__tok_text(s, open - 1, &b->p->arena));
    if (f < 0) return false;
    struct rg__children kids = rg__cursor_children(b->u, b->u->functions[f].cursor, &b->p->arena);
    for (int i = 0; i < kids.n; i++)
        if (b->c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl && index-- == 0)
            return read_in(b, b->u->functions[f].body, rg__cursor_name(b->u, kids.items[i], &b->p->arena), depth + 1);
    return false;
}

static bool read_in(struct rg__build *b, CXCursor body, const char *name, int depth)
{
    const struct rg__source *s = &b->u->src;
    const uint32_t end = rg__cursor_end(b->u, body);
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, body)); k < s->n_toks && s->toks[k].at < end; k++) {
        if (!rg__tok_is(s, k, name) || rg__tok_is(s, k - 1, ".") || rg__tok_is(s, k - 1, "->")) continue;
        const bool first = rg__tok_is(s, k - 1, "(") || rg__tok_is(s, k - 1, ","),
                   last = rg__tok_is(s, k + 1, ")") || rg__tok_is(s, k + 1, ",");
        if (first && last) {
            if (!rg__argument_only_read(b, k, depth)) return false;
            continue;
        }
        int after = k + 1;
        if (rg__tok_is(s, k - 1, "*") && rg__tok_is(s, k - 2, "(") && rg__tok_is(s, after, ")") &&
            rg__tok_is(s, after + 1, "."))
            after += 3;
        else if (rg__tok_is(s, after, "->"))
            after += 2;
        else
            return false;
        if (changed(s, k - 1, after)) return false;
    }
    return true;
}

bool rg__only_members_read(struct rg__build *b, const char *name)
{
    return b->n_inlining > 0 && read_in(b, b->u->functions[b->inlining[0]].body, name, 0);
}

bool rg__sets(struct rg__build *b, CXCursor e)
{
    const struct rg__source *s = &b->u->src;
    const uint32_t end = rg__cursor_end(b->u, e);
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, e)); k < s->n_toks && s->toks[k].at < end; k++)
        if (rg__tok_is(s, k, "++") || rg__tok_is(s, k, "--")) return true;
    return rg__sets_or_calls(b, e, false);
}
