/* Descriptions of simulated devices are files that people write: any bytes are one that can be used, or a clear error.
 */
#include "runtime/sim/model/model.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char dir[] = "/tmp/rg-fuzz-XXXXXX", path[64];
static void clean(void)
{
    unlink(path);
    rmdir(dir);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (!path[0]) {
        if (!mkdtemp(dir)) abort();
        snprintf(path, sizeof path, "%s/fuzz.json", dir);
        setenv("RG_DEVICES", dir, 1);
        atexit(clean);
    }
    FILE *f = fopen(path, "wb");
    if (!f || fwrite(data, 1, size, f) != size || fclose(f)) abort();
    struct rg_error err = RG_ERROR_INIT;
    struct sim_model m;
    if (rg__sim_model_load("fuzz", &m, &err) != RG_OK) {
        if (!err.text[0]) abort();
        return 0;
    }
    if (m.facts.sms < 1 || m.max_warps_per_sm < 1 || m.reg_unit < 1 || !(m.facts.clock_hz > 0) ||
        !isfinite(m.facts.dram_bytes_s))
        abort();
    return 0;
}
