/* State of one simulated device. */
#ifndef RG_SIM_DEVICE_SIM_H
#define RG_SIM_DEVICE_SIM_H
#include "runtime/sim/exec/launch.h"
#include <rg/buf.h>

enum { SIM_MAX_MARKS = 4096 };
struct sim_device {
    struct sim_model model;
    struct sim_memory memory;
    double budget, allowance, left; /* of a launch; of all launches, 0 none, and what is left of it */
    double executed;                /* thread-instructions of all launches so far */
    int isa, workers;
    double check; /* memory accesses that may still be checked; 0: off */
    bool estimating;
    bool timing; /* a mark was set: launches advance the clock even when they run in full */
    double clock_us;
    double marks[SIM_MAX_MARKS];
    uint64_t params, workspace; /* buffers of kernel parameters and of grid barriers; 0 until needed */
    uint64_t next_module;
    struct rg_fault late;      /* what the next sync reports */
    struct sim_totals *totals; /* counters since they were last asked for */
    struct sim_cache *cache;   /* estimates of launches seen before */
    bool dispatched;           /* a launch since the last mark */
};

/* l2_cold.c: how much of every buffer is in no cache; so many bytes at addr were used */
void rg__sim_cold_all(struct sim_memory *m, double share);
void rg__sim_cold_touched(struct sim_memory *m, uint64_t addr, double bytes);

/* device_json.c: the names that --device sim:NAME knows, "h200, a100" */
void rg__sim_device_names(struct rg_buf *out);

/* module.c */
enum rg_status rg__sim_module_load(struct sim_device *d, const struct rg_blob *blob, struct rg_module **out,
                                   struct rg_error *err);
void rg__sim_module_free(struct sim_device *d, struct rg_module *m);
#endif
