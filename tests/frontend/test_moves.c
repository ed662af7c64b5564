/* Buffers that move in loops within loops: which become an iteration's own, which are followed by a local that says how
 * they stand, and which are not followed. */
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

enum outcome { OWN, TURN, OPAQUE };

#define SWAP "{ int *t = a; a = b; b = t; } "
#define FILL "for (int j = 0; j <= k; j++) a[j] = x[r * m + j % m]; "
#define STEP "for (int j = 0; j <= k; j++) b[j] = a[j] + (j > 0 ? a[j - 1] : 0); "
#define ROUNDS "for (int i = 0; i < m; i++) { " STEP SWAP "} "
static const struct {
    const char *what, *body; /* of the loop over r; a and b have k + 1 elements */
    enum outcome outcome;
    const char *behind; /* the loop; NULL: nothing */
} cases[] = {
    {"filled, then in turn", FILL ROUNDS "y[r] = a[k];", OWN, NULL},
    {"from the left neighbour",
     "for (int j = 0; j <= k; j++) a[j] = j; for (int i = 0; i < m; i++) { b[0] = i; for (int j = 1; j <= k; j++) "
     "b[j] = b[j - 1] < a[j] ? b[j - 1] : a[j - 1]; " SWAP "} y[r] = a[k];",
     OWN, NULL},
    {"both filled, exchanged where data say",
     FILL "for (int j = 0; j <= k; j++) b[j] = j; for (int i = 0; i < m; i++) { " STEP "if (x[i] > 40) " SWAP
          "} y[r] = a[k];",
     OWN, NULL},
    {"one filled, exchanged where data say",
     FILL "for (int i = 0; i < m; i++) { " STEP "if (x[i] > 40) " SWAP "} y[r] = a[k];", TURN, NULL},
    {"nobody asks what comes out", FILL ROUNDS "y[r] = r;", OWN, NULL},
    {"a loop around", "for (int u = 0; u < 2; u++) { " FILL ROUNDS "y[r] = a[k]; }", OWN, NULL},
    {"the next one reads what this one left", "a[0] = r; " ROUNDS "y[r] = a[k];", TURN, NULL},
    {"its first element stays", "for (int j = 1; j <= k; j++) a[j] = r; " ROUNDS "y[r] = a[k];", TURN, NULL},
    {"its last element stays", "for (int j = 0; j < k; j++) a[j] = r; " ROUNDS "y[r] = a[k];", TURN, NULL},
    {"filled perhaps", "if (x[r] > 40) " FILL ROUNDS "y[r] = a[k];", TURN, NULL},
    {"the other one is read", FILL "y[r] = b[0]; " ROUNDS, TURN, NULL},
    {"the other one is read where no round ran", FILL ROUNDS "y[r] = b[k];", TURN, NULL},
    {"read behind the loop", FILL ROUNDS "y[r] = a[k];", TURN, "y[0] += a[0];"},
    {"written by another name", FILL "buf[0] = 7; " ROUNDS "y[r] = a[k];", OWN, NULL},
    {"one buffer under two names", FILL "for (int i = 0; i < m; i++) { " STEP "a = b; } y[r] = a[k];", TURN, NULL},
    {"one of them never comes back", FILL "for (int i = 0; i < m; i++) { " STEP SWAP "} y[r] = a[k]; a = c;", OWN,
     NULL},
    {"too many states",
     "for (int i = 0; i < m; i++) { if (x[i] > 10) " SWAP "if (x[i] > 20) { int *t = b; b = c; c = t; } if (x[i] > 30) "
     "{ int *t = c; c = d; d = t; } } a[0] += r; b[1] += r; c[2] += r; d[0]++; y[r] = a[k] + b[k] + c[k] + d[k];",
     OPAQUE, NULL},
};

struct seen {
    bool opaque, turn, own;
};

static void look(const struct rg_ctree *t, const struct rg_cnode *n, bool inside, struct seen *s)
{
    if (!n) return;
    s->opaque |= n->kind == RG_C_OPAQUE;
    if (n->kind == RG_C_DECL && n->array < 0 && !n->pointer)
        s->turn |= !strncmp(t->vars[n->var].name, "turn", 4) && !inside;
    if (n->kind == RG_C_DECL && n->array >= 0) s->own |= inside;
    for (int i = 0; i < n->n; i++) look(t, n->kid[i], inside || n->kind == RG_C_LOOP, s);
}

static void outcomes(void **state)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char file[] = "/tmp/rg-moves-XXXXXX.c";
        int fd = mkstemps(file, 2);
        assert_true(fd >= 0);
        FILE *f = fdopen(fd, "w");
        bool four = strstr(cases[i].body, "c");
        fprintf(
            f,
            "#include <stdlib.h>\n#pragma regraph extent(x: rows * m) extent(y: rows) size(rows=20,m=9,k=6)\n"
            "void f(int rows, int m, int k, const int *x, int *y)\n{\n"
            "    int *buf = calloc(k + 1, sizeof(int)), *other = calloc(k + 1, sizeof(int)), *a = buf, *b = other;\n"
            "%s    for (int r = 0; r < rows; r++) { %s }\n    %s\n    free(buf); free(other);\n}\n",
            four ? "    int *c = calloc(k + 1, sizeof(int)), *d = calloc(k + 1, sizeof(int));\n" : "", cases[i].body,
            cases[i].behind ? cases[i].behind : "");
        fclose(f);
        struct rg_frontend_options o = {.file = file, .rtol = -1, .atol = -1};
        struct rg_problem *p = NULL;
        struct rg_ctree *t = NULL;
        struct rg_error err = RG_ERROR_INIT;
        if (rg_frontend_load(&o, &p, &t, &err) != RG_OK) fail_msg("%s: %s", cases[i].what, err.text);
        struct seen s = {0};
        look(t, t->root, false, &s);
        enum outcome is = s.own ? OWN : s.turn ? TURN : OPAQUE;
        static const char *const words[] = {"an iteration's own", "followed by a local", "not followed"};
        if (is != cases[i].outcome)
            print_message("%s: %s, not %s\n", cases[i].what, words[is], words[cases[i].outcome]);
        *(int *)*state += is != cases[i].outcome;
        rg_problem_free(p);
        rg_ctree_free(t);
        unlink(file);
    }
    assert_int_equal(*(int *)*state, 0);
}

static int wrong, *state = &wrong;
static int setup(void **s)
{
    *s = state;
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup(outcomes, setup)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
