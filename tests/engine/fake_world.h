/* A synthetic world for the engine's tests: a small regraph, coders whose templates are sets of applied steps (so that
 * commuting orders share a node), and an evaluator with a known landscape that answers in any order. */
#ifndef RG_TESTS_FAKE_WORLD_H
#define RG_TESTS_FAKE_WORLD_H
#include <math.h>
#include <rg/file.h>
#include <rg/buf.h>
#include <rg/hash.h>
#include <rg/rng.h>
#include <rg/search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FAKE_STEPS = 8, FAKE_QUEUE = 256 };

/* What a step does to the time, by its id. */
struct fake_effect {
    const char *id;
    double factor;            /* times this; below 1: faster */
    const char *needs;        /* only once this one is applied: else it costs 1.3 */
    enum rg_outcome outcome;  /* not OK: the candidate fails. PRUNED: unless it is to be measured for sure, or is one of
                                 those that are all the same */
    const char *mended;       /* once this one is applied, it works, and five times as fast as without */
    int64_t best;             /* optimum of its tunable T_<n>; 0: it has none */
    int64_t start;            /* where it starts; 0: at 1 */
    bool noop;                /* changes nothing: the same PTX as without it */
    bool refused;             /* the coder refuses it on submit */
    const char *beside;       /* the coder holds it back at the root where the search has a step with this edit */
    const char *instead;      /* the coder does this one when it is asked for this, where it may */
    bool declines;            /* and says that this one makes no sense there */
    bool vague;               /* and something else with it */
    bool silent;              /* leaves no trace in the source at all */
    bool widens;              /* tunables take two values more */
    const char *site;         /* its only site; NULL: A */
    enum rg_refusal_kind why; /* not NONE: the coder has no site for it, for this reason */
    bool always;              /* the coder lists it where it is applied, too */
    const char *extra;        /* more members of the step in the regraph: ",\"when\":[\"stencil\"]" */
};

struct fake_world {
    int n;
    struct fake_effect e[FAKE_STEPS];
    double base_us;
    const char *baseline; /* the graph's: a member of its JSON with a comma behind it; NULL none */
    /* what the coder does */
    const char *name;
    bool stochastic;
    double think_s; /* an answer comes so long after its request */
    bool instant;   /* answers are as of a record, `held` so long */
    int n_held;
    uint32_t held[FAKE_QUEUE]; /* of its answers, in order: told, or to be kept to */
    int drafts;                /* its templates know draft costs: 1 right ones, -1 the wrong way round */
    const char *only;          /* the coder lists this step alone; NULL: all */
    int fail_samples;          /* of a stochastic coder: the first samples do not compile */
    bool service_down;
    /* what the evaluator does */
    uint64_t shuffle;     /* 0: in order; else the seed of a random order of completion */
    bool measured;        /* not a timing model: duels decide */
    double duel_noise;    /* of their first time, relative */
    double draft_cost_us; /* what drafting a candidate once takes */
    int tells;            /* 1: the device has counters of its own; 2: it proves to have none */
    int profiled;
    bool overruled;       /* when the search is over; from then on second measurements fail as again_fails_at says */
    double contend;       /* what the search said it wants measured exactly */
    bool looks;           /* for races, at the end only */
    const char *races_at; /* found where the source says this; NULL nowhere */
    int n_looked;
    uint64_t looked[64]; /* hashes of what was */
    double noise;        /* relative; by measurement */
    uint64_t noise_seed;
    double transfer_us;   /* beside every kernel; > 0: totals are known */
    const char *heavy;    /* a step that costs ten times as much of it */
    uint32_t site_traits; /* of every site */
    bool site_exact;
    enum rg_limiter limiter;    /* what every candidate is bound by */
    const char *again_fails_at; /* only where the source says this; NULL: everywhere */
    bool again_fails;           /* the second measurement says wrong */
    uint64_t one_in;            /* of what is to be pruned, measured all the same; 0: none */
    double predicted_us;        /* the low end of its estimate */
    bool estimates;             /* what is pruned comes with an estimate, which is right */
    double slow_us;             /* what is no slower than this is neither pruned nor too slow to end */
    bool hold;                  /* answers nothing */
    unsigned held_mask;         /* the first of these steps is answered when nobody waits for anything else; 0: none */
    int held_id, idle;
    int at_release;           /* results given by then */
    double late_s;            /* answers nothing before this time of rg_now(); 0: at once */
    volatile int *stop_after; /* counts evaluations down; stops the search at zero */
    int *stop;
    /* what happened */
    int expected; /* evaluations that the search knew a draft of */
    int submitted, evaluated, agains, sures, duels, coded, canceled;
    int asked[FAKE_STEPS]; /* by step */
    int most_coding;       /* actions that the coder had at once */
    int most_waiting;      /* evaluations submitted and not yet polled */
    struct rg_rng rng;
    int n_answers, n_results;
    struct rg_answer answers[FAKE_QUEUE];
    double due[FAKE_QUEUE];
    struct rg_eval_result results[FAKE_QUEUE];
};

