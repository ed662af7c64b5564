/* last_value: a scalar that is read behind its loop is kept by the last iteration, so that the others are free of it.
 * array_expand judges the two together and takes it along. */
#include "poly/steps/steps.h"

static const struct poly_first first = {.is = RG_PREPARE_LAST_VALUE};

static void sites(const struct poly_sites *at)
{
    rg__poly_first_sites(at, &rg__poly_step_last_value);
}

const struct poly_step rg__poly_step_last_value = {
    POLY_STEP(last_value),
    .first = &first,
    .when = POLY_AFTER_START,
    .sites = sites,
};
