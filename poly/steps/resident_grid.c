/* resident.grid: a loop of the plan inside a cooperative kernel, its launches as phases. */
#include "poly/steps/step.h"

const struct poly_step rg__poly_step_resident_grid = {
    .word = "resident_grid",
    .when = POLY_AFTER_START,
    .takes_over = true,
    .apply = rg__poly_resident_grid,
    .sites = rg__poly_resident_sites,
};
