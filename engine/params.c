#include "engine/params.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/search.h>
#include <rg/similar.h>
#include <stdlib.h>
#include <string.h>

const struct rg__params rg__params_default = {
#define X(name, value, least, most, what) .name = value,
    RG__PARAM_MAP(X)
#undef X
};

const struct rg__param rg__param_list[] = {
#define X(name, value, least, most, what) {#name, what, value, least, most},
    RG__PARAM_MAP(X)
#undef X
};
const int rg__n_params = sizeof rg__param_list / sizeof *rg__param_list;

struct rg_weighing rg__weighing(const struct rg__params *p)
{
    return (struct rg_weighing){
#define X(name, value, least, most, what) .name = p->name,
        RG_WEIGHING_MAP(X)
#undef X
    };
}

double rg__param_value(const struct rg__params *p, int i)
{
    return ((const double *)p)[i];
}

enum rg_status rg__params_set(struct rg__params *p, const char *text, struct rg_error *err)
{
    const char *equals = strchr(text, '=');
    size_t n = equals ? (size_t)(equals - text) : strlen(text);
    int i = 0;
    while (i < rg__n_params && (strlen(rg__param_list[i].name) != n || strncmp(rg__param_list[i].name, text, n))) i++;
    if (i == rg__n_params) {
        const char *known[sizeof rg__param_list / sizeof *rg__param_list];
        char near[160], *name = rg_xstrndup(text, n);
        for (i = 0; i < rg__n_params; i++) known[i] = rg__param_list[i].name;
        enum rg_status st =
            rg_error_set(err, RG_USAGE, "--set: the search has no constant '%s'%s; --set help lists them", name,
                         rg_did_you_mean(name, known, rg__n_params, near));
        free(name);
        return st;
    }
    const struct rg__param *x = &rg__param_list[i];
    char *end = NULL;
    double v = equals ? strtod(equals + 1, &end) : NAN;
    if (!end || end == equals + 1 || *end || !(v >= x->least && v <= x->most))
        return rg_error_set(err, RG_USAGE, "--set: %s takes a number from %g to %g (%g): %s", x->name, x->least,
                            x->most, x->value, x->what);
    ((double *)p)[i] = v;
    return RG_OK;
}

enum rg_status rg_search_constant_check(const char *text, struct rg_error *err)
{
    struct rg__params p = rg__params_default;
    return rg__params_set(&p, text, err);
}

void rg_search_constants(struct rg_buf *out)
{
    for (int i = 0; i < rg__n_params; i++)
        rg_buf_printf(out, "  %s=%g\n      %s\n", rg__param_list[i].name, rg__param_list[i].value,
                      rg__param_list[i].what);
}
