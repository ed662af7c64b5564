/* Stores under a condition (kernel/store_under.c), in print. */
#include "poly/cuda/print.h"
#include <string.h>

/* The element is one of the kernel's arguments' where we stand: no register, no tile holds it. */
static bool in_memory(struct poly_print *pr, const struct rg_cnode *place)
{
    const char *text = rg__poly_text(pr, place), *array = pr->t->arrays[place->array].name;
    size_t n = strlen(array);
    return !strncmp(text, array, n) && text[n] == '[';
}

bool rg__poly_store_if(struct poly_print *pr, const struct rg_cnode *n)
{
    const struct rg_cnode *value;
    bool negated;
    if (pr->scan || !rg__poly_store_under(pr->p, pr->k, n, &value, &negated) || !in_memory(pr, n->kid[0]->kid[0]))
        return false;
    const struct rg_cnode *place = n->kid[0]->kid[0];
    const char *when = rg__poly_text(pr, n->kid[0]->kid[1]->kid[0]), *text = rg__poly_text(pr, value);
    rg__poly_open_brace(pr, negated ? "if (!(%s))" : "if (%s)", when);
    rg__poly_line(pr, "%s = %s;", rg__poly_text(pr, place), text);
    rg__poly_close_brace(pr);
    return true;
}
