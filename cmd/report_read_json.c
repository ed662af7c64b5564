/* Journals (docs/journal.md) read line by line, also while they are written. */
#include "base/json_members.h"
#include "cmd/report.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <rg/candidate.h>
#include <rg/file.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char *keep(struct report_run *r, const json_t *o, const char *name)
{
    const char *s = json_string_value(json_object_get(o, name));
    return s && *s ? rg_arena_strdup(&r->arena, s) : "";
}

static double real(const json_t *o, const char *name, double missing)
{
    const json_t *v = json_object_get(o, name);
    return json_is_number(v) ? json_number_value(v) : missing;
}

static int integer(const json_t *o, const char *name, int missing)
{
    const json_t *v = json_object_get(o, name);
    return json_is_integer(v) ? (int)json_integer_value(v) : missing;
}

static struct report_vector vector_of(struct report_run *r, const json_t *o)
{
    struct report_vector v = {0};
    json_t *value;
    const char *name;
    if (!json_is_object(o)) return v;
    v.items = rg_arena_alloc(&r->arena, (json_object_size(o) + 1) * sizeof *v.items);
    json_object_foreach((json_t *)(uintptr_t)o, name, value) v.items[v.n++] =
        (struct report_value){rg_arena_strdup(&r->arena, name), json_integer_value(value)};
    return v;
}

static struct report_action *action_of(struct report_run *r, const json_t *o)
{
    int a = integer(o, "a", -1);
    for (int i = r->n_actions - 1; i >= 0; i--)
        if (r->actions[i].number == a) return &r->actions[i];
    return NULL;
}

static struct report_node *node_of(struct report_run *r, int number)
{
    for (int i = r->n_nodes - 1; i >= 0; i--)
        if (r->nodes[i].number == number) return &r->nodes[i];
    return NULL;
}

const struct report_node *report_node(const struct report_run *r, int number)
{
    return node_of((struct report_run *)(uintptr_t)r, number);
}

static int read_links(struct report_run *r, const json_t *links, struct report_link **out)
{
    const json_t *link;
    size_t i;
    int n = 0;
    *out = rg_arena_alloc(&r->arena, (json_array_size(links) + 1) * sizeof **out);
    json_array_foreach(links, i, link)
    {
        struct rg_link l = {"", ""};
        rg_members_read(link, rg_link_members, &l, &r->arena, NULL);
        (*out)[n++] = (struct report_link){l.step, l.site, -1, {0, NULL}};
    }
    return n;
}

static void read_run(struct report_run *r, const json_t *o)
{
    const json_t *options = json_object_get(o, "options"), *clock = json_object_get(o, "clock"),
                 *graph = json_object_get(o, "graph"), *word;
    struct rg_buf coders = RG_BUF_INIT;
    size_t i;
    r->run_id = keep(r, o, "run");
    r->function = keep(r, o, "function");
    r->klass = keep(r, o, "class");
    r->program = keep(r, o, "program");
    r->device = keep(r, o, "device");
    r->estimated = json_is_true(json_object_get(o, "estimated"));
    r->graph = keep(r, graph, "name");
    r->graph_sha256 = keep(r, graph, "sha256");
    r->policy = json_is_string(json_object_get(options, "apply")) ? "apply" : keep(r, options, "policy");
    r->seed = keep(r, options, "seed");
    json_array_foreach(json_object_get(o, "coders"), i, word) if (json_is_string(word))
        rg_buf_printf(&coders, "%s%s", coders.len ? ", " : "", json_string_value(word));
    r->coders = rg_arena_strdup(&r->arena, coders.data);
    rg_buf_release(&coders);
    r->n_run_first = read_links(r, json_object_get(o, "first"), &r->run_first);
    r->budget_evals = real(clock, "evals", NAN);
    r->budget_seconds = real(clock, "seconds", NAN);
    r->patience = real(clock, "patience", NAN);
}

