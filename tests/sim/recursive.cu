// Kernels whose functions call themselves (recursive.inc). What each computes is in test_recursive.c.
#define ARGS const float *x, const float *z, const int *k, const double *d, const unsigned short *h, void *out, float *w, int *zero, int n
#define Y ((float *)out)
#define YI ((int *)out)
#define YD ((double *)out)
#define ID (blockIdx.x * blockDim.x + threadIdx.x)

__global__ void fibs(ARGS) { if (ID < n) YI[ID] = fib(k[ID] % 13); }
__global__ void climbs(ARGS) { YI[ID] = fib(n); }
__global__ void ackermanns(ARGS) { if (ID < n) YI[ID] = ackermann(k[ID] % 3, k[ID] % 5); }
__global__ void hofstadter(ARGS) { if (ID < n) YI[ID] = k[ID] % 2 ? female(k[ID] % 9) : male(k[ID] % 11); }
__global__ void depths(ARGS) { if (ID < n) YI[ID] = collatz(k[ID] + 1) + 1000 * collatz(ID + 1); }
__global__ void quicksorts(ARGS)
{
    int a[24];
    for (int i = 0; i < 24; i++) a[i] = k[(ID + i * 7) % n];
    quicksort(a, 0, 23);
    for (int i = 0; i < 4; i++) YI[ID * 4 + i] = a[i * 7];
}
__global__ void mergesorts(ARGS)
{
    int a[32];
    for (int i = 0; i < 32; i++) a[i] = k[(ID * 3 + i * 5) % n];
    mergesort(a, k[ID] % 33);
    int s = 0;
    for (int i = 0; i < 32; i++) s = s * 31 + a[i];
    YI[ID] = s;
}
__global__ void quadrature(ARGS)
{
    double s = 0;
    for (int i = 0; i < 3; i++) s += simpson(d[ID], d[ID] + 1 + i, 1 + (double)(k[ID] * (i + 1)));
    YD[ID] = s;
}
__global__ void boards(ARGS)
{
    int column[8];
    YI[ID] = queens(2 + k[ID] % 5, 0, column);
}
__global__ void columns(ARGS)
{
    int column[8], s = ID & 63;
    column[0] = s & 7;
    column[1] = s >> 3;
    YI[ID] = free_at(column, column[1], 1) ? placed(column, 2) : 0;
}
__global__ void trees_at_once(ARGS) // its own table
{
    __shared__ float table[320];
    for (int i = threadIdx.x; i < 320; i += blockDim.x) table[i] = -1 + i * (2.0f / 256);
    __syncthreads();
    struct best b = {1e30f, -1, 0};
    nearest(table, 0, 200 + k[ID], x[ID], &b);
    YI[ID] = b.at * 1000 + b.visited;
}
__global__ void towers(ARGS)
{
    struct body p = {x[ID], k[ID], z[ID]};
    p = tower(p, k[ID] % 5);
    YD[ID] = p.a + p.b + p.c;
}
__global__ void shuffles(ARGS)
{
    struct bytes b;
    for (int i = 0; i < 13; i++) b.v[i] = (unsigned char)(k[(ID + i) % n] * 3);
    b.s = (short)(k[ID] * 100);
    b = shuffle(b, k[ID] % 20);
    int s = b.s;
    for (int i = 0; i < 13; i++) s = s * 3 + b.v[i];
    YI[ID] = s;
}
__global__ void lists(ARGS) { YI[ID] = ancestors(0, k[ID] % 12); }
__global__ void permuted(ARGS)
{
    int a[6];
    for (int i = 0; i < 6; i++) a[i] = k[(ID + i) % n];
    YI[ID] = permutations(a, 0, 3 + ID % 3);
}
__global__ void mixtures(ARGS)
{
    int own = k[ID];
    YD[ID] = mixed(k[ID] % 6, x[ID], d[ID], (unsigned char)k[ID], k[ID] * 1000000007ll, z[ID], d[ID + 1], (short)-k[ID], &own, ID, d[ID + 2], x[ID + 1]);
}
__global__ void halvings(ARGS)
{
    double a[16], b[16];
    for (int i = 0; i < 16; i++) a[i] = b[i] = d[ID + i];
    halves(a, b, 8);
    YD[ID] = a[0] + 2 * a[3] + 3 * a[7];
}
__global__ void wheels(ARGS)
{
    double a[16], b[16];
    for (int i = 0; i < 16; i++) a[i] = b[i] = d[ID + i];
    spokes(a, b, 16, 1);
    YD[ID] = a[0] + 2 * a[3] + 3 * a[7] + 4 * a[13];
}

