/* sequential: the whole function as one thread, where nothing is parallel; no other step goes with it. */
#include "poly/steps/step.h"

const struct poly_step rg__poly_step_sequential = {
    .word = "sequential",
    .alone = rg__poly_map_sequential,
};
