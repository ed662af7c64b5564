/* What people call parameters of the problem, and which one they mean. */
#include "frontend/infer/infer.h"
#include <rg/similar.h>
#include <string.h>

const char *rg__known_params(struct rg__load *l)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < l->p->n_params; i++) rg_buf_printf(&b, "%s%s", i ? ", " : "", rg_param_shown(&l->p->params[i]));
    const char *s = rg_arena_strdup(&l->dirs.arena, b.len ? b.data : "none");
    rg_buf_release(&b);
    return s;
}

/* The next parameter behind `after` whose last member is called `name`: `g.channels` by `channels`; -1. */
static int ends_in(const struct rg_problem *p, const char *name, int after)
{
    for (int i = after + 1; i < p->n_params; i++) {
        const char *member = strrchr(rg_param_shown(&p->params[i]), '.');
        if (member && !strcmp(member + 1, name)) return i;
    }
    return -1;
}

enum rg_status rg__no_parameter(struct rg__load *l, const struct rg__directive *d, const char *name,
                                struct rg_error *err)
{
    const char **known = rg_arena_alloc(&l->dirs.arena, ((size_t)l->p->n_params + 1) * sizeof *known),
               *written = rg__directive_name(&l->dirs, d, name);
    char near[160];
    for (int i = 0; i < l->p->n_params; i++) known[i] = rg_param_shown(&l->p->params[i]);
    rg_did_you_mean(written, known, l->p->n_params, near);
    const char *meant = near;
    if (ends_in(l->p, name, ends_in(l->p, name, -1)) >= 0) { /* several: whoever meant one must say which */
        meant = "; did you mean ";
        for (int i = ends_in(l->p, name, -1), n = 0; i >= 0; i = ends_in(l->p, name, i))
            meant = rg_arena_printf(&l->dirs.arena, "%s%s'%s'", meant, n++ ? " or " : "", known[i]);
        meant = rg_arena_printf(&l->dirs.arena, "%s?", meant);
    }
    return rg__directive_error(err, d, "'%s' is no parameter of %s; it has %s%s", written, l->p->function,
                               rg__known_params(l), meant);
}

int rg__param_named(const struct rg_problem *p, const char *name)
{
    for (int i = 0; i < p->n_params; i++) {
        const char *shown = rg_param_shown(&p->params[i]), *n = name;
        while (*shown && (*shown == *n || (*shown == '.' && *n == '_'))) shown++, n++; /* g.nx came as g_nx */
        if (!*shown && !*n) return i;
    }
    return rg_problem_param(p, name);
}

static bool takes(const struct rg__load *l, int function, const char *name)
{
    struct rg_arena *a = (struct rg_arena *)&l->dirs.arena;
    if (function < 0) return false;
    struct rg__children kids = rg__cursor_children(&l->unit, l->unit.functions[function].cursor, a);
    for (int i = 0; i < kids.n; i++)
        if (l->unit.c->getCursorKind(kids.items[i]) == CXCursor_ParmDecl &&
            !strcmp(rg__cursor_name(&l->unit, kids.items[i], a), name))
            return true;
    return false;
}

/* Is it the name of something else that the user may have meant: a variable of the file, a parameter of the function or
 * of one that sets things up? */
static bool has_meaning(const struct rg__load *l, const char *name)
{
    bool has = rg__unit_has_variable(&l->unit, name) || takes(l, l->function, name);
    for (int i = 0; i < l->dirs.n && !has; i++)
        has = l->dirs.items[i].kind == RG__DIR_INIT &&
              takes(l, rg__unit_function_named(&l->unit, l->dirs.items[i].text), name);
    for (int i = 0; i < l->n_inits && !has; i++) has = takes(l, l->inits[i].function, name);
    for (int i = 0; i < l->n_facts && !has; i++)
        has = (!i || l->facts[i].function != l->facts[i - 1].function) && takes(l, l->facts[i].function, name);
    return has;
}

int rg__param_meant(const struct rg__load *l, const char *name)
{
    int q = rg__param_named(l->p, name);
    for (int i = 0; i < l->n_facts && q < 0; i++) q = rg__parked_in(l, l->facts[i].function, name);
    if (q >= 0) return q;
    q = ends_in(l->p, name, -1);
    return q >= 0 && ends_in(l->p, name, q) < 0 && !has_meaning(l, name) ? q : -1;
}

static void use_own_names(const struct rg__load *l, struct rg_expr *e)
{
    int i = e->kind == RG_EXPR_NAME ? rg__param_meant(l, e->name) : -1;
    if (i >= 0) e->name = l->p->params[i].name;
    for (int k = 0; k < e->n_args; k++) use_own_names(l, e->args[k]);
}

const struct rg_expr *rg__as_named(struct rg__load *l, const struct rg_expr *e)
{
    struct rg_expr *c = rg_expr_clone(&l->p->arena, e);
    use_own_names(l, c);
    return c;
}
