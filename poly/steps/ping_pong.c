/* ping_pong: the buffers of a time loop take turns, where the C copies one over the other (double buffering). */
#include "poly/reorder/double_buffer.h"
#include "poly/steps/steps.h"

static const struct poly_first first = {.is = RG_PREPARE_PING_PONG, .take = rg__poly_turns_everywhere};

static void sites(const struct poly_sites *at)
{
    rg__poly_first_sites(at, &rg__poly_step_ping_pong);
}

const struct poly_step rg__poly_step_ping_pong = {
    POLY_STEP(ping_pong),
    .first = &first,
    .when = POLY_AFTER_START,
    .sites = sites,
};
