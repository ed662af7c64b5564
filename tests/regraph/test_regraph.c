/* Loading, printing, editing and structure of graphs. */
/* clang-format off */
#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
/* clang-format on */

#include <dirent.h>
#include <math.h>
#include <rg/file.h>
#include <rg/regraph.h>
#include <rg/regraph_tools.h>
#include <rg/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char small[] =
    "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": ["
    "{\"id\": \"c\", \"title\": \"C\", \"category\": \"memory\", \"when\": [\"reuse\"], \"limiter\": [\"l2\", "
    "\"dram\"],"
    " \"once\": \"site\", \"tunables\": {\"Y\": [8, 2, 4], \"X\": [1]}, \"require\": [\"X*Y <= 8\"], \"zeta\": {\"b\": "
    "1, \"a\": 0.1}},"
    "{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\", \"poly\": \"tile\", \"hint\": \"h\"},"
    "{\"id\": \"b\", \"title\": \"B\", \"category\": \"compute\", \"check\": {\"pattern\": \"x+\", \"change\": "
    "\"falls\", \"why\": 1}}],"
    "\"edges\": ["
    "{\"from\": \"a\", \"to\": \"b\", \"prior\": 0.25, \"confidence\": 4, \"note\": \"q\\\"\\n\\u00e9\", \"since\": "
    "2024,"
    " \"evidence\": [{\"device\": \"sm_90\", \"class\": \"stencil\", \"coder\": \"poly\", \"run\": \"r2\", \"n\": "
    "1000000002, \"ok\": 1000000001,"
    "   \"sum\": 9007199254740993, \"sumsq\": 9223372036854775807, \"max\": 9007199254740993, \"fail\": {\"race\": 1}, "
    "\"who\": \"me\"},"
    "  {\"device\": \"sm_90\", \"class\": \"stencil\", \"coder\": \"poly\", \"run\": \"r1\", \"n\": 1, \"ok\": 0}]},"
    "{\"from\": \"@start\", \"to\": \"c\", \"prior\": 1}, {\"from\": \"@start\", \"to\": \"a\", \"prior\": "
    "0.333333333333333315},"
    "{\"from\": \"b\", \"to\": \"a\", \"prior\": 0.5}, {\"from\": \"a\", \"to\": \"a\", \"prior\": 0.5}],"
    "\"owner\": [1, {\"y\": null, \"x\": true}], \"about\": \"x\"}";

static struct rg_regraph *parse(const char *text)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g = NULL;
    if (rg_regraph_parse(text, strlen(text), "t.json", &g, &err) != RG_OK)
        fail_msg("%d:%d: %s", err.line, err.column, err.text);
    return g;
}

static char *text_of(const struct rg_regraph *g)
{
    struct rg_buf b = RG_BUF_INIT;
    assert_int_equal(rg_regraph_print(g, &b, NULL), RG_OK);
    return rg_buf_steal(&b);
}

static void assert_text(const struct rg_regraph *g, const char *expected)
{
    char *text = text_of(g);
    assert_string_equal(text, expected);
    free(text);
}

/* --- files with one fault each --- */

static int by_name(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void test_invalid(void **state)
{
    DIR *d = opendir("tests/regraph/invalid");
    char *names[512];
    int n = 0;
    assert_non_null(d);
    for (struct dirent *e; (e = readdir(d)) != NULL && n < 512;)
        if (e->d_name[0] != '.') names[n++] = rg_xstrdup(e->d_name);
    closedir(d);
    assert_true(n >= 60);
    qsort(names, (size_t)n, sizeof names[0], by_name);
    for (int i = 0; i < n; i++) {
        char path[512], *text, *expected, got[2048];
        size_t len, expected_len;
        struct rg_error err = RG_ERROR_INIT;
        struct rg_regraph *g = (struct rg_regraph *)(uintptr_t)1;
        snprintf(path, sizeof path, "tests/regraph/invalid/%s/graph.json", names[i]);
        assert_int_equal(rg_file_read(path, 0, &text, &len, NULL), RG_OK);
        snprintf(path, sizeof path, "tests/regraph/invalid/%s/error", names[i]);
        assert_int_equal(rg_file_read(path, 0, &expected, &expected_len, NULL), RG_OK);
        if (expected_len && expected[expected_len - 1] == '\n') expected[expected_len - 1] = '\0';
        if (rg_regraph_parse(text, len, "graph.json", &g, &err) != RG_INPUT) fail_msg("%s: accepted", names[i]);
        assert_null(g);
        rg_error_format(&err, got, sizeof got);
        if (strcmp(got, expected) != 0) fail_msg("%s:\n got  %s\n want %s", names[i], got, expected);
        free(text);
        free(expected);
        free(names[i]);
    }
}

static void test_missing_file(void **state)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g;
    assert_int_not_equal(rg_regraph_load("tests/regraph/none.json", &g, &err), RG_OK);
    assert_null(g);
    assert_non_null(strstr(err.text, "No such file"));
}

