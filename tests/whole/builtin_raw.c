/* The same as in builtin_reals.c, in a function without a tree: parts of <math.h> that are macros, builtins or write through pointers. */
#include <math.h>

void raw(int n, const double *p, const float *q, const int *k, double *out, int *class_of, float *single)
{
    const double *x = __builtin_assume_aligned(p, 8);
    int i = 0;
    if (n == 12345) goto middle; /* into a loop: the text runs as it is */
    for (i = 0; i < n; i++) {
    middle: ;
        double v = x[i] / (double)(k[i] % 7), w = x[(i + 1) % n]; /* infinite now and then */
        float f = q[i];
        int e;
        double whole, m = frexp(w, &e), part = modf(w * 10, &whole);
        double r = __builtin_fabs(w) + __builtin_sqrt(__builtin_fabs(w)) + __builtin_fma(w, 2.0, 1.0) + copysign(1.5, w) + __builtin_copysign(2.5, w);
        r += fdim(w, 0.25) + nextafter(w, 1.0) + ldexp(w, 3) + scalbn(w, -2) + scalbln(w, 2) + m * e + part + whole;
        r += remainder(w, 0.3) + fmod(w, 0.3) + rint(w * 9) + nearbyint(w * 7) + trunc(w * 5) + round(w * 3) + (double)lround(w * 100) + (double)llrint(w * 100);
        r += expm1(w) + log1p(fabs(w)) + erf(w) + erfc(w) + tgamma(w + 2.5) + lgamma(w + 2.5) + asinh(w) + atanh(w / 2) + acosh(w + 3) + hypot(w, 1) + cbrt(w);
        r += logb(w + 4) + ilogb(w + 8) + fmax(w, 0.1) + fmin(w, 0.1) + exp2(w) + log2(w + 3) + log10(w + 3);
        out[i] = r + (w > 0.5 ? fmin(__builtin_huge_val(), 7.0) : fmin(HUGE_VAL, 3.0)) + (isnan(NAN) ? 1 : 0) + fmin(__builtin_inf(), 2);
        int t = 0;
        t += isnan(v) ? 1 : 0;
        t += 2 * isinf(v) + (isfinite(v) ? 4 : 0) + (isnormal(v) ? 8 : 0) + (signbit(v) ? 16 : 0);
        t += 32 * fpclassify(v) + 256 * fpclassify(f) + (fpclassify(v) == FP_ZERO ? 2048 : 0);
        t += (isless(w, v) ? 4096 : 0) + (isgreater(w, v) ? 8192 : 0) + (islessequal(w, v) ? 16384 : 0) + (isgreaterequal(w, v) ? 32768 : 0);
        t += (islessgreater(w, v) ? 1 << 17 : 0) + (isunordered(w, v) ? 1 << 18 : 0) + (__builtin_isnan(v) ? 1 << 19 : 0) + (__builtin_isinf(v) ? 1 << 20 : 0) + (__builtin_signbit(w) ? 1 << 21 : 0);
        t += (__builtin_isless(f, 0.5f) ? 1 << 22 : 0) + (__builtin_isfinite(f) ? 1 << 23 : 0) + (isinf(f) ? 1 : 0) + (signbit(f) ? 1 << 24 : 0);
        class_of[i] = t;
        single[i] = copysignf(2.0f, f) + fdimf(f, 0.1f) + nextafterf(f, 1.0f) + ldexpf(f, 2) + __builtin_fabsf(f) + __builtin_sqrtf(__builtin_fabsf(f)) + fmodf(f, 0.3f) + hypotf(f, 1.0f) + roundf(f * 9);
    }
}
