/* Places for what passes made: a statement without a line has that of what stands in front of it, or around it. */
#include "frontend/normalise/canon.h"

/* line: of what is in front. */
static void place(struct rg_cnode *n, int line)
{
    if (n->kind >= RG_C_BLOCK && n->line <= 0) n->line = line;
    int before = n->line > 0 ? n->line : line;
    for (int i = 0; i < n->n; i++) {
        if (!n->kid[i]) continue;
        place(n->kid[i], before);
        if (n->kind == RG_C_BLOCK && n->kid[i]->line > 0) before = n->kid[i]->line;
    }
}

/* The first line that anything under n has. */
static int first_line(const struct rg_cnode *n)
{
    int line = n->line > 0 ? n->line : 0;
    for (int i = 0; i < n->n && !line; i++)
        if (n->kid[i]) line = first_line(n->kid[i]);
    return line;
}

void rg__canon_lines(struct rg_ctree *t)
{
    place(t->root, first_line(t->root));
}
