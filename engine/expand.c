/* The actions a node offers: successors of its applied steps times sites, masked, with priors from the regraph. */
#include "engine/engine.h"
#include <math.h>
#include <rg/buf.h>
#include <rg/log.h>
#include <stdlib.h>
#include <string.h>

/* Traits of the types and the function as a whole: true of every site, whatever a coder says of the site. */
static const uint32_t global_traits =
    RG_TRAIT_FP32 | RG_TRAIT_FP64 | RG_TRAIT_FP16 | RG_TRAIT_INTEGER | RG_TRAIT_STRUCTS | RG_TRAIT_MULTI_NEST;

const char *rg__family(const struct rg_coder *c)
{
    return c->family ? c->family : c->name;
}

struct rg_circumstances rg__circumstances(const struct rg__search *s, const char *coder)
{
    return (struct rg_circumstances){s->ev->arch, s->o->klass ? s->o->klass : "other",
                                     s->o->program ? s->o->program : "", coder};
}

static void add_row(struct rg__tally *t, const struct rg_evidence *r, double f)
{
    t->n += f * (double)r->n;
    t->ok += f * (double)r->ok;
    t->sum += f * (double)r->sum * 1e-6;
}

/* Experience of a step at one edge says something of it at others: all rows of all edges into it, each for as much as
 * in a weight. An edge's own are in its weight already, so they are kept apart to be taken off again. */
static void pool_evidence(struct rg__search *s)
{
    for (int i = 0; i < rg_regraph_edges(s->g); i++) {
        const struct rg_edge *e = rg_regraph_edge(s->g, i);
        for (int k = 0; k < e->n_evidence; k++) {
            const struct rg_evidence *r = &e->evidence[k];
            for (int c = 0; c < s->n_coders; c++) {
                if (strcmp(r->coder, rg__family(s->coders[c]))) continue;
                const struct rg_circumstances at = rg__circumstances(s, r->coder);
                double f = rg_evidence_relevance(r, &at, &s->weighing);
                add_row(&s->pooled[e->to * s->n_coders + c], r, f);
                add_row(&s->own[i * s->n_coders + c], r, f);
            }
        }
    }
}

void rg__weights_init(struct rg__search *s)
{
    s->weighing = rg__weighing(&s->p);
    int n = rg_regraph_edges(s->g), steps = rg_regraph_steps(s->g);
    s->weights.n_coders = s->n_coders;
    s->weights.w = rg_xcalloc((size_t)(n * s->n_coders > 0 ? n * s->n_coders : 1), sizeof *s->weights.w);
    s->tallies = rg_xcalloc((size_t)(steps * s->n_coders + 1), sizeof *s->tallies);
    s->pooled = rg_xcalloc((size_t)(steps * s->n_coders + 1), sizeof *s->pooled);
    s->own = rg_xcalloc((size_t)(n * s->n_coders + 1), sizeof *s->own);
    for (int e = 0; e < n; e++)
        for (int c = 0; c < s->n_coders; c++) {
            const struct rg_circumstances at = rg__circumstances(s, rg__family(s->coders[c]));
            rg_regraph_weigh(s->g, e, &at, &s->weighing, &s->weights.w[e * s->n_coders + c]);
        }
    pool_evidence(s);
}

static const struct rg_weight *weight(const struct rg__search *s, int edge, int coder)
{
    return &s->weights.w[edge * s->n_coders + coder];
}

int rg__step_found(const struct rg__search *s, const struct rg_template *t, int step, const char *site)
{
    const char *id = rg_regraph_step(s->g, step)->id;
    for (int i = 0; t && i < t->n_chain; i++)
        if (!strcmp(t->chain[i].step, id) && (!site || !strcmp(t->chain[i].site, site))) return i;
    return -1;
}

int rg__edge_for(const struct rg__search *s, const struct rg_template *t, int step, const char *site, int coder)
{
    return rg__leaves_out(site) ? rg_regraph_find_edge(s->g, -1, step) : rg__best_edge(s, t, step, coder);
}

bool rg__first_doubted(const struct rg__search *s, int step, int coder)
{
    int edge = rg_regraph_find_edge(s->g, -1, step);
    return edge >= 0 && weight(s, edge, coder)->gain < 0;
}

