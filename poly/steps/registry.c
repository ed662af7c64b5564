/* The registry: every step, and by its word. Who puts the coder together looks here; what steps call does not, so that
 * no call goes from a step back to all of them. */
#include "poly/steps/steps.h"
#include <string.h>

const struct poly_step *const rg__poly_steps[POLY_N_STEPS] = {
#define X(word) &rg__poly_step_##word,
    POLY_STEPS(X)
#undef X
};

const struct poly_step *rg__poly_step_named(const char *word)
{
    for (int i = 0; word && i < POLY_N_STEPS; i++)
        if (strcmp(rg__poly_steps[i]->word, word) == 0) return rg__poly_steps[i];
    return NULL;
}