/* --- the shipped graph --- */

static void test_shipped(void **state)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_regraph *g;
    char *text;
    size_t len;
    assert_int_equal(rg_regraph_load("graphs/cuda.json", &g, &err), RG_OK);
    assert_int_equal(rg_file_read("graphs/cuda.json", 0, &text, &len, NULL), RG_OK);
    assert_text(g, text);
    free(text);
    assert_true(rg_regraph_steps(g) >= 34);
    for (int i = 0; i < rg_regraph_steps(g); i++) {
        const struct rg_step *s = rg_regraph_step(g, i);
        if (!*s->hint || !s->precondition || !s->check_pattern || !s->source) fail_msg("%s lacks a member", s->id);
    }
    static const char *const poly[][2] = {{"parallelize", "parallelize"}, {"coalesce", "coalesce"},
                                          {"tile.shared", "tile_shared"}, {"coarsen.register", "coarsen_register"},
                                          {"unroll", "unroll"},           {"reduce.block", "reduce_block"},
                                          {"block.shape", "block_shape"}, {"vectorize", "vectorize"},
                                          {"grid.stride", "grid_stride"}, {"reduce.warp", "reduce_warp"},
                                          {"interchange", "interchange"}, {"launch.bounds", "launch_bounds"},
                                          {"readonly", "readonly"},       {"histogram.private", "privatise_histogram"}};
    for (size_t i = 0; i < sizeof poly / sizeof poly[0]; i++) {
        int s = rg_regraph_find(g, poly[i][0]);
        assert_true(s >= 0);
        assert_string_equal(rg_regraph_step(g, s)->poly, poly[i][1]);
    }
    struct rg_buf doubts = RG_BUF_INIT;
    if (rg_regraph_review(g, true, &doubts, &err) != 0) fail_msg("%s", doubts.data);
    rg_buf_release(&doubts);
    rg_regraph_free(g);
}

/* --- canonical text --- */

static const char small_printed[] =
    "{\n"
    "  \"format\": \"regraph/1\",\n"
    "  \"name\": \"t\",\n"
    "  \"steps\": [\n"
    "    {\n"
    "      \"id\": \"a\",\n"
    "      \"title\": \"A\",\n"
    "      \"category\": \"memory\",\n"
    "      \"poly\": \"tile\",\n"
    "      \"hint\": \"h\"\n"
    "    },\n"
    "    {\n"
    "      \"id\": \"b\",\n"
    "      \"title\": \"B\",\n"
    "      \"category\": \"compute\",\n"
    "      \"check\": {\"pattern\": \"x+\", \"change\": \"falls\", \"why\": 1}\n"
    "    },\n"
    "    {\n"
    "      \"id\": \"c\",\n"
    "      \"title\": \"C\",\n"
    "      \"category\": \"memory\",\n"
    "      \"when\": [\"reuse\"],\n"
    "      \"limiter\": [\"dram\", \"l2\"],\n"
    "      \"once\": \"site\",\n"
    "      \"tunables\": {\"X\": [1], \"Y\": [8, 2, 4]},\n"
    "      \"require\": [\"X*Y <= 8\"],\n"
    "      \"zeta\": {\"a\": 0.1, \"b\": 1}\n"
    "    }\n"
    "  ],\n"
    "  \"edges\": [\n"
    "    {\"from\": \"@start\", \"to\": \"a\", \"prior\": 0.333333333333333, \"confidence\": 1},\n"
    "    {\"from\": \"@start\", \"to\": \"c\", \"prior\": 1, \"confidence\": 1},\n"
    "    {\"from\": \"a\", \"to\": \"a\", \"prior\": 0.5, \"confidence\": 1},\n"
    "    {\"from\": \"a\", \"to\": \"b\", \"prior\": 0.25, \"confidence\": 4, \"note\": \"q\\\"\\n\xc3\xa9\",\n"
    "      \"evidence\": [\n"
    "        {\"device\": \"sm_90\", \"class\": \"stencil\", \"coder\": \"poly\", \"run\": \"r1\", \"n\": 1, \"ok\": "
    "0},\n"
    "        {\"device\": \"sm_90\", \"class\": \"stencil\", \"coder\": \"poly\", \"run\": \"r2\", \"n\": 1000000002, "
    "\"ok\": 1000000001, \"sum\": "
    "9007199254740993, \"sumsq\": 9223372036854775807, \"max\": 9007199254740993, \"fail\": {\"race\": 1}, \"who\": "
    "\"me\"}], "
    "\"since\": 2024},\n"
    "    {\"from\": \"b\", \"to\": \"a\", \"prior\": 0.5, \"confidence\": 1}\n"
    "  ],\n"
    "  \"about\": \"x\",\n"
    "  \"owner\": [1, {\"x\": true, \"y\": null}]\n"
    "}\n";

