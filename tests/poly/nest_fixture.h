/* A nest of mini.h and the built-in coder on it: what a chain prints, and what it is refused for. cmocka comes before.
 */
#ifndef TESTS_POLY_NEST_FIXTURE_H
#define TESTS_POLY_NEST_FIXTURE_H
#include "tests/poly/chain.h"
#include "tests/poly/mini.h"

struct fixture {
    struct rg_problem *p;
    struct rg_ctree *t;
    struct rg_coder c;
};

static inline void open_nest(struct fixture *f, const char *nest)
{
    struct rg_error err = RG_ERROR_INIT;
    mini_parse("nest", nest, &f->p, &f->t);
    assert_int_equal(rg_poly_new(f->p, f->t, &f->c, &err), RG_OK);
}

static inline void close_nest(struct fixture *f)
{
    f->c.free(f->c.self);
    rg_problem_free(f->p);
    rg_ctree_free(f->t);
}

/* The chain's last action is refused, and the sentence has `text` in it. */
static inline void refused(const char *nest, const char *chain, const char *text)
{
    struct fixture f;
    char why[512] = "";
    open_nest(&f, nest);
    struct rg_template *t = chain_make(&f.c, chain, why, sizeof why);
    if (t) fail_msg("%s on %s is not refused", chain, nest);
    if (!strstr(why, text)) fail_msg("%s on %s is refused with: %s", chain, nest, why);
    close_nest(&f);
}

static inline void made(const char *nest, const char *chain, struct rg_source *out)
{
    struct fixture f;
    char why[512] = "";
    struct rg_error err = RG_ERROR_INIT;
    open_nest(&f, nest);
    struct rg_template *t = chain_make(&f.c, chain, why, sizeof why);
    if (!t) fail_msg("%s on %s: %s", chain, nest, why);
    assert_int_equal(rg_template_instantiate(t, NULL, out, &err), RG_OK);
    rg_template_unref(t);
    close_nest(&f);
}

static inline void has(const char *nest, const char *chain, const char *text)
{
    struct rg_source s;
    made(nest, chain, &s);
    if (!strstr(s.cuda, text) && !strstr(s.plan, text))
        fail_msg("%s on %s has no '%s':\n%s\n%s", chain, nest, text, s.cuda, s.plan);
    rg_source_release(&s);
}

static inline void lacks(const char *nest, const char *chain, const char *text)
{
    struct rg_source s;
    made(nest, chain, &s);
    if (strstr(s.cuda, text)) fail_msg("%s on %s has '%s':\n%s", chain, nest, text, s.cuda);
    rg_source_release(&s);
}
#endif