struct fake_template {
    struct rg_template t;
    const struct fake_world *w;
    uint32_t mask;
    int sample;
    struct rg_arena arena;
};

static int fake_index(const struct fake_world *w, const char *id)
{
    for (int i = 0; i < w->n; i++)
        if (!strcmp(w->e[i].id, id)) return i;
    return -1;
}

static void fake_free(struct rg_template *t)
{
    struct fake_template *f = (struct fake_template *)t;
    rg_arena_release(&f->arena);
    free(f);
}

static enum rg_status fake_instantiate(const struct rg_template *t, const struct rg_vector *v, struct rg_source *out,
                                       struct rg_error *err)
{
    const struct fake_template *f = (const struct fake_template *)t;
    struct rg_buf b = RG_BUF_INIT;
    uint32_t mask = f->mask;
    for (int i = 0; i < f->w->n; i++)
        if (f->w->e[i].silent) mask &= ~(1u << i);
    rg_buf_printf(&b, "// %u\n%u %d", f->mask, mask, f->sample);
    for (int i = 0; i < t->tunables.n; i++) {
        if (v->values[i] == 13) { /* a vector that only the coder knows to be bad */
            rg_buf_release(&b);
            return rg_error_set(err, RG_INPUT, "13 is refused");
        }
        rg_buf_printf(&b, " %s=%lld", t->tunables.items[i].name, (long long)v->values[i]);
    }
    out->cuda = rg_buf_steal(&b);
    out->plan = rg_xstrdup("k<<<1, 1>>>();");
    return RG_OK;
}

static double fake_time(const struct fake_world *w, const char *cuda, enum rg_outcome *outcome, uint32_t *effective);

/* Right but for a factor of each candidate's own, or all the wrong way round. */
static void fake_draft(const struct rg_template *t, const struct rg_vector *v, int n, double *us)
{
    const struct fake_template *f = (const struct fake_template *)t;
    for (int i = 0; i < n && f->w->drafts; i++) {
        struct rg_source src = {NULL, NULL};
        enum rg_outcome outcome;
        uint32_t effective;
        if (fake_instantiate(t, &v[i], &src, NULL) != RG_OK) continue;
        double time = fake_time(f->w, src.cuda, &outcome, &effective) * (1 + 0.3 * (f->mask % 3));
        us[i] = f->w->drafts > 0 ? time : 1e6 / time;
        rg_source_release(&src);
    }
}

static const struct rg_template_ops fake_ops = {
    .instantiate = fake_instantiate, .free = fake_free, .draft = fake_draft};

/* The steps that are in a candidate; of one that another coder made, read off its text, as a model does. */
static uint32_t fake_mask(const struct rg_template *t)
{
    if (!t) return 0;
    if (t->ops == &fake_ops) return ((const struct fake_template *)t)->mask;
    struct rg_source src;
    struct rg_vector v = {0, {0}};
    if (rg_template_instantiate(t, &v, &src, NULL) != RG_OK) return 0;
    uint32_t mask = (uint32_t)atoi(strchr(src.cuda, '\n') + 1);
    rg_source_release(&src);
    return mask;
}

