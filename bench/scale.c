/* Does the search stay sound at scale? Selection and back-up of one iteration on a search graph of 10^6 edges, bytes an
 * edge of it, and the time to load a reasoning graph of 10^4 steps and 10^5 edges. `make bench-scale`; exit 1 where a
 * bound is missed. No candidate is made: what is measured is the search's own, in CPU seconds. --times-bound F widens
 * them. */
#include "engine/engine.h"
#include <rg/buf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

static const double iteration_us = 50, edge_bytes = 200, load_s = 0.5;
enum { FAN = 20, NODES = 50000, STEPS = 10000, EDGES = 100000, ITERATIONS = 2000 };
static double slack = 1;
static int missed;

static void told(const char *what, double is, double most, const char *unit)
{
    bool over = is > most;
    printf("%-44s %10.4g %s, at most %g: %s\n", what, is, unit, most, over ? "MISSED" : "ok");
    missed += over;
}

/* Of this process: a machine that is busy with others is no reason to fail. */
static double cpu_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double resident(void)
{
    long pages = 0, skipped;
    FILE *f = fopen("/proc/self/statm", "r");
    if (!f || fscanf(f, "%ld %ld", &skipped, &pages) != 2) pages = 0;
    if (f) fclose(f);
    return (double)pages * (double)sysconf(_SC_PAGESIZE);
}

static struct rg_regraph *parse(const char *text, size_t len, const char *name)
{
    struct rg_regraph *g;
    struct rg_error err = RG_ERROR_INIT;
    if (rg_regraph_parse(text, len, name, &g, &err) == RG_OK) return g;
    fprintf(stderr, "scale: %s\n", err.text);
    exit(2);
}

/* Steps in a ring of chords: ten edges from each, one of them from @start where i is small. */
static void regraph_load(void)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"format\":\"regraph/1\",\"name\":\"large\",\"steps\":[");
    for (int i = 0; i < STEPS; i++)
        rg_buf_printf(
            &b, "%s{\"id\":\"s%d\",\"title\":\"step %d\",\"category\":\"locality\",\"tunables\":{\"T\":[8,16,32]}}",
            i ? "," : "", i, i);
    rg_buf_str(&b, "],\"edges\":[");
    for (int i = 0; i < EDGES; i++) {
        int from = i % STEPS, jump = 1 + i / STEPS * 997;
        rg_buf_printf(&b, "%s{\"from\":\"%s%d\",\"to\":\"s%d\",\"prior\":0.%d,\"confidence\":2}", i ? "," : "", "s",
                      from, (from + jump) % STEPS, 1 + i % 9);
    }
    rg_buf_str(&b, "]}");
    double since = cpu_s();
    struct rg_regraph *g = parse(b.data, b.len, "large");
    int n;
    rg_regraph_out(g, 0, &n);
    told("load 10^4 steps and 10^5 edges", cpu_s() - since, load_s * slack, "s");
    rg_regraph_free(g);
    rg_buf_release(&b);
}

static enum rg_status no_sites(void *self, const struct rg_template *t, const struct rg_step *step,
                               struct rg_site_list *out, struct rg_error *err)
{
    return RG_OK;
}

static void forget(struct rg_template *t)
{
    free(t->key);
    free(t);
}

static const struct rg_template_ops ops = {.free = forget};

static struct rg_template *template(uint32_t node)
{
    struct rg_template *t = rg_xcalloc(1, sizeof *t);
    t->ops = &ops;
    t->coder = "none";
    t->key = rg_xasprintf("%u", node);
    return t;
}

/* Every node has FAN actions, of which the first four lead to nodes of their own; values are drawn. Selection goes down
 * along values and priors to an action that nobody tried, which then fails, and the back-up goes up to the root again.
 */
