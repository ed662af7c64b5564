/* Where candidates run: one struct of functions, two implementations (driver/: CUDA Driver API; sim/: PTX interpreter).
 * One thread. Every call may fail with a status; what a *kernel* did wrong is an outcome in *fault. */
#ifndef RG_RUNTIME_DEVICE_H
#define RG_RUNTIME_DEVICE_H
#include <rg/error.h>
#include <rg/outcome.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { RG_HASH_SLOTS = 1024, RG_CLOCK_SLOTS = 2 };

struct rg_clocks { /* as the driver's management library tells them; Hz, 0 unknown */
    double sm_hz, memory_hz, sm_max_hz, memory_max_hz;
    uint64_t limits; /* why clocks are not at their highest: NVML's bits, idle left out */
};

struct rg_device_facts {
    char name[64]; /* "NVIDIA H200", "sim:h200" */
    char arch[16]; /* "sm_90": what NVRTC compiles for */
    int sms;
    int max_threads_per_block, warp;
    int64_t shared_per_block, shared_per_block_optin, shared_per_sm;
    int64_t regs_per_sm, max_threads_per_sm, max_blocks_per_sm;
    int64_t l2_bytes, memory_bytes;
    double clock_hz;
    double dram_bytes_s; /* theoretical */
    double copy_bytes_s; /* peak of a device copy, read + written, measured (cuda: by rg_device_cuda_peaks) or typical;
                            0 unknown */
    double pcie_bytes_s; /* between host and device, one way: of device files alone; 0 unknown */
    double fp32_flop_s, fp64_flop_s; /* measured likewise, else of lanes and clock */
    char driver[32];                 /* "13.0"; "" on sim */
};

/* Stack of a thread, in bytes, for functions that call themselves, of which no compiler knows how much they need:
 * CUDA's default of 1 KiB ends at twenty or so calls. As much as takes a sixteenth of the memory for all threads the
 * device holds at once, a power of two from 1 KiB to 32 KiB. */
static inline int64_t rg_device_stack(const struct rg_device_facts *f)
{
    int64_t threads = (int64_t)f->sms * f->max_threads_per_sm, bytes = 1024;
    while (threads > 0 && bytes < 32768 && bytes * 2 * threads <= f->memory_bytes / 16) bytes *= 2;
    return bytes;
}

/* Does a function of the PTX call itself, by way of others or not? False too for text that cannot be read. O(length),
 * next to nothing where no function is left that is called. */
bool rg_ptx_recursive(const char *ptx, size_t len);

struct rg_kernel_attributes {
    int regs;
    int64_t shared_bytes, local_bytes, const_bytes;
    int max_threads; /* a block may have, with these registers */
};

struct rg_blob { /* one compiled program, from the compile worker */
    const void *cubin;
    size_t cubin_len; /* driver */
    const char *ptx;
    size_t
        ptx_len; /* sim; text, with .loc lines; NUL-terminated. driver: tells whether a stack is needed; may be NULL */
    int n_kernels;
    const char *const *lowered;                    /* mangled entry names */
    const struct rg_kernel_attributes *attributes; /* parallel: ptxas' figures for arch; used by sim for occupancy */
};

struct rg_accuracy;
struct rg_module;
typedef uint64_t rg_addr; /* device address */

struct rg_fault {            /* what a kernel did wrong */
    enum rg_outcome outcome; /* OK: nothing; BOUNDS, RACE, TIMEOUT, CRASH, UNSUPPORTED */
    char message[512];       /* kernel, block, thread, buffer, offset, CUDA line, as far as known */
};

struct rg_launch {
    struct rg_module *module;
    int kernel; /* into blob->lowered */
    int64_t grid[3], block[3], shared_bytes, cluster[3];
    bool cooperative;
    int n_args;
    const void *const *args; /* pointer to each argument's value, natural size and alignment */
    const size_t *arg_bytes;
};

/* |got - r| <= max(slack + rtol |r|, base) and <= fixed + ulps |r|: within them a real is right
 * (runtime/data/compare.h). */
struct rg_bounds {
    double slack, rtol, base, fixed, ulps;
};

struct rg_device_compare {    /* n reals against a reference */
    rg_addr got, veiled;      /* veiled by `key` */
    int got_bytes, ref_bytes; /* of an element: 4 floats, 8 doubles */
    uint64_t key;
    int64_t n;
    struct rg_bounds bounds;
};