static void better_edge(const struct rg__search *s, int from, int step, int coder, int *best)
{
    int n;
    const int *out = rg_regraph_out(s->g, from, &n);
    for (int i = 0; i < n; i++) {
        if (rg_regraph_edge(s->g, out[i])->to != step || rg_regraph_edge(s->g, out[i])->never) continue;
        if (*best < 0 || weight(s, out[i], coder)->score > weight(s, *best, coder)->score) *best = out[i];
    }
}

int rg__best_edge(const struct rg__search *s, const struct rg_template *t, int step, int coder)
{
    int best = -1;
    if (!t || t->n_chain == 0) better_edge(s, -1, step, coder, &best);
    for (int i = 0; t && i < t->n_chain; i++) {
        int from = rg_regraph_find(s->g, t->chain[i].step);
        if (from >= 0) better_edge(s, from, step, coder, &best);
    }
    return best;
}

uint32_t rg__edge_add(struct rg__search *s, uint32_t node, int step, const char *site, int coder, int regraph_edge)
{
    RG_GROW(s->edges, s->n_edges, s->cap_edges);
    uint32_t id = (uint32_t)s->n_edges++;
    struct rg__edge *e = &s->edges[id];
    memset(e, 0, sizeof *e);
    e->parent = node;
    e->child = RG__NONE;
    e->step = step;
    e->regraph_edge = regraph_edge;
    e->coder = coder;
    e->site = rg_arena_strdup(&s->arena, site);
    e->group = id;
    e->n_samples = 1;
    e->next_in = RG__NONE;
    e->p_ok = regraph_edge >= 0 ? weight(s, regraph_edge, coder)->p_ok : 0.5;
    e->tie = rg_rng_unit(s->coders[coder]->stochastic && rg__lanes_mixed(s) ? &s->model_rng : &s->rng);
    struct rg__node *n = &s->nodes[node];
    RG_GROW(n->edges, n->n_edges, n->cap_edges);
    n->edges[n->n_edges++] = id;
    return id;
}

/* Is there a step with this edit that the search may take here, and that has not failed where it was to be the
 * baseline? */
static bool edit_to_be_had(const struct rg__search *s, int coder, const struct rg_template *t, const char *edit)
{
    for (int i = 0; i < rg_regraph_steps(s->g); i++) {
        const struct rg_step *st = rg_regraph_step(s->g, i);
        if (st->poly && !strcmp(st->poly, edit) && !s->forbidden[i] && !s->unfit[i] &&
            rg__best_edge(s, t, i, coder) >= 0)
            return true;
    }
    return false;
}

/* What a coder holds back for the sake of another edit. */
static void offer_instead(const struct rg__search *s, int coder, const struct rg_template *t, struct rg_site_list *l)
{
    int kept = 0;
    for (int i = 0; i < l->n_refused; i++) {
        const struct rg_refusal *r = &l->refused[i];
        if (r->beside && !edit_to_be_had(s, coder, t, r->beside))
            rg_site_list_add(l, r->offer.name, r->offer.traits, r->offer.exact);
        else
            l->refused[kept++] = *r;
    }
    l->n_refused = kept;
}

enum rg_status rg__sites(struct rg__search *s, int coder, const struct rg_template *t, int step,
                         struct rg_site_list *out, struct rg_error *err)
{
    memset(out, 0, sizeof *out);
    if (s->coder_down[coder]) return RG_OK;
    struct rg_coder *c = s->coders[coder];
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = c->sites(c->self, t, rg_regraph_step(s->g, step), out, &e);
    if (st == RG_OK) {
        offer_instead(s, coder, t, out);
        return RG_OK;
    }
    if (st == RG_NOMEM || st == RG_IO || st == RG_CANCELED) {
        rg_site_list_release(out);
        return rg_error_set(err, st, "%s", e.text);
    }
    /* One step that one coder cannot judge is no reason to stop the search. */
    rg_log(RG_LOG_WARN, "coder %s cannot list sites of %s: %s", c->name, rg_regraph_step(s->g, step)->id, e.text);
    rg_site_list_release(out);
    memset(out, 0, sizeof *out);
    return RG_OK;
}

