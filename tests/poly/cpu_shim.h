// Runs generated CUDA C++ on the CPU: a fiber for each thread of a block, blocks one after the other. Slow and exact:
// barriers that part of a block misses are reported, the order of threads and blocks can be turned round to bring races
// out. Included before the generated text; compiled by the tests with the system's C++ compiler.
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#define require(condition)                                                                                             \
    do {                                                                                                               \
        if (!(condition)) return "a requirement of the plan does not hold";                                            \
    } while (0)
#define __global__
#define __device__
#define __host__
#define __constant__ static
#define __forceinline__ inline
#define __noinline__
#define __launch_bounds__(...)
#define __shared__ static
#define __align__(n) __attribute__((aligned(n)))
#define __restrict__

struct dim3 {
    unsigned x, y, z;
    dim3(long long a = 1, long long b = 1, long long c = 1) : x((unsigned)a), y((unsigned)b), z((unsigned)c) {}
};
static dim3 threadIdx, blockIdx, blockDim, gridDim;

struct uint3 {
    unsigned x, y, z;
};
static uint3 make_uint3(unsigned x, unsigned y, unsigned z)
{
    return {x, y, z};
}

template <class T> static T __ldg(const T *p)
{
    return *p;
}
template <class T> static T min(T a, T b)
{
    return b < a ? b : a;
}
template <class T> static T max(T a, T b)
{
    return a < b ? b : a;
}

namespace shim
{
#if defined(__x86_64__)
// Saves the registers that a call keeps, swaps stacks. (swapcontext makes two system calls a switch.)
extern "C" void rg_shim_switch(void **from, void *to);
asm(".text\n"
    "rg_shim_switch:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n  ret\n");
struct context {
    void *sp;
};
static void context_make(context &c, char *stack, size_t size, void (*entry)())
{
    void **top = (void **)((uintptr_t)(stack + size) & ~(uintptr_t)15);
    *--top = nullptr; // where entry would return to: it never does
    *--top = (void *)entry;
    c.sp = top - 6; // six registers of no value
}
static void context_switch(context &from, context &to)
{
    rg_shim_switch(&from.sp, to.sp);
}
#else
struct context {
    ucontext_t u;
};
static void context_make(context &c, char *stack, size_t size, void (*entry)())
{
    getcontext(&c.u);
    c.u.uc_stack.ss_sp = stack;
    c.u.uc_stack.ss_size = size;
    c.u.uc_link = nullptr;
    makecontext(&c.u, entry, 0);
}
static void context_switch(context &from, context &to)
{
    swapcontext(&from.u, &to.u);
}
#endif

struct fiber {
    context ctx;
    dim3 tid;
    bool done, waiting;
    int where;
    unsigned mask; // lanes of its warp that meet; 0: the whole block
};
static std::vector<fiber> fibers;
static struct pool {
    std::vector<char *> all;
    ~pool()
    {
        for (char *s : all) free(s);
    }
} stacks;
static context scheduler;
static int current, reversed, plain; // plain: no barrier in the program
static std::function<void()> body;
static const char *failure;
static long long exchange[1024];
enum { STACK = 96 * 1024 };

static void entry()
{
    body();
    fibers[current].done = true;
    context_switch(fibers[current].ctx, scheduler);
    abort();
}

static void resume(int i)
{
    current = i;
    threadIdx = fibers[i].tid;
    context_switch(scheduler, fibers[i].ctx);
}

__attribute__((noinline)) static void wait_at(int where, unsigned mask = 0)
{
    fiber &f = fibers[current];
    f.waiting = true;
    f.where = where;
    f.mask = mask;
    context_switch(f.ctx, scheduler);
}
static unsigned lanes(unsigned mask = 0xffffffffu)
{
    return mask;
}

// Do all that fiber i waits for wait there too? Their first is asked.
static bool all_there(int i, int n)
{
    const fiber &f = fibers[i];
    int from = f.mask ? i / 32 * 32 : 0, to = f.mask ? from + 32 < n ? from + 32 : n : n;
    for (int k = from; k < to; k++) {
        const fiber &g = fibers[k];
        if (f.mask && !(f.mask >> (k - from) & 1)) continue;
        if (g.done) {
            failure = "a barrier is missed by threads that have ended";
            return true;
        }
        if (!g.waiting || g.mask != f.mask || g.where != f.where) return false;
    }
    return true;
}
static void release_of(int i, int n)
{
    unsigned mask = fibers[i].mask;
    int from = mask ? i / 32 * 32 : 0, to = mask ? from + 32 < n ? from + 32 : n : n;
    for (int k = from; k < to; k++)
        if (!mask || mask >> (k - from) & 1) fibers[k].waiting = false;
}

static void run_block(int n)
{
    for (int k = 0; k < n && plain; k++) {
        int i = reversed ? n - 1 - k : k;
        threadIdx = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y));
        body();
    }
    if (plain) return;
    for (int i = 0; i < n; i++) {
        fiber &f = fibers[i];
        f.done = f.waiting = false;
        f.tid = dim3(i % blockDim.x, i / blockDim.x % blockDim.y, i / (blockDim.x * blockDim.y));
        context_make(f.ctx, stacks.all[i], STACK, entry);
    }
    for (;;) {
        int alive = 0, released = 0;
        for (int k = 0; k < n; k++) {
            int i = reversed ? n - 1 - k : k;
            if (!fibers[i].done && !fibers[i].waiting) resume(i);
            alive += !fibers[i].done;
        }
        if (!alive) return;
        for (int i = 0; i < n; i++)
            if (!fibers[i].done && fibers[i].waiting && all_there(i, n)) {
                release_of(i, n);
                released++;
            }
        if (!released) {
            failure = "threads wait at different barriers";
            return;
        }
    }
}

