/* Inside of the CUDA device: shared by device.c (buffers, launches), timing.c (marks, hold, flush, graphs) and facts.c.
 */
#ifndef RG_DRIVER_CUDA_DEVICE_H
#define RG_DRIVER_CUDA_DEVICE_H
#include "runtime/device.h"
#include "runtime/driver/cuda_api.h"

enum { GUARD_BYTES = 65536, N_MARKS_MAX = 1 << 16 };
#define GUARD_PATTERN 0xa5c3a5c3u

struct cuda_buffer {
    CUdeviceptr base; /* of the allocation: user data starts a zone behind */
    size_t bytes;
    char name[64];
};

struct cuda_device {
    const struct cuda_api *api;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUmodule helpers;
    CUfunction hash, veil, compare, guard, fill64, flush, hold, clock, fma32, fma64;
    size_t stack, most_stack; /* bytes of a thread's stack that were asked for; rg_device_stack */
    size_t zone;              /* GUARD_BYTES on both sides of every buffer, or 0 */
    int n_buffers, cap_buffers;
    struct cuda_buffer *buffers;
    CUdeviceptr scratch; /* 64 KiB: hash sum, guard results and zone list */
    CUdeviceptr slots;   /* RG_HASH_SLOTS sums, RG_CLOCK_SLOTS counts of cycles and nanoseconds */
    CUdeviceptr flush_buffer;
    size_t flush_bytes;
    volatile unsigned *flag; /* host-mapped; raised by release_hold */
    CUdeviceptr flag_device;
    struct nvml *nvml; /* NULL: not there, or it does not know the device */
    int n_marks, cap_marks;
    CUevent *marks;
    int sms;
};

struct rg_module {
    CUmodule module;
    int n;
    CUfunction *functions;
    int *max_dynamic; /* dynamic shared bytes already allowed */
};

/* Our own calls: a failure is a status with the call's name. */
enum rg_status rg__cuda_check(struct cuda_device *d, CUresult e, const char *call, struct rg_error *err);
/* A kernel's doing: turns e into a fault where it is one, else a status. */
enum rg_status rg__cuda_fault(struct cuda_device *d, CUresult e, const char *call, struct rg_fault *fault,
                              struct rg_error *err);
enum rg_status rg__cuda_facts(struct cuda_device *d, struct rg_device_facts *f, struct rg_error *err);
void rg__cuda_timing_ops(struct rg_device *out);
/* clocks.c. Opens NVML where there is one: before files are closed. */
void rg__cuda_clock_ops(struct rg_device *out);
void rg__cuda_clock_release(struct cuda_device *d);
void rg__cuda_timing_release(struct cuda_device *d);
#endif