static uint32_t node_traits(const struct rg__search *s, uint32_t node)
{
    const struct rg__node *n = &s->nodes[node];
    uint32_t t = (n->tmpl ? n->tmpl->traits : 0) | (s->o->traits & global_traits);
    const struct rg__trial *b = rg__node_best(s, node);
    if (b) {
        double spill = rg_evaluation_counter(rg__trial_evaluation(b), "spill_bytes");
        if (spill > 0) t |= RG_TRAIT_SPILLS;
    }
    return t;
}

/* A step once at a site. A coder of whole programs had them all before it when it took the step, and where another
 * coder took it at one of them it stands in the code that is shown: asked again it could only decline. */
static bool site_allowed(const struct rg__search *s, uint32_t node, int step, int coder, const struct rg_site *site,
                         uint32_t traits)
{
    const struct rg_step *st = rg_regraph_step(s->g, step);
    uint32_t have = traits | site->traits | (site->exact ? 0 : s->o->traits);
    if ((have & st->when) != st->when) return false;
    const char *at = s->coders[coder]->stochastic ? NULL : site->name;
    return st->once != RG_ONCE_SITE || rg__step_found(s, s->nodes[node].tmpl, step, at) < 0;
}

/* What was seen of the step at other edges, and by this run at any node, joins the graph's weight as observations of
 * other circumstances would. A step that keeps failing here need not fail at every node. */
static double run_score(const struct rg__search *s, const struct rg__edge *e)
{
    double relevance = s->p.pool_relevance, most_pooled = s->p.pool_most;
    const struct rg__tally *run = &s->tallies[e->step * s->n_coders + e->coder],
                           *all = &s->pooled[e->step * s->n_coders + e->coder],
                           *own = &s->own[e->regraph_edge * s->n_coders + e->coder];
    struct rg__tally t = {all->n - own->n, all->ok - own->ok, all->sum - own->sum};
    double scale = relevance * (t.n > most_pooled ? most_pooled / t.n : 1);
    return rg_weight_score(weight(s, e->regraph_edge, e->coder), &s->weighing, scale * t.n + relevance * run->n,
                           scale * t.ok + relevance * run->ok, scale * t.sum + relevance * run->sum);
}

static double edge_score(const struct rg__search *s, uint32_t node, const struct rg__edge *e)
{
    if (e->regraph_edge < 0) return 0; /* the regraph has no opinion of it */
    if (rg__leaves_out(e->site)) {     /* what the step gains is what it loses */
        const struct rg_weight *w = weight(s, e->regraph_edge, e->coder);
        return w->bonus - w->prior - w->learnt;
    }
    double x = run_score(s, e);
    const struct rg__trial *b = rg__node_best(s, node);
    uint32_t limiters = rg_regraph_step(s->g, e->step)->limiters;
    enum rg_limiter bound = b ? rg__trial_evaluation(b)->limiter : RG_LIMIT_UNKNOWN;
    if (bound != RG_LIMIT_UNKNOWN && (limiters >> bound & 1)) x += s->p.limiter_boost;
    return isfinite(x) ? x : 0;
}

/* Softmax over steps; a step's share is divided among its sites, so that a step with ten sites is not ten times as
 * likely as one with one. A second sample of an action is likely by half, a third by a third. */
static void set_priors(struct rg__search *s, uint32_t node)
{
    struct rg__node *n = &s->nodes[node];
    n->priors_at = s->n_tallied;
    if (n->n_edges == 0) return;
    double *logit = rg_xmalloc((size_t)n->n_edges * sizeof *logit);
    double top = -INFINITY, sum;
    for (int i = 0; i < n->n_edges; i++) {
        struct rg__edge *e = &s->edges[n->edges[i]];
        int sites = 0;
        for (int j = 0; j < n->n_edges; j++) {
            const struct rg__edge *x = &s->edges[n->edges[j]];
            sites += x->step == e->step && x->sample == 0 && x->coder == e->coder;
        }
        logit[i] =
            edge_score(s, node, e) + s->p.jitter * (2 * e->tie - 1) - log(sites > 0 ? sites : 1) - log(1 + e->sample);
        if (logit[i] > top) top = logit[i];
    }
    for (int l = 0; l < s->n_lanes; l++) { /* each lane has its own choice */
        int of_lane = 0;
        sum = 0;
        for (int i = 0; i < n->n_edges; i++) {
            if (rg__lane_of_coder(s, s->edges[n->edges[i]].coder) != l) continue;
            sum += exp(logit[i] - top);
            of_lane++;
        }
        for (int i = 0; i < n->n_edges; i++)
            if (rg__lane_of_coder(s, s->edges[n->edges[i]].coder) == l)
                s->edges[n->edges[i]].prior = (1 - s->p.doubt) * exp(logit[i] - top) / sum + s->p.doubt / of_lane;
    }
    free(logit);
    for (int i = 1; i < n->n_edges; i++) { /* insertion sort, stable */
        uint32_t e = n->edges[i];
        int j = i;
        while (j > 0 && s->edges[n->edges[j - 1]].prior < s->edges[e].prior) {
            n->edges[j] = n->edges[j - 1];
            j--;
        }
        n->edges[j] = e;
    }
}