static struct rg_template *fake_make(const struct fake_world *w, const struct rg_template *parent, const char *step,
                                     const char *site, int sample)
{
    struct fake_template *f = rg_xcalloc(1, sizeof *f);
    f->w = w;
    f->mask = fake_mask(parent) | 1u << fake_index(w, step);
    f->sample = sample;
    struct rg_template *t = &f->t;
    t->ops = &fake_ops;
    t->refs = 1;
    t->coder = w->name;
    t->draft_cost_us = w->draft_cost_us;
    t->key = rg_arena_printf(&f->arena, "%u/%d", f->mask, sample);
    t->n_chain = (parent ? parent->n_chain : 0) + 1;
    t->chain = rg_arena_alloc(&f->arena, (size_t)t->n_chain * sizeof *t->chain);
    for (int i = 0; parent && i < parent->n_chain; i++)
        t->chain[i] = (struct rg_link){rg_arena_strdup(&f->arena, parent->chain[i].step),
                                       rg_arena_strdup(&f->arena, parent->chain[i].site)};
    t->chain[t->n_chain - 1] = (struct rg_link){rg_arena_strdup(&f->arena, step), rg_arena_strdup(&f->arena, site)};
    t->tunables.items = rg_arena_alloc(&f->arena, FAKE_STEPS * sizeof *t->tunables.items);
    for (int i = 0; i < w->n; i++) {
        if (!(f->mask >> i & 1) || !w->e[i].best) continue;
        struct rg_tunable *x = &t->tunables.items[t->tunables.n++];
        x->name = rg_arena_printf(&f->arena, "T_%d", i);
        x->n_values = 7;
        for (int k = 0; k < w->n; k++)
            if (f->mask >> k & 1 && w->e[k].widens) x->n_values = 9;
        x->values = rg_arena_alloc(&f->arena, (size_t)x->n_values * sizeof *x->values);
        for (int k = 0; k < x->n_values; k++) x->values[k] = 1 << k;
        x->start = w->e[i].start ? w->e[i].start : 1;
    }
    return t;
}

static enum rg_status fake_sites(void *self, const struct rg_template *parent, const struct rg_step *step,
                                 struct rg_site_list *out, struct rg_error *err)
{
    struct fake_world *w = self;
    int i = fake_index(w, step->id);
    if (parent && parent->ops != &fake_ops && !w->stochastic) return RG_OK; /* only a model reads what another wrote */
    if (i < 0 || (w->only && strcmp(w->only, step->id))) return RG_OK;
    if (w->e[i].why) {
        struct rg_reason why;
        rg_refuse(&why, w->e[i].why, 0, "there is no site for it");
        rg_site_list_refuse_as(out, "A", &why);
        return RG_OK;
    }
    if (fake_mask(parent) >> i & 1 && !w->e[i].always) {
        rg_site_list_refuse(out, "A", "it is applied already");
        return RG_OK;
    }
    if (w->e[i].beside && !parent)
        rg_site_list_withhold_beside(out, "A", w->site_traits, w->site_exact, w->e[i].beside,
                                     "the other one is faster");
    else
        rg_site_list_add(out, w->e[i].site ? w->e[i].site : "A", w->site_traits, w->site_exact);
    return RG_OK;
}

static enum rg_status fake_submit(void *self, int id, struct rg_template *parent, const struct rg_step *step,
                                  const char *site, const struct rg_hint *hint, struct rg_error *err)
{
    struct fake_world *w = self;
    struct rg_answer *a = &w->answers[w->n_answers++];
    memset(a, 0, sizeof *a);
    if (w->n_answers > w->most_coding) w->most_coding = w->n_answers;
    a->id = id;
    w->due[w->n_answers - 1] = w->think_s > 0 ? rg_now() + w->think_s : 0;
    if (w->instant) a->held = w->held[w->coded];
    w->coded++;
    w->asked[fake_index(w, step->id)]++;
    if (w->service_down) {
        a->kind = RG_ANSWER_FAILED;
        a->status = RG_SERVICE;
        snprintf(a->message, sizeof a->message, "no route to host");
    } else if (w->e[fake_index(w, step->id)].refused) {
        a->kind = RG_ANSWER_REFUSED;
        snprintf(a->message, sizeof a->message, "a dependence forbids it");
    } else if (hint->sample < w->fail_samples) {
        a->kind = RG_ANSWER_FAILED;
        a->outcome = RG_OUTCOME_COMPILE;
        snprintf(a->message, sizeof a->message, "no fenced block, attempt %d \xff", hint->n_attempts);
    } else {
        const struct fake_effect *e = &w->e[fake_index(w, step->id)];
        for (int i = 0; e->instead && i < hint->n_others; i++)
            if (!strcmp(hint->others[i]->id, e->instead)) a->applied = hint->others[i];
        a->ambiguous = a->applied && e->vague;
        a->declined = a->applied && e->declines;
        a->tmpl = fake_make(w, parent, a->applied ? e->instead : step->id, site, w->stochastic ? hint->sample : 0);
    }
    return RG_OK;
}

