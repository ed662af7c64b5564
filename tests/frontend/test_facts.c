/* Kills: what a condition says holds at an access until something that it speaks of is set. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "ir/access_walk.h"
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *what, *body; /* of an iteration of the loop over i; is k < n at the store to y? */
    bool holds;
} cases[] = {
    {"where it was asked", "if (k < n) y[i] = sin(k);", true},
    {"where it was not", "if (k < n) z[i] = 1; y[i] = sin(k);", false},
    {"in the other arm", "if (k < n) z[i] = 1; else y[i] = sin(k);", false},
    {"in front of a change", "if (k < n) { y[i] = sin(k); k += x[i] * 3; z[i] = k; }", true},
    {"behind a change", "if (k < n) { k += x[i] * 3; y[i] = sin(k); }", false},
    {"behind a change that may be", "if (k < n) { if (x[i] > 7) { k += x[i]; z[i] = 3; } y[i] = sin(k); }", false},
    {"behind a loop that changes it", "if (k < n) { while (x[k] > 3) k += x[k]; y[i] = sin(k); }", false},
    {"in a loop that changes it", "if (k < n) while (x[k] > 3) { y[i] += sin(k); k += x[k]; }", false},
    {"in a loop that does not", "if (k < n) { int j = 0; while (x[j] > 3) { y[i] += sin(k); j += x[j]; } }", true},
    {"asked of what changes then", "if (k++ < n) y[i] = sin(k);", false},
};

struct asked {
    int y, k, n;
    int stores, held;
};

static void look(void *arg, const struct rg__visit *v)
{
    struct asked *a = arg;
    if (v->node->array != a->y || !v->write) return;
    struct rg__poly k = rg__poly_var(a->k), n = rg__poly_var(a->n);
    a->stores++;
    a->held += rg__range_above(v->range, &n, &k, 1);
}

static int var(const struct rg_ctree *t, const char *name)
{
    for (int v = 0; v < t->n_vars; v++)
        if (!strcmp(t->vars[v].name, name)) return v;
    fail_msg("no variable %s", name);
    return -1;
}

/* The tree has loops with variables of their own, and every condition is where the file has it. */
static void listen(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t)
{
    struct asked *a = arg;
    (void)what;
    (void)seconds;
    if (strcmp(name, "loops")) return;
    a->k = var(t, "k");
    a->n = var(t, "n");
    for (int x = 0; x < t->n_arrays; x++)
        if (!strcmp(t->arrays[x].name, "y")) a->y = x;
    a->stores = a->held = 0;
    rg__each_access((struct rg_ctree *)t, t->root, NULL, look, a);
}

static void held(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[] = "/tmp/rg-facts-XXXXXX.c";
        int fd = mkstemps(file, 2);
        assert_true(fd >= 0);
        FILE *f = fdopen(fd, "w");
        fprintf(f,
                "#include <math.h>\n#pragma regraph size(n=50) extent(x: n)\n"
                "void f(int n, const int *x, double y[n], int z[n])\n{\n"
                "    for (int i = 0; i < n; i++) { int k = x[i]; %s }\n}\n",
                cases[i].body);
        fclose(f);
        struct asked a = {.y = -1};
        struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1, .pass = listen, .pass_arg = &a};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
        unlink(file);
        if (st != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
        if (!a.stores) fail_msg("%s: nothing is stored", cases[i].what);
        if (a.held != (cases[i].holds ? a.stores : 0))
            fail_msg("%s: held at %d of %d stores", cases[i].what, a.held, a.stores);
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(held)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