/* Chains of the baseline: printed as read, copied, and without the steps that are removed. */
static void test_baseline(void **state)
{
    static const char text[] =
        "{\n"
        "  \"format\": \"regraph/1\",\n"
        "  \"name\": \"t\",\n"
        "  \"baseline\": [\n"
        "    [{\"step\": \"b\", \"site\": \"C\"}, {\"step\": \"c\", \"optional\": true}],\n"
        "    [{\"step\": \"a\"}]\n"
        "  ],\n"
        "  \"steps\": [\n"
        "    {\n      \"id\": \"a\",\n      \"title\": \"A\",\n      \"category\": \"memory\"\n    },\n"
        "    {\n      \"id\": \"b\",\n      \"title\": \"B\",\n      \"category\": \"memory\"\n    },\n"
        "    {\n      \"id\": \"c\",\n      \"title\": \"C\",\n      \"category\": \"memory\"\n    }\n"
        "  ],\n"
        "  \"edges\": []\n"
        "}\n";
    struct rg_regraph *g = parse(text),
                      *bare = parse("{\"format\":\"regraph/1\",\"name\":\"t\",\"steps\":[],\"edges\":[]}");
    struct rg_error err = RG_ERROR_INIT;
    int n;
    assert_text(g, text);
    struct rg_regraph *copy = rg_regraph_clone(g);
    if (rg_regraph_merge(bare, g, NULL, &err) != RG_OK) fail_msg("%s", err.text);
    if (rg_regraph_remove_step(g, "c", &err) != RG_OK) fail_msg("%s", err.text); /* optional: its chain stays */
    const struct rg_baseline_chain *c = rg_regraph_baseline(g, &n);
    assert_int_equal(n, 2);
    assert_int_equal(c[0].n, 1);
    assert_string_equal(c[0].items[0].site, "C");
    if (rg_regraph_remove_step(g, "b", &err) != RG_OK) fail_msg("%s", err.text);
    c = rg_regraph_baseline(g, &n);
    assert_int_equal(n, 1);
    assert_string_equal(c[0].items[0].step, "a");
    rg_regraph_free(g);
    assert_text(copy, text);
    assert_text(bare, text);
    rg_regraph_free(copy);
    rg_regraph_free(bare);
}

static void test_canonical(void **state)
{
    struct rg_regraph *g = parse(small);
    assert_text(g, small_printed);
    struct rg_regraph *again = parse(small_printed), *copy = rg_regraph_clone(g);
    assert_text(again, small_printed);
    rg_regraph_free(g); /* a clone shares nothing */
    assert_text(copy, small_printed);
    const struct rg_tunables *t = &rg_regraph_step(copy, rg_regraph_find(copy, "c"))->tunables;
    assert_int_equal(t->n, 2);
    assert_string_equal(t->items[1].name, "Y");
    assert_int_equal(t->items[1].start, 8); /* the first written */
    assert_int_equal(t->items[1].values[0], 2);
    assert_int_equal(t->items[1].values[2], 8);
    rg_regraph_free(again);
    rg_regraph_free(copy);
}