static void launch(dim3 grid, dim3 block, std::function<void()> f)
{
    long long n = (long long)block.x * block.y * block.z, blocks = (long long)grid.x * grid.y * grid.z;
    if (n < 1 || n > 1024 || blocks < 1 || grid.y > 65535 || grid.z > 65535) {
        failure = "a launch outside CUDA's limits";
        return;
    }
    blockDim = block;
    gridDim = grid;
    body = f;
    fibers.resize(1024);
    while (stacks.all.size() < (size_t)n) stacks.all.push_back((char *)malloc(STACK));
    for (long long k = 0; k < blocks && !failure; k++) {
        long long b = reversed ? blocks - 1 - k : k;
        blockIdx = dim3(b % grid.x, b / grid.x % grid.y, b / ((long long)grid.x * grid.y));
        run_block((int)n);
    }
}

static void launch(dim3 grid, dim3 block, long long shared_bytes, std::function<void()> f)
{
    if (shared_bytes > 227 * 1024)
        failure = "more shared memory than a launch may use";
    else
        launch(grid, block, f);
}

static std::vector<std::pair<void *, size_t>> buffers;
static std::vector<std::pair<void *, size_t>> lengths; // of what scratch() gave
// Poisoned; it ends at a page that can't be touched.
static void *scratch(long long bytes)
{
    if (bytes < 1) {
        failure = "scratch without elements";
        bytes = 1;
    }
    size_t page = 4096, size = ((size_t)bytes + page - 1) / page * page;
    char *p = (char *)mmap(nullptr, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    mprotect(p + size, page, PROT_NONE);
    memset(p, 0xfb, size);
    buffers.push_back({p, size + page});
    p += size - ((size_t)bytes + 15) / 16 * 16;
    lengths.push_back({p, (size_t)bytes});
    return p;
}
// A parameter that a swap left in another buffer: its values go back where the caller has it.
static void settle(void *own, const void *now)
{
    if (own == now) return;
    for (auto &l : lengths)
        if (l.first == now) {
            memcpy(own, now, l.second);
            return;
        }
    failure = "a swap left a parameter in the buffer of another one";
}
static void release()
{
    for (auto &b : buffers) munmap(b.first, b.second);
    buffers.clear();
    lengths.clear();
}
static long long ceil_div(long long a, long long b)
{
    return a > 0 ? (a + b - 1) / b : a / b;
}
static long long min(long long a, long long b)
{
    return b < a ? b : a;
}
static long long max(long long a, long long b)
{
    return a < b ? b : a;
}
} // namespace shim

