/* What NVRTC does not know of C's standard headers. The prelude is included before every candidate; the headers exist
 * so that #include finds them. Written for code that people and models write for nvcc. */
#include "runtime/compile/compiler.h"

/* Macros have the values of CUDA's own C++ library (cccl) for NVRTC, which redefines them. */
const char rg__prelude[] =
    "#pragma once\n"
    "typedef signed char int8_t; typedef unsigned char uint8_t; typedef short int16_t; typedef unsigned short "
    "uint16_t;\n"
    "typedef int int32_t; typedef unsigned int uint32_t;\n"
    "#ifdef RG_CCCL /* its int64_t is long long, the host's is long */\n"
    "typedef long long int64_t; typedef unsigned long long uint64_t;\n"
    "#else\n"
    "typedef long int64_t; typedef unsigned long uint64_t;\n"
    "typedef int64_t intptr_t; typedef uint64_t uintptr_t; typedef int64_t intmax_t; typedef uint64_t uintmax_t;\n"
    "typedef int64_t int_fast64_t; typedef uint64_t uint_fast64_t;\n"
    "#endif\n"
    "typedef long ssize_t;\n"
    "#define CHAR_BIT 8\n#define SCHAR_MIN (-128)\n#define SCHAR_MAX 127\n#define UCHAR_MAX 255\n"
    "#define SHRT_MIN (-SHRT_MAX - 1)\n#define SHRT_MAX 0x7fff\n#define USHRT_MAX 0xffff\n"
    "#define INT_MIN (-INT_MAX - 1)\n#define INT_MAX 0x7fffffff\n#define UINT_MAX 0xffffffff\n"
    "#define LONG_MIN (-LONG_MAX - 1)\n#define LONG_MAX LLONG_MAX\n#define ULONG_MAX ULLONG_MAX\n"
    "#define LLONG_MIN (-LLONG_MAX - 1)\n#define LLONG_MAX 0x7fffffffffffffffLL\n#define ULLONG_MAX "
    "0xffffffffffffffffUL\n"
    "#define INT8_MIN SCHAR_MIN\n#define INT16_MIN SHRT_MIN\n#define INT32_MIN INT_MIN\n#define INT64_MIN LLONG_MIN\n"
    "#define INT8_MAX SCHAR_MAX\n#define INT16_MAX SHRT_MAX\n#define INT32_MAX INT_MAX\n#define INT64_MAX LLONG_MAX\n"
    "#define UINT8_MAX UCHAR_MAX\n#define UINT16_MAX USHRT_MAX\n#define UINT32_MAX UINT_MAX\n#define UINT64_MAX "
    "ULLONG_MAX\n"
    "#define SIZE_MAX ULLONG_MAX\n"
    "#define FLT_MAX 3.40282346638528859811704183484516925e+38F\n#define FLT_MIN "
    "1.17549435082228750796873653722224568e-38F\n"
    "#define FLT_EPSILON 1.19209289550781250000000000000000000e-7F\n#define FLT_DIG 6\n#define FLT_MANT_DIG 24\n"
    "#define DBL_MAX 1.79769313486231570814527423731704357e+308\n#define DBL_MIN "
    "2.22507385850720138309023271733240406e-308\n"
    "#define DBL_EPSILON 2.22044604925031308084726333618164062e-16\n#define DBL_DIG 15\n#define DBL_MANT_DIG 53\n"
    "#define FLT_RADIX 2\n"
    "#define INFINITY (__int_as_float(0x7f800000))\n#define NAN (__int_as_float(0x7fffffff))\n"
    "#define HUGE_VAL (__longlong_as_double(0x7ff0000000000000LL))\n#define HUGE_VALF INFINITY\n"
    "#define M_E 2.7182818284590452354\n#define M_LOG2E 1.4426950408889634074\n#define M_LOG10E "
    "0.43429448190325182765\n"
    "#define M_LN2 0.69314718055994530942\n#define M_LN10 2.30258509299404568402\n#define M_PI 3.14159265358979323846\n"
    "#define M_PI_2 1.57079632679489661923\n#define M_PI_4 0.78539816339744830962\n#define M_1_PI "
    "0.31830988618379067154\n"
    "#define M_2_PI 0.63661977236758134308\n#define M_2_SQRTPI 1.12837916709551257390\n"
    "#define M_SQRT2 1.41421356237309504880\n#define M_SQRT1_2 0.70710678118654752440\n"
    "#ifndef NULL\n#define NULL 0\n#endif\n"
    "#define EXIT_SUCCESS 0\n#define EXIT_FAILURE 1\n";

