/* --start: the kernel that the search begins from, right after naive. Where the actions that made it are known,
 * deterministic coders apply them again, measuring nothing that lies between, so that the search can go on from there.
 * What comes out is most often the very source; where it is not, or the actions are not known, the source itself
 * becomes a candidate: a coder that reads text can go on from it. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <rg/hash.h>
#include <rg/log.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct given_template {
    struct rg_template t;
    struct rg_arena arena;
    const char *cuda, *plan;
};

static enum rg_status instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                  struct rg_error *err)
{
    const struct given_template *g = (const struct given_template *)t;
    *out = (struct rg_source){rg_xstrdup(g->cuda), rg_xstrdup(g->plan)};
    return RG_OK;
}

static void template_free(struct rg_template *t)
{
    struct given_template *g = (struct given_template *)t;
    rg_arena_release(&g->arena);
    free(g);
}

static const struct rg_template_ops given_ops = {.instantiate = instantiate, .free = template_free};

void rg__given_key(const struct rg_search_given *g, char out[65])
{
    struct rg_sha256 *h = rg_sha256_new();
    rg_sha256_add(h, g->source.cuda, strlen(g->source.cuda) + 1);
    rg_sha256_add(h, g->source.plan, strlen(g->source.plan) + 1);
    for (int i = 0; i < g->n_chain; i++) {
        rg_sha256_add(h, g->chain[i].step, strlen(g->chain[i].step) + 1);
        rg_sha256_add(h, g->chain[i].site, strlen(g->chain[i].site) + 1);
    }
    for (int i = 0; i < g->n_values; i++) {
        rg_sha256_add(h, g->names[i], strlen(g->names[i]) + 1);
        rg_sha256_add(h, &g->values[i], sizeof g->values[i]);
    }
    rg_sha256_end(h, out);
}

static struct rg_template *template_new(const struct rg_search_given *given)
{
    struct given_template *g = rg_xcalloc(1, sizeof *g);
    char key[65];
    rg__given_key(given, key);
    g->cuda = rg_arena_strdup(&g->arena, given->source.cuda);
    g->plan = rg_arena_strdup(&g->arena, given->source.plan);
    g->t.ops = &given_ops;
    g->t.refs = 1;
    g->t.coder = "given";
    g->t.key = rg_arena_strdup(&g->arena, key);
    g->t.n_chain = given->n_chain;
    g->t.chain = rg_arena_alloc(&g->arena, (size_t)(given->n_chain + 1) * sizeof *g->t.chain);
    for (int i = 0; i < given->n_chain; i++)
        g->t.chain[i] = (struct rg_link){rg_arena_strdup(&g->arena, given->chain[i].step),
                                         rg_arena_strdup(&g->arena, given->chain[i].site)};
    return &g->t;
}

struct state {
    uint32_t at;        /* where the chain has come to */
    int next;           /* link to apply */
    bool waiting, over; /* over: the chain cannot go on */
    bool had_source;
    int n_path;
    uint32_t *path; /* edges to `at` */
};

static void start(struct rg__search *s)
{
    struct state *g = rg_xcalloc(1, sizeof *g);
    g->at = RG__ROOT;
    s->policy_state = g;
}

static void stop(struct rg__search *s)
{
    struct state *g = s->policy_state;
    if (g) free(g->path);
    free(g);
    s->policy_state = NULL;
}

static void walk_to(struct state *g, uint32_t edge, uint32_t node)
{
    g->path = rg_xrealloc(g->path, (size_t)(g->n_path + 1) * sizeof *g->path);
    g->path[g->n_path++] = edge;
    g->at = node;
}

/* The action of a node's own list; else one of its own, where a coder that always gives the same has the site. */
enum rg_status rg__edge_to(struct rg__search *s, uint32_t node, int step, const char *site, uint32_t *out,
                           struct rg_error *err)
{
    *out = RG__NONE;
    enum rg_status st = rg__expand(s, node, err);
    for (int i = 0; st == RG_OK && i < s->nodes[node].n_edges; i++) {
        const struct rg__edge *e = &s->edges[s->nodes[node].edges[i]];
        if (e->step != step || strcmp(e->site, site) || s->coders[e->coder]->stochastic || e->state == RG__EDGE_CLOSED)
            continue;
        *out = s->nodes[node].edges[i];
        return RG_OK;
    }
    for (int c = 0; st == RG_OK && *out == RG__NONE && c < s->n_coders; c++) {
        struct rg_site_list sites;
        if (s->coders[c]->stochastic) continue;
        if ((st = rg__sites(s, c, s->nodes[node].tmpl, step, &sites, err)) != RG_OK) break;
        for (int i = 0; i < sites.n && *out == RG__NONE; i++)
            if (!strcmp(sites.items[i].name, site))
                *out = rg__edge_add(s, node, step, site, c, rg__edge_for(s, s->nodes[node].tmpl, step, site, c));
        for (int i = 0; i < sites.n_refused && *out == RG__NONE;
             i++) /* not offered to a search, but this one starts from it */
            if (sites.refused[i].legal && !strcmp(sites.refused[i].site, site))
                *out = rg__edge_add(s, node, step, site, c, rg__edge_for(s, s->nodes[node].tmpl, step, site, c));
        rg_site_list_release(&sites);
    }
    return st;
}

static enum rg_status ended(struct rg__search *s, struct state *g, const char *why)
{
    const struct rg_link *l = &s->o->given->chain[g->next];
    rg_log(RG_LOG_WARN, "--start: %d of %d actions applied; '%s' @ %s %s", g->next, s->o->given->n_chain, l->step,
           l->site, why);
    g->over = true;
    return RG_OK;
}

