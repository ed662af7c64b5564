/* What the device is, by its attributes. */
#include "runtime/driver/cuda_device.h"
#include <rg/buf.h>
#include <stdio.h>
#include <string.h>

/* fp32 and fp64 lanes of a multiprocessor by compute capability: CUDA C++ Programming Guide, "Arithmetic Instructions".
 */
static void lanes(int major, int minor, int *fp32, int *fp64)
{
    static const struct {
        int cc, fp32, fp64;
    } table[] = {{50, 128, 4}, {60, 64, 32}, {61, 128, 4},  {70, 64, 32},   {75, 64, 2},   {80, 64, 32},
                 {86, 128, 2}, {89, 128, 2}, {90, 128, 64}, {100, 128, 64}, {103, 128, 2}, {120, 128, 2}};
    int cc = 10 * major + minor;
    *fp32 = 128;
    *fp64 = 2;
    for (size_t i = 0; i < sizeof table / sizeof table[0]; i++)
        if (table[i].cc <= cc) {
            *fp32 = table[i].fp32;
            *fp64 = table[i].fp64;
        }
}

enum rg_status rg__cuda_facts(struct cuda_device *d, struct rg_device_facts *f, struct rg_error *err)
{
    memset(f, 0, sizeof *f);
    int major = 0, minor = 0, clock_khz = 0, memory_khz = 0, bus_bits = 0, v = 0, fp32, fp64;
    const struct {
        CUdevice_attribute a;
        int *to;
    } ints[] = {{CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, &major},
                {CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, &minor},
                {CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, &f->sms},
                {CU_DEVICE_ATTRIBUTE_WARP_SIZE, &f->warp},
                {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, &f->max_threads_per_block},
                {CU_DEVICE_ATTRIBUTE_CLOCK_RATE, &clock_khz},
                {CU_DEVICE_ATTRIBUTE_MEMORY_CLOCK_RATE, &memory_khz},
                {CU_DEVICE_ATTRIBUTE_GLOBAL_MEMORY_BUS_WIDTH, &bus_bits}};
    for (size_t i = 0; i < sizeof ints / sizeof ints[0]; i++) {
        enum rg_status s =
            rg__cuda_check(d, d->api->device_attribute(ints[i].to, ints[i].a, d->device), "cuDeviceGetAttribute", err);
        if (s != RG_OK) return s;
    }
    const struct {
        CUdevice_attribute a;
        int64_t *to;
    } longs[] = {{CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK, &f->shared_per_block},
                 {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_BLOCK_OPTIN, &f->shared_per_block_optin},
                 {CU_DEVICE_ATTRIBUTE_MAX_SHARED_MEMORY_PER_MULTIPROCESSOR, &f->shared_per_sm},
                 {CU_DEVICE_ATTRIBUTE_MAX_REGISTERS_PER_MULTIPROCESSOR, &f->regs_per_sm},
                 {CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_MULTIPROCESSOR, &f->max_threads_per_sm},
                 {CU_DEVICE_ATTRIBUTE_MAX_BLOCKS_PER_MULTIPROCESSOR, &f->max_blocks_per_sm},
                 {CU_DEVICE_ATTRIBUTE_L2_CACHE_SIZE, &f->l2_bytes}};
    for (size_t i = 0; i < sizeof longs / sizeof longs[0]; i++) {
        enum rg_status s =
            rg__cuda_check(d, d->api->device_attribute(&v, longs[i].a, d->device), "cuDeviceGetAttribute", err);
        if (s != RG_OK) return s;
        *longs[i].to = v;
    }
    size_t memory = 0;
    d->api->device_memory(&memory, d->device);
    d->api->device_name(f->name, sizeof f->name, d->device);
    f->memory_bytes = (int64_t)memory;
    snprintf(f->arch, sizeof f->arch, "sm_%d%d", major, minor);
    snprintf(f->driver, sizeof f->driver, "%d.%d", d->api->version / 1000, d->api->version % 1000 / 10);
    f->clock_hz = clock_khz * 1e3;
    f->dram_bytes_s = 2.0 * memory_khz * 1e3 * bus_bits / 8;
    lanes(major, minor, &fp32, &fp64);
    f->fp32_flop_s = 2.0 * fp32 * f->sms * f->clock_hz;
    f->fp64_flop_s = 2.0 * fp64 * f->sms * f->clock_hz;
    d->sms = f->sms;
    return RG_OK;
}
