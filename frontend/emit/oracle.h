/* The text from which the oracle is built: the same C evaluated in wider types, so that comparing a kernel with it does
 * not inherit the rounding of a sequential float sum.
 *
 * Give it the preprocessed file (cc -E), tokenised by rg__source_init(); store what comes out as problem->oracle_c with
 * RG_ORACLE_F64. Only the user's regions change: neither system headers nor what stands below a marker of a file that
 * starts with '<', as the shim does, whose types are spelled in their widened form already. Lines are kept.
 *
 *   mode            float, _Float16      double       long double   0.1f                0.1
 *   F64             double               double       as it is      its float value     as it is
 *   LONG_DOUBLE     double               long double  as it is      its float value     its double value, suffix L
 *
 * LONG_DOUBLE is for functions that write double. Float values in mixed code are evaluated in double there too.
 * Literals keep the value the user's type gives them (0.1f is 0.10000000149011612, in the kernel as well as here): only
 * the arithmetic gets wider. sqrtf, expf ... become __builtin_sqrt, __builtin_exp ... (in LONG_DOUBLE sqrt becomes
 * __builtin_sqrtl), which need no header. Labels of _Generic stay: the widened value takes the wider one's branch.
 *
 * There is no oracle where the result would depend on how many bytes a float has: types punned by a union, a cast or
 * memcpy; byte counts written as numbers; vector types, intrinsics and inline assembly; float data passed to functions
 * defined elsewhere (--with, BLAS); rounding by magic constants. Then *why is one sentence with the line, for
 * problem->oracle_why, and RG_ORACLE_SEQUENTIAL holds. */
#ifndef RG_FRONTEND_ORACLE_H
#define RG_FRONTEND_ORACLE_H
#include "frontend/read/source.h"

enum rg__oracle_mode { RG__ORACLE_F64, RG__ORACLE_LONG_DOUBLE };

/* Appends the text to `out`: RG_OK, *why NULL. No oracle: RG_OK as well, *why the sentence (in `a`), `out` untouched.
 * roots  names the functions that will be called (the problem's, its init function), NULL-terminated: only what they
 *        reach can be a reason against an oracle. NULL: every function but main.
 * Never fails on any text; cost linear in it. */
enum rg_status rg__oracle_text(const struct rg__source *src, enum rg__oracle_mode mode, const char *const *roots,
                               struct rg_buf *out, const char **why, struct rg_arena *a);
#endif