/* Reals have 15 significant digits, those of few decimals too, which are written another way. */
static void test_reals(void **state)
{
    (void)state;
    struct rg_rng r;
    rg_rng_seed(&r, 7);
    static const double units[] = {1, 1e3, 1e6, 1e7, 3};
    static const double fixed[] = {0, 1, 12, 999999.5, 1e6, 0.1, 0.0001, 0.00012, 0.00009, 1.0 / 3, 0.1 + 0.2, 1e-6};
    enum { DRAWN = 2000, FIXED = sizeof fixed / sizeof *fixed };
    for (int i = 0; i < DRAWN + FIXED; i++) {
        double unit = units[i % 5], v = i < FIXED ? fixed[i] : floor(rg_rng_unit(&r) * unit) / unit * (i % 7 ? 1 : 1e5);
        char text[400], want[80];
        snprintf(text, sizeof text,
                 "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": [{\"id\": \"a\", \"title\": \"A\", "
                 "\"category\": \"memory\"}], \"edges\": [{\"from\": \"@start\", \"to\": \"a\", \"prior\": 0, "
                 "\"confidence\": %.17g}]}",
                 v);
        snprintf(want, sizeof want, "\"confidence\": %.15g}", v);
        struct rg_regraph *g = parse(text);
        char *got = text_of(g);
        if (!strstr(got, want)) fail_msg("%s is not in %s", want, got);
        free(got);
        rg_regraph_free(g);
    }
}

static void test_empty(void **state)
{
    struct rg_regraph *g = parse("{\"edges\":[],\"steps\":[],\"name\":\"\",\"format\":\"regraph/1\"}");
    int n;
    assert_text(g, "{\n  \"format\": \"regraph/1\",\n  \"name\": \"\",\n  \"steps\": [],\n  \"edges\": []\n}\n");
    rg_regraph_out(g, -1, &n);
    assert_int_equal(n, 0);
    assert_int_equal(rg_regraph_find(g, "a"), -1);
    assert_null(rg_regraph_step(g, 0));
    assert_null(rg_regraph_edge(g, 0));
    rg_regraph_free(g);
}

static void test_save(void **state)
{
    struct rg_regraph *g = parse(small), *h;
    struct rg_error err = RG_ERROR_INIT;
    char path[] = "/tmp/rg-test-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    close(fd);
    assert_int_equal(rg_regraph_save(g, path, &err), RG_OK);
    assert_int_equal(rg_regraph_load(path, &h, &err), RG_OK);
    assert_text(h, small_printed);
    unlink(path);
    assert_int_not_equal(rg_regraph_save(g, "/nonexistent/x.json", &err), RG_OK);
    rg_regraph_free(g);
    rg_regraph_free(h);
}

/* --- edits --- */

static void test_edits(void **state)
{
    struct rg_regraph *g = parse(small);
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(
        rg_regraph_add_step(g, "{\"id\": \"aa\", \"title\": \"T\", \"category\": \"tuning\", \"x\": 1}", &err), RG_OK);
    assert_int_equal(rg_regraph_add_edge(g, "aa", "b", 0.125, 3, "n", &err), RG_OK);
    assert_int_equal(rg_regraph_set(g, "a", "b", 0.75, NAN, NULL, &err), RG_OK);
    int e = rg_regraph_find_edge(g, rg_regraph_find(g, "a"), rg_regraph_find(g, "b"));
    assert_true(rg_regraph_edge(g, e)->prior == 0.75 && rg_regraph_edge(g, e)->confidence == 4);
    assert_int_equal(rg_regraph_edge(g, e)->n_evidence, 2); /* evidence survives */
    assert_int_equal(rg_regraph_set(g, "a", "b", 0.25, NAN, NULL, &err), RG_OK);
    assert_int_equal(rg_regraph_remove_edge(g, "aa", "b", &err), RG_OK);
    assert_int_equal(rg_regraph_add_edge(g, "aa", "aa", 1, 1, NULL, &err), RG_OK);
    assert_int_equal(rg_regraph_add_edge(g, "b", "aa", 1, 1, NULL, &err), RG_OK);
    assert_int_equal(rg_regraph_remove_step(g, "aa", &err), RG_OK); /* its edges go with it */
    int n_removed; /* both removals are remembered; all else is as it was */
    assert_string_equal(rg_regraph_removals(g, &n_removed)[0].step, "aa");
    assert_int_equal(n_removed, 2);
    assert_int_equal(rg_regraph_add_step(g, "{\"id\": \"aa\", \"title\": \"T\", \"category\": \"tuning\"}", &err),
                     RG_OK);
    assert_int_equal(rg_regraph_add_edge(g, "aa", "b", 0.125, 3, NULL, &err), RG_OK);
    rg_regraph_removals(g, &n_removed);
    assert_int_equal(n_removed, 0);
    rg_regraph_free(g);
    g = parse(small);

    struct {
        int s;
        const char *what;
    } refused[] = {
        {rg_regraph_add_step(g, "{\"id\": \"a\", \"title\": \"T\", \"category\": \"tuning\"}", NULL), "duplicate"},
        {rg_regraph_add_step(g, "{\"id\": \"z\"", NULL), "no JSON"},
        {rg_regraph_add_step(g, "{\"id\": \"z\", \"title\": \"T\", \"category\": \"x\"}", NULL), "category"},
        {rg_regraph_add_edge(g, "a", "b", 0.5, 1, NULL, NULL), "edge exists"},
        {rg_regraph_add_edge(g, "a", "zz", 0.5, 1, NULL, NULL), "unknown"},
        {rg_regraph_add_edge(g, "a", "@start", 0.5, 1, NULL, NULL), "to start"},
        {rg_regraph_add_edge(g, "a", "c", 1.5, 1, NULL, NULL), "prior"},
        {rg_regraph_add_edge(g, "a", "c", NAN, 1, NULL, NULL), "NaN"},
        {rg_regraph_add_edge(g, "a", "c", 0.5, INFINITY, NULL, NULL), "infinite"},
        {rg_regraph_add_edge(g, "a", "c", 0.5, 1, "\xff", NULL), "bytes"},
        {rg_regraph_set(g, "a", "c", 0.5, 1, NULL, NULL), "no such edge"},
        {rg_regraph_set(g, "a", "b", -0.5, 1, NULL, NULL), "negative"},
        {rg_regraph_remove_edge(g, "a", "c", NULL), "no such edge"},
        {rg_regraph_remove_step(g, "@start", NULL), "start"},
    };
    for (size_t i = 0; i < sizeof refused / sizeof refused[0]; i++)
        if (refused[i].s != RG_INPUT) fail_msg("not refused: %s", refused[i].what);
    assert_text(g, small_printed);
    rg_regraph_free(g);
}

/* --- look-ups against the plain definition, on random graphs --- */

static struct rg_regraph *random_graph(struct rg_rng *r, int n_steps, int n_edges)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"format\": \"regraph/1\", \"name\": \"r\", \"edges\": [], \"steps\": [");
    for (int i = 0; i < n_steps; i++) /* ids not in order */
        rg_buf_printf(&b, "%s{\"id\": \"s%d\", \"title\": \"T\", \"category\": \"memory\"}", i ? "," : "",
                      n_steps - 1 - i);
    rg_buf_str(&b, "]}");
    struct rg_regraph *g = parse(b.data);
    rg_buf_release(&b);
    for (int i = 0; i < n_edges; i++) {
        char from[16], to[16];
        snprintf(from, sizeof from, rg_rng_below(r, 8) ? "s%d" : "@start", (int)rg_rng_below(r, (uint64_t)n_steps));
        snprintf(to, sizeof to, "s%d", (int)rg_rng_below(r, (uint64_t)n_steps));
        rg_regraph_add_edge(g, from, to, 0.5, 1, NULL, NULL); /* one there already is refused */
    }
    return g;
}