struct rg_device {
    void *self;
    bool simulated;
    struct rg_device_facts facts;
    const struct rg_accuracy
        *accuracy; /* sim: of its estimates, as its file states it; lives as long as the device. NULL on cuda */

    enum rg_status (*load)(void *self, const struct rg_blob *blob, struct rg_module **out, struct rg_fault *fault,
                           struct rg_error *err);
    void (*unload)(void *self, struct rg_module *m);

    /* Buffers carry guard zones of 64 KiB on both sides, filled with a pattern and checked by `guards`. name is kept
     * for messages. */
    enum rg_status (*alloc)(void *self, size_t bytes, const char *name, rg_addr *out, struct rg_error *err);
    void (*release)(void *self, rg_addr a);
    enum rg_status (*to_device)(void *self, rg_addr to, const void *from, size_t bytes, struct rg_error *err);
    enum rg_status (*from_device)(void *self, void *to, rg_addr from, size_t bytes, struct rg_error *err);
    enum rg_status (*copy)(void *self, rg_addr to, rg_addr from, size_t bytes, struct rg_error *err);
    enum rg_status (*fill)(void *self, rg_addr to, size_t elements, int elem_bytes, uint64_t bits,
                           struct rg_error *err);
    enum rg_status (*symbol)(void *self, struct rg_module *m, const char *name, rg_addr *out, size_t *bytes,
                             struct rg_error *err);
    /* Asynchronous on cuda; faults surface here or at sync. */
    enum rg_status (*launch)(void *self, const struct rg_launch *l, struct rg_fault *fault, struct rg_error *err);
    /* Blocks of the kernel, of `threads` threads and with so many bytes of dynamic shared memory, that the device holds
     * at once: what a cooperative launch may have. */
    enum rg_status (*resident)(void *self, const struct rg_module *m, int kernel, int threads, int64_t shared_bytes,
                               int64_t *blocks, struct rg_error *err);
    /* Waits. A sticky error becomes a fault; the process must then end. */
    enum rg_status (*sync)(void *self, struct rg_fault *fault, struct rg_error *err);
    /* Guard zones of every live buffer; BOUNDS with the buffer's name when one was written. */
    enum rg_status (*guards)(void *self, struct rg_fault *fault, struct rg_error *err);
    /* 64-bit hash of a buffer's bytes, computed on the device. */
    enum rg_status (*hash)(void *self, rg_addr a, size_t bytes, uint64_t *out, struct rg_error *err);
    /* The same without waiting: of the buffer as the work queued so far leaves it, into slot 0..RG_HASH_SLOTS-1.
     * hash_read waits and gives slots 0..n-1. NULL on sim. */
    enum rg_status (*hash_queue)(void *self, rg_addr a, size_t bytes, int slot, struct rg_error *err);
    enum rg_status (*hash_read)(void *self, uint64_t *out, int n, struct rg_error *err);
    /* Exclusive or of each element with what `key` makes of its number: made twice, it is as before. NULL on sim. */
    enum rg_status (*veil)(void *self, rg_addr a, int elem_bytes, int64_t n, uint64_t key, struct rg_error *err);
    /* Elements that are not within the bounds. Waits. NULL on sim. */
    enum rg_status (*compare)(void *self, const struct rg_device_compare *c, int64_t *odd, struct rg_error *err);
    /* Timing: marks 0..n-1 on the stream; elapsed between two marks in microseconds. On sim a virtual clock advanced by
     * the timing model. */
    enum rg_status (*mark)(void *self, int index, struct rg_error *err);
    enum rg_status (*elapsed)(void *self, int from, int to, double *us, struct rg_fault *fault, struct rg_error *err);
    /* The virtual clock, in microseconds, as far as it has come. NULL on a real device. */
    double (*clock)(const void *self);
    /* Reads 3x the L2 so that nothing of the buffers stays there (nothing on sim). */
    enum rg_status (*flush)(void *self, struct rg_error *err);
    /* The clock of the multiprocessors, counted on the stream where this is queued (some 50 us of its time), into slot
     * 0..RG_CLOCK_SLOTS-1. clock_read waits and gives slots 0..n-1 in Hz, 0 unknown. NULL: it cannot be counted. */
    enum rg_status (*clock_queue)(void *self, int slot, struct rg_error *err);
    enum rg_status (*clock_read)(void *self, double *hz, int n, struct rg_error *err);
    /* False: nobody tells. NULL: there is nobody. Costs up to some ms. */
    bool (*clocks)(void *self, struct rg_clocks *out);
    /* Holds the stream until `release_hold`, so that queued work runs back to back; NULL where there is no need. */
    enum rg_status (*hold)(void *self, struct rg_error *err);
    enum rg_status (*release_hold)(void *self, struct rg_error *err);
    /* Graph capture of straight-line work: begin, launches..., end gives a graph to replay. NULL: not supported. */
    enum rg_status (*capture_begin)(void *self, struct rg_error *err);
    enum rg_status (*capture_end)(void *self, void **graph, struct rg_error *err);
    enum rg_status (*graph_launch)(void *self, void *graph, struct rg_error *err);
    /* Ahead of its first launch, which then costs what every other does. */
    enum rg_status (*graph_upload)(void *self, void *graph, struct rg_error *err);
    void (*graph_free)(void *self, void *graph);