static void read_action(struct report_run *r, const json_t *o)
{
    RG_GROW(r->actions, r->n_actions, r->cap_actions);
    struct report_action *a = &r->actions[r->n_actions++];
    *a = (struct report_action){.number = integer(o, "a", -1),
                                .parent = integer(o, "parent", -1),
                                .node = integer(o, "target", -1),
                                .answer = "",
                                .outcome = "",
                                .message = ""};
    a->purpose = keep(r, o, "purpose");
    a->step = keep(r, o, "step");
    a->site = keep(r, o, "site");
    a->coder = keep(r, o, "coder");
    a->from = keep(r, o, "from");
}

static void read_answer(struct report_run *r, const json_t *o)
{
    struct report_action *a = action_of(r, o);
    if (!a) return;
    a->answer = keep(r, o, "kind");
    if (!strcmp(a->answer, "template")) return;
    a->outcome = keep(r, o, "outcome");
    if (!*a->outcome) a->outcome = a->answer;
    a->message = keep(r, o, "message");
}

static void read_eval(struct report_run *r, const json_t *o)
{
    const struct report_action *a = action_of(r, o);
    RG_GROW(r->evals, r->n_evals, r->cap_evals);
    struct report_eval *e = &r->evals[r->n_evals++];
    *e = (struct report_eval){.number = r->n_evals, .action = integer(o, "a", -1), .node = a ? a->node : -1};
    e->seconds = real(json_object_get(o, "clock"), "t", 0);
    const struct report_node *n = a && a->node >= 0 ? node_of(r, a->node) : NULL;
    const struct report_action *made = n ? &r->actions[n->action] : a; /* of a version that is tuned: what made it */
    e->step = made ? made->step : "";
    e->site = made ? made->site : "";
    e->coder = made ? made->coder : "";
    e->purpose = a ? a->purpose : "";
    e->vector = vector_of(r, json_object_get(o, "vector"));
    e->source = keep(r, o, "source");
    struct rg_evaluation v;
    rg_evaluation_read(json_object_get(o, "evaluation"), NULL, &v);
    e->outcome = v.outcome;
    e->message = rg_arena_strdup(&r->arena, v.message);
    e->kernel = rg_arena_strdup(&r->arena, v.kernel);
    e->limiter = rg_limiter_word(v.limiter);
    e->us = v.outcome == RG_OUTCOME_OK && v.time_us > 0 ? v.time_us : 0;
    e->noise_us = isnan(v.noise_us) ? 0 : v.noise_us;
    e->total_us = isnan(v.total_us) ? -1 : v.total_us;
    e->estimated = v.estimated;
    e->counters = rg_arena_alloc(&r->arena, (size_t)(v.n_counters + 1) * sizeof *e->counters);
    for (int i = 0; i < v.n_counters; i++)
        if (!isnan(v.counters[i].value)) e->counters[e->n_counters++] = v.counters[i];
}

/* The source of a version's best configuration: the evaluation of its actions that has it. */
static const char *source_of(const struct report_run *r, int node, const struct report_vector *v)
{
    for (int i = r->n_evals - 1; i >= 0; i--) {
        const struct report_eval *e = &r->evals[i];
        if (e->node != node || e->outcome != RG_OUTCOME_OK || e->vector.n != v->n) continue;
        int same = 0;
        for (int k = 0; k < v->n; k++)
            same += e->vector.items[k].value == v->items[k].value && !strcmp(e->vector.items[k].name, v->items[k].name);
        if (same == v->n) return e->source;
    }
    return "";
}

static void read_result(struct report_run *r, const json_t *o, bool settled)
{
    struct report_action *a = action_of(r, o);
    int number = integer(o, "node", -1);
    if (!a) return;
    if (!settled) {
        if (json_is_string(json_object_get(o, "step"))) { /* another than was asked for */
            a->step = keep(r, o, "step");
            a->from = keep(r, o, "from");
        }
        const char *outcome = keep(r, o, "outcome");
        if (*outcome && strcmp(outcome, "ok")) a->outcome = outcome;
        a->noop = json_is_true(json_object_get(o, "noop"));
        if (number >= 0) a->node = number;
        for (int i = r->n_evals - 1; i >= 0 && r->n_evals - i < 100; i--)
            if (r->evals[i].action == a->number) r->evals[i].node = number;
    }
    if (number < 0) return;
    struct report_node *n = node_of(r, number);
    if (!n) {
        RG_GROW(r->nodes, r->n_nodes, r->cap_nodes);
        n = &r->nodes[r->n_nodes++];
        *n = (struct report_node){.number = number, .action = (int)(a - r->actions), .source = ""};
    }
    double us = real(o, "time_us", 0);
    if (json_is_true(json_object_get(o, "measured")) && us > 0) {
        n->measured = true;
        n->us = us;
        n->vector = vector_of(r, json_object_get(o, "vector"));
        const char *source = source_of(r, number, &n->vector);
        if (*source) n->source = source;
    }
}

