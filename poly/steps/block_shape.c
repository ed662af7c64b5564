/* block.shape: blocks of shapes of their own, also long and flat ones. */
#include "poly/steps/step.h"

static bool apply(struct poly_program *p, const char *site, char *why, size_t size)
{
    if (rg__poly_program_parallel(p))
        return true;
    snprintf(why, size, "no kernel is parallel yet");
    return false;
}

const struct poly_step rg__poly_step_block_shape = {
    .word = "block_shape",
    .when = POLY_ON_OWN_LAUNCHES,
    .apply = apply,
};
