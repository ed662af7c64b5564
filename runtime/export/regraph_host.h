// SPDX-License-Identifier: MIT-0
// Copyright the authors of ReGraph. Permission is granted to use, copy, modify and distribute this file, with or
// without fee and without any condition. It comes without warranty of any kind.
//
// What every best.cu of ReGraph (regraph-search) needs on the host, the same for all: it stands beside them. C++17,
// CUDA 12.
#ifndef REGRAPH_HOST_H
#define REGRAPH_HOST_H
#include <atomic>
#include <cfloat>
#include <climits>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <initializer_list>
#include <mutex>
#include <string>
#include <type_traits>
#include <cuda_runtime.h>

namespace regraph_host
{

// ---- what the plan computes with ----
inline int64_t min(int64_t a, int64_t b)
{
    return a < b ? a : b;
}
inline int64_t max(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
inline int64_t abs(int64_t a)
{
    return a < 0 ? -a : a;
}
inline int64_t ceil_div(int64_t a, int64_t b)
{
    return a / b + (a % b != 0 && (a < 0) == (b < 0));
}

inline int64_t pow2(int64_t e)
{
    return e >= 0 && e < 63 ? (int64_t)1 << e : 0;
}
inline int64_t pow2_from(int64_t n)
{
    int64_t p = 1;
    while (p < n && p < (int64_t)1 << 62) p *= 2;
    return p;
}

// Whole parts of real numbers, of which sizes are made; 0 for what no integer holds.
inline int64_t trunc(double x)
{
    return std::fabs(x) < 0x1p62 ? (int64_t)x : 0;
}
inline double real(int64_t n)
{
    return (double)n;
}
inline double f32(double x)
{
    return (double)(float)x;
}
using std::cbrt, std::ceil, std::exp, std::fabs, std::floor, std::fmax, std::fmin, std::log, std::log10, std::log2;
using std::pow, std::round, std::sqrt;

// A launch extent; 0, which no launch takes, for what is out of range.
inline unsigned dim(int64_t n)
{
    return n >= 1 && n <= INT32_MAX ? (unsigned)n : 0;
}

inline bool overlap(const void *a, size_t n, const void *b, size_t m)
{
    return (uintptr_t)a < (uintptr_t)b + m && (uintptr_t)b < (uintptr_t)a + n;
}

// ---- buffers ----
inline cudaError_t alloc(void **mine, void **p, int64_t n, size_t size, cudaStream_t stream)
{
    if (n < 1 || (uint64_t)n > SIZE_MAX / size) return cudaErrorInvalidValue;
    cudaError_t e = cudaMallocAsync(mine, (size_t)n * size, stream);
    *p = *mine;
    return e;
}

// One element, after everything before it; 0 and *e set when that failed.
template <class T> int64_t read(const T *p, int64_t i, int64_t n, cudaStream_t stream, cudaError_t *e)
{
    T v = 0;
    if (*e != cudaSuccess) return 0;
    if (i < 0 || i >= n) *e = cudaErrorInvalidValue;
    if (*e == cudaSuccess) *e = cudaMemcpyAsync(&v, p + i, sizeof v, cudaMemcpyDeviceToHost, stream);
    if (*e == cudaSuccess) *e = cudaStreamSynchronize(stream);
    return (int64_t)v;
}

inline double min_real(double a, double b)
{
    return b < a ? b : a;
}
inline double max_real(double a, double b)
{
    return b > a ? b : a;
}
inline double abs_real(double a)
{
    return a < 0 ? -a : a;
}

// One element, after everything before it; 0 and *e set when that failed.
template <class T> double read_real(const T *p, int64_t i, int64_t n, cudaStream_t stream, cudaError_t *e)
{
    T v = 0;
    if (*e != cudaSuccess) return 0;
    if (i < 0 || i >= n) *e = cudaErrorInvalidValue;
    if (*e == cudaSuccess) *e = cudaMemcpyAsync(&v, p + i, sizeof v, cudaMemcpyDeviceToHost, stream);
    if (*e == cudaSuccess) *e = cudaStreamSynchronize(stream);
    return (double)v;
}

template <class T> static __global__ void fill_kernel(T *p, int64_t n, T v)
{
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n; i += gridDim.x * (int64_t)blockDim.x)
        p[i] = v;
}
template <class T> static cudaError_t fill(T *p, int64_t n, T v, cudaStream_t stream)
{
    unsigned char b[sizeof(T)];
    memcpy(b, &v, sizeof b);
    bool same = true;
    for (size_t i = 1; i < sizeof b; i++) same = same && b[i] == b[0];
    if (same) return cudaMemsetAsync(p, b[0], (size_t)n * sizeof(T), stream);
    fill_kernel<T><<<(unsigned)(n < 262144 ? (n + 255) / 256 : 1024), 256, 0, stream>>>(p, n, v);
    return cudaGetLastError();
}

inline cudaError_t copy(void *to, const void *from, int64_t n, size_t size, cudaStream_t stream)
{
    if (n < 0) return cudaErrorInvalidValue;
    return n ? cudaMemcpyAsync(to, from, (size_t)n * size, cudaMemcpyDeviceToDevice, stream) : cudaSuccess;
}

template <class T> void swap(T *&a, T *&b)
{
    T *t = a;
    a = b;
    b = t;
}

// What the plan swapped away goes back into the caller's own buffers.
template <class T> cudaError_t settle(T **now, T *const *own, int n, int64_t count, cudaStream_t stream)
{
    T *spare = NULL;
    cudaError_t e = cudaSuccess;
    const size_t bytes = (size_t)count * sizeof(T);
    while (e == cudaSuccess) {
        int ready = -1, waiting = -1;
        for (int i = 0; i < n; i++) {
            if (now[i] == own[i]) continue;
            bool needed = false;
            for (int k = 0; k < n; k++) needed = needed || (k != i && now[k] == own[i]);
            (needed ? waiting : ready) = i;
        }
        if (ready < 0 && waiting < 0) break;
        if (ready >= 0) {
            e = cudaMemcpyAsync(own[ready], now[ready], bytes, cudaMemcpyDeviceToDevice, stream);
            now[ready] = own[ready];
            continue;
        }
        if (!spare) e = cudaMallocAsync((void **)&spare, bytes, stream);
        if (e == cudaSuccess) e = cudaMemcpyAsync(spare, own[waiting], bytes, cudaMemcpyDeviceToDevice, stream);
        for (int k = 0; k < n; k++)
            if (now[k] == own[waiting]) now[k] = spare;
    }
    if (spare) cudaFreeAsync(spare, stream);
    return e;
}

// ---- launches ----
inline cudaError_t allow_shared(const void *kernel, size_t bytes)
{
    if (bytes <= 48 * 1024) return cudaSuccess;
    return cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)bytes);
}

