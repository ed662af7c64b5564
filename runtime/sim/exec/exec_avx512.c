/* The interpreter for avx512. */
#include "runtime/sim/exec/exec.h"
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/calls.h"
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/arith/mma.h"
#include <fenv.h>
#include <math.h>
#include <string.h>
#if defined(__x86_64__) &&                                                                                             \
    !defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION) /* one variant is enough to fuzz, and builds sooner */
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(                                                                                          \
    __attribute__((target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,bmi,bmi2,lzcnt,popcnt"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512dq,avx512bw,avx512vl,avx2,fma,bmi,bmi2,lzcnt,popcnt")
#endif
#define EXEC_NAME rg__sim_exec_avx512
#define VW 64
#define EXEC_AVX2 1
#define EXEC_AVX512 1
#define EXEC_TIMED 0
#define EXEC_CHECKED 0
#include "runtime/sim/exec/exec.inc"
#if defined(__clang__)
#pragma clang attribute pop
#endif
#else
enum sim_stop rg__sim_exec_avx512(struct sim_run *run, struct sim_block *b, struct sim_warp *w)
{
    return rg__sim_exec_base(run, b, w);
}
#endif
