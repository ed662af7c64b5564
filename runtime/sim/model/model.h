/* A simulated device: what it has, and the constants of its timing model. */
#ifndef RG_SIM_MODEL_H
#define RG_SIM_MODEL_H
#include "runtime/sim/model/accuracy.h"
#include "runtime/device.h"

/* field, meaning. Rates are per multiprocessor and cycle unless said otherwise. Read from runtime/devices/NAME.json. */
#define SIM_MODEL_FIELDS(X)                                                                                            \
    X(issue, "warp instructions issued")                                                                               \
    X(fp32_lanes, "fp32 lanes")                                                                                        \
    X(int_lanes, "integer and logic lanes")                                                                            \
    X(fp64_lanes, "fp64 lanes")                                                                                        \
    X(sfu_lanes, "special function lanes")                                                                             \
    X(lsu_lanes, "address lanes of loads and stores")                                                                  \
    X(tensor_macs, "dense fp16 multiply-adds of the tensor cores")                                                     \
    X(l1_wave_bytes, "bytes an L1 wavefront moves")                                                                    \
    X(l1_bytes, "L1 and shared memory together")                                                                       \
    X(l2_sector_rate, "32-byte sectors from L2, whole device, a cycle")                                                \
    X(l2_latency, "cycles of a load that hits L2")                                                                     \
    X(l1_latency, "cycles of a load that hits L1")                                                                     \
    X(dram_latency, "cycles of a load from memory")                                                                    \
    X(shared_latency, "cycles of a shared load")                                                                       \
    X(alu_latency, "cycles from an arithmetic result to its use")                                                      \
    X(fp64_latency, "the same for fp64")                                                                               \
    X(sfu_latency, "the same for special functions")                                                                   \
    X(barrier_latency, "cycles of a barrier nobody is late for, beside one a warp")                                    \
    X(dram_efficiency, "share of the theoretical bandwidth that streams reach")                                        \
    X(atomic_same_ns, "a same-address atomic of fractions after another, ns")                                          \
    X(atomic_sector_ns, "an atomic of a request of several words after another on its line, ns")                       \
    X(atomic_whole_ns, "the same of whole numbers, ns")                                                                \
    X(atomic_lane_ns, "each further lane of a request on the same word, ns")                                           \
    X(atomic_latency, "cycles until a global atomic's result is there")                                                \
    X(l2_line, "what a request of a line costs L2 beside its sectors, in sectors")                                     \
    X(shared_atomic_cycles, "a conflicting shared atomic after another")                                               \
    X(launch_us, "an empty kernel, us")                                                                                \
    X(launch_gap_us, "between two kernels of a plan, us")                                                              \
    X(block_start_cycles, "to start a block, the multiprocessor's share")                                              \
    X(partial_store, "what a line of a store costs L2 more when its sectors are written in part, in sectors")          \
    X(atomic_sector, "cost at L2 of a sector that a request's atomics change, in whole ones")                          \
    X(atomic_word, "and of each word of it")                                                                           \
    X(atomic_repeat, "and of each further lane that changes the same word")                                            \
    X(window, "instructions of a basic block that ptxas moves ahead of one that waits")                                \
    X(sm_l2_bytes, "bytes between a multiprocessor and L2")                                                            \
    X(l2_keeps, "share of L2 up to which everything stays there between launches")                                     \
    X(l2_random, "share of L2 that holds what is read at random")                                                      \
    X(l2_loses, "share of L2 from which nothing does")                                                                 \
    X(spill_share, "how often a spilled register goes out and in, an iteration of the hottest loop")                   \
    X(overlap_norm, "how well bounds of throughput overlap: exponent of their norm")                                   \
    X(latency_norm, "how well latency is hidden behind throughput: exponent of their norm")                            \
    X(latency_alone, "added to that exponent, over the fourth power of the blocks on a multiprocessor")                \
    X(latency_phases, "added to it for warps that wait many times")                                                    \
    X(l1_usable, "share of what shared memory leaves that L1 makes use of")                                            \
    X(line_wait, "cycles a further line of the same request comes later")                                              \
    X(constant_pass, "cycles of a further address that lanes of a warp read in constant memory")                       \
    X(store_same_ns, "a store to a sector after another, ns")                                                          \
    X(read_us, "until a plan that reads a number back goes on with its next launch, us")                               \
    X(fill_bytes_us, "bytes a fill or copy moves a microsecond")

enum { SIM_MAX_GPUS = 8 };
struct sim_model {
    struct rg_device_facts facts;
    int n_gpus;
    char gpus[SIM_MAX_GPUS][64]; /* names by which drivers tell the GPUs that it describes */
    struct rg_accuracy accuracy; /* of its estimates, as measured on them */
    int max_warps_per_sm;
    int reg_unit; /* registers are given to warps in units of this many */
#define X(field, text) double field;
    SIM_MODEL_FIELDS(X)
#undef X
};

/* RG_UNAVAILABLE lists the known names. h200 is built in: no file is needed for it. */
enum rg_status rg__sim_model_load(const char *name, struct sim_model *out, struct rg_error *err);
#endif
