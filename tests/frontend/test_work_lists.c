/* Work lists: which searches of a graph are proven to visit a level at a time in any order, and which are not. Each is
 * written in a function of its own; where it is taken, the list is gone and rounds are marked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char *tree_of(const char *search)
{
    char path[] = "/tmp/test_lists_XXXXXX.c";
    int fd = mkstemps(path, 2);
    FILE *f = fdopen(fd, "w");
    assert_non_null(f);
    fprintf(
        f,
        "#include <limits.h>\n#include <stdlib.h>\n"
        "#pragma regraph size(n=50, m=400, s=3) extent(off: n + 1) extent(adj: m) extent(w: n) extent(d: n)\n"
        "#pragma regraph extent(p: n) extent(c: m)\n"
        "int prog(int n, int m, int s, const int *off, const int *adj, const int *w, const int *c, int *d, int *p)\n"
        "{\n    int count = 0, flag = 0, head = 0, tail = 0, *q = malloc(n * sizeof(int));\n"
        "    for (int i = 0; i < n; i++) p[i] = -1;\n%s\n    free(q);\n    return count + 5 * flag;\n}\n",
        search);
    fclose(f);
    const struct rg_frontend_options o = {.file = path, .rtol = -1, .atol = -1};
    struct rg_problem *problem = NULL;
    struct rg_ctree *t = NULL;
    struct rg_error err = RG_ERROR_INIT;
    enum rg_status st = rg_frontend_load(&o, &problem, &t, &err);
    unlink(path);
    if (st != RG_OK) fail_msg("%s: %s", search, err.text);
    struct rg_buf b = RG_BUF_INIT;
    rg_frontend_explain(&b, problem, t);
    char *text = strdup(b.data);
    rg_buf_release(&b);
    rg_problem_free(problem);
    rg_ctree_free(t);
    return text;
}

/* A queue, with what is done with a vertex u and, at its edges e, with v that is found. */
#define CLEAR(k) "for (int i = 0; i < n; i++) d[i] = " k "; "
#define QUEUE(clear, visit, ask, found)                                                                                \
    clear "d[s] = 0; q[tail++] = s; while (head < tail) { int u = q[head++]; " visit                                   \
          " for (int e = off[u]; e < off[u + 1]; e++) { int v = adj[e]; " ask " { " found " q[tail++] = v; } } }"
#define BFS(visit, ask, found) QUEUE(CLEAR("-1"), visit, ask, found)
#define SEEDS(who) "for (int i = 0; i < n; i++) if (" who ") q[tail++] = i; "
#define EDGES(ask, mark)                                                                                               \
    "for (int e = off[u]; e < off[u + 1]; e++) { int v = adj[e]; if (" ask ") { d[v] = " mark "; q[tail++] = v; } } }"
#define AMONG(ask, mark) "while (head < tail) { int u = q[head++]; " EDGES(ask, mark)
#define STACK(ask, mark) "while (tail > 0) { int u = q[--tail]; " EDGES(ask, mark)