static enum rg_status fake_poll(void *self, double seconds, struct rg_answer *out, bool *got, struct rg_error *err)
{
    struct fake_world *w = self;
    *got = w->n_answers > 0 && rg_now() >= w->due[0] && (!w->shuffle || rg_rng_below(&w->rng, 2));
    if (!*got) return RG_OK;
    int i = w->shuffle ? (int)rg_rng_below(&w->rng, (uint64_t)w->n_answers) : 0;
    *out = w->answers[i];
    memmove(&w->answers[i], &w->answers[i + 1], (size_t)(--w->n_answers - i) * sizeof *w->answers);
    memmove(&w->due[i], &w->due[i + 1], (size_t)(w->n_answers - i) * sizeof *w->due);
    return RG_OK;
}

static void fake_cancel(void *self, int id)
{
    struct fake_world *w = self;
    w->canceled++;
    for (int i = 0; i < w->n_answers; i++)
        if (w->answers[i].id == id) {
            rg_template_unref(w->answers[i].tmpl);
            memmove(&w->answers[i], &w->answers[i + 1], (size_t)(--w->n_answers - i) * sizeof *w->answers);
            break;
        }
}

static void fake_taken(void *self, int id, uint32_t held)
{
    struct fake_world *w = self;
    if (!w->instant && w->n_held < FAKE_QUEUE) w->held[w->n_held++] = held;
}

static struct rg_coder fake_coder(struct fake_world *w)
{
    if (!w->name) w->name = "fake";
    return (struct rg_coder){.name = w->name,
                             .self = w,
                             .stochastic = w->stochastic,
                             .sites = fake_sites,
                             .submit = fake_submit,
                             .poll = fake_poll,
                             .cancel = fake_cancel,
                             .instant = w->instant,
                             .taken = w->stochastic ? fake_taken : NULL};
}

/* The landscape, from the text alone, as a device would see it. */
static double fake_time(const struct fake_world *w, const char *cuda, enum rg_outcome *outcome, uint32_t *effective)
{
    unsigned mask;
    int sample;
    double t = w->base_us;
    cuda = strchr(cuda, '\n') + 1;
    sscanf(cuda, "%u %d", &mask, &sample);
    *outcome = RG_OUTCOME_OK;
    *effective = mask;
    for (int i = 0; i < w->n; i++) {
        if (!(mask >> i & 1)) continue;
        const struct fake_effect *e = &w->e[i];
        bool mended = e->mended && mask >> fake_index(w, e->mended) & 1;
        if (mended)
            t *= 0.2;
        else if (e->outcome != RG_OUTCOME_OK)
            *outcome = e->outcome;
        if (e->noop) *effective &= ~(1u << i);
        bool ready = !e->needs || mask >> fake_index(w, e->needs) & 1;
        if (!e->noop) t *= ready ? e->factor : 1.3;
        if (!e->best) continue;
        char name[16];
        snprintf(name, sizeof name, " T_%d=", i);
        const char *at = strstr(cuda, name);
        double v = at ? atof(at + strlen(name)) : 1;
        double off = log2(v) - log2((double)e->best);
        t *= 1 + 0.2 * off * off;
    }
    t *= 1 + 0.01 * sample;
    bool by_time = *outcome == RG_OUTCOME_PRUNED || *outcome == RG_OUTCOME_TIMEOUT;
    if (by_time && t <= w->slow_us) *outcome = RG_OUTCOME_OK;
    return t;
}

