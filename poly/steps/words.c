/* The words that a regraph's steps name edits by; apart from what needs isl, so that any program may ask. */
#include "poly/steps/edit.h"
#include <rg/poly.h>
#include <string.h>

bool rg_poly_knows(const char *edit)
{
#define X(name, word) word,
    static const char *const words[] = {POLY_EDIT_MAP(X)};
#undef X
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(words[i], edit)) return true;
    return false;
}
