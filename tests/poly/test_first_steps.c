/* Steps that are taken before any action: which a program has, what its kernels are without, and when that is refused.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include "tests/poly/nest_fixture.h"
#include "tests/poly/nests.h"

#define NEST_COPIED                                                                                                    \
    "inout A[n]; inout B[n]; int n; int steps | for t 0, steps { for i 1, n - 1 { B(i) = 0.3 * (A(i-1) + A(i) + "      \
    "A(i+1)); } for i2 1, n - 1 { A(i2) = B(i2); } }"
#define NEST_TWO                                                                                                       \
    "inout x[n]; out y[n][m]; in w[n]; int n; int m | for i 1, n { x(i) = x(i-1) * 0.5 + w(i); for j 0, m { y(i,j) = " \
    "w(i) * w(i) + j; } }"
static const struct {
    const char *nest, *edit, *site, *id;
    const char *with, *without; /* in what parallelize makes */
} cases[] = {
    {NEST_COPIED, "ping_pong", "loop:t", "ping.pong", "take turns", "A[i2] = B[i2]"},
    {NEST_TWO, "fission", "loop:i", "fission", "parallelize: a thread for each i", "parallelize: a thread for each j"},
};
enum { N = sizeof cases / sizeof *cases };

static void taken_and_left_out(void **state)
{
    for (int i = 0; i < N; i++) {
        struct fixture f;
        char chain[64];
        open_nest(&f, cases[i].nest);
        assert_int_equal(f.c.n_first, 1);
        assert_string_equal(f.c.first[0].edit, cases[i].edit);
        assert_string_equal(f.c.first[0].site, cases[i].site);
        close_nest(&f);
        has(cases[i].nest, "parallelize", cases[i].with);
        snprintf(chain, sizeof chain, "parallelize,%s@none", cases[i].id);
        has(cases[i].nest, chain, cases[i].without);
    }
}

/* A program that is asked for without it is analysed so, and has no such site. */
static void not_taken(void **state)
{
    struct fixture f;
    struct rg_error err = RG_ERROR_INIT;
    mini_parse("nest", NEST_COPIED, &f.p, &f.t);
    f.t->without = rg_preparation_bit("ping.pong");
    assert_int_equal(rg_poly_new(f.p, f.t, &f.c, &err), RG_OK);
    assert_int_equal(f.c.n_first, 0);
    close_nest(&f);
    refused(NEST_SAXPY, "parallelize,ping.pong@none", "was not taken");
    refused(NEST_SAXPY, "parallelize,last.writer@none", "was not taken");
    refused(NEST_SAXPY, "parallelize,last.value@none", "was not taken");
    refused(NEST_COPIED, "parallelize,ping.pong@none,ping.pong@none", "already");
}

/* It is taken at its loops and nowhere else; and a search is not offered to leave it out, who asks gets it. */
static void offered_to_who_asks(void **state)
{
    struct fixture f;
    char why[512] = "";
    open_nest(&f, NEST_COPIED);
    assert_null(chain_make(&f.c, "parallelize,ping.pong@loop:t", why, sizeof why));
    assert_non_null(strstr(why, "before any action"));
    struct rg_template *t = chain_make(&f.c, "parallelize", why, sizeof why);
    struct rg_site_list l = {0};
    assert_int_equal(f.c.sites(f.c.self, t, chain_step("ping.pong"), &l, NULL), RG_OK);
    assert_int_equal(l.n, 0);
    assert_int_equal(l.n_refused, 1);
    assert_string_equal(l.refused[0].site, RG_SITE_NONE);
    assert_true(l.refused[0].legal);
    rg_site_list_release(&l);
    rg_template_unref(t);
    close_nest(&f);
}

/* Steps after it, and orders of loops before it in the canonical order, apply to the program without it. */
static void goes_with_others(void **state)
{
    has(NEST_COPIED, "parallelize,coalesce,ping.pong@none,block.shape", "A[i2] = B[i2]");
    has(NEST_COPIED, "parallelize,ping.pong@none,resident.block", "<<<1, 512>>>");
    has(NEST_TWO, "parallelize,fission@none,coalesce", "y[");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(taken_and_left_out),
        cmocka_unit_test(not_taken),
        cmocka_unit_test(offered_to_who_asks),
        cmocka_unit_test(goes_with_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
