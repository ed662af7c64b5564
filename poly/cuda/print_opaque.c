/* Loops whose bounds are data, in print: the header of one that a team goes through. */
#include "poly/cuda/print.h"

/* for (int k = row[i] + lane; k < row[i + 1]; k += LANES) */
void rg__poly_opaque_header(struct poly_print *pr, const struct poly_opaque_loop *o)
{
    const char *type = rg__poly_index_type(pr, o->var), *name = pr->t->vars[o->var].name;
    const char *by = o->step == 1 ? "" : rg__poly_printf(pr, " * %lld", (long long)o->step);
    if (rg__poly_opaque_far(pr->s->problem, pr->t, &pr->arena, o)) {
        const char *at = rg__poly_fresh(pr, "%s_at", name);
        rg__poly_open_brace(pr, "for (long long %s = %s + (long long)%s%s; %s < %s; %s += %s%s)", at,
                            rg__poly_addend(pr, o->first), rg__poly_lane(pr), by, at, rg__poly_operand(pr, o->end), at,
                            rg__poly_team_size(pr), by);
        rg__poly_line(pr, "const %s %s = (%s)%s;", type, name, type, at);
        return;
    }
    rg__poly_open_brace(pr, "for (%s %s = %s + (%s)%s%s; %s < %s; %s += %s%s)", type, name,
                        rg__poly_addend(pr, o->first), type, rg__poly_lane(pr), by, name, rg__poly_operand(pr, o->end),
                        name, rg__poly_team_size(pr), by);
}
