/* Which function is meant, and which pragmas are its own. */
#include "frontend/read/read.h"
#include <rg/similar.h>
#include <stdlib.h>
#include <string.h>

static bool named_by_init(const struct rg__load *l, const char *name)
{
    for (int i = 0; i < l->dirs.n; i++)
        if (l->dirs.items[i].kind == RG__DIR_INIT && !strcmp(l->dirs.items[i].text, name)) return true;
    return false;
}

/* PolyBench and its kin mark the part that matters. */
static bool has_scop(const struct rg__load *l, int f)
{
    const struct rg__source *s = &l->unit.src;
    for (int i = 0; i < s->n_pragmas; i++) {
        const char *t = s->pragmas[i].text;
        while (*t == ' ' || *t == '\t') t++;
        if (!strncmp(t, "scop", 4) && s->pragmas[i].at > l->unit.functions[f].at &&
            s->pragmas[i].at < l->unit.functions[f].end)
            return true;
    }
    return false;
}

/* Could be the problem: not main, not an init function, not only a helper of another. */
static bool candidate(const struct rg__load *l, int f)
{
    const struct rg__function *x = &l->unit.functions[f];
    if (!strcmp(x->name, "main") || named_by_init(l, x->name)) return false;
    if (!x->is_static || has_scop(l, f)) return true;
    if (x->called) return false;
    for (int i = 0; i < l->unit.n_functions; i++) /* static ones count where nothing else is there */
        if (!l->unit.functions[i].is_static && strcmp(l->unit.functions[i].name, "main") &&
            !named_by_init(l, l->unit.functions[i].name))
            return false;
    return true;
}

static bool pragma_between(const struct rg__load *l, uint32_t from, uint32_t to)
{
    for (int i = 0; i < l->dirs.n; i++)
        if (!l->dirs.items[i].option && l->dirs.items[i].at > from && l->dirs.items[i].at < to) return true;
    return false;
}

/* The function a pragma belongs to: the one around it, else the next candidate behind it, else the last one. A static
 * function nobody calls that stands between has it only if the candidate has pragmas of its own behind that. */
static int owner(const struct rg__load *l, uint32_t at)
{
    int next = -1, last = -1, unused = -1;
    for (int f = 0; f < l->unit.n_functions; f++) {
        const struct rg__function *x = &l->unit.functions[f];
        if (at >= x->at && at < x->end) return f;
        if (candidate(l, f)) {
            if (x->at > at && next < 0) next = f;
            last = f;
        } else if (x->at > at && next < 0 && unused < 0 && x->is_static && !x->called && !named_by_init(l, x->name)) {
            unused = f;
        }
    }
    if (unused >= 0 && (next < 0 || pragma_between(l, l->unit.functions[unused].end, l->unit.functions[next].at)))
        return unused;
    return next >= 0 ? next : last;
}

static const char *list(struct rg__load *l, bool candidates)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int f = 0; f < l->unit.n_functions; f++) {
        if (candidates && !candidate(l, f)) continue;
        rg_buf_printf(&b, "%s%s (line %d)", b.len ? ", " : "", l->unit.functions[f].name, l->unit.functions[f].line);
    }
    const char *s = rg_arena_strdup(&l->dirs.arena, b.data);
    rg_buf_release(&b);
    return s;
}

static enum rg_status choose(struct rg__load *l)
{
    const char *file = l->o->file;
    if (l->o->function) {
        l->function = rg__unit_function_named(&l->unit, l->o->function);
        if (l->function >= 0) return RG_OK;
        if (!l->unit.n_functions)
            return rg_error_at(l->err, RG_INPUT, file, 0, 0, "no function '%s': the file defines none", l->o->function);
        const char **known = rg_arena_alloc(&l->dirs.arena, (size_t)l->unit.n_functions * sizeof *known);
        char near[160];
        for (int f = 0; f < l->unit.n_functions; f++) known[f] = l->unit.functions[f].name;
        rg_did_you_mean(l->o->function, known, l->unit.n_functions, near);
        return rg_error_at(l->err, RG_INPUT, file, 0, 0, "no function '%s'; the file defines %s%s", l->o->function,
                           list(l, false), near);
    }
    int found = -1, n = 0;
    for (int f = 0; f < l->unit.n_functions; f++)
        if (has_scop(l, f)) found = f, n++;
    if (n == 1) return l->function = found, RG_OK;
    n = 0;
    for (int f = 0; f < l->unit.n_functions; f++)
        if (candidate(l, f)) found = f, n++;
    if (n == 1) return l->function = found, RG_OK;
    if (!n) {
        if (!l->unit.n_functions) return rg_error_at(l->err, RG_INPUT, file, 0, 0, "the file defines no function");
        if (l->unit.n_functions == 1 && !strcmp(l->unit.functions[0].name, "main"))
            return rg_error_at(l->err, RG_INPUT, file, l->unit.functions[0].line, 0,
                               "the file has nothing but main: put what is to be computed into a function of its own, "
                               "with its arrays and sizes as parameters");
        return rg_error_at(l->err, RG_INPUT, file, 0, 0,
                           "no function to work on; the file defines %s: choose with --function", list(l, false));
    }
    int marked = -1;
    bool several = false;
    for (int i = 0; i < l->dirs.n; i++) {
        if (l->dirs.items[i].option) continue;
        int f = owner(l, l->dirs.items[i].at);
        if (marked >= 0 && f != marked) several = true;
        marked = f;
    }
    if (marked >= 0 && !several) return l->function = marked, RG_OK;
    return rg_error_at(l->err, RG_INPUT, file, 0, 0, "several functions: %s; choose one with --function",
                       list(l, true));
}

enum rg_status rg__select(struct rg__load *l)
{
    enum rg_status st = choose(l);
    if (st != RG_OK) return st;
    int k = 0;
    for (int i = 0; i < l->dirs.n; i++) {
        bool mine = l->dirs.items[i].option || owner(l, l->dirs.items[i].at) == l->function;
        /* a static helper asked for by name: pragmas in front of it name the next candidate otherwise */
        if (!mine && l->o->function) {
            const struct rg__function *x = &l->unit.functions[l->function];
            bool before = l->dirs.items[i].at < x->at;
            for (int f = 0; before && f < l->unit.n_functions; f++)
                if (f != l->function && l->unit.functions[f].at > l->dirs.items[i].at &&
                    l->unit.functions[f].at < x->at)
                    before = false;
            mine = before;
        }
        if (mine) l->dirs.items[k++] = l->dirs.items[i];
    }
    l->dirs.n = k;
    return RG_OK;
}
