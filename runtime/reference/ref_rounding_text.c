/* Random rounding inside the user's C: what its build with a call at every basic block is linked with. */
#include "runtime/reference/ref_spread.h"
#include <stddef.h>

#define EACH_ROUND_TO_INT(X)                                                                                           \
    X(rint)                                                                                                            \
    X(rintf)                                                                                                           \
    X(rintl) X(nearbyint) X(nearbyintf) X(nearbyintl) X(lrint) X(lrintf) X(lrintl) X(llrint) X(llrintf) X(llrintl)

#define X(name) #name,
const char *const rg__rounding_direction[] = {EACH_ROUND_TO_INT(X) NULL};
#undef X

const char rg__rounding_text[] =
    "#include <fenv.h>\n"
    "static unsigned long long rg_state, rg_blocks, rg_most, rg_bits;\nextern unsigned long long rg_rounds;\n"
    "static int rg_random, rg_left, rg_over;\n"
    /* the x87 keeps its own direction: what it holds is wider than any output */
    "#ifdef __x86_64__\n"
    "static unsigned rg_csr[2];\n"
    "static void rg_directions(void)\n"
    "{ unsigned c = __builtin_ia32_stmxcsr() & ~0x6000u; rg_csr[0] = c | 0x2000u; rg_csr[1] = c | 0x4000u; }\n"
    "static void rg_turn(int up) { __builtin_ia32_ldmxcsr(rg_csr[up]); }\n"
    "#else\n"
    "static void rg_directions(void) {}\n"
    "static void rg_turn(int up) { fesetround(up ? FE_UPWARD : FE_DOWNWARD); }\n"
    "#endif\n"
    "void rg_rounding_begin(unsigned long long seed, unsigned long long most)\n"
    "{\n"
    "    fesetround(FE_TONEAREST);\n"
    "    rg_directions();\n"
    "    rg_state = seed * 0x9e3779b97f4a7c15u; rg_most = most; rg_blocks = rg_rounds = 0; rg_over = 0; rg_left = 0; "
    "rg_random = "
    "seed != 0;\n"
    "}\n"
    "unsigned long long rg_rounds;\n" /* counted by the C itself (ref_library.c) */
    "unsigned long long rg_rounding_rounds(void) { return rg_rounds; }\n"
    "unsigned long long rg_rounding_end(int *over)\n"
    "{ rg_random = 0; fesetround(FE_TONEAREST); *over = rg_over; return rg_blocks; }\n"
    "void __sanitizer_cov_trace_pc(void)\n"
    "{\n"
    "    rg_blocks++;\n"
    "    if (!rg_random) return;\n"
    "    if (rg_blocks > rg_most) { rg_random = 0; rg_over = 1; fesetround(FE_TONEAREST); return; }\n"
    /* no branch on what is drawn: nobody predicts it */
    "    if (!rg_left--) {\n"
    "        rg_state ^= rg_state << 13; rg_state ^= rg_state >> 7; rg_state ^= rg_state << 17;\n"
    "        rg_bits = rg_state * 0x2545f4914f6cdd1du; rg_left = 63;\n"
    "    }\n"
    "    rg_turn((int)(rg_bits >> 63)); rg_bits <<= 1;\n"
    "}\n"
    "#define RG_NEAREST(R, T, name) \\\n"
    "    R name(T); R rg_nearest_##name(T x) \\\n"
    "    { int was = fegetround(); volatile T v = x; fesetround(FE_TONEAREST); volatile R y = name(v); "
    "fesetround(was); return y; }\n"
    "#define RG_EACH(name, R) RG_NEAREST(R##double, double, name) RG_NEAREST(R##float, float, name##f) "
    "RG_NEAREST(R##wide, long double, name##l)\n"
    "typedef double rg_real_double; typedef float rg_real_float; typedef long double rg_real_wide;\n"
    "typedef long rg_long_double, rg_long_float, rg_long_wide; typedef long long rg_llong_double, rg_llong_float, "
    "rg_llong_wide;\n"
    "RG_EACH(rint, rg_real_) RG_EACH(nearbyint, rg_real_) RG_EACH(lrint, rg_long_) RG_EACH(llrint, rg_llong_)\n";
