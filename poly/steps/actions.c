/* Sets of actions in canonical order: what a candidate is made of. */
#include "poly/steps/steps.h"
#include <string.h>

static int compare(const struct poly_action *a, const struct poly_step *step, const char *site)
{
    return a->step != step ? (int)a->step->rank - (int)step->rank : strcmp(a->site, site);
}

bool rg__poly_actions_add(struct poly_actions *e, const struct poly_step *step, const char *site)
{
    int at = 0;
    while (at < e->n && compare(&e->items[at], step, site) < 0) at++;
    if (at < e->n && compare(&e->items[at], step, site) == 0) return false;
    if (e->n == POLY_MAX_ACTIONS || strlen(site) >= sizeof e->items[0].site) return false;
    memmove(&e->items[at + 1], &e->items[at], sizeof e->items[0] * (size_t)(e->n - at));
    e->items[at] = (struct poly_action){.step = step, .link = -1};
    snprintf(e->items[at].site, sizeof e->items[at].site, "%s", site);
    e->n++;
    return true;
}

void rg__poly_actions_credit(struct poly_actions *e, const struct poly_step *step, const char *site, int link,
                             const struct rg_tunables *proposed)
{
    for (int i = 0; i < e->n; i++)
        if (compare(&e->items[i], step, site) == 0) {
            e->items[i].link = link;
            e->items[i].proposed = proposed;
        }
}

bool rg__poly_actions_have(const struct poly_actions *e, const struct poly_step *step)
{
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step == step) return true;
    return false;
}

void rg__poly_actions_key(const struct poly_actions *e, struct rg_buf *out)
{
    rg_buf_str(out, "poly");
    for (int i = 0; i < e->n; i++)
        rg_buf_printf(out, "%c%s@%s", i ? ',' : ':', e->items[i].step->word, e->items[i].site);
}

/* Is there a step that begins: that says how loops are shared? */
bool rg__poly_is_mapped(const struct poly_actions *e)
{
    for (int i = 0; i < e->n; i++)
        if (e->items[i].step->begins) return true;
    return false;
}