/* What C++ code expects in std::. */
static const char cmath[] =
    "#pragma once\n"
    "#define RG_F1(n) __device__ inline float n(float x) { return ::n##f(x); } __device__ inline double n(double x) { "
    "return ::n(x); }\n"
    "#define RG_F2(n) __device__ inline float n(float x, float y) { return ::n##f(x, y); } \\\n"
    "    __device__ inline double n(double x, double y) { return ::n(x, y); }\n"
    "namespace std {\n"
    "RG_F1(sqrt) RG_F1(cbrt) RG_F1(exp) RG_F1(exp2) RG_F1(expm1) RG_F1(log) RG_F1(log2) RG_F1(log10) RG_F1(log1p)\n"
    "RG_F1(sin) RG_F1(cos) RG_F1(tan) RG_F1(asin) RG_F1(acos) RG_F1(atan) RG_F1(sinh) RG_F1(cosh) RG_F1(tanh)\n"
    "RG_F1(asinh) RG_F1(acosh) RG_F1(atanh) RG_F1(erf) RG_F1(erfc) RG_F1(tgamma) RG_F1(lgamma) RG_F1(floor) "
    "RG_F1(ceil)\n"
    "RG_F1(round) RG_F1(trunc) RG_F1(rint) RG_F1(nearbyint) RG_F1(fabs) RG_F2(pow) RG_F2(fmod) RG_F2(atan2) "
    "RG_F2(hypot)\n"
    "RG_F2(fmin) RG_F2(fmax) RG_F2(copysign) RG_F2(fdim) RG_F2(remainder)\n"
    "__device__ inline float fma(float x, float y, float z) { return ::fmaf(x, y, z); }\n"
    "__device__ inline double fma(double x, double y, double z) { return ::fma(x, y, z); }\n"
    "__device__ inline float abs(float x) { return ::fabsf(x); }\n__device__ inline double abs(double x) { return "
    "::fabs(x); }\n"
    "__device__ inline int abs(int x) { return x < 0 ? -x : x; }\n__device__ inline long abs(long x) { return x < 0 ? "
    "-x : x; }\n"
    "__device__ inline long long abs(long long x) { return x < 0 ? -x : x; }\n"
    "__device__ inline bool isnan(float x) { return x != x; }\n__device__ inline bool isnan(double x) { return x != x; "
    "}\n"
    "__device__ inline bool isinf(float x) { return ::fabsf(x) == INFINITY; }\n"
    "__device__ inline bool isinf(double x) { return ::fabs(x) == HUGE_VAL; }\n"
    "__device__ inline bool isfinite(float x) { return ::fabsf(x) < INFINITY; }\n"
    "__device__ inline bool isfinite(double x) { return ::fabs(x) < HUGE_VAL; }\n"
    "}\n#undef RG_F1\n#undef RG_F2\n";
static const char algorithm[] =
    "#pragma once\nnamespace std {\n"
    "template <class T> __host__ __device__ constexpr const T &min(const T &a, const T &b) { return b < a ? b : a; }\n"
    "template <class T> __host__ __device__ constexpr const T &max(const T &a, const T &b) { return a < b ? b : a; }\n"
    "template <class T> __host__ __device__ inline void swap(T &a, T &b) { T t = a; a = b; b = t; }\n"
    "}\n";
