#include "runtime/sim/exec/exec.h"
#include <stdlib.h>
#include <string.h>

int rg__sim_isa(void)
{
#if defined(__x86_64__) && !defined(FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION)
    const char *most = getenv("RG_SIM_ISA");
    bool avx512 = __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
                  __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
    bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
    if (most && !strcmp(most, "sse2")) return 0;
    if (most && !strcmp(most, "avx2")) avx512 = false;
    return avx512 && avx2 ? 2 : avx2 ? 1 : 0;
#else
    return 0;
#endif
}

sim_exec_fn rg__sim_exec_pick(int isa, bool timed)
{
    static const sim_exec_fn plain[] = {rg__sim_exec_base, rg__sim_exec_avx2, rg__sim_exec_avx512},
                             watched[] = {rg__sim_exec_base_timed, rg__sim_exec_avx2_timed, rg__sim_exec_avx512_timed};
    return (timed ? watched : plain)[isa];
}
