/* Sizes of inputs that the file's own program makes (emit/program.h). */
#include "frontend/infer/infer.h"
#include <stdlib.h>
#include <string.h>

struct names {
    const char *name;
    bool found;
};

static void same_name(void *arg, const char *name)
{
    struct names *n = arg;
    n->found |= !strcmp(n->name, name);
}

/* A number of the function's own that says how long nothing is may be another one than the program passes. */
bool rg__program_binds(const struct rg__load *l, int param)
{
    struct names n = {l->p->params[param].name, l->p->params[param].origin != RG_ORIGIN_ARG};
    for (int i = 0; i < l->p->n_params && !n.found; i++)
        for (int d = 0; d < l->p->params[i].n_dims; d++)
            if (l->p->params[i].dims[d]) rg_expr_names(l->p->params[i].dims[d], same_name, &n);
    return n.found;
}

int rg__program_same(const struct rg__load *l, int function, int64_t number)
{
    const struct rg__program *g = &l->program;
    bool copied = false, divided = false;
    for (int k = 0; k < g->n_ways; k++) copied |= g->path[k] == function;
    for (int k = 0; k < g->n_numbers; k++)
        if (g->numbers[k] == number) {
            divided = g->which >> k & 1;
            if (!divided) return -1;
        }
    for (int i = 0; i < l->p->n_params && copied && divided && g->n_rows > 1; i++) {
        const struct rg_param *q = &l->p->params[i];
        bool same = q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem) && !q->derived;
        for (int r = 0; r < g->n_rows && same; r++) {
            const int64_t by = g->rows[r].by, least = number < 8 ? number : 8, part = by > 1 ? number / by : number;
            same = i < g->rows[r].n && g->rows[r].values[i] == (by < 0 ? number * -by : part < least ? least : part);
        }
        if (same) return i;
    }
    return -1;
}

/* Does the set-up function that --init names take a number of that name? */
bool rg__program_takes(const struct rg__load *l, const char *name)
{
    if (!l->program.n_rows || l->program.set_up < 0) return false;
    struct rg_arena *a = &l->p->arena;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[l->program.set_up].cursor, a);
    for (int i = 0; i < kids.n; i++)
        if (l->b.c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl &&
            !strcmp(rg__cursor_name(&l->unit, kids.items[i], a), name))
            return true;
    return false;
}

static bool by_user(const struct rg__load *l, enum rg__directive_kind kind, int param)
{
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == kind && l->dirs.items[i].name &&
            rg__param_meant(l, l->dirs.items[i].name) == param)
            return true;
    return false;
}

enum rg_status rg__program_sizes(struct rg__load *l)
{
    struct rg_problem *p = l->p;
    struct rg__program *g = &l->program;
    if (!g->n_rows) return RG_OK;
    bool sized = false;
    for (int i = 0; i < l->dirs.n; i++) sized |= l->dirs.items[i].kind == RG__DIR_SIZE;
    for (int k = 0; k < p->n_size_params; k++) {
        int i = p->size_params[k];
        if (p->params[i].derived || (sized && !l->unset[k] && p->sizes[0].values[k] == g->rows[0].values[i])) continue;
        if (sized && !l->unset[k] && p->params[i].input.kind != RG_INPUT_CONSTANT) {
            if (!rg__program_binds(l, i)) continue;
            return rg_error_set(
                l->err, RG_INPUT, "%s=%lld: main calls %s with %lld there, which the inputs that %s makes go with",
                rg_param_shown(&p->params[i]), (long long)p->sizes[0].values[k], p->function,
                (long long)g->rows[0].values[i], g->set_up >= 0 ? l->unit.functions[g->set_up].name : "main");
        }
        for (int s = 0; s < p->n_sizes; s++) p->sizes[s].values[k] = g->rows[0].values[i];
        l->unset[k] = false;
    }
    for (int i = 0; i < p->n_params; i++) {
        struct rg_param *q = &p->params[i];
        bool size = q->kind == RG_PARAM_SCALAR && q->elem != RG_STRUCT && rg__scalar_is_int(q->elem);
        q->follows = NULL; /* what a set-up function computes, it has computed by the call */
        if (size || q->origin == RG_ORIGIN_RESULT || q->origin == RG_ORIGIN_RETURNED || by_user(l, RG__DIR_INPUT, i))
            continue;
        q->input = (struct rg_input){.kind = RG_INPUT_INIT, .text = "init(main)"};
    }
    l->n_inits = 0; /* what main calls in front is part of it */
    p->init_function = "main";
    p->init_found = true;
    p->main_times = g->rows[0].by < 0 ? -g->rows[0].by : 0;
    const char *times = "";
    if (p->main_times)
        times =
            rg_arena_printf(&p->arena, "times %d, as the C takes next to no time at main's own, and ", p->main_times);
    p->init_note = rg_arena_printf(&p->arena, "as main calls %s, with its numbers %sdivided for smaller sizes%s",
                                   p->function, times, g->set_up < 0 ? " (--init none: random ones)" : "");
    return RG_OK;
}
