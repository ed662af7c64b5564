/* Arrays in numpy's .npy format, as inputs and expected outputs. */
#ifndef RG_RUNTIME_NPY_H
#define RG_RUNTIME_NPY_H
#include <rg/error.h>
#include <rg/scalar.h>
#include <stddef.h>
#include <stdint.h>

enum { RG_NPY_MAX_DIMS = 16 };

struct rg_npy { /* a view of an image of the file */
    char kind;  /* numpy's letter: f i u b */
    int bytes;  /* of an element */
    int n_dims;
    int64_t dims[RG_NPY_MAX_DIMS];
    int64_t elements;
    const void *data;
};

/* RG_INPUT (with `name`) when it is not a .npy file, is big-endian, in Fortran order, of records, or cut short. */
enum rg_status rg__npy_parse(const void *image, size_t len, const char *name, struct rg_npy *out, struct rg_error *err);
/* Is it elements of type `t`? */
bool rg__npy_is(const struct rg_npy *n, enum rg_scalar t);
/* "float32 of shape (3, 4)" */
void rg__npy_describe(const struct rg_npy *n, char *out, size_t size);
#endif
