/* --apply: one chain instead of a search, "parallelize,tile.shared@A{TILE=32}". Sites may be left out (the first that
 * the coder lists); tunables may be left out (inherited, else default). Every link is measured, none is tuned. */
#include "engine/engine.h"
#include <ctype.h>
#include <errno.h>
#include <rg/buf.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

struct assign {
    char *name;
    int64_t value;
};

struct link {
    int step;
    char *site; /* NULL: the first */
    int n_assigns, cap_assigns;
    struct assign *assigns;
};

struct apply {
    int n, cap, at;
    struct link *links;
    uint32_t node;
    bool waiting, over;
    enum rg_status status; /* of parsing; reported by the first next() */
    struct rg_error error;
};

static void stop(struct rg__search *s)
{
    struct apply *p = s->policy_state;
    for (int i = 0; p && i < p->n; i++) {
        for (int k = 0; k < p->links[i].n_assigns; k++) free(p->links[i].assigns[k].name);
        free(p->links[i].assigns);
        free(p->links[i].site);
    }
    if (p) free(p->links);
    free(p);
    s->policy_state = NULL;
}

static const char *blanks(const char *p)
{
    while (isspace((unsigned char)*p)) p++;
    return p;
}

static char *trimmed(const char *from, const char *to)
{
    from = blanks(from);
    while (to > from && isspace((unsigned char)to[-1])) to--;
    return rg_xstrndup(from, (size_t)(to > from ? to - from : 0));
}

static enum rg_status parse_assigns(struct link *l, const char **cursor, const char *text, struct rg_error *err)
{
    const char *p = *cursor + 1;
    for (;;) {
        p = blanks(p);
        if (*p == '}' && l->n_assigns == 0) break;
        const char *eq = p + strcspn(p, "={},");
        if (*eq != '=')
            return rg_error_set(err, RG_USAGE, "--apply: NAME=INTEGER expected at character %d of '%s'",
                                (int)(p - text) + 1, text);
        char *name = trimmed(p, eq), *end;
        errno = 0;
        long long v = strtoll(eq + 1, &end, 10);
        const char *after = blanks(end);
        if (!*name || end == eq + 1 || errno || (*after != ',' && *after != '}')) {
            free(name);
            return rg_error_set(err, RG_USAGE, "--apply: an integer then ',' or '}' expected at character %d of '%s'",
                                (int)(eq + 1 - text) + 1, text);
        }
        RG_GROW(l->assigns, l->n_assigns, l->cap_assigns);
        l->assigns[l->n_assigns++] = (struct assign){name, v};
        p = after;
        if (*p == '}') break;
        p++;
    }
    *cursor = blanks(p + 1);
    return RG_OK;
}

static enum rg_status unknown_step(const struct rg__search *s, const char *id, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int i = 0; i < rg_regraph_steps(s->g); i++)
        rg_buf_printf(&b, "%s%s", i ? ", " : "", rg_regraph_step(s->g, i)->id);
    char near[160];
    bool known = *rg_regraph_did_you_mean(s->g, id, near);
    enum rg_status st = rg_error_set(err, RG_USAGE, "--apply: the graph has no step '%s'%s%s", id,
                                     known ? near : "; it has ", known ? "" : b.data);
    rg_buf_release(&b);
    return st;
}

static enum rg_status parse_link(struct rg__search *s, struct apply *p, const char **cursor, struct rg_error *err)
{
    const char *text = s->o->apply, *at = *cursor, *end = at + strcspn(at, "@,{");
    char *id = trimmed(at, end);
    int step = rg_regraph_find(s->g, id);
    enum rg_status st = RG_OK;
    if (!*id)
        st =
            rg_error_set(err, RG_USAGE, "--apply: a step expected at character %d of '%s'", (int)(at - text) + 1, text);
    else if (step < 0)
        st = unknown_step(s, id, err);
    else if (s->forbidden[step] && !rg_regraph_step(s->g, step)->never) /* that is no search: an expert may look */
        st = rg_error_set(err, RG_USAGE, "--apply: the step '%s' is forbidden", id);
    free(id);
    if (st != RG_OK) return st;
    RG_GROW(p->links, p->n, p->cap);
    struct link *l = &p->links[p->n++];
    memset(l, 0, sizeof *l);
    l->step = step;
    if (*end == '@') {
        const char *site = end + 1;
        end = site + strcspn(site, ",{");
        l->site = trimmed(site, end);
        if (!*l->site)
            return rg_error_set(err, RG_USAGE, "--apply: a site expected after '@' at character %d of '%s'",
                                (int)(site - text) + 1, text);
    }
    *cursor = end;
    if (*end == '{' && (st = parse_assigns(l, cursor, text, err)) != RG_OK) return st;
    if (**cursor == ',') {
        *cursor = blanks(*cursor + 1);
        return RG_OK;
    }
    return **cursor ? rg_error_set(err, RG_USAGE, "--apply: ',' expected at character %d of '%s'",
                                   (int)(*cursor - text) + 1, text)
                    : RG_OK;
}