static enum rg_status fake_eval_submit(void *self, int id, const struct rg_source *src, enum rg_eval_purpose purpose,
                                       struct rg_error *err)
{
    struct fake_world *w = self;
    struct rg_eval_result *r = &w->results[w->n_results++];
    memset(r, 0, sizeof *r);
    r->id = id;
    w->submitted++;
    if (purpose == RG_EVAL_AGAIN) w->agains++;
    if (purpose == RG_EVAL_SURE) w->sures++;
    if (purpose == RG_EVAL_LAST && w->n_looked < 64)
        w->looked[w->n_looked++] = rg_hash64(src->cuda, strlen(src->cuda), 1);
    if (w->n_results > w->most_waiting) w->most_waiting = w->n_results;
    uint32_t effective;
    double t = fake_time(w, src->cuda, &r->e.outcome, &effective);
    if (w->held_mask && !w->held_id && (unsigned)atoi(strchr(src->cuda, '\n') + 1) == w->held_mask) w->held_id = id;
    if (purpose == RG_EVAL_AGAIN && w->again_fails && (!w->again_fails_at || strstr(src->cuda, w->again_fails_at)))
        r->e.outcome = RG_OUTCOME_RACE;
    if (purpose == RG_EVAL_LAST && w->races_at && strstr(src->cuda, w->races_at)) r->e.outcome = RG_OUTCOME_RACE;
    bool told = r->e.outcome == RG_OUTCOME_PRUNED && purpose == RG_EVAL_FULL && w->one_in &&
                rg_hash64(src->cuda, strlen(src->cuda), 3) % w->one_in == 0;
    if (r->e.outcome == RG_OUTCOME_PRUNED && (told || purpose != RG_EVAL_FULL)) r->e.outcome = RG_OUTCOME_OK;
    r->e.estimated = true;
    r->e.limiter = w->limiter;
    r->e.max_error = NAN;
    r->e.total_us = -1;
    if (w->noise > 0) { /* by candidate and purpose, so that it repeats */
        uint64_t h =
            rg_hash64(src->cuda, strlen(src->cuda), (uint64_t)(purpose == RG_EVAL_AGAIN) + 5 + 100 * w->noise_seed);
        t *= 1 + w->noise * ((double)(h % 1000) / 500 - 1);
    }
    if (r->e.outcome == RG_OUTCOME_OK && w->transfer_us > 0) {
        unsigned mask = (unsigned)atoi(strchr(src->cuda, '\n') + 1);
        r->e.total_us = t + w->transfer_us * (w->heavy && mask >> fake_index(w, w->heavy) & 1 ? 10 : 1);
    }
    if (r->e.outcome == RG_OUTCOME_OK) {
        const char *vector = strchr(strchr(strchr(src->cuda, '\n'), ' ') + 1, ' ');
        char text[256];
        snprintf(text, sizeof text, "%u%s", effective, vector ? vector : "");
        r->e.time_us = t;
        rg_sha256_hex(text, strlen(text), r->e.ptx_hash);
        r->e.n_counters = 1;
        strcpy(r->e.counters[0].name, "regs");
        r->e.counters[0].value = t / 3;
        if (told) r->e.counters[r->e.n_counters++] = (struct rg_counter){"prune_low_us", w->predicted_us};
    } else if (r->e.outcome == RG_OUTCOME_PRUNED && w->estimates) {
        r->e.n_counters = 1;
        r->e.counters[0] = (struct rg_counter){"estimated_us", t};
    } else
        snprintf(r->e.message, sizeof r->e.message, "it failed \xc3\x28 so");
    return RG_OK;
}

static enum rg_status fake_eval_poll(void *self, double seconds, struct rg_eval_result *out, bool *got,
                                     struct rg_error *err)
{
    struct fake_world *w = self;
    *got = w->n_results > 0 && !w->hold && rg_now() >= w->late_s && (!w->shuffle || rg_rng_below(&w->rng, 3));
    if (!*got) return RG_OK;
    int i = w->shuffle ? (int)rg_rng_below(&w->rng, (uint64_t)w->n_results) : 0;
    if (w->held_id > 0 && w->results[i].id == w->held_id) {
        i = (i + 1) % w->n_results;
        w->idle = w->n_results > 1 ? 0 : w->idle + 1;
        *got = w->n_results > 1 || w->idle > 3;
        if (!*got) return RG_OK;
        if (w->n_results == 1) w->at_release = w->evaluated, w->held_id = -1;
    }
    *out = w->results[i];
    memmove(&w->results[i], &w->results[i + 1], (size_t)(--w->n_results - i) * sizeof *w->results);
    w->evaluated++;
    if (w->stop_after && --*w->stop_after == 0) *w->stop = 1;
    return RG_OK;
}

static enum rg_status fake_duel(void *self, const struct rg_source *a, const struct rg_source *b, struct rg_duel *out,
                                struct rg_error *err)
{
    struct fake_world *w = self;
    enum rg_outcome o;
    uint32_t effective;
    w->duels++;
    out->a_us = fake_time(w, a->cuda, &o, &effective);
    out->b_us = fake_time(w, b->cuda, &o, &effective);
    out->a_us *=
        1 +
        w->duel_noise *
            ((double)(rg_hash64(b->cuda, strlen(b->cuda), rg_hash64(a->cuda, strlen(a->cuda), w->noise_seed)) % 1000) /
                 500 -
             1);
    out->ratio = out->a_us / out->b_us;
    out->significant = fabs(out->ratio - 1) > 0.001 + 0.3 * w->duel_noise;
    return RG_OK;
}