static void test_lookup(void **state)
{
    struct rg_rng r;
    rg_rng_seed(&r, 5);
    for (int round = 0; round < 20; round++) {
        struct rg_regraph *g = random_graph(&r, 1 + (int)rg_rng_below(&r, 12), (int)rg_rng_below(&r, 40));
        int total = 0;
        for (int from = -1; from < rg_regraph_steps(g); from++) {
            int n;
            const int *out = rg_regraph_out(g, from, &n);
            total += n;
            for (int i = 0; i < n; i++) {
                const struct rg_edge *e = rg_regraph_edge(g, out[i]);
                assert_int_equal(e->from, from);
                assert_int_equal(rg_regraph_find_edge(g, from, e->to), out[i]);
            }
        }
        assert_int_equal(total, rg_regraph_edges(g));
        for (int i = 1; i < rg_regraph_steps(g); i++)
            assert_true(strcmp(rg_regraph_step(g, i - 1)->id, rg_regraph_step(g, i)->id) < 0);
        for (int i = 0; i < rg_regraph_steps(g); i++)
            assert_int_equal(rg_regraph_find(g, rg_regraph_step(g, i)->id), i);
        rg_regraph_free(g);
    }
}

/* --- structure --- */

static void test_shape(void **state)
{
    struct rg_regraph *g = parse(small);
    struct rg_regraph_shape s;
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(rg_regraph_add_step(g, "{\"id\": \"d\", \"title\": \"D\", \"category\": \"tuning\"}", &err),
                     RG_OK);
    assert_int_equal(rg_regraph_shape(g, &s, &err), RG_OK);
    assert_int_equal(s.n_steps, 4);
    const int depth[] = {1, 2, 1, -1}, size[] = {2, 2, 1, 1};
    double total = 0;
    for (int i = 0; i < 4; i++) {
        assert_int_equal(s.depth[i], depth[i]);
        assert_int_equal(s.component_size[i], size[i]);
        total += s.centrality[i];
    }
    assert_true(fabs(total - 1) < 1e-9);
    assert_int_equal(s.component[0], s.component[1]);
    assert_int_not_equal(s.component[0], s.component[2]);
    assert_int_equal(s.n_unreachable, 1);
    assert_int_equal(s.n_cyclic_components, 1);
    rg_regraph_shape_release(&s);
    struct rg_buf b = RG_BUF_INIT;
    assert_true(rg_regraph_review(g, true, &b, &err) > 0);
    assert_non_null(strstr(b.data, "step d: can't be reached from @start"));
    assert_non_null(strstr(b.data, "step a: lies on a cycle"));
    rg_buf_release(&b);
    rg_regraph_free(g);
    g = parse("{\"edges\":[],\"steps\":[],\"name\":\"\",\"format\":\"regraph/1\"}");
    assert_int_equal(rg_regraph_shape(g, &s, &err), RG_OK);
    rg_regraph_shape_release(&s);
    rg_regraph_free(g);
}

