/* Element types as C code and kernels see them. */
#ifndef RG_SCALAR_H
#define RG_SCALAR_H
#include <rg/decls.h>
#include <stdbool.h>
#include <stddef.h>

RG_BEGIN_DECLS

/* name, C spelling, bytes, is real, is signed */
#define RG_SCALAR_MAP(X)                                                                                               \
    X(BOOL, "_Bool", 1, 0, 0)                                                                                          \
    X(CHAR, "char", 1, 0, 1)                                                                                           \
    X(I8, "signed char", 1, 0, 1)                                                                                      \
    X(U8, "unsigned char", 1, 0, 0)                                                                                    \
    X(I16, "short", 2, 0, 1)                                                                                           \
    X(U16, "unsigned short", 2, 0, 0)                                                                                  \
    X(I32, "int", 4, 0, 1)                                                                                             \
    X(U32, "unsigned int", 4, 0, 0)                                                                                    \
    X(LONG, "long", 8, 0, 1)                                                                                           \
    X(ULONG, "unsigned long", 8, 0, 0)                                                                                 \
    X(LLONG, "long long", 8, 0, 1)                                                                                     \
    X(ULLONG, "unsigned long long", 8, 0, 0)                                                                           \
    X(F16, "_Float16", 2, 1, 1)                                                                                        \
    X(F32, "float", 4, 1, 1)                                                                                           \
    X(F64, "double", 8, 1, 1)                                                                                          \
    X(STRUCT, "struct", 0, 0, 0)

enum rg_scalar {
#define X(name, c, bytes, real, sign) RG_##name,
    RG_SCALAR_MAP(X)
#undef X
        RG_N_SCALARS
};

const char *rg_scalar_c(enum rg_scalar s);    /* "unsigned int" */
const char *rg_scalar_cuda(enum rg_scalar s); /* as CUDA C++ spells it: "__half", "bool" */
size_t rg_scalar_bytes(enum rg_scalar s);     /* 0 for STRUCT */
bool rg_scalar_is_real(enum rg_scalar s);
double rg_scalar_epsilon(enum rg_scalar s); /* of a real: the relative rounding of one operation, half an ulp */
bool rg_scalar_is_signed(enum rg_scalar s);
/* Accepts every order and synonym of C's words ("long unsigned int", "uint32_t", "size_t", "float");
 * false when unknown. */
bool rg_scalar_parse(const char *words, enum rg_scalar *out);
RG_END_DECLS
#endif
