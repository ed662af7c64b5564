/* A CUDA runtime without a GPU, for the tests of exported code: memory is the host's, and whatever is launched is fake_kernel(), which the
 * test gives in C. FAKE says what goes wrong: none (no device), memory, fault, and what the kernel asks fake_is() for. */
#include "fake_cuda.h"
#include <stdlib.h>
#include <string.h>

struct dim { unsigned x, y, z; };
int launches;
static struct dim grid;
int fake_is(const char *mode) { const char *m = getenv("FAKE"); return m && !strcmp(m, mode); }
int cudaGetDeviceCount(int *n) { *n = !fake_is("none"); return fake_is("none") ? 100 : 0; }
int cudaMalloc(void **p, size_t n) { if (fake_is("none")) return 100; if (fake_is("memory")) return 2; *p = malloc(n); return 0; }
int cudaFree(void *p) { free(p); return 0; }
int cudaMemcpy(void *to, const void *from, size_t n, int kind) { memcpy(to, from, n); return 0; }
int cudaDeviceSynchronize(void) { return fake_is("fault") ? 719 : 0; }
int cudaGetLastError(void) { return 0; }
const char *cudaGetErrorString(int e) { return e == 719 ? "unspecified launch failure" : "an error"; }
void **__cudaRegisterFatBinary(void *p) { static void *h; return &h; }
void __cudaRegisterFatBinaryEnd(void **h) { }
void __cudaUnregisterFatBinary(void **h) { }
char __cudaInitModule(void **h) { return 0; }
void __cudaRegisterFunction(void **h, const char *f, char *d, const char *n, int t, void *a, void *b, void *c, void *e, int *w) { }
unsigned __cudaPushCallConfiguration(struct dim g, struct dim b, size_t s, void *stream) { grid = g; return 0; }
int __cudaPopCallConfiguration(struct dim *g, struct dim *b, size_t *s, void *stream) { *g = grid; return 0; }
int __cudaGetKernel(void **k, const void *f) { *k = (void *)f; return 0; }
static int launch(void **a) { launches++; fake_kernel(a); return 0; }
int __cudaLaunchKernel(void *k, struct dim g, struct dim b, void **a, size_t s, void *st) { return launch(a); }
int cudaLaunchKernel(const void *k, struct dim g, struct dim b, void **a, size_t s, void *st) { return launch(a); }
int cudaLaunchKernelExC(const void *config, const void *k, void **a) { return launch(a); }
int cudaFuncSetAttribute(const void *k, int attribute, int value) { return 0; }