void rg__expand_reweigh(struct rg__search *s, uint32_t node)
{
    if (s->nodes[node].expanded[s->choosing] && s->nodes[node].priors_at != s->n_tallied) set_priors(s, node);
}

/* Nothing that whoever writes the program could do at this version: no such loop or array is in it, or it is done.
 * Other reasons are the coder's own, or another algorithm gets round them. */
static bool program_refuses(const struct rg_site_list *l)
{
    for (int i = 0; i < l->n_refused; i++) {
        enum rg_refusal_kind k = l->refused[i].kind;
        if ((k != RG_REFUSE_SITE && k != RG_REFUSE_ALREADY) || rg__leaves_out(l->refused[i].site)) return false;
    }
    return l->n == 0 && l->n_refused > 0;
}

static enum rg_status expand_step(struct rg__search *s, uint32_t node, int step, uint32_t traits, struct rg_error *err)
{
    bool listed = false, vain = false;
    for (int c = 0; c < s->n_coders; c++) {
        if (vain && s->coders[c]->stochastic) continue;
        int edge = rg__best_edge(s, s->nodes[node].tmpl, step, c);
        struct rg_site_list sites;
        enum rg_status st = rg__sites(s, c, s->nodes[node].tmpl, step, &sites, err);
        if (st != RG_OK) return st;
        int added = 0;
        for (int i = 0; i < sites.n; i++) {
            if (!site_allowed(s, node, step, c, &sites.items[i], traits)) continue;
            if (rg__declined_above(s, node, step, sites.items[i].name, c)) continue;
            if (rg__lane_of_coder(s, c) == s->choosing) rg__edge_add(s, node, step, sites.items[i].name, c, edge);
            added++;
        }
        listed = listed || sites.n > 0;
        vain = vain || (!s->coders[c]->stochastic && program_refuses(&sites));
        rg_site_list_release(&sites);
        if (added) return RG_OK; /* the first coder that can does it; others come in when it fails */
    }
    if (!listed && s->choosing == RG__LANE_BUILT_IN) s->out->actions_masked++;
    return RG_OK;
}

/* A first step whose programs run faster without it. */
static enum rg_status expand_left_out(struct rg__search *s, uint32_t node, int first, struct rg_error *err)
{
    int step = s->first[first].step, c = s->first[first].coder;
    const struct rg_template *t = s->nodes[node].tmpl;
    for (int i = 0; i < first; i++)
        if (s->first[i].step == step) return RG_OK;
    if (s->forbidden[step] || rg__lane_of_coder(s, c) != s->choosing || !rg__first_doubted(s, step, c)) return RG_OK;
    struct rg_site_list sites;
    enum rg_status st = rg__sites(s, c, t, step, &sites, err);
    if (st != RG_OK) return st;
    for (int i = 0; i < sites.n_refused; i++)
        if (sites.refused[i].legal && rg__leaves_out(sites.refused[i].site))
            rg__edge_add(s, node, step, RG_SITE_NONE, c, rg__edge_for(s, t, step, RG_SITE_NONE, c));
    rg_site_list_release(&sites);
    return RG_OK;
}