    /* sim only; NULL on cuda. Estimate mode: launches execute sampled blocks only (outputs are then incomplete) and
     * advance the virtual clock; otherwise launches run every thread with bounds checks. */
    void (*estimate_mode)(void *self, bool on);
    /* sim: instructions a full launch may execute before it counts as hung (all warps together, thread-instructions).
     */
    void (*budget)(void *self, double thread_instructions);
    /* sim; NULL on cuda. What all launches from now on may execute together before one counts as hung; 0: no such
     * limit. */
    void (*allowance)(void *self, double thread_instructions);
    /* sim; NULL on cuda. From now on launches are also checked for races, uninitialised reads and the like
     * (docs/sim.md); 0: off, what was known is forgotten. Their threads make some `accesses` memory accesses with
     * checks, each launch half of what is left; beyond that a launch runs on unchecked. Some 20 M accesses a second. */
    void (*check)(void *self, double accesses);
    /* Nothing has been written there yet. result: of the program, so that nothing undefined may get there. Only while
     * checking. */
    void (*undefined)(void *self, rg_addr a, size_t bytes, bool result);
    /* The buffer is of elements of so many bytes, and of member[0..bytes) those that are 0 are no member's: anything
     * may get there. Copied. Optional. */
    void (*padding)(void *self, rg_addr a, const uint8_t *member, int64_t bytes);
    /* Counters since the last call, by name (docs/worker.md), and what bounds the work so far. */
    void (*counters)(void *self, struct rg_counter *out, int *n, enum rg_limiter *limiter);
    void (*free)(void *self);
};

/* RG_UNAVAILABLE with one clear line when there is no driver or no such device. */
enum rg_status rg_device_open_cuda(int ordinal, struct rg_device *out, struct rg_error *err);
/* Of an opened CUDA device without buffers: they get no guard zones, so that a tool that knows the allocations sees a
 * read beyond one. */
void rg_device_cuda_bare(struct rg_device *d);
/* Of an opened CUDA device: the copy bandwidth and the rates of multiply-adds in facts, measured (some 0.1 s), or as
 * they were when a device of this name, identity, driver and clocks was measured before: kept in cache_dir, NULL:
 * nowhere. Before files are closed. "measured", "measured before" or "data sheet". */
const char *rg_device_cuda_peaks(struct rg_device *d, const char *cache_dir);
/* Whether its hardware counters can be read, in words. probe: CUPTI is loaded and asked, which a device that is to be
 * timed does without. */
void rg_device_cuda_counters(struct rg_device *d, bool probe, char *out, size_t size);
/* name: "h200"; RG_UNAVAILABLE lists the known ones. */
enum rg_status rg_device_open_sim(const char *name, struct rg_device *out, struct rg_error *err);
/* The simulated device whose file says that it describes the GPU of this name ("NVIDIA H200": its member "gpus") and
 * has as many multiprocessors (a part of a GPU has its name). Into name; false: there is none. Cost: all device files
 * are read. */
bool rg_device_sim_of(const char *gpu, int sms, char *name, size_t size);
#endif