static void start(struct rg__search *s)
{
    struct apply *p = rg_xcalloc(1, sizeof *p);
    s->policy_state = p;
    const char *cursor = blanks(s->o->apply);
    do p->status = parse_link(s, p, &cursor, &p->error);
    while (p->status == RG_OK && *cursor);
    /* "a," is a link too few, not a chain of one */
    size_t n = strlen(s->o->apply);
    while (n && isspace((unsigned char)s->o->apply[n - 1])) n--;
    if (p->status == RG_OK && n && s->o->apply[n - 1] == ',')
        p->status =
            rg_error_set(&p->error, RG_USAGE, "--apply: a step expected after the last ',' of '%s'", s->o->apply);
}

/* What could be done instead: steps with a site here, or the sites of the step asked for. */
/* Before anything is compiled: a chain with a mistake is no budget's end. */
enum rg_status rg__apply_check(struct rg__search *s, struct rg_error *err)
{
    start(s);
    const struct apply *p = s->policy_state;
    enum rg_status st = p->status == RG_OK ? RG_OK : rg_error_set(err, p->status, "%s", p->error.text);
    stop(s);
    return st;
}

static enum rg_status not_legal(struct rg__search *s, const struct apply *p, const struct link *l, struct rg_error *err)
{
    struct rg_buf here = RG_BUF_INIT, why = RG_BUF_INIT, steps = RG_BUF_INIT;
    const struct rg_template *t = s->nodes[p->node].tmpl;
    int line = 0; /* of the first that has one */
    for (int step = 0; step < rg_regraph_steps(s->g); step++) {
        bool any = false;
        for (int c = 0; c < s->n_coders; c++) {
            struct rg_site_list sites;
            if (rg__sites(s, c, t, step, &sites, NULL) != RG_OK) continue;
            any = any || sites.n > 0;
            for (int i = 0; step == l->step && i < sites.n; i++)
                rg_buf_printf(&here, "%s%s", here.len ? ", " : "", sites.items[i].name);
            for (int i = 0; step == l->step && i < sites.n_refused; i++)
                if (!l->site || !strcmp(l->site, sites.refused[i].site)) {
                    const struct rg_refusal *r = &sites.refused[i];
                    rg_buf_printf(&why, "%s%s (%s): %s", why.len ? "; " : "", r->site, rg_refusal_word(r->kind),
                                  r->reason);
                    if (!line) line = r->line;
                }
            rg_site_list_release(&sites);
        }
        if (any) rg_buf_printf(&steps, "%s%s", steps.len ? ", " : "", rg_regraph_step(s->g, step)->id);
    }
    const char *id = rg_regraph_step(s->g, l->step)->id, *file = line ? s->o->file : NULL;
    if (here.len)
        rg_error_at(err, RG_INPUT, file, line, 0, "--apply: '%s' has no site '%s' here%s%s; its sites: %s", id,
                    l->site ? l->site : "", why.len ? ": " : "", why.data, here.data);
    else
        rg_error_at(err, RG_INPUT, file, line, 0, "--apply: '%s' is not legal after %d step%s%s%s; legal here: %s", id,
                    p->at, p->at == 1 ? "" : "s", why.len ? ": " : "", why.data, steps.len ? steps.data : "nothing");
    rg_buf_release(&here);
    rg_buf_release(&why);
    rg_buf_release(&steps);
    return RG_INPUT;
}

static enum rg_status wrong_value(const struct rg_template *t, const struct assign *x, int i, struct rg_error *err)
{
    struct rg_buf b = RG_BUF_INIT;
    for (int k = 0; i >= 0 && k < t->tunables.items[i].n_values; k++)
        rg_buf_printf(&b, "%s%lld", k ? ", " : "", (long long)t->tunables.items[i].values[k]);
    for (int k = 0; i < 0 && k < t->tunables.n; k++)
        rg_buf_printf(&b, "%s%s", k ? ", " : "", t->tunables.items[k].name);
    enum rg_status st = i < 0 ? rg_error_set(err, RG_INPUT, "--apply: no tunable '%s' here; there is %s", x->name,
                                             b.len ? b.data : "none")
                              : rg_error_set(err, RG_INPUT, "--apply: %s cannot be %lld; it can be %s", x->name,
                                             (long long)x->value, b.data);
    rg_buf_release(&b);
    return st;
}

