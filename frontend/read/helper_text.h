/* Functions of the file that no tree is built of, as device functions that are the file's own text. */
#ifndef RG_FRONTEND_HELPER_TEXT_H
#define RG_FRONTEND_HELPER_TEXT_H
#include "frontend/read/build.h"

/* Appends the function's definition to `out`, without storage class. Only where its value is all that it does, and C++
 * means the same by its text: numbers and structures go in and one comes out; it names its own variables, constants of
 * the file, and functions that touch no more than what they are given. What it calls, and the constants that it names,
 * are put above it. False: it is none such, and nothing was appended to `out`. */
bool rg__helper_text(struct rg__build *root, int function, struct rg_buf *out);
/* device_state.c: registers an array of constants under its own name; false: it is none. */
bool rg__device_state_table(struct rg__build *b, CXCursor decl);
#endif
