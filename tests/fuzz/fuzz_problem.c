/* Saved problems and their trees come from anywhere: any bytes are one or a clear error, and what was read writes and
 * reads back to the same text, prints, and survives what its readers do first. */
#include "ir/ctree_util.h"
#include <rg/ctree.h>
#include <rg/problem.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void expect(int holds)
{
    if (!holds) abort();
}

static void count(void *arg, const struct rg_caccess *a)
{
    *(int *)arg += a->read || a->write;
}

static void use_tree(const struct rg_ctree *t)
{
    struct rg_buf b = RG_BUF_INIT;
    int n = 0;
    rg_c_print(&b, t, t->root, NULL);
    rg_c_accesses(t, t->root, count, &n);
    rg__c_pure(t, t->root);
    rg_buf_release(&b);
}

static void tree(const char *text)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_ctree *t = NULL, *u = NULL;
    if (rg_ctree_from_json(text, &t, &err) != RG_OK) {
        expect(!t && err.status != RG_OK && err.text[0]);
        return;
    }
    use_tree(t);
    char *a = rg_ctree_to_json(t);
    expect(a && rg_ctree_from_json(a, &u, &err) == RG_OK);
    char *b = rg_ctree_to_json(u);
    expect(!strcmp(a, b));
    free(a);
    free(b);
    rg_ctree_free(t);
    rg_ctree_free(u);
}

static void problem(const char *text, size_t size)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_problem *p = NULL, *q = NULL;
    if (rg_problem_from_json(text, size, "fuzz", &p, &err) != RG_OK) {
        expect(!p && err.status != RG_OK && err.text[0]);
        return;
    }
    char *a = rg_problem_to_json(p);
    expect(a && rg_problem_from_json(a, strlen(a), "again", &q, &err) == RG_OK);
    char *b = rg_problem_to_json(q);
    expect(!strcmp(a, b) && !strcmp(p->hash, q->hash));
    for (int i = 0; i < p->n_params; i++)
        for (int s = 0; s < p->n_sizes; s++) {
            int64_t n;
            if (p->params[i].kind == RG_PARAM_ARRAY && rg_problem_elements(p, i, &p->sizes[s], &n, NULL) == RG_OK)
                expect(n > 0);
        }
    if (p->tree_json) tree(p->tree_json);
    free(a);
    free(b);
    rg_problem_free(p);
    rg_problem_free(q);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char *text = rg_xstrndup((const char *)data, size);
    problem(text, size);
    tree(text);
    free(text);
    return 0;
}