/* A source that was measured before: the version has it too. */
static void read_reused(struct report_run *r, const json_t *o)
{
    const struct report_action *a = action_of(r, o);
    if (!a) return;
    RG_GROW(r->reused, r->n_reused, r->cap_reused);
    r->reused[r->n_reused++] =
        (struct report_reused){a->number, vector_of(r, json_object_get(o, "vector")), keep(r, o, "source")};
}

static void read_final(struct report_run *r, const json_t *o)
{
    r->closed = true;
    if (real(o, "naive_us", 0) > 0) r->naive_us = real(o, "naive_us", 0);
    r->best_node = integer(o, "node", -1);
    r->best_us = real(o, "time_us", 0);
    r->best_vector = vector_of(r, json_object_get(o, "vector"));
    r->n_final = read_links(r, json_object_get(o, "chain"), &r->final_chain);
    r->n_final_first = integer(o, "first", 0);
    size_t i;
    json_t *e;
    json_array_foreach(json_object_get(json_object_get(o, "clock"), "expected"), i, e)
    {
        struct report_node *n = node_of(r, integer(e, "node", -1));
        if (n) n->expected_us = real(e, "time_us", 0);
    }
}

static void read_evidence(struct report_run *r, const json_t *o)
{
    struct rg_buf b = RG_BUF_INIT;
    const char *word;
    json_t *count;
    json_object_foreach(json_object_get(o, "fail"), word, count)
        rg_buf_printf(&b, "%s%lld %s", b.len ? ", " : "", (long long)json_integer_value(count), word);
    RG_GROW(r->edges, r->n_edges, r->cap_edges);
    struct report_edge *e = &r->edges[r->n_edges++];
    *e = (struct report_edge){.from = keep(r, o, "from"),
                              .to = keep(r, o, "to"),
                              .coder = keep(r, o, "coder"),
                              .failures = rg_arena_strdup(&r->arena, b.data),
                              .n = json_integer_value(json_object_get(o, "n")),
                              .ok = json_integer_value(json_object_get(o, "ok")),
                              .lead = json_integer_value(json_object_get(o, "lead")),
                              .refused = json_integer_value(json_object_get(o, "refused")),
                              .mean_gain = NAN,
                              .max_gain = NAN,
                              .score_before = NAN,
                              .score_after = NAN};
    if (e->ok) {
        e->mean_gain = 1e-6 * real(o, "sum", 0) / (double)e->ok;
        e->max_gain = 1e-6 * real(o, "max", 0);
    }
    rg_buf_release(&b);
}

/* What follows is derived, and void when a later session goes on. */
static void closing_begins(struct report_run *r, const json_t *o)
{
    r->ended = keep(r, o, "reason");
    r->mark = (struct report_mark){
        .n_evals = r->n_evals, .n_actions = r->n_actions, .n_nodes = r->n_nodes, .naive_us = r->naive_us, .set = true};
    r->mark.nodes = rg_arena_alloc(&r->arena, ((size_t)r->n_nodes + 1) * sizeof *r->nodes);
    if (r->n_nodes) memcpy(r->mark.nodes, r->nodes, (size_t)r->n_nodes * sizeof *r->nodes);
}

static void closing_is_void(struct report_run *r)
{
    r->closed = false;
    r->ended = "";
    r->n_edges = r->n_final = 0;
    if (!r->mark.set) return;
    r->n_evals = r->mark.n_evals;
    r->n_actions = r->mark.n_actions;
    r->n_nodes = r->mark.n_nodes;
    r->naive_us = r->mark.naive_us;
    if (r->n_nodes) memcpy(r->nodes, r->mark.nodes, (size_t)r->n_nodes * sizeof *r->nodes);
    r->mark.set = false;
}