static void test_diff(void **state)
{
    struct rg_regraph *a = parse(small), *b = parse(small);
    struct rg_buf t = RG_BUF_INIT;
    assert_int_equal(rg_regraph_diff(a, b, &t), 0);
    assert_int_equal(t.len, 0);
    rg_regraph_set(b, "a", "b", 0.5, 6, NULL, NULL);
    rg_regraph_remove_step(b, "c", NULL);
    rg_regraph_add_edge(b, "@start", "b", 0.5, 1, NULL, NULL);
    assert_int_equal(rg_regraph_diff(a, b, &t), 5);
    assert_string_equal(t.data, "- step c\n- edge @start -> c\n+ edge @start -> b prior 0.5\n"
                                "~ edge a -> b prior 0.25 -> 0.5 confidence 4 -> 6\n~ removed: 0 entries -> 1\n");
    rg_buf_reset(&t);
    rg_regraph_dot(a, &(struct rg_regraph_picture){.strongest = 0}, &t);
    assert_non_null(strstr(t.data, "\"@start\" -> \"c\""));
    rg_buf_release(&t);
    rg_regraph_free(a);
    rg_regraph_free(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_invalid),  cmocka_unit_test(test_missing_file), cmocka_unit_test(test_shipped),
        cmocka_unit_test(test_baseline), cmocka_unit_test(test_canonical),    cmocka_unit_test(test_empty),
        cmocka_unit_test(test_save),     cmocka_unit_test(test_edits),        cmocka_unit_test(test_lookup),
        cmocka_unit_test(test_shape),    cmocka_unit_test(test_diff),         cmocka_unit_test(test_reals),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
