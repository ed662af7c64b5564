/* array_expand: a place for each iteration of what it fills before it reads it (array expansion), where that sets a
 * nest free. */
#include "poly/reorder/reorder.h"
#include "poly/reorder/scheduler.h"
#include "poly/steps/steps.h"

static enum rg_status take(struct poly_scop **s, struct rg_arena *arena, struct rg_error *err)
{
    (void)err; /* what can't be analysed so stays as it is */
    struct poly_scop *wide = rg__poly_expand_where_it_pays(*s, arena);
    if (wide) {
        wide->plain = *s; /* wavefront expands by itself */
        *s = wide;
    }
    rg__poly_share_sums_where_it_pays(s, arena);
    return RG_OK;
}

static const struct poly_first first = {.is = RG_PREPARE_EXPAND, .take = take};

static void sites(const struct poly_sites *at)
{
    rg__poly_first_sites(at, &rg__poly_step_array_expand);
}

const struct poly_step rg__poly_step_array_expand = {
    POLY_STEP(array_expand),
    .first = &first,
    .when = POLY_AFTER_START,
    .sites = sites,
};
