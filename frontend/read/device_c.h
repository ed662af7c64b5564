/* C that becomes CUDA C++ as it is written: bodies without a tree, comparison functions. */
#ifndef RG_FRONTEND_DEVICE_C_H
#define RG_FRONTEND_DEVICE_C_H
#include "ir/device_library.h"
#include <rg/buf.h>
#include <stdbool.h>

/* Appends C text as CUDA C++: library functions as rg_NAME, `void *` as rg_any (converts to any pointer, as C does),
 * compound literals as C++ has them. `own(arg, name)`: a function of the file has that name. */
void rg__device_c(const char *text, bool (*own)(void *arg, const char *name), void *arg, struct rg_buf *out);
#endif
