/* The Driver API, opened at run time. Entry points that not every driver has are optional and NULL then. */
#ifndef RG_DRIVER_CUDA_API_H
#define RG_DRIVER_CUDA_API_H
#include <cuda.h>
#include <rg/error.h>

/* member, exported symbol, parameters. The symbol is the versioned name that libcuda exports; headers rename the plain
 * ones. */
#define CUDA_REQUIRED(X)                                                                                               \
    X(init, "cuInit", (unsigned flags))                                                                                \
    X(driver_version, "cuDriverGetVersion", (int *version))                                                            \
    X(error_name, "cuGetErrorName", (CUresult e, const char **text))                                                   \
    X(error_string, "cuGetErrorString", (CUresult e, const char **text))                                               \
    X(device_count, "cuDeviceGetCount", (int *n))                                                                      \
    X(device_get, "cuDeviceGet", (CUdevice * d, int ordinal))                                                          \
    X(device_name, "cuDeviceGetName", (char *name, int len, CUdevice d))                                               \
    X(device_attribute, "cuDeviceGetAttribute", (int *v, CUdevice_attribute a, CUdevice d))                            \
    X(device_memory, "cuDeviceTotalMem_v2", (size_t * bytes, CUdevice d))                                              \
    X(context_retain, "cuDevicePrimaryCtxRetain", (CUcontext * c, CUdevice d))                                         \
    X(context_release, "cuDevicePrimaryCtxRelease_v2", (CUdevice d))                                                   \
    X(context_current, "cuCtxSetCurrent", (CUcontext c))                                                               \
    X(module_load, "cuModuleLoadData", (CUmodule * m, const void *image))                                              \
    X(module_unload, "cuModuleUnload", (CUmodule m))                                                                   \
    X(module_function, "cuModuleGetFunction", (CUfunction * f, CUmodule m, const char *name))                          \
    X(module_global, "cuModuleGetGlobal_v2", (CUdeviceptr * p, size_t * bytes, CUmodule m, const char *name))          \
    X(function_attribute, "cuFuncGetAttribute", (int *v, CUfunction_attribute a, CUfunction f))                        \
    X(function_set, "cuFuncSetAttribute", (CUfunction f, CUfunction_attribute a, int v))                               \
    X(launch, "cuLaunchKernel",                                                                                        \
      (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,    \
       CUstream s, void **params, void **extra))                                                                       \
    X(launch_cooperative, "cuLaunchCooperativeKernel",                                                                 \
      (CUfunction f, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by, unsigned bz, unsigned shared,    \
       CUstream s, void **params))                                                                                     \
    X(occupancy, "cuOccupancyMaxActiveBlocksPerMultiprocessor", (int *n, CUfunction f, int threads, size_t shared))    \
    X(alloc, "cuMemAlloc_v2", (CUdeviceptr * p, size_t bytes))                                                         \
    X(free_, "cuMemFree_v2", (CUdeviceptr p))                                                                          \
    X(host_alloc, "cuMemHostAlloc", (void **p, size_t bytes, unsigned flags))                                          \
    X(host_free, "cuMemFreeHost", (void *p))                                                                           \
    X(host_pointer, "cuMemHostGetDevicePointer_v2", (CUdeviceptr * d, void *p, unsigned flags))                        \
    X(to_device, "cuMemcpyHtoDAsync_v2", (CUdeviceptr to, const void *from, size_t bytes, CUstream s))                 \
    X(from_device, "cuMemcpyDtoHAsync_v2", (void *to, CUdeviceptr from, size_t bytes, CUstream s))                     \
    X(copy, "cuMemcpyDtoDAsync_v2", (CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream s))                      \
    X(set8, "cuMemsetD8Async", (CUdeviceptr p, unsigned char v, size_t n, CUstream s))                                 \
    X(set16, "cuMemsetD16Async", (CUdeviceptr p, unsigned short v, size_t n, CUstream s))                              \
    X(set32, "cuMemsetD32Async", (CUdeviceptr p, unsigned v, size_t n, CUstream s))                                    \
    X(stream_create, "cuStreamCreate", (CUstream * s, unsigned flags))                                                 \
    X(stream_destroy, "cuStreamDestroy_v2", (CUstream s))                                                              \
    X(stream_sync, "cuStreamSynchronize", (CUstream s))                                                                \
    X(event_create, "cuEventCreate", (CUevent * e, unsigned flags))                                                    \
    X(event_destroy, "cuEventDestroy_v2", (CUevent e))                                                                 \
    X(event_record, "cuEventRecord", (CUevent e, CUstream s))                                                          \
    X(event_sync, "cuEventSynchronize", (CUevent e))

#define CUDA_OPTIONAL(X)                                                                                               \
    X(event_elapsed_2, "cuEventElapsedTime_v2", (float *ms, CUevent a, CUevent b))                                     \
    X(event_elapsed_1, "cuEventElapsedTime", (float *ms, CUevent a, CUevent b))                                        \
    X(context_limit, "cuCtxSetLimit", (CUlimit what, size_t v))                                                        \
    X(launch_ex, "cuLaunchKernelEx", (const CUlaunchConfig *c, CUfunction f, void **params, void **extra))             \
    X(capture_begin, "cuStreamBeginCapture_v2", (CUstream s, CUstreamCaptureMode mode))                                \
    X(capture_end, "cuStreamEndCapture", (CUstream s, CUgraph * g))                                                    \
    X(graph_instantiate, "cuGraphInstantiateWithFlags", (CUgraphExec * e, CUgraph g, unsigned long long flags))        \
    X(graph_destroy, "cuGraphDestroy", (CUgraph g))                                                                    \
    X(graph_exec_destroy, "cuGraphExecDestroy", (CUgraphExec e))                                                       \
    X(graph_launch, "cuGraphLaunch", (CUgraphExec e, CUstream s))                                                      \
    X(graph_upload, "cuGraphUpload", (CUgraphExec e, CUstream s))                                                      \
    X(device_bus, "cuDeviceGetPCIBusId", (char *id, int len, CUdevice d))                                              \
    X(device_uuid, "cuDeviceGetUuid_v2", (CUuuid * id, CUdevice d))

struct cuda_api {
#define X(member, symbol, params) CUresult(*member) params;
    CUDA_REQUIRED(X)
    CUDA_OPTIONAL(X)
#undef X
    int version; /* 13000 */
};

/* Once a process; RG_UNAVAILABLE names the library or the missing symbol. */
enum rg_status rg__cuda_api_open(const struct cuda_api **out, struct rg_error *err);
/* "CUDA_ERROR_ILLEGAL_ADDRESS: an illegal memory access was encountered" */
const char *rg__cuda_error_text(const struct cuda_api *c, CUresult e, char *out, size_t size);
#endif
