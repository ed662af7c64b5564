/* NAME_cuda_device() of a plan with loops: its launches are kept as a CUDA graph while the arguments stay the same. */
#include "runtime/export/export_internal.h"

static bool launches_inside(int n, struct rg_plan_stmt *const *items)
{
    for (int i = 0; i < n; i++)
        if (items[i]->kind == RG_PLAN_LAUNCH || launches_inside(items[i]->n_body, items[i]->body) ||
            launches_inside(items[i]->n_else, items[i]->orelse))
            return true;
    return false;
}

static bool loops(int n, struct rg_plan_stmt *const *items)
{
    for (int i = 0; i < n; i++) {
        const struct rg_plan_stmt *s = items[i];
        bool loop = s->kind == RG_PLAN_FOR || s->kind == RG_PLAN_WHILE || s->kind == RG_PLAN_DO;
        if (loop ? launches_inside(s->n_body, s->body) : loops(s->n_body, s->body) || loops(s->n_else, s->orelse))
            return true;
    }
    return false;
}

/* What the plan reads back decides anew at every call. */
bool rg__export_replays(const struct rg_plan *p)
{
    return !p->reads_data && loops(p->n, p->stmts);
}

void rg__write_replay(struct rg__writer *w)
{
    const char *x = w->n->prefix, *h = w->n->host.helpers;
    rg_buf_printf(w->out, "    return %sreplay(%sbytes_of(", h, h);
    rg__write_arguments(w, w->args_device, w->n_args_device);
    rg_buf_printf(w->out, "), %sstream, [&](cudaStream_t %son) { return %slaunches(", x, x, x);
    rg__write_arguments(w, w->args_device, w->n_args_device);
    rg_buf_printf(w->out, "%s%son); });\n", w->n_args_device ? ", " : "", x);
}