// How many blocks the device holds at once: a cooperative launch can have no more.
inline int64_t resident(const void *kernel, int64_t threads, int64_t shared)
{
    int device = 0, processors = 0, blocks = 0;
    if (cudaGetDevice(&device) != cudaSuccess ||
        cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device) != cudaSuccess ||
        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, (int)threads, (size_t)shared) != cudaSuccess)
        return 1;
    return blocks > 0 ? (int64_t)blocks * processors : 1;
}

// Launches with arguments converted to the kernel's own parameter types.
template <class P, class A> P as(A a)
{
    if constexpr (std::is_class<P>::value && std::is_class<A>::value) {
        static_assert(sizeof(P) == sizeof(A), "struct sizes differ");
        P p;
        memcpy((void *)&p, (const void *)&a, sizeof p);
        return p;
    } else {
        return (P)a;
    }
}
template <class... P, class... A>
cudaError_t launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream, bool cooperative,
                   dim3 cluster, A... a)
{
    static_assert(sizeof...(P) == sizeof...(A), "wrong number of arguments");
    cudaLaunchAttribute at[2];
    cudaLaunchConfig_t c = {};
    unsigned n = 0;
    cudaError_t e = cudaSuccess;
    c.gridDim = grid;
    c.blockDim = block;
    c.dynamicSmemBytes = shared;
    c.stream = stream;
    e = allow_shared((const void *)kernel, shared);
    if (cooperative) {
        at[n].id = cudaLaunchAttributeCooperative;
        at[n++].val.cooperative = 1;
    }
    if (cluster.x) {
        at[n].id = cudaLaunchAttributeClusterDimension;
        at[n].val.clusterDim.x = cluster.x;
        at[n].val.clusterDim.y = cluster.y;
        at[n++].val.clusterDim.z = cluster.z;
        if (cluster.x * cluster.y * cluster.z > 8)
            e = cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1);
    }
    c.attrs = at;
    c.numAttrs = n;
    return e != cudaSuccess ? e : cudaLaunchKernelEx(&c, kernel, as<P>(a)...);
}

