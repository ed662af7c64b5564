/* Where the reference's counting build counts rounds: the body of the loop that data end and other loops stand in, as a
 * place in the preprocessed text. */
#include "frontend/emit/emit.h"
#include "frontend/infer/infer.h"
#include <string.h>

/* The token behind the bracket that closes the one at `open`. */
static int behind(const struct rg__source *s, int open)
{
    int depth = 0;
    for (int i = open; i < s->n_toks; i++) {
        depth += rg__tok_is(s, i, "(") - rg__tok_is(s, i, ")");
        if (!depth) return i + 1;
    }
    return -1;
}

/* The loop's keyword. Its column is the file's, which a macro before it moves in the preprocessed text: where that does
 * not fit, the line's only one. -1: it is not told which. */
static int keyword(const struct rg__source *s, const char *file, const struct rg_cnode *loop)
{
    static const char *const words[] = {"for", "while", "do"};
    int found = -1, n = 0;
    for (int i = 0; i < s->n_toks; i++) {
        bool is = false;
        for (size_t k = 0; k < sizeof words / sizeof *words; k++) is = is || rg__tok_is(s, i, words[k]);
        if (!is) continue;
        struct rg__place at = rg__source_place(s, s->toks[i].at);
        if (at.line != loop->line || !at.file || strcmp(at.file, file)) continue;
        if (at.column == loop->column) return i;
        found = i;
        n++;
    }
    return n == 1 ? found : -1;
}

void rg__round_place(struct rg__load *l, const struct rg__source *s, const struct rg_cnode *loop)
{
    int key = keyword(s, l->o->file, loop);
    if (key < 0) return;
    int body = rg__tok_is(s, key, "do") ? key + 1 : behind(s, key + 1);
    if (body < 0 || body >= s->n_toks || rg__tok_is(s, body, ";")) return; /* the `while` that a `do` ends with */
    l->p->round_at = s->toks[body].at;
    l->p->round_line = loop->line;
}
