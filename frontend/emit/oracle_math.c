/* Names of C's math functions: double's, and with f or l behind them float's and long double's. */
#include "frontend/emit/oracle_scan.h"
#include <stdio.h>
#include <string.h>

/* With a __builtin_ in gcc and clang alike. */
static const char *const builtin[] = {
    "acos",      "acosh",     "asin",       "asinh",  "atan",  "atan2",     "atanh",  "cbrt",   "ceil",   "copysign",
    "cos",       "cosh",      "erf",        "erfc",   "exp",   "exp2",      "expm1",  "fabs",   "fdim",   "floor",
    "fma",       "fmax",      "fmin",       "fmod",   "frexp", "hypot",     "ilogb",  "ldexp",  "lgamma", "llrint",
    "llround",   "log",       "log10",      "log1p",  "log2",  "logb",      "lrint",  "lround", "modf",   "nan",
    "nearbyint", "nextafter", "nexttoward", "pow",    "powi",  "remainder", "remquo", "rint",   "round",  "scalbln",
    "scalbn",    "sin",       "sinh",       "sqrt",   "tan",   "tanh",      "tgamma", "trunc",  "inf",    "huge_val",
    "nans",      "cabs",      "cacos",      "cacosh", "carg",  "casin",     "casinh", "catan",  "catanh", "ccos",
    "ccosh",     "cexp",      "cimag",      "clog",   "conj",  "cpow",      "cproj",  "creal",  "csin",   "csinh",
    "csqrt",     "ctan",      "ctanh",
};
static const char *const plain[] = {
    "exp10",    "pow10", "sincos",      "j0",    "j1",     "jn",        "y0",    "y1",    "yn",       "gamma",
    "lgamma_r", "drem",  "significand", "scalb", "finite", "roundeven", "isnan", "isinf", "fmaximum", "fminimum",
};

/* The name is `base` with `suffix`. */
static bool is(const char *name, size_t len, const char *base, const char *suffix)
{
    size_t n = strlen(base), m = strlen(suffix);
    if (!strcmp(base, "lgamma_r")) { /* lgammaf_r */
        n = 6;
        return len == n + m + 2 && !memcmp(name, base, n) && !memcmp(name + n, suffix, m) &&
               !memcmp(name + n + m, "_r", 2);
    }
    return len == n + m && !memcmp(name, base, n) && !memcmp(name + n, suffix, m);
}

static int rename_as(const char *name, size_t len, const char *base, bool wide, bool has_builtin, char out[40])
{
    bool from_float = is(name, len, base, "f"), from_double = is(name, len, base, "");
    if (!from_float && !(wide && from_double)) return 0;
    const char *suffix = from_float ? "" : "l";
    if (!strcmp(base, "lgamma_r"))
        snprintf(out, 40, "lgamma%s_r", suffix);
    else
        snprintf(out, 40, "%s%s", base, suffix);
    return has_builtin ? 2 : 1;
}

int rg__oracle_math(const char *name, size_t len, enum rg__oracle_mode mode, char out[40])
{
    static const char prefix[] = "__builtin_";
    bool wide = mode == RG__ORACLE_LONG_DOUBLE, prefixed = len > 10 && !memcmp(name, prefix, 10);
    int found = 0;
    if (prefixed) {
        name += 10;
        len -= 10;
    }
    for (size_t i = 0; i < sizeof builtin / sizeof *builtin && !found; i++)
        found = rename_as(name, len, builtin[i], wide, true, out);
    for (size_t i = 0; i < sizeof plain / sizeof *plain && !found; i++)
        found = rename_as(name, len, plain[i], wide, false, out);
    if (found && prefixed && found != 2) { /* gcc's own: __builtin_j0f */
        char text[40];
        snprintf(text, sizeof text, "%s", out);
        snprintf(out, 40, "%s%.29s", prefix, text);
        return 1;
    }
    return found;
}
