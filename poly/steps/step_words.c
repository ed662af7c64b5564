/* The words of the steps, apart from what needs isl, so that any program may ask. */
#include "poly/steps/registry.h"
#include <rg/poly.h>
#include <string.h>

bool rg_poly_knows(const char *word)
{
#define X(word) #word,
    static const char *const words[] = {POLY_STEPS(X)};
#undef X
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], word)) return true;
    return false;
}
