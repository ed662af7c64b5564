#include <stdarg.h>
#include <stddef.h>
#include <setjmp.h>
#include <stdint.h>
#include <cmocka.h>
#include "runtime/data/npy.h"
#include <stdio.h>
#include <string.h>

static unsigned char image[4096];

static size_t make(int version, const char *header, size_t data)
{
    size_t h = strlen(header), at = version == 1 ? 10 : 12;
    memset(image, 0, sizeof image);
    memcpy(image, "\x93NUMPY", 6);
    image[6] = (unsigned char)version;
    image[8] = (unsigned char)(h & 255);
    image[9] = (unsigned char)(h >> 8);
    memcpy(image + at, header, h);
    for (size_t i = 0; i < data; i++) image[at + h + i] = (unsigned char)i;
    return at + h + data;
}

static void reads_versions(void **state)
{
    for (int v = 1; v <= 3; v++) {
        struct rg_npy n;
        size_t len = make(v, "{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 48);
        assert_int_equal(rg__npy_parse(image, len, "a.npy", &n, NULL), RG_OK);
        assert_int_equal(n.n_dims, 2);
        assert_int_equal(n.dims[1], 4);
        assert_int_equal(n.elements, 12);
        assert_true(rg__npy_is(&n, RG_F32));
        assert_false(rg__npy_is(&n, RG_I32));
        assert_false(rg__npy_is(&n, RG_F64));
        assert_int_equal(((const unsigned char *)n.data)[5], 5);
        char text[80];
        rg__npy_describe(&n, text, sizeof text);
        assert_string_equal(text, "float32 of shape (3, 4)");
    }
}

static void reads_scalars_and_one_dimension(void **state)
{
    struct rg_npy n;
    size_t len = make(1, "{'descr': '<i8', 'fortran_order': False, 'shape': (), }", 8);
    assert_int_equal(rg__npy_parse(image, len, "a", &n, NULL), RG_OK);
    assert_int_equal(n.elements, 1);
    assert_true(rg__npy_is(&n, RG_LONG) && rg__npy_is(&n, RG_LLONG) && !rg__npy_is(&n, RG_ULONG));
    len = make(1, "{\"descr\": \"|u1\", \"fortran_order\": True, \"shape\": (5,), }", 5);
    assert_int_equal(rg__npy_parse(image, len, "a", &n, NULL), RG_OK); /* one dimension has no order */
    assert_true(rg__npy_is(&n, RG_U8));
}

static void refuses(const char *header, size_t data, const char *says)
{
    struct rg_npy n;
    struct rg_error e = RG_ERROR_INIT;
    size_t len = make(1, header, data);
    assert_int_equal(rg__npy_parse(image, len, "a.npy", &n, &e), RG_INPUT);
    if (!strstr(e.text, says)) fail_msg("'%s' does not say '%s'", e.text, says);
}

static void refuses_what_it_cannot_read(void **state)
{
    refuses("{'descr': '>f4', 'fortran_order': False, 'shape': (3,), }", 12, "big-endian");
    refuses("{'descr': '<f4', 'fortran_order': True, 'shape': (3, 4), }", 48, "Fortran");
    refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (3, 4), }", 47, "cut short");
    refuses("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (3,), }", 12, "records");
    refuses("{'descr': '<c8', 'fortran_order': False, 'shape': (3,), }", 24, "element type");
    refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999, 99999999999), }", 12, "overflows");
    refuses("{'descr': '<f4', 'shape': (3,), }", 12, "header");
    refuses("{'descr': '<f4', 'fortran_order': False, 'shape': (-3,), }", 12, "shape");
    struct rg_npy n;
    assert_int_equal(rg__npy_parse("hello", 5, "x", &n, NULL), RG_INPUT);
    size_t len = make(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", 12);
    for (size_t k = 0; k < len; k++) { /* every truncation is refused */
        unsigned char copy[256];
        memcpy(copy, image, k);
        assert_int_equal(rg__npy_parse(copy, k, "x", &n, NULL), RG_INPUT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads_versions),
        cmocka_unit_test(reads_scalars_and_one_dimension),
        cmocka_unit_test(refuses_what_it_cannot_read),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
