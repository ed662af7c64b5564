/* last_writer: of several iterations that store to one element, which data choose, the last one's value stays. The
 * front end takes it while it reads the loops (frontend/normalise/last_writers.c). */
#include "poly/steps/steps.h"

static const struct poly_first first = {
    .is = RG_PREPARE_LAST_WRITER,
    .stays = "it is taken while the function is read: --forbid leaves it out of a whole search",
};

static void sites(const struct poly_sites *at)
{
    rg__poly_first_sites(at, &rg__poly_step_last_writer);
}

const struct poly_step rg__poly_step_last_writer = {
    POLY_STEP(last_writer),
    .first = &first,
    .when = POLY_AFTER_START,
    .sites = sites,
};
