/* resident.block: a loop of the plan inside a kernel of one block, whose barriers take the launches' place. */
#include "poly/steps/step.h"

const struct poly_step rg__poly_step_resident_block = {
    .word = "resident_block",
    .begins = true,
    .apply = rg__poly_resident_block,
};
