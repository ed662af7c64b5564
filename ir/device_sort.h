/* A stable merge sort for many threads, in CUDA C++ (device_library.c): blocks sort tiles, then pairs of sorted runs
 * are merged, each block a tile of the result, whose ends it finds by bisection along the merge path (Odeh, Green,
 * Mwassi, Shmueli, Birk 2012). The order is a functor over two addresses, negative, 0 or positive as C's comparison
 * functions are. It must be one order: C leaves the rest undefined. */
#ifndef RG_IR_DEVICE_SORT_H
#define RG_IR_DEVICE_SORT_H

/* rg_merge_path(a, n, b, m, k, order): how many of the first k elements of the merge of a and b come from a. */
#define RG_DEVICE_MERGE_PATH                                                                                                                                                                  \
    "template <class I, class T, class F> __device__ inline I rg_merge_path(const T *a, I n, const T *b, I m, I "                                                                             \
    "k, F order)\n{\n"                                                                                                                                                                        \
    "    I lo = k > m ? k - m : 0, hi = k < n ? k : n;\n"                                                                                                                                     \
    "    while (lo < hi) {\n        I c = lo + (hi - lo) / 2;\n"                                                                                                                              \
    "        if (order(&a[c], &b[k - 1 - c]) <= 0) lo = c + 1;\n        else hi = c;\n    }\n    return lo;\n}\n" /* a                                                                        \
                                                                                                                     thread's ITEMS of the merge, from its k-th element on: into registers */ \
    "template <int ITEMS, class T, class F> __device__ inline void rg_merge_items(const T *a, int n, const T *b, "                                                                            \
    "int m, int k, T *x, F order)\n{\n"                                                                                                                                                       \
    "    int i = rg_merge_path(a, n, b, m, k, order), j = k - i;\n"                                                                                                                           \
    "#pragma unroll\n    for (int c = 0; c < ITEMS; c++) {\n        if (k + c >= n + m) break;\n"                                                                                             \
    "        x[c] = j >= m || (i < n && order(&a[i], &b[j]) <= 0) ? a[i++] : b[j++];\n    }\n}\n"

/* rg_sort_tile<BLOCK, ITEMS>(v, n, tile, room, order): a block of BLOCK threads sorts elements tile * BLOCK * ITEMS and
 * on of v[n]; room: as many in shared memory. */
#define RG_DEVICE_SORT_TILE                                                                                            \
    "template <int BLOCK, int ITEMS, class T, class F> __device__ inline void rg_sort_tile(T *v, long long n, "        \
    "long long tile, T *room, F order)\n{\n"                                                                           \
    "    const long long begin = tile * (BLOCK * ITEMS);\n    if (begin >= n) return;\n"                               \
    "    const int size = n - begin < BLOCK * ITEMS ? (int)(n - begin) : BLOCK * ITEMS, first = threadIdx.x * "        \
    "ITEMS;\n"                                                                                                         \
    "    T x[ITEMS];\n    v += begin;\n"                                                                               \
    "    for (int i = threadIdx.x; i < size; i += BLOCK) room[i] = v[i];\n    __syncthreads();\n"                      \
    "#pragma unroll\n    for (int c = 0; c < ITEMS; c++) if (first + c < size) x[c] = room[first + c];\n"              \
    "#pragma unroll\n    for (int round = 0; round < ITEMS; round++)\n" /* odd-even transposition */                   \
    "#pragma unroll\n        for (int c = round & 1; c + 1 < ITEMS; c += 2)\n"                                         \
    "            if (first + c + 1 < size && order(&x[c], &x[c + 1]) > 0) {\n                const T y = x[c];\n "     \
    "               x[c] = x[c + 1];\n                x[c + 1] = y;\n            }\n"                                  \
    "    for (int run = ITEMS;; run *= 2) {\n"                                                                         \
    "        __syncthreads();\n"                                                                                       \
    "#pragma unroll\n        for (int c = 0; c < ITEMS; c++) if (first + c < size) room[first + c] = x[c];\n"          \
    "        __syncthreads();\n        if (run >= size) break;\n"                                                      \
    "        if (first < size) {\n            const int from = first / (2 * run) * (2 * run), left = size - "          \
    "from, a = left < run ? left : run, b = left - a < run ? left - a : run;\n"                                        \
    "            rg_merge_items<ITEMS>(room + from, a, room + from + a, b, first - from, x, order);\n        }\n "     \
    "   }\n"                                                                                                           \
    "    for (int i = threadIdx.x; i < size; i += BLOCK) v[i] = room[i];\n}\n"

/* rg_merge_tile<BLOCK, ITEMS>(from, to, n, run, tile, room, order): the same elements of the merge of all pairs of runs
 * of from[n], each `run` long (BLOCK * ITEMS or a multiple by a power of two), into to[n]. */
#define RG_DEVICE_MERGE_TILE                                                                                           \
    "template <int BLOCK, int ITEMS, class T, class F>\n__device__ inline void rg_merge_tile(const T *from, T "        \
    "*to, long long n, long long run, long long tile, T *room, F order)\n{\n"                                          \
    "    __shared__ long long cut[2];\n"                                                                               \
    "    const long long begin = tile * (BLOCK * ITEMS);\n    if (begin >= n) return;\n"                               \
    "    const int size = n - begin < BLOCK * ITEMS ? (int)(n - begin) : BLOCK * ITEMS, first = threadIdx.x * "        \
    "ITEMS;\n"                                                                                                         \
    "    const long long pair = begin / (2 * run) * (2 * run), left = n - pair, a = left < run ? left : run, b = "     \
    "left - a < run ? left - a : run, k = begin - pair;\n"                                                             \
    "    const T *p = from + pair, *q = p + a;\n    T x[ITEMS];\n"                                                     \
    "    if (threadIdx.x < 2) cut[threadIdx.x] = rg_merge_path(p, a, q, b, threadIdx.x ? k + size : k, order);\n "     \
    "   __syncthreads();\n"                                                                                            \
    "    const int m = (int)(cut[1] - cut[0]);\n    p += cut[0];\n    q += k - cut[0];\n"                              \
    "    for (int i = threadIdx.x; i < size; i += BLOCK) room[i] = i < m ? p[i] : q[i - m];\n    __syncthreads();\n"   \
    "    if (first < size) rg_merge_items<ITEMS>(room, m, room + m, size - m, first, x, order);\n    "                 \
    "__syncthreads();\n"                                                                                               \
    "#pragma unroll\n    for (int c = 0; c < ITEMS; c++) if (first + c < size) room[first + c] = x[c];\n    "          \
    "__syncthreads();\n"                                                                                               \
    "    for (int i = threadIdx.x; i < size; i += BLOCK) to[begin + i] = room[i];\n}\n"
#endif
