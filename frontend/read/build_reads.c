/* Pointers through which members are read, and nothing else is done: `a->n`, `(*a).n`, and `f(a)` where f does no more
 * with its parameter. Read off the tokens, before there is a tree. */
#include "frontend/read/build_reads.h"
#include <string.h>

enum { DEPTH = 8 };

/* Is the pointer between these only asked whether it is NULL: !m, m == NULL, m && .., if (m)? */
static bool only_tested(const struct rg__source *s, int before, int after)
{
    const bool zero =
        rg__tok_is(s, after + 1, "NULL") || rg__tok_is(s, after + 1, "0") ||
        (rg__tok_is(s, after + 1, "(") && rg__tok_is(s, after + 2, "(") && rg__tok_is(s, after + 3, "void"));
    const bool compared = (rg__tok_is(s, after, "==") || rg__tok_is(s, after, "!=")) && zero,
               open = rg__tok_is(s, before, "(") || rg__tok_is(s, before, "||") || rg__tok_is(s, before, "&&"),
               joined = rg__tok_is(s, after, "||") || rg__tok_is(s, after, "&&"),
               asks = rg__tok_is(s, before - 1, "if") || rg__tok_is(s, before - 1, "while");
    if (rg__tok_is(s, before, "!")) return joined || rg__tok_is(s, after, ")");
    if (compared) return open;
    return (open && joined) || (rg__tok_is(s, before, "(") && rg__tok_is(s, after, ")") && asks);
}

static bool read_in(struct rg__build *b, CXCursor body, const char *name, int depth, bool writes);

static bool changed(const struct rg__source *s, int before, int after)
{
    static const char *const writes[] = {"=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", "&=", "|=", "^=", "++", "--"};
    for (size_t i = 0; i < sizeof writes / sizeof *writes; i++)
        if (rg__tok_is(s, after, writes[i])) return true;
    return rg__tok_is(s, before, "++") || rg__tok_is(s, before, "--") || rg__tok_is(s, before, "&");
}

/* writes: members may be set, too. */
static bool argument(struct rg__build *b, int tok, int depth, bool writes)
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
            return read_in(b, b->u->functions[f].body, rg__cursor_name(b->u, kids.items[i], &b->p->arena), depth + 1,
                           writes);
    return false;
}

bool rg__argument_only_read(struct rg__build *b, int tok, int depth)
{
    return argument(b, tok, depth, false);
}

/* How many pairs of parentheses stand around the token alone, as macros put them around what they are given; those of
 * a call are none. */
static int parentheses(const struct rg__source *s, int tok)
{
    int n = 0;
    for (; rg__tok_is(s, tok - 1 - n, "(") && rg__tok_is(s, tok + 1 + n, ")"); n++) {
        const int head = tok - 2 - n;
        const bool call = head >= 0 && s->toks[head].kind == RG__TOK_IDENT && !rg__tok_is(s, head, "return");
        if (call || rg__tok_is(s, head, ")") || rg__tok_is(s, head, "]")) break;
    }
    return n;
}

static bool read_in(struct rg__build *b, CXCursor body, const char *name, int depth, bool writes)
{
    const struct rg__source *s = &b->u->src;
    const uint32_t end = rg__cursor_end(b->u, body);
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, body)); k < s->n_toks && s->toks[k].at < end; k++) {
        if (!rg__tok_is(s, k, name) || rg__tok_is(s, k - 1, ".") || rg__tok_is(s, k - 1, "->")) continue;
        const int depths = parentheses(s, k);
        int before = k - 1 - depths, after = k + 1 + depths;
        const bool first = rg__tok_is(s, before, "(") || rg__tok_is(s, before, ","),
                   last = rg__tok_is(s, after, ")") || rg__tok_is(s, after, ",");
        if (only_tested(s, before, after)) continue;
        if (first && last) {
            if (!argument(b, k - depths, depth, writes)) return false;
            continue;
        }
        if (writes && depth > 0 && rg__tok_is(s, before, "*") && rg__tok_is(s, after, "=")) continue; /* that again */
        if (writes && rg__tok_is(s, before, "=") && rg__tok_is(s, after, ";") && before > 1 &&
            s->toks[before - 1].kind == RG__TOK_IDENT && rg__tok_is(s, before - 2, "*")) { /* T *own = m; */
            if (depth >= DEPTH || !read_in(b, body, rg__tok_text(s, before - 1, &b->p->arena), depth + 1, writes))
                return false;
            continue;
        }
        if (rg__tok_is(s, before, "*") && rg__tok_is(s, before - 1, "(") && rg__tok_is(s, after, ")") &&
            rg__tok_is(s, after + 1, "."))
            after += 3, before -= 2;
        else if (rg__tok_is(s, after, "->"))
            after += 2;
        else
            return false;
        while (rg__tok_is(s, before, "(") && rg__tok_is(s, after, ")")) before--, after++;
        if (!writes && changed(s, before, after)) return false;
    }
    return true;
}

bool rg__only_members_read(struct rg__build *b, const char *name)
{
    return b->n_inlining > 0 && read_in(b, b->u->functions[b->inlining[0]].body, name, 0, false);
}

bool rg__one_structure(struct rg__build *b, const char *name)
{
    return b->n_inlining > 0 && read_in(b, b->u->functions[b->inlining[0]].body, name, 0, true);
}

bool rg__sets(struct rg__build *b, CXCursor e)
{
    const struct rg__source *s = &b->u->src;
    const uint32_t end = rg__cursor_end(b->u, e);
    for (int k = rg__tok_from(s, rg__cursor_at(b->u, e)); k < s->n_toks && s->toks[k].at < end; k++)
        if (rg__tok_is(s, k, "++") || rg__tok_is(s, k, "--")) return true;
    return rg__sets_or_calls(b, e, false);
}