static void read_line(struct report_run *r, const json_t *o)
{
    const char *kind = json_string_value(json_object_get(o, "line"));
    if (!kind) return;
    double t = real(json_object_get(o, "clock"), "t", NAN);
    if (isfinite(t)) r->seconds = t;
    if (!strcmp(kind, "run"))
        read_run(r, o);
    else if (!strcmp(kind, "action"))
        read_action(r, o);
    else if (!strcmp(kind, "answer"))
        read_answer(r, o);
    else if (!strcmp(kind, "eval"))
        read_eval(r, o);
    else if (!strcmp(kind, "reused"))
        read_reused(r, o);
    else if (!strcmp(kind, "result") || !strcmp(kind, "settled"))
        read_result(r, o, *kind == 's');
    else if (!strcmp(kind, "naive"))
        r->naive_us = real(o, "time_us", 0);
    else if (!strcmp(kind, "end"))
        closing_begins(r, o);
    else if (!strcmp(kind, "evidence"))
        read_evidence(r, o);
    else if (!strcmp(kind, "final"))
        read_final(r, o);
    else if (!strcmp(kind, "resume"))
        closing_is_void(r);
}

static const struct report_action *step_from(const struct report_run *r, int parent, const char *step, const char *site)
{
    for (int i = 0; i < r->n_actions; i++) {
        const struct report_action *a = &r->actions[i];
        if (a->parent == parent && a->node >= 0 && *a->step && !strcmp(a->step, step) && !strcmp(a->site, site))
            return a;
    }
    return NULL;
}

/* Versions from the sequential code to `node` along the links up to `last`: of several that were made by the same step
 * from the same version, those that lead there. */
static bool lead_to(struct report_run *r, int last, int node)
{
    if (last < r->n_first) return node == 0;
    const struct report_link *l = &r->chain[last];
    for (int i = 0; i < r->n_actions; i++) {
        const struct report_action *a = &r->actions[i];
        if (a->node != node || a->parent == node || strcmp(a->step, l->step) || strcmp(a->site, l->site) ||
            !lead_to(r, last - 1, a->parent))
            continue;
        r->chain[last].node = node;
        return true;
    }
    return false;
}

/* The chain as the end tells it, with its versions where actions lead along it. */
static void chain_of_final(struct report_run *r)
{
    r->chain = r->final_chain;
    r->n_chain = r->n_final;
    r->n_first = r->n_final_first;
    if (r->n_chain > r->n_first && lead_to(r, r->n_chain - 1, r->best_node)) return;
    for (int i = r->n_first, at = 0; i < r->n_chain; i++) {
        const struct report_action *a = at >= 0 ? step_from(r, at, r->chain[i].step, r->chain[i].site) : NULL;
        at = i == r->n_chain - 1 ? r->best_node : a ? a->node : -1;
        r->chain[i].node = at;
    }
}

/* Of the fastest version so far: up from it by what made each version first. */
static void chain_so_far(struct report_run *r)
{
    const struct report_node *best = NULL;
    for (int i = 0; i < r->n_nodes; i++)
        if (r->nodes[i].measured && (!best || r->nodes[i].us < best->us)) best = &r->nodes[i];
    r->n_chain = r->n_first = 0;
    r->best_node = best ? best->number : -1;
    r->best_us = best ? best->us : 0;
    if (!best) return;
    r->best_vector = best->vector;
    int up[256], n = 0;
    for (const struct report_node *x = best; x && n < 256; x = node_of(r, r->actions[x->action].parent))
        up[n++] = x->number;
    r->chain = rg_arena_alloc(&r->arena, ((size_t)(n + r->n_run_first) + 1) * sizeof *r->chain);
    for (int f = 0; f < r->n_run_first; f++) {
        bool out = false;
        for (int i = 0; i < n; i++) {
            const struct report_action *a = &r->actions[node_of(r, up[i])->action];
            out = out || (!strcmp(a->step, r->run_first[f].step) && !strcmp(a->site, RG_SITE_NONE));
        }
        if (!out) r->chain[r->n_chain++] = r->run_first[f];
    }
    r->n_first = r->n_chain;
    while (n--) {
        const struct report_action *a = &r->actions[node_of(r, up[n])->action];
        r->chain[r->n_chain++] = (struct report_link){a->step, a->site, up[n], {0, NULL}};
    }
}

