/* Loop-invariant nests: which fills of a table move in front of the loop, and which must stay. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "ir/ctree_util.h"
#include <rg/frontend.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct {
    const char *what, *body; /* of an iteration of the loop over r; the table is `tab` */
    bool moves;
} cases[] = {
    {"the same each time", "for (int i = 0; i < 256; i++) tab[i] = i * i % 7; y[r] = tab[x[r]];", true},
    {"from what nobody changes", "for (int i = 0; i < 256; i++) tab[i] = x[0] + i; y[r] = tab[x[r]];", true},
    {"each from the one before", "tab[0] = 1; for (int i = 1; i < 256; i++) tab[i] = tab[i - 1] * 3; y[r] = tab[x[r]];",
     true},
    {"perhaps", "if (x[r] > 3) { for (int i = 0; i < 256; i++) tab[i] = i; y[r] = tab[x[r]]; }", true},
    {"by the iteration", "for (int i = 0; i < 256; i++) tab[i] = i * r; y[r] = tab[x[r]];", false},
    {"from what the loop writes", "for (int i = 0; i < 256; i++) tab[i] = y[0] + i; y[r] = tab[x[r]];", false},
    {"from a sum of the loop", "for (int i = 0; i < 256; i++) tab[i] = i + s; y[r] = tab[x[r]]; s += x[r];", false},
    {"read in front", "y[r] = tab[x[r]]; for (int i = 0; i < 256; i++) tab[i] = i;", false},
    {"written behind", "for (int i = 0; i < 256; i++) tab[i] = i; tab[x[r]] = 9; y[r] = tab[3];", false},
    {"from what it was", "for (int i = 0; i < 256; i++) tab[i] += i; y[r] = tab[x[r]];", false},
    {"under what the loop decides",
     "if (s > 3) { for (int i = 0; i < 256; i++) tab[i] = i; } y[r] = tab[x[r]]; s += x[r];", false},
};

static const struct rg_cnode *last_loop(const struct rg_cnode *root)
{
    for (int i = root->n - 1; i >= 0; i--)
        if (root->kid[i]->kind == RG_C_LOOP || root->kid[i]->kind == RG_C_OPAQUE) return root->kid[i];
    return NULL;
}

static void moved(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[] = "/tmp/rg-invariant-XXXXXX.c";
        int fd = mkstemps(file, 2);
        assert_true(fd >= 0);
        FILE *f = fdopen(fd, "w");
        fprintf(f,
                "static int tab[256];\n#pragma regraph input(x: uniform(0, 255)) size(rows=50)\n"
                "void f(int rows, const int x[rows], int y[rows])\n{\n    int s = 0;\n"
                "    for (int r = 0; r < rows; r++) { %s }\n}\n",
                cases[i].body);
        fclose(f);
        struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        enum rg_status st = rg_frontend_load(&o, &p, &t, &err);
        unlink(file);
        if (st != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
        int tab = -1;
        for (int a = 0; a < t->n_arrays; a++)
            if (!strcmp(t->arrays[a].name, "tab")) tab = a;
        assert_true(tab >= 0);
        const struct rg_cnode *loop = last_loop(t->root);
        assert_non_null(loop);
        bool inside = rg__writes_array(loop, tab), at_all = rg__writes_array(t->root, tab);
        if (!at_all) fail_msg("%s: the fill is gone", cases[i].what);
        if (inside == cases[i].moves)
            fail_msg("%s: the table is filled %s the loop", cases[i].what, inside ? "in" : "in front of");
        rg_problem_free(p);
        rg_ctree_free(t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(moved)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
