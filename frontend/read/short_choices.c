/* GNU C's `a ?: b` as `a ? (a) : b`, which libclang has a node for and CUDA C++ takes. */
#include "frontend/read/source.h"
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 4 /* of one in the operand of another */, MOST_OPERAND = 4096 };

static bool is_one_of(const struct rg__source *s, int k, const char *const *words)
{
    for (; *words; words++)
        if (rg__tok_is(s, k, *words)) return true;
    return false;
}

/* The first token of the operand that ends in front of token `mark`; -1: it may do more than have a value, so that it
 * cannot stand there twice, or is no operand that is known. */
static int operand(const struct rg__source *s, int mark)
{
    static const char *const ends[] = {",",  ";",  "=", "+=", "-=", "*=",  "/=",  "%=",     "&=",
                                       "|=", "^=", "?", ":",  "{",  "<<=", ">>=", "return", NULL},
                             *const others[] = {"++", "--",  "}",      "if",   "else", "while",  "for",
                                                "do", "asm", "switch", "goto", "case", "sizeof", NULL};
    int depth = 0, k = mark - 1;
    for (; k >= 0; k--) {
        const bool close = rg__tok_is(s, k, ")") || rg__tok_is(s, k, "]");
        const bool open = rg__tok_is(s, k, "(") || rg__tok_is(s, k, "[");
        if (!depth && (open || is_one_of(s, k, ends))) break;
        if (is_one_of(s, k, others) ||
            (depth && is_one_of(s, k, ends) && !rg__tok_is(s, k, "?") && !rg__tok_is(s, k, ":")))
            return -1;
        depth += close - open;
        const bool callee = k > 0 && (s->toks[k - 1].kind == RG__TOK_IDENT || rg__tok_is(s, k - 1, ")"));
        if (rg__tok_is(s, k, "(") && callee && !rg__tok_is(s, k - 1, "return")) return -1; /* a call, or may be one */
    }
    return k >= 0 && k + 1 < mark ? k + 1 : -1;
}

static bool one_round(struct rg__source *s, struct rg_buf *out)
{
    uint32_t at = 0;
    for (int k = 1; k + 1 < s->n_toks; k++) {
        if (!rg__tok_is(s, k, "?") || !rg__tok_is(s, k + 1, ":")) continue;
        const int first = operand(s, k);
        const uint32_t mark = s->toks[k].at, from = first >= 0 ? s->toks[first].at : mark;
        /* one that goes over a line marker stays */
        if (first < 0 || mark - from > MOST_OPERAND || memchr(s->text + from, '#', mark - from)) continue;
        rg_buf_add(out, s->text + at, mark + 1 - at);
        rg_buf_char(out, '(');
        for (uint32_t i = from; i < mark; i++) rg_buf_char(out, s->text[i] == '\n' ? ' ' : s->text[i]);
        rg_buf_char(out, ')');
        at = mark + 1;
    }
    if (at) rg_buf_add(out, s->text + at, s->len - at);
    return at != 0;
}

void rg__whole_choices(struct rg__source *s)
{
    for (int round = 0; round < MOST_ROUNDS; round++) {
        struct rg_buf out = RG_BUF_INIT;
        if (!one_round(s, &out)) return;
        const size_t len = out.len;
        char *text = rg_buf_steal(&out);
        rg__source_release(s);
        rg__source_init(s, text, len);
    }
}