/* The values it had, as far as the template has them; else where the search would start. */
static enum rg_status force(void *arg, const struct rg_template *t, struct rg_vector *v, struct rg_error *err)
{
    const struct rg_search_given *given = arg;
    struct rg_vector w = *v;
    for (int i = 0; i < given->n_values; i++) {
        int k = rg_tunables_find(&t->tunables, given->names[i]);
        if (k >= 0) w.values[k] = given->values[i];
    }
    if (rg_tunables_allow(&t->tunables, &w)) *v = w;
    return RG_OK;
}

/* Over links that are there already to the next one that is not. */
static enum rg_status next_link(struct rg__search *s, struct state *g, struct rg__action *a, enum rg__next *what,
                                struct rg_error *err)
{
    const struct rg_search_given *given = s->o->given;
    while (!g->over && g->next < given->n_chain) {
        const struct rg_link *l = &given->chain[g->next];
        if (rg__first_has(s, l->step, l->site) && g->next + 1 < given->n_chain) {
            g->next++;
            continue;
        }
        int step = rg_regraph_find(s->g, l->step);
        if (step < 0 || s->forbidden[step]) return ended(s, g, step < 0 ? "is no step of the graph" : "is forbidden");
        uint32_t edge;
        enum rg_status st = rg__edge_to(s, g->at, step, l->site, &edge, err);
        if (st != RG_OK) return st;
        if (edge == RG__NONE) return ended(s, g, "is not legal here");
        bool last = g->next + 1 == given->n_chain;
        if (s->edges[edge].state == RG__EDGE_LINKED && !last) {
            walk_to(g, edge, s->edges[edge].child);
            g->next++;
            continue;
        }
        for (int i = 0; i < g->n_path; i++) rg__action_path(a, g->path[i]);
        rg__action_edge(s, a, edge);
        a->measure = last;
        a->tune = false;
        if (last) a->force = force, a->force_arg = (void *)given;
        g->waiting = true;
        *what = RG__NEXT_ACTION;
        return RG_OK;
    }
    return RG_OK;
}

static void measure_source(struct rg__search *s, struct state *g, struct rg__action *a)
{
    struct rg_template *t = template_new(s->o->given);
    uint32_t node = rg__node_add(s, t, t->n_chain ? t->n_chain : 1);
    s->out->nodes++;
    rg_template_unref(t);
    a->parent = a->target = node;
    a->tune = false;
    g->had_source = g->waiting = true;
}

static enum rg_status next(struct rg__search *s, struct rg__action *a, enum rg__next *what, struct rg_error *err)
{
    struct state *g = s->policy_state;
    a->purpose = "given";
    *what = g->waiting ? RG__NEXT_WAIT : RG__NEXT_END;
    if (g->waiting) return RG_OK;
    enum rg_status st = next_link(s, g, a, what, err);
    if (st != RG_OK || *what == RG__NEXT_ACTION || g->had_source) return st;
    if (rg__source_find(s, rg__source_hash(&s->o->given->source), s->commits)) return RG_OK;
    measure_source(s, g, a);
    *what = RG__NEXT_ACTION;
    return RG_OK;
}

/* A message's lines of the kernels' text as lines of the file that they stand in: "candidate.cu(9)" and "line 9", but
 * not the compiler's "PTX line 9". */
static void print_in_file(struct rg_buf *out, const char *message, const char *file, int first)
{
    static const char unit[] = "candidate.cu(", line[] = "line ", ptx[] = "PTX ";
    for (const char *p = message; *p;) {
        bool in_unit = !strncmp(p, unit, sizeof unit - 1), in_text = !strncmp(p, line, sizeof line - 1);
        if (in_text && p - message >= (int)sizeof ptx - 1 && !strncmp(p - (sizeof ptx - 1), ptx, sizeof ptx - 1))
            in_text = false;
        const char *digits = p + (in_unit ? sizeof unit - 1 : sizeof line - 1);
        char *end;
        long n = in_unit || in_text ? strtol(digits, &end, 10) : 0;
        if (n < 1 || n > INT32_MAX) {
            rg_buf_char(out, *p++);
            continue;
        }
        rg_buf_printf(out, in_unit ? "%2$s(%1$ld" : "line %ld of %s", n + first - 1, file);
        p = end;
    }
}

/* Hangs under the root: the search may go on from it. */
static void link_source(struct rg__search *s, uint32_t node)
{
    uint32_t edge = rg__edge_add(s, RG__ROOT, RG__GIVEN_STEP, "given", 0, -1);
    rg__graph_link(s, edge, node);
    s->edges[edge].visits = s->edges[edge].wins = 1;
    rg__graph_refresh(s, node);
}

static void tell_failure(const struct rg_search_given *g, const char *message)
{
    struct rg_buf b = RG_BUF_INIT;
    if (g->file) print_in_file(&b, message, g->file, g->line);
    rg_log(RG_LOG_WARN, "--start: the kernel given does not hold: %s", g->file ? b.data : message);
    rg_buf_release(&b);
}

static enum rg_status done(struct rg__search *s, const struct rg__action *a, struct rg_error *err)
{
    struct state *g = s->policy_state;
    g->waiting = false;
    if (!a->wants_coder) {
        const struct rg__node *n = &s->nodes[a->target];
        if (n->outcome == RG_OUTCOME_OK && n->best_trial >= 0)
            link_source(s, a->target);
        else
            tell_failure(s->o->given, s->out->last_failure);
        return RG_OK;
    }
    if (a->answer.kind != RG_ANSWER_TEMPLATE || a->node == RG__NONE) return ended(s, g, "is refused");
    walk_to(g, a->edge, a->node);
    g->next++;
    return RG_OK;
}

const struct rg__policy rg__policy_given = {"given", start, next, done, stop, .lean = false};
