/* The table of passes: its order is sound by what it says itself, and a pass that breaks a promise is named. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "frontend/normalise/passes.h"

static void order(void **state)
{
    unsigned given = 0;
    for (int i = 0; i < rg__n_passes; i++) {
        const struct rg__pass *p = &rg__passes[i];
        assert_int_equal((p->tree != NULL) + (p->problem != NULL) + (p->load != NULL), 1);
        if (p->needs & ~given) fail_msg("'%s' (%d) needs what no pass before it gives", p->name, i);
        given |= p->gives;
        assert_true(i == 0 || (p->stage >= p[-1].stage && p->level >= p[-1].level));
        bool ran = false;
        for (int k = 0; k < i; k++) ran = ran || !strcmp(rg__passes[k].name, p->name);
        if (ran != (p->again != NULL))
            fail_msg("'%s' (%d) %s", p->name, i, ran ? "does not say why it runs once more" : "has not run before");
    }
    assert_int_equal(rg__passes[rg__n_passes - 1].stage, RG__N_STAGES - 1);
    assert_int_equal(rg__passes[rg__n_passes - 1].level, RG__C_CANONICAL);
}

struct ear {
    int heard, breaks; /* at which it spoils the tree; -1 never */
    char names[160][40];
};

static void listen(void *arg, const char *name, const char *what, double seconds, const struct rg_ctree *t)
{
    struct ear *e = arg;
    assert_true(*what && seconds >= 0);
    assert_in_range(e->heard, 0, sizeof e->names / sizeof *e->names - 1);
    snprintf(e->names[e->heard], sizeof e->names[0], "%s", name);
    if (e->heard++ == e->breaks) t->root->kid[0]->kid[t->root->kid[0]->n - 1] = NULL; /* a loop without a body */
}

static enum rg_status load(struct ear *e, struct rg_error *err)
{
    const struct rg_frontend_options o = {
        .file = "examples/saxpy.c", .rtol = -1, .atol = -1, .pass = listen, .pass_arg = e};
    struct rg_problem *p = NULL;
    struct rg_ctree *t = NULL;
    enum rg_status st = rg_frontend_load(&o, &p, &t, err);
    if (st == RG_OK) {
        rg_problem_free(p);
        rg_ctree_free(t);
    }
    return st;
}

static void heard(void **state)
{
    struct ear e = {.breaks = -1};
    struct rg_error err = RG_ERROR_INIT;
    assert_int_equal(load(&e, &err), RG_OK);
    assert_int_equal(e.heard, rg__n_passes + 1);
    assert_string_equal(e.names[0], "reading");
    for (int i = 0; i < rg__n_passes; i++) assert_string_equal(e.names[i + 1], rg__passes[i].name);
}

static void checked(void **state)
{
    setenv("RG_VERIFY", "1", 1);
    for (int at = 0; at <= rg__n_passes; at++) {
        struct ear e = {.breaks = at};
        struct rg_error err = RG_ERROR_INIT;
        char says[80];
        assert_int_equal(load(&e, &err), RG_BUG);
        assert_int_equal(e.heard, at + 1);
        snprintf(says, sizeof says, "after \"%s\" (%s): tree: ", e.names[at],
                 rg__c_level_word(at ? rg__passes[at - 1].level : RG__C_RAW));
        if (!strstr(err.text, says)) fail_msg("\"%s\" is not in \"%s\"", says, err.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(order), cmocka_unit_test(heard), cmocka_unit_test(checked)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