static void fake_eval_cancel(void *self, int id)
{
    struct fake_world *w = self;
    w->canceled++;
    for (int i = 0; i < w->n_results; i++)
        if (w->results[i].id == id) {
            memmove(&w->results[i], &w->results[i + 1], (size_t)(--w->n_results - i) * sizeof *w->results);
            break;
        }
}

static enum rg_status fake_profile(void *self, const struct rg_source *src, struct rg_counter *out, int *n,
                                   struct rg_error *err)
{
    struct fake_world *w = self;
    w->profiled++;
    *n = w->tells > 1 ? 0 : 1;
    strcpy(out[0].name, "hw_length");
    out[0].value = (double)strlen(src->cuda);
    return RG_OK;
}

static bool fake_doubts(void *self, const struct rg_source *src)
{
    struct fake_world *w = self;
    w->again_fails = w->again_fails || w->overruled;
    return w->overruled;
}

static bool fake_unlooked(void *self, const struct rg_source *src)
{
    const struct fake_world *w = self;
    uint64_t h = rg_hash64(src->cuda, strlen(src->cuda), 1);
    bool known = false;
    for (int i = 0; i < w->n_looked; i++) known = known || w->looked[i] == h;
    return w->looks && !known;
}

static void fake_contend(void *self, double times, double behind)
{
    struct fake_world *w = self;
    w->contend = times;
}

static void fake_expect(void *self, int id, double us)
{
    struct fake_world *w = self;
    w->expected += us > 0;
}

static struct rg_evaluator fake_evaluator(struct fake_world *w)
{
    rg_rng_seed(&w->rng, w->shuffle);
    return (struct rg_evaluator){w,
                                 "sim:fake",
                                 "sim:fake",
                                 !w->measured,
                                 fake_eval_submit,
                                 fake_eval_poll,
                                 fake_duel,
                                 NULL,
                                 fake_eval_cancel,
                                 NULL,
                                 w->tells ? fake_profile : NULL,
                                 NULL,
                                 fake_doubts,
                                 fake_unlooked,
                                 fake_contend,
                                 fake_expect};
}

/* A regraph over the world's steps: every step may follow every other and @start. prior NULL: 0.5 everywhere. */
static struct rg_regraph *fake_graph(const struct fake_world *w, const double *prior)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_printf(&b, "{\"format\":\"regraph/1\",\"name\":\"fake\",%s\"steps\":[", w->baseline ? w->baseline : "");
    for (int i = 0; i < w->n; i++)
        rg_buf_printf(&b, "%s{\"id\":\"%s\",\"title\":\"t\",\"category\":\"locality\"%s%s}", i ? "," : "", w->e[i].id,
                      w->e[i].extra && strstr(w->e[i].extra, "\"once\"") ? "" : ",\"once\":\"candidate\"",
                      w->e[i].extra ? w->e[i].extra : "");
    rg_buf_str(&b, "],\"edges\":[");
    bool first = true;
    for (int from = -1; from < w->n; from++)
        for (int to = 0; to < w->n; to++) {
            if (from == to) continue;
            rg_buf_printf(&b, "%s{\"from\":\"%s\",\"to\":\"%s\",\"prior\":%g,\"confidence\":2}", first ? "" : ",",
                          from < 0 ? "@start" : w->e[from].id, w->e[to].id, prior ? prior[to] : 0.5);
            first = false;
        }
    rg_buf_str(&b, "]}");
    struct rg_regraph *g = NULL;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_regraph_parse(b.data, b.len, "fake", &g, &err) != RG_OK) {
        fprintf(stderr, "fake graph: %s\n", err.text);
        abort();
    }
    rg_buf_release(&b);
    return g;
}

/* Options that most tests start from. */
static struct rg_search_options fake_options(void)
{
    return (struct rg_search_options){.policy = "mcgs",
                                      .seed = 1,
                                      .evals = 80,
                                      .in_flight = 1,
                                      .max_mix = -1,
                                      .run_id = "run1",
                                      .klass = "contraction",
                                      .function = "f"};
}
#endif