enum rg_status rg__expand(struct rg__search *s, uint32_t node, struct rg_error *err)
{
    if (s->nodes[node].expanded[s->choosing]) return RG_OK;
    s->nodes[node].expanded[s->choosing] = true;
    if (s->n_lanes < 2) s->nodes[node].expanded[RG__LANE_MODEL] = true;
    if (s->max_depth && s->nodes[node].depth >= s->max_depth) return RG_OK;
    const struct rg_template *t = s->nodes[node].tmpl;
    uint32_t traits = node_traits(s, node);
    int n_steps = rg_regraph_steps(s->g);
    for (int step = 0; step < n_steps; step++) {
        if (s->forbidden[step] || rg__best_edge(s, t, step, 0) < 0) continue;
        if (rg_regraph_step(s->g, step)->once == RG_ONCE_CANDIDATE && rg__step_found(s, t, step, NULL) >= 0) continue;
        enum rg_status st = expand_step(s, node, step, traits, err);
        if (st != RG_OK) return st;
    }
    for (int i = 0; i < s->n_first; i++) {
        enum rg_status st = expand_left_out(s, node, i, err);
        if (st != RG_OK) return st;
    }
    set_priors(s, node);
    return RG_OK;
}

bool rg__edge_led(const struct rg__search *s, const struct rg__edge *e)
{
    if (e->regraph_edge < 0 || e->sample > 0 || rg__leaves_out(e->site)) return false;
    const struct rg_weight *w = weight(s, e->regraph_edge, e->coder);
    return w->lead / (w->runs + 1) >= s->p.led_least; /* one run that it led gives 0.5 */
}

void rg__expand_refused(struct rg__search *s, uint32_t edge)
{
    struct rg__edge *first = &s->edges[s->edges[edge].group];
    if (++first->n_refused < (int)s->p.refusals) rg__expand_sample(s, edge);
}

/* How often an action may be asked for. While nothing has verified, what leaves the way to the model is all that there
 * is to go on with once each step that says how has been tried. */
static int most_samples(const struct rg__search *s, const struct rg__edge *first)
{
    if (s->o->tries > 0) return s->o->tries;
    const struct rg_step *step = rg_regraph_step(s->g, first->step);
    bool any_way = !step->poly && step->once == RG_ONCE_NO;
    return (int)(s->best_us <= 0 && any_way && s->p.samples_unmade > s->p.samples ? s->p.samples_unmade : s->p.samples);
}

void rg__expand_sample(struct rg__search *s, uint32_t edge)
{
    uint32_t group = s->edges[edge].group;
    struct rg__edge *first = &s->edges[group];
    if (first->step == RG__GIVEN_STEP || !s->coders[first->coder]->stochastic || s->coder_down[first->coder] ||
        first->repeats || first->n_samples >= most_samples(s, first))
        return;
    int sample = first->n_samples++;
    uint32_t e = rg__edge_add(s, first->parent, first->step, first->site, first->coder, first->regraph_edge);
    first = &s->edges[group]; /* the array may have moved */
    s->edges[e].group = group;
    s->edges[e].sample = sample;
    s->edges[e].prior = first->prior / (1 + sample);
}

enum rg_status rg__expand_fallback(struct rg__search *s, uint32_t edge, struct rg_error *err)
{
    const struct rg__edge *failed = &s->edges[edge];
    uint32_t node = failed->parent;
    int step = failed->step, coder = failed->coder, regraph_edge = failed->regraph_edge;
    const char *site = failed->site;
    double prior = failed->prior;
    for (int k = 1; k < s->n_coders; k++) {
        int c = (coder + k) % s->n_coders;
        bool tried = false;
        for (int i = 0; i < s->nodes[node].n_edges; i++) {
            const struct rg__edge *e = &s->edges[s->nodes[node].edges[i]];
            tried = tried || (e->step == step && e->coder == c);
        }
        if (tried) continue;
        struct rg_site_list sites;
        enum rg_status st = rg__sites(s, c, s->nodes[node].tmpl, step, &sites, err);
        if (st != RG_OK) return st;
        bool same = false;
        for (int i = 0; i < sites.n; i++) same = same || !strcmp(sites.items[i].name, site);
        uint32_t traits = node_traits(s, node);
        int added = 0;
        for (int i = 0; i < sites.n; i++) {
            if ((same && strcmp(sites.items[i].name, site)) ||
                !site_allowed(s, node, step, c, &sites.items[i], traits) ||
                rg__declined_above(s, node, step, sites.items[i].name, c))
                continue;
            uint32_t e = rg__edge_add(s, node, step, sites.items[i].name, c, regraph_edge);
            s->edges[e].prior = prior;
            added++;
        }
        rg_site_list_release(&sites);
        if (added) return RG_OK;
    }
    return RG_OK;
}