static void search_graph(void)
{
    const char *one = "{\"format\":\"regraph/"
                      "1\",\"name\":\"one\",\"steps\":[{\"id\":\"a\",\"title\":\"a\",\"category\":\"locality\"}],"
                      "\"edges\":[{\"from\":\"@start\",\"to\":\"a\",\"prior\":0.5}]}";
    struct rg_regraph *g = parse(one, strlen(one), "one");
    struct rg_coder coder = {.name = "none", .sites = no_sites}, *coders[] = {&coder};
    struct rg_evaluator ev = {.device = "sim:none", .arch = "sim:none", .estimated = true};
    struct rg_search_options o = {.policy = "mcgs", .in_flight = 1, .klass = "other"};
    struct rg_search_result out = {0};
    bool forbidden[1] = {false}, unfit[1] = {false}, down[1] = {false};
    struct rg__search s = {.o = &o,
                           .g = g,
                           .coders = coders,
                           .n_coders = 1,
                           .ev = &ev,
                           .out = &out,
                           .forbidden = forbidden,
                           .unfit = unfit,
                           .coder_down = down,
                           .in_flight = 1,
                           .naive_us = 100,
                           .n_lanes = 1};
    struct rg_rng rng;
    s.p = rg__params_default;
    rg_rng_seed(&s.rng, 1);
    rg_rng_seed(&rng, 2);
    rg__weights_init(&s);
    s.policy = rg__policy_find("mcgs");
    double before = resident();
    rg__node_add(&s, NULL, 0);
    uint32_t *led = rg_xcalloc(NODES, sizeof *led); /* edge that leads to the node */
    for (uint32_t node = 0; node < NODES; node++) {
        for (uint32_t k = 0; k < FAN; k++) {
            uint32_t e = rg__edge_add(&s, node, 0, k % 2 ? "loop i in f" : "loop j in f", 0, 0),
                     child = 4 * node + 1 + k;
            s.edges[e].prior = (double)(FAN - k) / (FAN * (FAN + 1) / 2);
            if (k >= 4 || child >= NODES) continue;
            rg__node_add(&s, template(child), s.nodes[node].depth + 1);
            rg__graph_link(&s, e, child);
            led[child] = e;
        }
        struct rg__node *n = &s.nodes[node];
        n->expanded[0] = n->expanded[1] = true;
        n->priors_at = s.n_credits;
        n->n_trials = 1;
        n->g = node ? rg_rng_unit(&rng) : 0;
    }
    double bytes = (resident() - before) / ((double)NODES * FAN);
    for (uint32_t node = NODES - 1; node > 0; node--) {
        rg__graph_refresh(&s, node);
        s.edges[led[node]].visits = s.edges[led[node]].wins = s.nodes[node].visits;
    }
    rg__graph_refresh(&s, RG__ROOT);
    struct rg_error err = RG_ERROR_INIT;
    int depth = 0, done = 0;
    s.policy->start(&s);
    double since = cpu_s();
    for (; done < ITERATIONS; done++) {
        struct rg__action *a = rg__action_new(&s);
        enum rg__next what;
        if (s.policy->next(&s, a, &what, &err) != RG_OK || what != RG__NEXT_ACTION) break;
        for (int i = 0; i < a->n_path; i++) s.edges[a->path[i]].visits++;
        depth += a->n_path;
        s.edges[a->edge].visits++;
        s.edges[a->edge].state = RG__EDGE_CLOSED;
        rg__graph_refresh(&s, a->parent);
        rg__action_free(a);
    }
    double us = (cpu_s() - since) * 1e6 / ITERATIONS;
    s.policy->stop(&s);
    if (done < ITERATIONS) {
        printf("the search ended after %d iterations: %s\n", done, err.text);
        missed++;
    }
    told("selection and back-up at 10^6 edges", us, iteration_us * slack, "us");
    printf("(%d edges, %.1f deep on average; an edge is %zu bytes, a node %zu)\n", s.n_edges,
           (double)depth / ITERATIONS, sizeof(struct rg__edge), sizeof(struct rg__node));
    told("bytes an edge, nodes and lists included", bytes, edge_bytes, "bytes");
    free(led);
    free(s.weights.w);
    free(s.tallies);
    free(s.pooled);
    free(s.own);
    rg__graph_release(&s);
    rg_regraph_free(g);
}

int main(int argc, char **argv)
{
    if (argc == 3 && !strcmp(argv[1], "--times-bound"))
        slack = atof(argv[2]);
    else if (argc > 1)
        return fprintf(stderr, "scale [--times-bound F]\n"), 2;
    regraph_load();
    search_graph();
    return missed > 0;
}