static enum rg_status force(void *arg, const struct rg_template *t, struct rg_vector *v, struct rg_error *err)
{
    const struct link *l = arg;
    for (int k = 0; k < l->n_assigns; k++) {
        int i = rg_tunables_find(&t->tunables, l->assigns[k].name);
        bool in = false;
        for (int j = 0; i >= 0 && j < t->tunables.items[i].n_values; j++)
            in = in || t->tunables.items[i].values[j] == l->assigns[k].value;
        if (!in) return wrong_value(t, &l->assigns[k], i, err);
        v->values[i] = l->assigns[k].value;
    }
    if (rg_tunables_allow(&t->tunables, v)) return RG_OK;
    struct rg_buf b = RG_BUF_INIT;
    rg_vector_print(&b, &t->tunables, v);
    for (int i = 0; i < t->tunables.n_constraints; i++) {
        rg_buf_str(&b, i ? ", " : "; it must satisfy ");
        rg_expr_print(&b, t->tunables.constraints[i], NULL, NULL);
    }
    enum rg_status st = rg_error_set(err, RG_INPUT, "--apply: the tunables break a constraint: %s", b.data);
    rg_buf_release(&b);
    return st;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct apply *p = s->policy_state;
    if (p->status != RG_OK) return rg_error_set(err, p->status, "%s", p->error.text);
    *what = p->waiting ? RG__NEXT_WAIT : RG__NEXT_END;
    if (p->waiting || p->over || p->at >= p->n) return RG_OK;
    while (p->at + 1 < p->n && p->links[p->at].site &&
           rg__first_has(s, rg_regraph_step(s->g, p->links[p->at].step)->id, p->links[p->at].site))
        p->at++; /* the program has it */
    struct link *l = &p->links[p->at];
    const struct rg_template *t = s->nodes[p->node].tmpl;
    uint32_t edge = RG__NONE;
    for (int c = 0; c < s->n_coders && edge == RG__NONE; c++) {
        struct rg_site_list sites;
        enum rg_status st = rg__sites(s, c, t, l->step, &sites, err);
        if (st != RG_OK) return st;
        for (int i = 0; i < sites.n && edge == RG__NONE; i++)
            if (!l->site || !strcmp(l->site, sites.items[i].name))
                edge = rg__edge_add(s, p->node, l->step, sites.items[i].name, c,
                                    rg__edge_for(s, t, l->step, sites.items[i].name, c));
        for (int i = 0; i < sites.n_refused && edge == RG__NONE; i++) /* not offered to a search, but asked for */
            if (sites.refused[i].legal && (!l->site || !strcmp(l->site, sites.refused[i].site)))
                edge = rg__edge_add(s, p->node, l->step, sites.refused[i].site, c,
                                    rg__edge_for(s, t, l->step, sites.refused[i].site, c));
        rg_site_list_release(&sites);
    }
    if (edge == RG__NONE) return not_legal(s, p, l, err);
    rg__action_edge(s, a, edge);
    a->purpose = "apply";
    a->tune = false;
    a->force = force;
    a->force_arg = l;
    p->waiting = true;
    *what = RG__NEXT_ACTION;
    return RG_OK;
}

/* The chain goes on from a candidate that failed: a later step may repair it. The last link's outcome counts. */
static enum rg_status done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct apply *p = s->policy_state;
    p->waiting = false;
    if (a->answer.kind == RG_ANSWER_REFUSED) {
        bool typed = a->answer.refusal != RG_REFUSE_NONE;
        return rg_error_at(err, RG_INPUT, a->answer.line ? s->o->file : NULL, a->answer.line, 0,
                           "--apply: '%s' @ %s is refused%s%s%s: %s", rg_regraph_step(s->g, a->step)->id, a->site,
                           typed ? " (" : "", typed ? rg_refusal_word(a->answer.refusal) : "", typed ? ")" : "",
                           a->answer.message);
    }
    p->over = a->node == RG__NONE;
    s->best_us = 0;
    s->applied = p->over || p->at + 1 == p->n;
    if (p->over) return RG_OK;
    p->node = a->node;
    p->at++;
    const struct rg__node *n = &s->nodes[a->node];
    for (int i = 0; i < n->n_trials; i++) {
        if (!rg_vector_equal(&n->trials[i].v, &a->tuner.start) || n->trials[i].e->outcome != RG_OUTCOME_OK) continue;
        s->best_node = a->node;
        s->best_trial = i;
        s->best_us = rg__cost(s, rg__trial_evaluation(&n->trials[i]));
    }
    return RG_OK;
}

const struct rg__policy rg__policy_apply = {"apply", start, next, done, stop, .lean = false};
