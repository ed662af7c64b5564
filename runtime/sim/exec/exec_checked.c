/* The interpreter with checks, for any processor: what is checked takes longer than what is computed. */
#include "runtime/sim/check/check.h"
#include "runtime/sim/calls.h"
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/arith/mma.h"
#include <fenv.h>
#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#define EXEC_NAME rg__sim_exec_checked
#define VW 16
#define EXEC_AVX2 0
#define EXEC_AVX512 0
#define EXEC_TIMED 0
#define EXEC_CHECKED 1
#include "runtime/sim/exec/exec.inc"