// ---- a plan with loops as a CUDA graph ----
// Queues the work itself the first time; the second time with the same arguments it is recorded as a CUDA graph, which
// later calls launch as a whole (a launch inside costs about 1 us instead of 2.5 to 5). Recording costs some 2 us a
// launch, once.
template <class... A> std::string bytes_of(const A &...a)
{
    std::string k;
    (void)std::initializer_list<int>{(k.append((const char *)&a, sizeof a), 0)...};
    return k;
}
template <class Queue> cudaError_t replay(const std::string &key, cudaStream_t stream, Queue queue)
{
    static std::mutex lock;
    static std::string last;
    static cudaGraphExec_t graph = NULL;
    static cudaEvent_t done = NULL;
    static bool refused = false;
    const size_t most = 20000;
    cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
    int device = 0;
    cudaError_t e = cudaStreamIsCapturing(stream, &status);
    if (e == cudaSuccess) e = cudaGetDevice(&device);
    if (e != cudaSuccess) return e;
    if (status != cudaStreamCaptureStatusNone) return queue(stream); // becomes part of the caller's own graph
    const std::lock_guard<std::mutex> hold(lock);
    const std::string now = key + bytes_of(device);
    if (now != last) {
        if (graph) {
            cudaEventSynchronize(done);
            cudaGraphExecDestroy(graph);
            cudaEventDestroy(done);
        }
        graph = NULL;
        done = NULL;
        refused = false;
        last = now;
        return queue(stream);
    }
    if (!graph && !refused) {
        cudaStream_t own = NULL;
        cudaGraph_t g = NULL;
        size_t n = 0;
        e = cudaStreamCreateWithFlags(&own, cudaStreamNonBlocking); // the default stream can't record
        if (e == cudaSuccess) e = cudaStreamBeginCapture(own, cudaStreamCaptureModeThreadLocal);
        if (e == cudaSuccess) {
            e = queue(own);
            const cudaError_t ended = cudaStreamEndCapture(own, &g);
            if (e == cudaSuccess) e = ended;
        }
        if (e == cudaSuccess) e = cudaGraphGetNodes(g, NULL, &n);
        if (e == cudaSuccess && n <= most) e = cudaEventCreateWithFlags(&done, cudaEventDisableTiming);
        if (e == cudaSuccess && n <= most) e = cudaGraphInstantiate(&graph, g, 0);
        if (e != cudaSuccess) graph = NULL;
        refused = !graph;
        if (g) cudaGraphDestroy(g);
        if (own) cudaStreamDestroy(own);
        cudaGetLastError();
    }
    if (refused) return queue(stream);
    e = cudaGraphLaunch(graph, stream);
    return e != cudaSuccess ? e : cudaEventRecord(done, stream);
}

// ---- NAME_auto() ----
// Of a compared array's elements.
struct field {
    int kind, bytes;
    int64_t offset, count;
}; // kind: 0 real, 1 signed, 2 unsigned
inline double load(const field &f, const unsigned char *p)
{
    if (f.kind == 0 && f.bytes == 8) {
        double d;
        memcpy(&d, p, 8);
        return d;
    }
    if (f.kind == 0 && f.bytes == 4) {
        float s;
        memcpy(&s, p, 4);
        return s;
    }
    uint64_t v = 0;
    memcpy(&v, p, (size_t)f.bytes); // little endian
    if (f.kind == 0) {              // half
        int e = (int)(v >> 10 & 31);
        double m = (double)(v & 1023), s = v >> 15 ? -1 : 1;
        return e == 31 ? (m != 0 ? NAN : s * INFINITY) : e ? s * ldexp(1024 + m, e - 25) : s * ldexp(m, -24);
    }
    if (f.kind == 2) return (double)v;
    return (double)((int64_t)(v << (64 - 8 * f.bytes)) >> (64 - 8 * f.bytes));
}

