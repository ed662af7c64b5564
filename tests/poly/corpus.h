/* The functions whose kernels the golden list holds: nests of nests.h, the examples, PolyBench, the cases and programs
 * beside this file, whole C files with the options that a user gives. cmocka comes before. */
#ifndef TESTS_POLY_CORPUS_H
#define TESTS_POLY_CORPUS_H
#include "tests/poly/mini.h"
#include "tests/poly/nests.h"
#include <glob.h>
#include <rg/file.h>
#include <rg/frontend.h>

static const struct {
    const char *name, *text;
} corpus_nests[] = {
#define X(name) {#name, NEST_##name},
    X(ARGMAX) X(ARGMIN) X(ATAX) X(BICG) X(BINS) X(CASCADE) X(CASCADE_BACK) X(CHOLESKY) X(COLUMNS) X(CONV) X(COPIES)
        X(COVARIANCE) X(DIAGONAL) X(DIAGONAL_SUM) X(DOT) X(DURBIN) X(EMPTY_INSIDE) X(EXTREMES) X(FILTER) X(GEMM)
            X(GEMM_SPLIT) X(GEMV) X(HEAT3D) X(HORNER) X(JACOBI) X(LAGS) X(LU) X(NAMES) X(NBODY) X(PARTS) X(READ_BACK)
                X(REVERSE) X(RUNNING_MIN) X(SAXPY) X(SCALED) X(SCAN) X(SCANS) X(SCAN_FED) X(SCAN_LEFT) X(SCAN_LONG)
                    X(SCAN_PERHAPS) X(SECOND) X(SEIDEL) X(SMOOTH) X(SOFTMAX) X(SQUARES) X(STRIDED) X(SWEEP) X(SYRK)
                        X(THOMAS) X(TOTALS) X(TRANSPOSE) X(TRISOLVE) X(TURNED) X(TWO_SUMS) X(VARIANCE) X(WIDE)
#undef X
};
enum { CORPUS_NESTS = sizeof corpus_nests / sizeof *corpus_nests };

struct corpus_unit {
    char *name;       /* "nest:GEMM", or the file */
    const char *nest; /* NULL: a file */
    char *options;    /* of a whole file; NULL none */
};

struct corpus {
    int n, cap;
    struct corpus_unit *items;
};

static inline void corpus_add(struct corpus *c, char *name, const char *nest, char *options)
{
    RG_GROW(c->items, c->n, c->cap);
    c->items[c->n++] = (struct corpus_unit){name, nest, options};
}

/* In the tree's root. */
static inline void corpus_open(struct corpus *c)
{
    static const char *const patterns[] = {"examples/*.c", "examples/polybench/*.c", "tests/poly/cases/*.c",
                                           "tests/poly/programs/*.c"};
    struct rg_error err = RG_ERROR_INIT;
    char *text = NULL, *save = NULL;
    size_t len;
    memset(c, 0, sizeof *c);
    for (int i = 0; i < CORPUS_NESTS; i++)
        corpus_add(c, rg_xasprintf("nest:%s", corpus_nests[i].name), corpus_nests[i].text, NULL);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        glob_t g;
        if (glob(patterns[i], 0, NULL, &g)) fail_msg("no %s: run in the tree's root", patterns[i]);
        for (size_t k = 0; k < g.gl_pathc; k++) corpus_add(c, rg_xstrdup(g.gl_pathv[k]), NULL, NULL);
        globfree(&g);
    }
    if (rg_file_read("tests/whole/options", 0, &text, &len, &err) != RG_OK) fail_msg("%s", err.text);
    for (char *l = strtok_r(text, "\n", &save); l; l = strtok_r(NULL, "\n", &save)) {
        if (*l == '#') continue;
        size_t n = strcspn(l, " ");
        corpus_add(c, rg_xasprintf("tests/whole/%.*s.c", (int)n, l), NULL, rg_xstrdup(l + n));
    }
    free(text);
}

static inline void corpus_close(struct corpus *c)
{
    for (int i = 0; i < c->n; i++) {
        free(c->items[i].name);
        free(c->items[i].options);
    }
    free(c->items);
}

enum { CORPUS_WORDS = 24 };

/* The options of the command line that tests/whole/options uses; `text` is cut into words that `o` points to. */
static inline void corpus_options(char *text, struct rg_frontend_options *o, const char *(*list)[CORPUS_WORDS])
{
    struct {
        const char *name;
        const char *const **items;
        int *n;
    } const lists[] = {{"--size", &o->sizes, &o->n_sizes}, {"--extent", &o->extents, &o->n_extents},
                       {"--role", &o->roles, &o->n_roles}, {"--input", &o->inputs, &o->n_inputs},
                       {"--with", &o->with, &o->n_with},   {"--require", &o->requires_, &o->n_requires}};
    char *save = NULL;
    for (char *w = strtok_r(text, " ", &save); w; w = strtok_r(NULL, " ", &save)) {
        if (*w == '=') continue; /* what is wanted of the run */
        const char *value = strtok_r(NULL, " ", &save);
        bool known = value != NULL;
        for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
            if (!strcmp(w, lists[i].name)) {
                *lists[i].items = list[i];
                if (*lists[i].n == CORPUS_WORDS) fail_msg("more than %d of %s", CORPUS_WORDS, w);
                list[i][(*lists[i].n)++] = value;
                goto next;
            }
        if (!strcmp(w, "--function"))
            o->function = value;
        else if (!strcmp(w, "--init"))
            o->init = value;
        else if (!strcmp(w, "--cflags"))
            o->cflags = value;
        else if (!strcmp(w, "--rtol"))
            o->rtol = strtod(value, NULL);
        else if (!strcmp(w, "--atol"))
            o->atol = strtod(value, NULL);
        else if (!strcmp(w, "--assume"))
            known = known && rg_assume_parse(value, &o->assume, NULL) == RG_OK;
        else
            known = false;
    next:
        if (!known) fail_msg("tests/whole/options: %s is an option that this test does not know", w);
    }
}

/* RG_UNAVAILABLE: no libclang here; another error: the function is refused, err says why. */
static inline enum rg_status corpus_load(const struct corpus_unit *u, struct rg_problem **p, struct rg_ctree **t,
                                         struct rg_error *err)
{
    *p = NULL;
    *t = NULL;
    if (u->nest) {
        mini_parse("nest", u->nest, p, t);
        return RG_OK;
    }
    struct rg_frontend_options o = {.file = u->name, .rtol = -1, .atol = -1};
    const char *list[6][CORPUS_WORDS];
    char *words = rg_xstrdup(u->options);
    if (words) corpus_options(words, &o, list);
    enum rg_status st = rg_frontend_load(&o, p, t, err);
    free(words);
    return st;
}
#endif