static const char cstdint[] = "#pragma once\nnamespace std { using ::int8_t; using ::int16_t; using ::int32_t; using "
                              "::int64_t; using ::uint8_t;\n"
                              "using ::uint16_t; using ::uint32_t; using ::uint64_t; }\n";
static const char limits[] =
    "#pragma once\nnamespace std {\n"
    "template <class T> struct numeric_limits;\n"
    "#define RG_L(T, lo, hi, low) template <> struct numeric_limits<T> { __host__ __device__ static constexpr T min() "
    "{ return lo; } \\\n"
    "    __host__ __device__ static constexpr T max() { return hi; } __host__ __device__ static constexpr T lowest() { "
    "return low; }\n"
    "RG_L(int, INT_MIN, INT_MAX, INT_MIN) };\nRG_L(unsigned, 0, UINT_MAX, 0) };\nRG_L(long, LONG_MIN, LONG_MAX, "
    "LONG_MIN) };\n"
    "RG_L(unsigned long, 0, ULONG_MAX, 0) };\nRG_L(long long, LLONG_MIN, LLONG_MAX, LLONG_MIN) };\n"
    "RG_L(float, FLT_MIN, FLT_MAX, -FLT_MAX) __device__ static float infinity() { return INFINITY; }\n"
    "    __device__ static float quiet_NaN() { return NAN; } __host__ __device__ static constexpr float epsilon() { "
    "return FLT_EPSILON; } };\n"
    "RG_L(double, DBL_MIN, DBL_MAX, -DBL_MAX) __device__ static double infinity() { return HUGE_VAL; }\n"
    "    __device__ static double quiet_NaN() { return __longlong_as_double(0x7fffffffffffffffLL); }\n"
    "    __host__ __device__ static constexpr double epsilon() { return DBL_EPSILON; } };\n"
    "#undef RG_L\n}\n";
static const char assert_h[] = "#undef assert\n#define assert(e) ((void)0)\n";
static const char stdbool_h[] = "#pragma once\n#define __bool_true_false_are_defined 1\n";
static const char empty[] = "#pragma once\n";

/* name, text */
/* clang-format off */
#define HEADERS(X)                                                                                              \
    X("rg_prelude.h", rg__prelude) X("math.h", empty) X("stdint.h", empty) X("inttypes.h", empty)               \
    X("stdio.h", empty) X("stdlib.h", empty) X("string.h", empty) X("float.h", empty) X("limits.h", empty)      \
    X("stddef.h", empty) X("stdbool.h", stdbool_h) X("assert.h", assert_h) X("time.h", empty)                   \
    X("cmath", cmath) X("cstdint", cstdint) X("cstdio", empty) X("cstdlib", empty) X("cstring", empty)          \
    X("cfloat", empty) X("climits", empty) X("cstddef", empty) X("cassert", assert_h) X("limits", limits)       \
    X("algorithm", algorithm) X("utility", algorithm) X("iostream", empty) X("vector", empty)                   \
    X("cuda.h", empty) X("cuda_runtime.h", empty) X("cuda_runtime_api.h", empty)                                \
    X("device_launch_parameters.h", empty) X("device_functions.h", empty) X("math_constants.h", math_constants) \
    X("vector_types.h", empty) X("vector_functions.h", empty) X("sm_30_intrinsics.h", empty)
/* clang-format on */

static const char math_constants[] =
    "#pragma once\n#define CUDART_INF_F INFINITY\n#define CUDART_NAN_F NAN\n#define CUDART_INF HUGE_VAL\n"
    "#define CUDART_PI_F 3.141592654f\n#define CUDART_PI 3.1415926535897931\n#define CUDART_MAX_NORMAL_F FLT_MAX\n";

const char *const rg__header_names[] = {
#define X(name, text) name,
    HEADERS(X)
#undef X
};
const char *const rg__header_texts[] = {
#define X(name, text) text,
    HEADERS(X)
#undef X
};
const int rg__n_headers = sizeof rg__header_names / sizeof *rg__header_names;
