/* Counters of the simulated device, for people and coders. All are estimated from sampled blocks at real size and sum
 * over the launches since they were last asked for; docs/worker.md repeats this table. */
#ifndef RG_SIM_COUNTERS_H
#define RG_SIM_COUNTERS_H

/* name, unit and meaning */
#define SIM_COUNTERS(X)                                                                                                \
    X(launches, "kernel launches")                                                                                     \
    X(instructions, "instructions of all threads (PTX)")                                                               \
    X(warp_instructions, "instructions of all warps (PTX)")                                                            \
    X(lanes_active, "active lanes a warp instruction, 0..32")                                                          \
    X(flops, "floating-point operations, a fused multiply-add counting two")                                           \
    X(occupancy, "resident warps over the most possible, of the longest launch, 0..1")                                 \
    X(dram_bytes, "bytes to and from device memory")                                                                   \
    X(l2_bytes, "bytes between L1 and L2")                                                                             \
    X(l1_hit, "share of the sectors of global loads served by L1, 0..1")                                               \
    X(sectors_per_request, "32-byte sectors a global load or store touches; 4 is ideal for 32-bit elements")           \
    X(global_efficiency, "bytes asked for over bytes moved in sectors, global loads and stores")                       \
    X(shared_waves_per_request, "passes a shared memory access takes; 1 without bank conflicts")                       \
    X(atomics, "atomic operations of lanes on global memory")                                                          \
    X(atomic_us, "time the most contended line alone needs, us")                                                       \
    X(barriers, "block-wide barriers")                                                                                 \
    X(divergence, "branches that split a warp, a thousand warp instructions")                                          \
    X(latency_us, "time that waiting alone would take, us")                                                            \
    X(compute_us, "time of the busiest arithmetic pipe or of issuing, us")                                             \
    X(memory_us, "time of the busiest of L1, shared memory, L2 and DRAM, us")                                          \
    X(launch_us, "time that starting launches takes, us")                                                              \
    X(blind_launches, "sampled launches whose course depends on what earlier ones wrote: such estimates mean nothing") \
    X(unknown_rounds, "launches cut short in a loop whose further rounds cannot be told: they take longer than "       \
                      "estimated, by an unknown factor")                                                               \
    X(interval_low_us, "what the time may be instead, lower end, us")                                                  \
    X(interval_high_us, "upper end, us")
#endif
