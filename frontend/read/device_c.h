/* C that becomes CUDA C++ as it is written: bodies without a tree, comparison functions, and the library they call. */
#ifndef RG_FRONTEND_DEVICE_C_H
#define RG_FRONTEND_DEVICE_C_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <stdbool.h>

/* A function of C's library that device_library.c has, as rg_NAME. */
bool rg__device_has_library(const char *name);
/* rg_NAME, one whose value depends on its arguments alone. */
bool rg__device_pure_library(const char *name);
/* What a device calls the function that C calls `name`: a function of CUDA's, rg_NAME, or the same name. */
const char *rg__device_name(const char *name, struct rg_arena *a);
/* The definitions of all rg_NAME that the texts name, and of what these use. */
void rg__device_library(const char *const *texts, int n, struct rg_buf *out);

/* Appends C text as CUDA C++: library functions as rg_NAME, `void *` as rg_any (converts to any pointer, as C does), compound
 * literals as C++ has them. `own(arg, name)`: a function of the file has that name. */
void rg__device_c(const char *text, bool (*own)(void *arg, const char *name), void *arg, struct rg_buf *out);
#endif
