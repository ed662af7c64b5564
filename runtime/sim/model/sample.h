/* Estimates of launches and the device's virtual clock. */
#ifndef RG_SIM_SAMPLE_H
#define RG_SIM_SAMPLE_H
#include "runtime/sim/device_sim.h"

/* Runs sampled blocks of a prepared launch (all: every block, watching some), or remembers; advances the clock and the
 * counters. */
enum rg_status rg__sim_estimate(struct sim_device *d, struct sim_run *run, bool all, struct rg_error *err);
/* A fill or copy that moves so many bytes. */
void rg__sim_charge(struct sim_device *d, double bytes);
/* A number that a plan reads back. */
void rg__sim_charge_read(struct sim_device *d);
void rg__sim_counters(struct sim_device *d, struct rg_counter *out, int *n, enum rg_limiter *limiter);
void rg__sim_totals_new(struct sim_device *d);
void rg__sim_totals_free(struct sim_device *d);
#endif