static const struct {
    const char *search;
    bool taken;
} searches[] = {
    {BFS("", "if (d[v] < 0)", "d[v] = d[u] + 1;"), true},
    {BFS("count++;", "if (d[v] == -1)", "d[v] = d[u] + 1;"), true},
    {BFS("", "if (d[v] != -1) continue;", "d[v] = d[u] + 1;"), true},
    {BFS("count += w[u];", "if (d[v] < 0 && w[v] > 2)", "d[v] = d[u] + 2; flag = 1;"), true},
    {BFS("", "if (d[v] < 0 && c[e] > 0)", "d[v] = 7; count++;"), true},
    {BFS("p[u] = w[u];", "if (d[v] < 0)", "d[v] = 1;"), true},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; p[v] = w[v];"), true},
    {QUEUE(CLEAR("INT_MAX"), "", "if (d[v] == INT_MAX)", "d[v] = d[u] + 1;"), true},
    {QUEUE(CLEAR("-1"), "int now = d[u];", "if (d[v] < 0)", "d[v] = now + 1;"), true},
    {CLEAR("0") "d[s] = 1; q[tail++] = s; while (tail > 0) { int u = q[--tail]; count++;"
                "for (int e = off[u]; e < off[u + 1]; e++) if (!d[adj[e]]) { d[adj[e]] = 1; q[tail++] = adj[e]; } }",
     true},
    {BFS("", "if (d[v] < 0)", "d[v] = d[u] + 1; if (d[v] > count) count = d[v];"), true},
    {BFS("", "if (d[v] < 0)", "d[v] = d[u] + 1; count = count > w[v] ? count : w[v];"), true},
    {BFS("if (w[u] <= count) count = w[u];", "if (d[v] < 0)", "d[v] = d[u] + 1; flag += d[v];"), true},
    {BFS("count = d[u] > count ? d[u] : count;", "if (d[v] < 0)", "d[v] = d[u] + 1;"), true},
    /* marks that were there before say who can be found; all that the list begins with have another */
    {"q[tail++] = s; d[s] = 0; " AMONG("d[v] < 0", "0"), true},
    {SEEDS("d[i] == 2") AMONG("d[v] == 1", "2"), true},
    {SEEDS("d[i] == 2") AMONG("d[v] == 1 && w[v] > 3", "3"), true},
    {SEEDS("d[i] > 5 && w[i] > 0") STACK("!(d[v] > 5)", "7"), true},
    {SEEDS("d[i] > 5 && w[i] > 0") STACK("d[v] <= 5", "7"), true},
    {CLEAR("0") "for (int i = 0; i < n; i++) if (w[i] > 3) { d[i] = 1; q[tail++] = i; } " STACK("!d[v]", "1"), true},
    {"q[tail++] = s; " AMONG("d[v] < 0", "0"), false},
    {"q[tail++] = s; d[s] = 0; d[0] = -1; " AMONG("d[v] < 0", "0"), false},
    {"d[s] = 0; s = off[s]; q[tail++] = s; " AMONG("d[v] < 0", "0"), false},
    {SEEDS("d[i] >= 1") AMONG("d[v] == 1", "2"), false},
    {SEEDS("w[i] == 2") AMONG("d[v] == 1", "2"), false},
    {SEEDS("d[i] == 2") AMONG("d[v] == 1", "1"), false},
    {SEEDS("d[i] == 2") AMONG("d[v] == 1 || d[v] == 0", "2"), false},
    {SEEDS("d[i] == 2") AMONG("d[v] < 2", "2 + u"), false},
    {SEEDS("d[i] == 2") "d[n - 1] = 1; " AMONG("d[v] == 1", "2"), false},
    {"for (int i = 0; i < n; i++) if (d[adj[i]] == 2) q[tail++] = adj[i]; " AMONG("d[v] == 1", "2"), false},
    {SEEDS("d[i] == 2") AMONG("d[v] == 1", "2; p[u] = d[u]"), false},
    /* an extreme of what depends on the order, that is asked for, that is two */
    {BFS("", "if (d[v] < 0)", "d[v] = 1; if (c[e] > count) count = c[e];"), false},
    {BFS("", "if (d[v] < 0)", "if (d[v] > count) count = d[v]; d[v] = d[u] + 1;"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; if (w[u] > count) count = w[u];"), false},
    {BFS("if (w[u] > count) count = w[u]; p[u] = count;", "if (d[v] < 0)", "d[v] = 1;"), false},
    {BFS("if (w[u] < count) count = w[u];", "if (d[v] < 0)", "d[v] = 1; if (w[v] > count) count = w[v];"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; if (w[v] > count) count = w[v]; else flag = w[v];"), false},
    /* who found it */
    {BFS("", "if (d[v] < 0)", "d[v] = d[u] + 1; p[v] = u;"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = d[u] + c[e];"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; count += w[u];"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; p[u] = v;"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1; p[v] = tail;"), false},
    {BFS("int k = 0;", "if (d[v] < 0)", "d[v] = 1; k++; p[u] = k;"), false},
    /* who was found already, by whom, or is asked again */
    {BFS("", "if (d[v] >= 0) { count++; continue; } else", "d[v] = 1;"), false},
    {BFS("", "if (d[v] < 0) count++; if (d[v] < 0 && c[e] > 0)", "d[v] = 1;"), false},
    {BFS("", "if (d[v] < 0 || w[v] > 2)", "d[v] = d[u] + 1;"), false},
    {BFS("", "if (d[v] < 3)", "d[v] = d[u] + 1;"), false},
    {BFS("", "if (d[v] < 0)", "p[v] = 1;"), false},
    {BFS("", "if (d[v] < 0)", "d[v] = -1;"), false},
    {BFS("if (p[u] > 0) continue;", "if (d[v] < 0)", "d[v] = 1; p[v] = 4;"), false},
    {BFS("count = u;", "if (d[v] < 0)", "d[v] = 1;"), false},
    {BFS("d[u] = 5;", "if (d[v] < 0)", "d[v] = d[u] + 1;"), false},
    /* a stack's levels are those of its order */
    {CLEAR("-1") "d[s] = 0; q[tail++] = s; while (tail > 0) { int u = q[--tail];"
                 "for (int e = off[u]; e < off[u + 1]; e++) if (d[adj[e]] < 0) { d[adj[e]] = d[u] + 1; q[tail++] = "
                 "adj[e]; } }",
     false},
    /* two to begin with, a list that is read behind the search */
    {CLEAR(
         "-1") "d[s] = 0; q[tail++] = s; d[0] = 0; q[tail++] = 0; while (head < tail) { int u = q[head++];"
               "for (int e = off[u]; e < off[u + 1]; e++) if (d[adj[e]] < 0) { d[adj[e]] = 1; q[tail++] = adj[e]; } }",
     false},
    {BFS("", "if (d[v] < 0)", "d[v] = 1;") " for (int i = 0; i < tail; i++) p[i] = q[i];", false},
};

static void test_searches(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof searches / sizeof *searches; i++) {
        char *text = tree_of(searches[i].search);
        bool taken = strstr(text, "front[") != NULL;
        if (taken != searches[i].taken) fail_msg("%s: %s\n%s", searches[i].search, taken ? "taken" : "not taken", text);
        free(text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_searches)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
