/* Conditions and loops of a kernel of one thread that become the plan's, so that what stands in them gets launches of
 * its own: a grid may go through a scan there. */
#include "poly/kernel/kernel.h"
#include <string.h>

bool rg__poly_plan_holds(const struct poly_scop *s, const struct poly_knode *x)
{
    if ((x->kind != KN_IF && x->kind != KN_LOOP) || rg__mentions_kind(x->node, RG_C_RETURN)) return false;
    if (x->kind == KN_IF) return rg__poly_plan_condition(s, x->node->kid[0]);
    return !x->scan && !x->dealt && rg__poly_plan_can(s, x->node->kid[0]) && rg__poly_plan_can(s, x->node->kid[1]) &&
           (x->node->n < 4 || rg__poly_plan_condition(s, x->node->kid[3])) && !rg__mentions_kind(x->node, RG_C_BREAK) &&
           !rg__mentions_kind(x->node, RG_C_CONTINUE);
}

static struct poly_hnode *plan_node(struct poly_program *p, const struct poly_knode *x, int n)
{
    struct poly_hnode *h = rg_arena_alloc(&p->arena, sizeof *h);
    h->kind = !x ? HN_SEQ : x->kind == KN_IF ? HN_IF : HN_FOR;
    h->node = x ? x->node : NULL;
    h->loop = x && x->kind == KN_LOOP ? x->loop : -1;
    h->kernel = -1;
    h->kid = rg_arena_alloc(&p->arena, sizeof *h->kid * (size_t)(n ? n : 1));
    h->n = h->cap = n;
    return h;
}

bool rg__poly_plan_item(struct poly_program *p, int kernel, int at)
{
    const struct poly_knode *body = p->kernels[kernel].body, *x = body->kid[at];
    bool loop = x->kind == KN_LOOP, pre = at > 0, post = at + 1 < body->n;
    int arms = 0, first = kernel + pre;
    if (p->kernels[kernel].form != POLY_SINGLE || !rg__poly_plan_holds(p->scop, x)) return false;
    for (int a = 0; a < x->n; a++) arms += x->kid[a] && x->kid[a]->n;
    if (!arms || (loop && p->kernels[kernel].n_host == POLY_MAX_DEPTH) ||
        !rg__poly_make_room(p, kernel, pre + arms + post - 1))
        return false;
    struct poly_hnode *parent = NULL, *was = rg__poly_find_launch(p->root, first, &parent),
                      *h = plan_node(p, x, loop ? 1 : 2);
    int place = 0, k = first;
    while (parent->kid[place] != was) place++;
    for (int a = 0, next = place; a < h->n; a++) {
        bool some = a < x->n && x->kid[a] && x->kid[a]->n;
        struct poly_hnode *arm = some ? parent->kid[next++] : plan_node(p, NULL, 0);
        h->kid[a] = arm;
        if (!some) continue;
        if (!loop) {
            h->kid[a] = plan_node(p, NULL, 1);
            h->kid[a]->kid[0] = arm;
        }
        p->kernels[k].body = rg__poly_knode_seq(p, x->kid[a]->kid, x->kid[a]->n);
        if (loop) p->kernels[k].host[p->kernels[k].n_host++] = x->loop;
        k++;
    }
    parent->kid[place] = h;
    memmove(parent->kid + place + 1, parent->kid + place + arms,
            sizeof *parent->kid * (size_t)(parent->n - place - arms));
    parent->n -= arms - 1;
    if (pre) p->kernels[kernel].body = rg__poly_knode_seq(p, body->kid, at);
    if (post) p->kernels[k].body = rg__poly_knode_seq(p, body->kid + at + 1, body->n - at - 1);
    rg__poly_assign_homes(p);
    return true;
}