// A cooperative launch has one block here: resident_blocks is 1.
namespace cooperative_groups
{
struct grid_group {
    void sync(int where = __builtin_LINE()) const { shim::wait_at(where); }
};
static grid_group this_grid()
{
    return {};
}
} // namespace cooperative_groups

#define __syncthreads() shim::wait_at(__LINE__)
#define __syncwarp(...) shim::wait_at(__LINE__, shim::lanes(__VA_ARGS__))

template <class T> __attribute__((noinline)) static T rg_shim_from(unsigned mask, T v, int from)
{
    int me = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    memcpy(&shim::exchange[me], &v, sizeof v);
    shim::wait_at(-1, mask);
    T r;
    memcpy(&r, &shim::exchange[from], sizeof r);
    shim::wait_at(-2, mask);
    return r;
}
template <class T> static T __shfl_xor_sync(unsigned mask, T v, int lane)
{
    int me = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    return rg_shim_from(mask, v, me ^ lane);
}
template <class T> static T __shfl_xor_sync(unsigned mask, T v, int lane, int)
{
    return __shfl_xor_sync(mask, v, lane);
}
template <class T> static T __shfl_up_sync(unsigned mask, T v, int by, int width = 32)
{
    int me = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    return rg_shim_from(mask, v, me % width >= by ? me - by : me);
}
template <class T> static T __shfl_down_sync(unsigned mask, T v, int by, int width = 32)
{
    int me = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    return rg_shim_from(mask, v, me % width + by < width ? me + by : me);
}
template <class T> static T __shfl_sync(unsigned mask, T v, int lane, int width = 32)
{
    int me = (int)((threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x);
    return rg_shim_from(mask, v, me / width * width + lane % width);
}
struct alignas(16) float4 {
    float x, y, z, w;
};
struct alignas(8) float2 {
    float x, y;
};
struct alignas(16) double2 {
    double x, y;
};
struct alignas(16) int4 {
    int x, y, z, w;
};
struct alignas(8) int2 {
    int x, y;
};
struct alignas(16) uint4 {
    unsigned x, y, z, w;
};
struct alignas(8) uint2 {
    unsigned x, y;
};

// One thread runs at a time: an atomic is the plain update.
template <class T> static T rg_shim_atomic(T *p, T v)
{
    T old = *p;
    *p = v;
    return old;
}
template <class T, class V> static T atomicAdd(T *p, V v)
{
    return rg_shim_atomic(p, (T)(*p + (T)v));
}
template <class T, class V> static T atomicMin(T *p, V v)
{
    return rg_shim_atomic(p, (T)v < *p ? (T)v : *p);
}
template <class T, class V> static T atomicMax(T *p, V v)
{
    return rg_shim_atomic(p, (T)v > *p ? (T)v : *p);
}
template <class T, class V> static T atomicAnd(T *p, V v)
{
    return rg_shim_atomic(p, (T)(*p & (T)v));
}
template <class T, class V> static T atomicOr(T *p, V v)
{
    return rg_shim_atomic(p, (T)(*p | (T)v));
}
template <class T, class V> static T atomicXor(T *p, V v)
{
    return rg_shim_atomic(p, (T)(*p ^ (T)v));
}
template <class T> static T atomicCAS(T *p, T was, T now)
{
    return rg_shim_atomic(p, *p == was ? now : *p);
}
