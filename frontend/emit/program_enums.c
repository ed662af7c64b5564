/* Sizes that a copied function names by an enumeration of its own (`enum { N = 30000, K = 6, ALL = N * K };`): where
 * they are used they are divided like numbers, the enumeration itself stays as it is. Only those of one function: an
 * enumeration of the file is what functions that are not copied go by, too. */
#include "frontend/emit/program.h"
#include <string.h>

static bool punctuation(const struct rg__source *s, int tok, const char *one_of)
{
    return s->toks[tok].len == 1 && strchr(one_of, s->text[s->toks[tok].at]);
}

static int close_of(const struct rg__source *s, int tok, uint32_t to)
{
    while (tok < s->n_toks && s->toks[tok].at < to && !rg__tok_is(s, tok, "}")) tok++;
    return tok;
}

int rg__program_enumerator(const struct rg__program_enums *e, const struct rg__source *s, int tok)
{
    for (int i = 0; i < e->n; i++) {
        const struct rg__tok *a = &s->toks[e->at[i].name], *b = &s->toks[tok];
        if (a->len == b->len && !memcmp(s->text + a->at, s->text + b->at, a->len)) return i;
    }
    return -1;
}

/* Numbers that are divided, enumerators before it, and what is computed of them; nothing that picks bits. */
static bool is_size(const struct rg__program_enums *e, const struct rg__source *s, int from, int to)
{
    bool some = false;
    for (int t = from; t < to; t++) {
        bool of = rg__program_enumerator(e, s, t) >= 0, number = s->toks[t].kind == RG__TOK_NUMBER;
        if (!of && !number && !punctuation(s, t, "+-*/()")) return false;
        some |= of || (number && rg__program_divides(s, t));
    }
    return some;
}

void rg__program_enums(struct rg__program_enums *e, const struct rg__source *s, uint32_t from, uint32_t to)
{
    e->n = 0;
    for (int t = rg__tok_from(s, from); t < s->n_toks && s->toks[t].at < to; t++) {
        if (!rg__tok_is(s, t, "enum")) continue;
        int open = t + 1 + (t + 1 < s->n_toks && s->toks[t + 1].kind == RG__TOK_IDENT);
        if (open >= s->n_toks || !rg__tok_is(s, open, "{")) continue;
        int close = close_of(s, open, to);
        for (int k = open + 1, end; k + 1 < close; k = end + 1) {
            int depth = 0;
            for (end = k; end < close && (depth || !rg__tok_is(s, end, ",")); end++)
                depth += rg__tok_is(s, end, "(") - rg__tok_is(s, end, ")");
            if (!rg__tok_is(s, k + 1, "=") || e->n == RG__PROGRAM_ENUMS || !is_size(e, s, k + 2, end)) continue;
            e->at[e->n].name = k;
            e->at[e->n].from = k + 2;
            e->at[e->n++].to = end;
        }
        t = close;
    }
}
