/* The interpreter for any processor (SSE2 on x86). */
#include "runtime/sim/exec/exec.h"
#include "runtime/sim/arith/atomic.h"
#include "runtime/sim/calls.h"
#include "runtime/sim/model/estimate.h"
#include "runtime/sim/arith/mma.h"
#include <fenv.h>
#include <math.h>
#include <string.h>
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#define EXEC_NAME rg__sim_exec_base
#define VW 16
#define EXEC_AVX2 0
#define EXEC_AVX512 0
#define EXEC_TIMED 0
#define EXEC_CHECKED 0
#include "runtime/sim/exec/exec.inc"
