#include "runtime/sim/exec.h"
#include <stdlib.h>
#include <string.h>

sim_exec_fn rg__sim_exec_pick(bool timed)
{
#if defined(__x86_64__)
    const char *most = getenv("RG_SIM_ISA");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512bw") &&
                  __builtin_cpu_supports("avx512vl");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (most && !strcmp(most, "sse2")) return timed ? rg__sim_exec_base_timed : rg__sim_exec_base;
    if (most && !strcmp(most, "avx2")) avx512 = false;
    if (avx512 && avx2) return timed ? rg__sim_exec_avx512_timed : rg__sim_exec_avx512;
    if (avx2) return timed ? rg__sim_exec_avx2_timed : rg__sim_exec_avx2;
#endif
    return timed ? rg__sim_exec_base_timed : rg__sim_exec_base;
}