/* barriers at every depth: all threads go down and up together */
__device__ __noinline__ void scan_levels(int *s, int step, int size)
{
    int i = (threadIdx.x + 1) * 2 * step - 1;
    if (2 * step > size) return;
    if (i < size) s[i] += s[i - step];
    __syncthreads();
    scan_levels(s, 2 * step, size);
    if (i + step < size) s[i + step] += s[i];
    __syncthreads();
}
__global__ void recursive_scan(ARGS)
{
    __shared__ int s[256];
    s[threadIdx.x] = k[ID];
    __syncthreads();
    scan_levels(s, 1, 256);
    YI[ID] = s[threadIdx.x];
}

/* exchanges of whole warps at every depth */
__device__ __noinline__ int butterflies(int v, int o)
{
    if (o == 0) return v;
    int other = __shfl_xor_sync(0xffffffffu, v, o), below = butterflies(v + other, o / 2);
    return below * 3 + __shfl_xor_sync(0xffffffffu, below, o);
}
__global__ void exchanges(ARGS) { YI[ID] = butterflies(k[ID], 16); }

/* threads that end within a call; the rest goes on */
__device__ __noinline__ int leaving(int *out, int v, int d)
{
    if (d == v) {
        *out = 1000 + v;
        asm volatile("exit;");
    }
    return d == 0 ? v : leaving(out, v, d - 1) * 2 + d;
}
__global__ void leavers(ARGS) { YI[ID] = leaving(YI + ID, k[ID] % 20, 8); }

/* results by atomics from every level */
__device__ __noinline__ int visits(int *count, int d)
{
    atomicAdd(count + d, 1);
    return d == 0 ? 1 : visits(count, d - 1) + (d % 2 ? visits(count, d - 1) : 0);
}
__global__ void counted(ARGS) { YI[ID] = visits(zero, k[ID] % 7); }

/* pointers into the same function's frames of lanes that go different ways */
__global__ void either(ARGS)
{
    int a[4] = {k[ID], 2, 3, 4};
    YI[ID] = k[ID] % 3 == 0 ? permutations(a, 0, 4) : k[ID] % 3 == 1 ? ancestors(0, a[0] % 9) : fib(a[0] % 9) + permutations(a, 1, 4);
}

/* ---- what is wrong: test_recursive.c says how ---- */

__device__ __noinline__ int endless(int v) { return v == 12345678 ? 0 : endless(v + 1) * 3 + v; } // @runaway
__global__ void runaway(ARGS) { YI[ID] = endless(k[ID]); }

__device__ __noinline__ int beyond(const int *p, int d) { return d == 0 ? p[4096] : beyond(p, d - 1) + 1; } // @outside
__global__ void outside(ARGS) { YI[ID] = beyond(k, 3); }

__device__ __noinline__ int past_end(int d, int by)
{
    int a[4];
    for (int i = 0; i < 4; i++) a[i] = i + d;
    a[d + by] = 7; // @array
    return d == 0 ? a[by & 3] : past_end(d - 1, by) + a[d & 3];
}
__global__ void array(ARGS) { YI[ID] = past_end(3, k[ID] * 0 + 40); }

__device__ __noinline__ int half_set(int d, int which)
{
    int a[4];
    a[which & 3] = d;
    return d == 0 ? a[(which + 1) & 3] : half_set(d - 1, which) * 2 + a[which & 3]; // @unset
}
__global__ void unset(ARGS) { YI[ID] = half_set(5, k[ID]); }

__device__ __noinline__ int kept_undefined(int *a, int d)
{
    int v = a[d]; // @kept
    int r = d == 0 ? 0 : kept_undefined(a, d - 1);
    if (d == 3 && v > 5) r++;
    return r;
}
__global__ void kept(ARGS)
{
    int a[8];
    a[0] = a[1] = a[2] = 1;
    if (k[0] > 1000) a[3] = 1;
    YI[ID] = kept_undefined(a, 3);
}

__device__ __noinline__ int *dangling(int d)
{
    int a[4];
    a[d & 3] = d;
    int *p = d == 0 ? a : dangling(d - 1);
    return p + (a[d & 3] == 77);
}
__global__ void gone(ARGS) { YI[ID] = *dangling(k[ID] % 4); } // @gone

__device__ __noinline__ int meets(int d)
{
    int r = d == 0 ? 1 : meets(d - 1) * 3 + d;
    __syncthreads(); // @uneven
    return r;
}
__global__ void uneven(ARGS)
{
    int v = meets(1 + (ID & 1));
    __syncthreads(); // @uneven_2
    YI[ID] = v;
}