// Whether NAME_auto() uses its kernel: one object a function.
class choice
{
    std::atomic<bool> off{false};             // the kernel is not used any more
    std::atomic<int> never{-1}, compares{-1}; // asked once; -1: not yet
    static bool asked(const char *name)
    {
        const char *v = getenv(name);
        return v && *v && strcmp(v, "0");
    }
    static bool device()
    {
        int n = 0;
        bool found = cudaGetDeviceCount(&n) == cudaSuccess && n > 0;
        (void)cudaGetLastError();
        return found;
    }

  public:
    bool usable()
    {
        int no = never;
        if (no < 0) never = no = asked("REGRAPH_OFF") || !device();
        return !no && !off;
    }
    // Kernel and C function both run, and are compared.
    bool both()
    {
        int yes = compares;
        if (yes < 0) compares = yes = asked("REGRAPH_CHECK");
        return yes != 0;
    }
    // Who did the last call? Asked by NAME_auto_used().
    std::atomic<bool> used{false};
    // Back to the C function from now on. True the first time.
    bool stop() { return !off.exchange(true); }
    // Too little memory may be enough for the next call; any other error comes again.
    void failed(const char *who, cudaError_t e)
    {
        (void)cudaGetLastError();
        if (e != cudaErrorMemoryAllocation && stop())
            fprintf(stderr, "%s: %s; the C function is used from now on\n", who, cudaGetErrorString(e));
    }
    // Reals: |d| <= atol + rtol * max(|C|, rms of C). Integers: equal, but for the accepted share.
    bool same(const char *who, const char *name, const void *c, const void *kernel, int64_t n, int64_t bytes,
              const field *f, int n_fields, double rtol, double atol, double share)
    {
        const unsigned char *want = (const unsigned char *)c, *got = (const unsigned char *)kernel;
        double sum = 0, first_want = 0, first_got = 0;
        int64_t reals = 0, wholes = 0, bad = 0, bad_wholes = 0, first = -1;
        for (int k = 0; k < n_fields; k++)
            for (int64_t i = 0; f[k].kind == 0 && i < n * f[k].count; i++) {
                double w = load(f[k], want + i / f[k].count * bytes + f[k].offset + i % f[k].count * f[k].bytes);
                if (w == w && fabs(w) < 1e300) {
                    sum += w * w;
                    reals++;
                }
            }
        const double rms = reals ? sqrt(sum / (double)reals) : 0;
        for (int k = 0; k < n_fields; k++)
            for (int64_t i = 0; i < n * f[k].count; i++) {
                const int64_t at = i / f[k].count * bytes + f[k].offset + i % f[k].count * f[k].bytes;
                const double w = load(f[k], want + at), g = load(f[k], got + at);
                bool wrong;
                if (f[k].kind == 0) {
                    wrong =
                        !(w == g || (w != w && g != g) || fabs(g - w) <= atol + rtol * (fabs(w) > rms ? fabs(w) : rms));
                    bad += wrong;
                } else {
                    wrong = memcmp(want + at, got + at, (size_t)f[k].bytes) != 0;
                    wholes++;
                    bad_wholes += wrong;
                }
                if (wrong && first < 0) {
                    first = i / f[k].count;
                    first_want = w;
                    first_got = g;
                }
            }
        if (!bad && (double)bad_wholes <= share * (double)wholes) return true;
        if (stop())
            fprintf(stderr,
                    "%s: %s[%lld] is %.9g, the C function gives %.9g (%lld values differ); the C function is used from "
                    "now on\n",
                    who, name, (long long)first, first_got, first_want, (long long)(bad + bad_wholes));
        return false;
    }
};