/* Which step brought which tunable: the version's first that has it. What no version tells came with the last. */
static void opened(struct report_run *r)
{
    const struct report_vector *v = &r->best_vector;
    for (int i = 0; i < r->n_chain; i++)
        r->chain[i].opened =
            (struct report_vector){0, rg_arena_alloc(&r->arena, ((size_t)v->n + 1) * sizeof *v->items)};
    for (int k = 0; k < v->n && r->n_chain; k++) {
        int at = r->n_chain - 1;
        for (int i = r->n_chain - 1; i >= r->n_first; i--) {
            const struct report_node *n = node_of(r, r->chain[i].node);
            if (!n || !n->measured) continue;
            bool has = false;
            for (int j = 0; j < n->vector.n; j++) has = has || !strcmp(n->vector.items[j].name, v->items[k].name);
            if (!has) break;
            at = i;
        }
        r->chain[at].opened.items[r->chain[at].opened.n++] = v->items[k];
    }
}

/* Versions whose best configuration was measured as another version's, or before the node was known. */
static void late_sources(struct report_run *r)
{
    for (int i = 0; i < r->n_nodes; i++) {
        struct report_node *n = &r->nodes[i];
        if (!n->measured || *n->source) continue;
        n->source = source_of(r, n->number, &n->vector);
        for (int k = 0; k < r->n_reused && !*n->source; k++) {
            const struct report_reused *u = &r->reused[k];
            const struct report_action *a = NULL;
            for (int m = 0; m < r->n_actions && !a; m++)
                if (r->actions[m].number == u->action) a = &r->actions[m];
            bool same = a && a->node == n->number && u->vector.n == n->vector.n;
            for (int m = 0; same && m < n->vector.n; m++) same = u->vector.items[m].value == n->vector.items[m].value;
            if (same) n->source = u->source;
        }
    }
}

static enum rg_status tail(const struct report_run *r, char **text, size_t *len, struct rg_error *err)
{
    int fd = open(r->journal, O_RDONLY | O_CLOEXEC);
    struct stat s;
    if (fd < 0 || fstat(fd, &s)) {
        int e = errno;
        if (fd >= 0) close(fd);
        return rg_error_set(err, RG_INPUT, "cannot open '%s': %s", r->journal, strerror(e));
    }
    size_t want = (size_t)s.st_size > r->at ? (size_t)s.st_size - r->at : 0, got = 0;
    *text = malloc(want + 1);
    while (*text && got < want) {
        ssize_t n = pread(fd, *text + got, want - got, (off_t)(r->at + got));
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) break;
        got += (size_t)n;
    }
    close(fd);
    *len = got;
    if (!*text) return rg_error_set(err, RG_NOMEM, "no memory for '%s'", r->journal);
    (*text)[got] = 0;
    return RG_OK;
}

enum rg_status report_update(struct report_run *r, struct rg_error *err)
{
    char *text;
    size_t len, at = 0;
    bool first = r->at == 0;
    enum rg_status st = tail(r, &text, &len, err);
    if (st != RG_OK) return st;
    for (char *end; st == RG_OK && (end = memchr(text + at, '\n', len - at)); at = (size_t)(end + 1 - text)) {
        json_t *o = json_loadb(text + at, (size_t)(end - text) - at, 0, NULL);
        if (first && (!o || !json_object_get(o, "line")))
            st = rg_error_set(err, RG_INPUT, "'%s' is no journal of regraph-search", r->journal);
        if (json_is_object(o)) read_line(r, o); /* a damaged line is left out: the others still say what they say */
        json_decref(o);
        first = false;
    }
    if (st == RG_OK && first && len == 0 && r->at == 0) st = rg_error_set(err, RG_INPUT, "'%s' is empty", r->journal);
    if (st == RG_OK) r->at += at;
    free(text);
    if (st != RG_OK || !at) return st;
    late_sources(r);
    if (r->closed)
        chain_of_final(r);
    else
        chain_so_far(r);
    opened(r);
    return RG_OK;
}
