/* resident.block: a loop of the plan inside a kernel of one block, whose barriers take the launches' place. */
#include "poly/steps/step.h"

const struct poly_step rg__poly_step_resident_block = {
    .word = "resident_block",
    .when = POLY_ANY_TIME,
    .begins = true,
    .takes_over = true,
    .apply = rg__poly_resident_block,
    .sites = rg__poly_resident_sites,
};