inline void *copied(const void *p, size_t n)
{
    void *q = malloc(n);
    return q ? memcpy(q, p, n) : NULL;
}

// Rows behind pointers, and the block that stands for them.
struct table {
    unsigned char **row = NULL, *block = NULL;
    size_t n = 0, bytes = 0;
    size_t *own = NULL; // of each row, where they differ
    ~table()
    {
        free(row);
        free(block);
        free(own);
    }
    size_t length(size_t i) const { return own ? own[i] : bytes; }
    // n places of their own lengths, row_bytes at most, each a row of the block. False: no memory for it, or a row that
    // is NULL.
    bool gather(const void *p, int64_t rows, size_t row_bytes)
    {
        const struct piece {
            void *at;
            size_t bytes;
        } *from = (const piece *)p;
        n = rows > 0 ? (size_t)rows : 0;
        bytes = row_bytes;
        row = (unsigned char **)malloc((n + 1) * sizeof *row);
        own = (size_t *)malloc((n + 1) * sizeof *own);
        block = (unsigned char *)calloc(n * bytes + 1, 1);
        if ((n && !from) || !row || !own || !block) return false;
        for (size_t i = 0; i < n; i++) {
            if (!from[i].at) return false; // the C may ask for that
            row[i] = (unsigned char *)from[i].at;
            own[i] = from[i].bytes < bytes ? from[i].bytes : bytes;
        }
        return true;
    }
    // n tables of m rows each; outer: they are behind pointers too. False: no memory, or a row that is NULL.
    bool take(const void *p, int64_t tables, int64_t m, size_t row_bytes, bool outer)
    {
        n = (size_t)tables * (size_t)m;
        bytes = row_bytes;
        row = (unsigned char **)malloc(n * sizeof *row);
        block = (unsigned char *)malloc(n * bytes);
        if (!p || !row || !block) return false;
        for (int64_t i = 0; i < tables; i++) {
            const void *rows = p;
            if (outer) memcpy(&rows, (const unsigned char *)p + (size_t)i * sizeof rows, sizeof rows);
            if (!rows) return false;
            memcpy(row + (size_t)i * (size_t)m, rows, (size_t)m * sizeof *row);
        }
        for (size_t i = 0; i < n; i++)
            if (!row[i]) return false;
        return true;
    }
    void again()
    {
        for (size_t i = 0; i < n; i++)
            if (length(i)) memcpy(block + i * bytes, row[i], length(i));
    }
    void back()
    {
        for (size_t i = 0; i < n; i++)
            if (length(i)) memcpy(row[i], block + i * bytes, length(i));
    }
};

struct span {
    uintptr_t from, to;
    bool written;
};
inline int by_address(const void *a, const void *b)
{
    const span *x = (const span *)a, *y = (const span *)b;
    return (x->from > y->from) - (x->from < y->from);
}
// What the function reads and writes. Apart: nothing that is written meets anything else.
struct spans {
    span *all = NULL;
    size_t n = 0, room = 0;
    bool full = false;
    ~spans() { free(all); }
    void add(const void *p, size_t bytes, bool written)
    {
        if (n == room) {
            room = 2 * room + 64;
            void *more = realloc(all, room * sizeof *all);
            if (!more) {
                full = true;
                room = n;
                return;
            }
            all = (span *)more;
        }
        all[n].from = (uintptr_t)p;
        all[n].to = (uintptr_t)p + bytes;
        all[n++].written = written;
    }
    void add(const table &t, bool written)
    {
        for (size_t i = 0; i < t.n; i++)
            if (t.length(i)) add(t.row[i], t.length(i), written);
    }
    bool apart()
    {
        uintptr_t end = 0, end_written = 0;
        if (full) return false;
        if (n) qsort(all, n, sizeof *all, by_address);
        for (size_t i = 0; i < n; i++) {
            if (all[i].from < (all[i].written ? end : end_written)) return false;
            if (all[i].to > end) end = all[i].to;
            if (all[i].written && all[i].to > end_written) end_written = all[i].to;
        }
        return true;
    }
};

} // namespace regraph_host
#endif
