#include "runtime/compile/compiler.h"
#include <dlfcn.h>
#include <nvrtc.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* name in the library; all are needed */
/* clang-format off */
#define FUNCTIONS(X)                                                                                           \
    X(nvrtcVersion) X(nvrtcGetErrorString) X(nvrtcCreateProgram) X(nvrtcDestroyProgram) X(nvrtcCompileProgram) \
    X(nvrtcGetPTXSize) X(nvrtcGetPTX) X(nvrtcGetCUBINSize) X(nvrtcGetCUBIN) X(nvrtcGetProgramLogSize)          \
    X(nvrtcGetProgramLog) X(nvrtcAddNameExpression) X(nvrtcGetLoweredName) X(nvrtcGetNumSupportedArchs)        \
    X(nvrtcGetSupportedArchs)
/* clang-format on */

struct nvrtc {
    void *handle;
#define X(name) __typeof__(&name) name;
    FUNCTIONS(X)
#undef X
};

static void *open_in(const char *dir, const char *library, char *path, size_t size)
{
    snprintf(path, size, "%s%s%s", dir, dir[0] ? "/" : "", library);
    if (dir[0] && !rg_file_exists(path)) return NULL;
    return dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

static void *open_any(char *path, size_t size)
{
    static const char *const libraries[] = {"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
    static const char *const below[] = {"lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"};
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), "", RG_CUDA_HOME, "/usr/local/cuda",
                           "/opt/cuda",         "/usr/lib/cuda"};
    for (size_t l = 0; l < sizeof libraries / sizeof *libraries; l++)
        for (size_t h = 0; h < sizeof homes / sizeof *homes; h++) {
            if (!homes[h]) continue;
            void *p = NULL;
            if (!homes[h][0]) p = open_in("", libraries[l], path, size); /* LD_LIBRARY_PATH, ld.so.cache */
            for (size_t b = 0; !p && homes[h][0] && b < sizeof below / sizeof *below; b++) {
                char dir[400];
                snprintf(dir, sizeof dir, "%s/%s", homes[h], below[b]);
                p = open_in(dir, libraries[l], path, size);
            }
            if (p) return p;
        }
    return NULL;
}

/* NVRTC opens its second library by its bare name and has no search path of its own: where the toolkit's folder is not
 * on the loader's path either, it finds the one that is loaded already. Stays loaded as long as the process. */
static void open_builtins(const struct rg_compiler *c)
{
    char path[600];
    const char *slash = strrchr(c->library, '/');
    if (!slash) return; /* the loader found NVRTC, so it finds this */
    snprintf(path, sizeof path, "%.*s/libnvrtc-builtins.so.%d.%d", (int)(slash - c->library), c->library, c->major,
             c->minor);
    dlopen(path, RTLD_NOW | RTLD_LOCAL);
}

/* CUDA's headers (cuda_fp16.h, cooperative_groups.h): beside the library, else in CUDA_HOME. */
static void find_headers(struct rg_compiler *c)
{
    const char *homes[] = {getenv("CUDA_HOME"), getenv("CUDA_PATH"), RG_CUDA_HOME, "/usr/local/cuda", "/opt/cuda"};
    char path[600], dir[512];
    snprintf(dir, sizeof dir, "%s", c->library);
    for (int up = 0; up < 3; up++) {
        char *slash = strrchr(dir, '/');
        if (!slash) break;
        *slash = 0;
        snprintf(path, sizeof path, "%s/include/cuda_fp16.h", dir);
        if (rg_file_exists(path)) {
            snprintf(c->include_dir, sizeof c->include_dir, "%.500s/include", dir);
            return;
        }
    }
    for (size_t i = 0; i < sizeof homes / sizeof *homes; i++) {
        snprintf(path, sizeof path, "%s/include/cuda_fp16.h", homes[i] ? homes[i] : "");
        if (homes[i] && homes[i][0] && rg_file_exists(path)) {
            snprintf(c->include_dir, sizeof c->include_dir, "%.500s/include", homes[i]);
            return;
        }
    }
}

static const char *const fixed_options[] = {"-lineinfo",  "--ptxas-options=-v", "--pre-include=rg_prelude.h",
                                            "-std=c++17", "--device-int128",    "-w"};
enum { N_FIXED = sizeof fixed_options / sizeof *fixed_options };

static void add_text(struct rg_sha256 *h, const char *text)
{
    rg_sha256_add(h, text, strlen(text) + 1);
}

/* A file by name, size and time: a toolkit that is updated in place is another one. */
static void add_file(struct rg_sha256 *h, const char *path)
{
    struct stat st;
    char text[160] = "none";
    char *real = realpath(path, NULL);
    if (stat(path, &st) == 0)
        snprintf(text, sizeof text, "%lld %lld.%09ld", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                 st.st_mtim.tv_nsec);
    add_text(h, real ? real : path);
    add_text(h, text);
    free(real);
}

static void take_fingerprint(struct rg_compiler *c)
{
    const struct nvrtc *n = c->self;
    struct rg_sha256 *h = rg_sha256_new();
    Dl_info where;
    char text[700];
    snprintf(text, sizeof text, "nvrtc %d.%d", c->major, c->minor);
    add_text(h, text);
    if (dladdr(*(void *const *)&n->nvrtcVersion, &where) && where.dli_fname) {
        const char *slash = strrchr(where.dli_fname, '/');
        add_file(h, where.dli_fname);
        snprintf(text, sizeof text, "%.*s/libnvrtc-builtins.so.%d.%d", slash ? (int)(slash - where.dli_fname) : 0,
                 where.dli_fname, c->major, c->minor);
        add_file(h, text);
    }
    static const char *const headers[] = {"cuda_fp16.h",          "cuda_bf16.h",        "mma.h",
                                          "cooperative_groups.h", "cuda_runtime_api.h", "cccl/cuda/barrier"};
    add_text(h, c->include_dir);
    for (size_t i = 0; c->include_dir[0] && i < sizeof headers / sizeof *headers; i++) {
        snprintf(text, sizeof text, "%s/%s", c->include_dir, headers[i]);
        add_file(h, text);
    }
    for (int i = 0; i < N_FIXED; i++) add_text(h, fixed_options[i]);
    add_text(h, rg__prelude);
    for (int i = 0; i < rg__n_headers; i++) {
        add_text(h, rg__header_names[i]);
        add_text(h, rg__header_texts[i]);
    }
    rg_sha256_end(h, c->fingerprint);
}

enum rg_status rg__compiler_open(struct rg_compiler *c, struct rg_error *err)
{
    *c = (struct rg_compiler){.self = NULL};
    struct nvrtc *n = rg_xcalloc(1, sizeof *n);
    n->handle = open_any(c->library, sizeof c->library);
    if (!n->handle) {
        free(n);
        return rg_error_set(
            err, RG_UNAVAILABLE,
            "no NVRTC: neither libnvrtc.so.13 nor libnvrtc.so.12 is in CUDA_HOME%s%s, LD_LIBRARY_PATH or "
            "/usr/local/cuda/lib64. Install a CUDA toolkit (12.4 or newer; its NVRTC is enough) or set "
            "CUDA_HOME",
            getenv("CUDA_HOME") ? " = " : "", getenv("CUDA_HOME") ? getenv("CUDA_HOME") : "");
    }
    const char *missing = NULL;
#define X(name)                                                                                                        \
    *(void **)&n->name = dlsym(n->handle, #name);                                                                      \
    if (!n->name && !missing) missing = #name;
    FUNCTIONS(X)
#undef X
    c->self = n;
    if (missing) {
        enum rg_status s = rg_error_set(err, RG_UNAVAILABLE, "%s is too old: it has no %s", c->library, missing);
        rg__compiler_close(c);
        return s;
    }
    n->nvrtcVersion(&c->major, &c->minor);
    open_builtins(c);
    find_headers(c);
    take_fingerprint(c);
    return RG_OK;
}

void rg__compiler_close(struct rg_compiler *c)
{
    struct nvrtc *n = c->self;
    if (!n) return;
    /* the library stays: it keeps threads and memory of its own */
    free(n);
    c->self = NULL;
}

bool rg__compiler_knows(const struct rg_compiler *c, const char *arch)
{
    const struct nvrtc *n = c->self;
    int count = 0, want = 0;
    if (sscanf(arch, "sm_%d", &want) != 1 || n->nvrtcGetNumSupportedArchs(&count) != NVRTC_SUCCESS || count <= 0)
        return false;
    int *list = rg_xcalloc((size_t)count, sizeof *list);
    bool found = false;
    if (n->nvrtcGetSupportedArchs(list) == NVRTC_SUCCESS)
        for (int i = 0; i < count; i++) found = found || list[i] == want;
    free(list);
    return found;
}

static char *get_log(const struct nvrtc *n, nvrtcProgram p)
{
    size_t size = 0;
    if (n->nvrtcGetProgramLogSize(p, &size) != NVRTC_SUCCESS) size = 0;
    char *log = rg_xcalloc(size + 1, 1);
    if (size && n->nvrtcGetProgramLog(p, log) != NVRTC_SUCCESS) log[0] = 0;
    return log;
}

/* An error in "__nv_name_map" is about a kernel name in the plan, not about the source. */
static void explain(struct rg_compiled *out, const char *const *names, int n_names, const char *log)
{
    rg__log_first_error(log, out->message, sizeof out->message);
    out->outcome = RG_OUTCOME_COMPILE;
    int line = 0;
    if (sscanf(out->message, "__nv_name_map(%d)", &line) != 1) return;
    out->outcome = RG_OUTCOME_PLAN;
    char why[400] = "";
    const char *colon = strstr(out->message, "error: ");
    snprintf(why, sizeof why, "%s", colon ? colon + 7 : "");
    char *newline = strchr(why, '\n');
    if (newline) *newline = 0;
    const char *name = "";
    for (int i = 0; i < n_names; i++)
        if (!name[0] && strstr(out->message, names[i])) name = names[i];
    snprintf(out->message, sizeof out->message, "the plan launches %.200s, which is no kernel of the source: %s", name,
             why);
}

static bool blank_name(const char *s)
{
    return !s || !s[0];
}

/* A plain name that CUDA's library overloads (norm, rotate): no name expression says which is meant, but one alone is a
 * kernel. */
static bool plain(const char *name)
{
    return !strpbrk(name, ":<");
}

/* The one entry of the PTX that a kernel of that plain name has; NULL: none, or several. */
static const char *entry_of(const char *ptx, const char *name, struct rg_arena *a)
{
    char mangled[300];
    int len = snprintf(mangled, sizeof mangled, "_Z%zu%s", strlen(name), name);
    const char *found = NULL;
    if (len >= (int)sizeof mangled) return NULL;
    for (const char *at = ptx; (at = strstr(at, ".entry ")) != NULL;) {
        at += strlen(".entry ");
        size_t n = strspn(at, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_$");
        bool is =
            (n == strlen(name) && !strncmp(at, name, n)) || (n > (size_t)len && !strncmp(at, mangled, (size_t)len));
        if (is && found) return NULL;
        if (is) found = rg_arena_strndup(a, at, n);
    }
    return found;
}

static enum rg_status fetch(const struct nvrtc *n, nvrtcProgram p, struct rg_arena *a, const char *const *names,
                            int n_names, bool by_entry, const char *log, struct rg_compiled *out, struct rg_error *err)
{
    size_t ptx = 0;
    nvrtcResult rc = n->nvrtcGetPTXSize(p, &ptx);
    if (rc == NVRTC_SUCCESS) {
        out->ptx = rg_xcalloc(ptx + 1, 1);
        rc = n->nvrtcGetPTX(p, out->ptx);
        out->ptx_len = strlen(out->ptx);
    }
    if (rc != NVRTC_SUCCESS)
        return rg_error_set(err, RG_UNAVAILABLE, "NVRTC gives no program: %s", n->nvrtcGetErrorString(rc));
    out->kernels = rg_arena_alloc(a, (size_t)(n_names + 1) * sizeof *out->kernels);
    out->n_kernels = n_names;
    for (int i = 0; i < n_names; i++) {
        const char *lowered = NULL;
        bool known = by_entry && plain(names[i]) ? (lowered = entry_of(out->ptx, names[i], a)) != NULL
                                                 : n->nvrtcGetLoweredName(p, names[i], &lowered) == NVRTC_SUCCESS;
        out->kernels[i].name = rg_arena_strdup(a, names[i]);
        if (known && !blank_name(lowered)) {
            out->kernels[i].lowered = rg_arena_strdup(a, lowered);
            continue;
        }
        if (out->outcome == RG_OUTCOME_OK) /* the others are looked up too: what is wrong is told at once */
            snprintf(out->message, sizeof out->message, "the plan launches %.200s, which the source does not define",
                     names[i]);
        out->outcome = RG_OUTCOME_PLAN;
    }
    if (out->outcome != RG_OUTCOME_OK) return RG_OK;
    rg__log_resources(log, out->kernels, n_names);
    for (int i = 0; i < n_names; i++) {
        int regs = out->kernels[i].attributes.regs;
        int by_regs = regs > 0 ? 65536 / ((regs + 7) / 8 * 8 * 32) * 32 : 1024;
        out->kernels[i].attributes.max_threads = by_regs > 1024 ? 1024 : by_regs;
    }
    rc = n->nvrtcGetCUBINSize(p, &out->cubin_len);
    if (rc == NVRTC_SUCCESS && out->cubin_len) {
        out->cubin = rg_xmalloc(out->cubin_len);
        rc = n->nvrtcGetCUBIN(p, out->cubin);
    }
    if (rc != NVRTC_SUCCESS)
        return rg_error_set(err, RG_UNAVAILABLE, "NVRTC gives no program: %s", n->nvrtcGetErrorString(rc));
    rg__ptx_hash(out->ptx, out->ptx_len, out->hash);
    return RG_OK;
}

/* Does the text include one of CUDA's own C++ headers, which bring their own idea of int64_t and take a second to read?
 */
static bool uses_cccl(const char *source)
{
    static const char *const marks[] = {"cooperative_groups", "<cuda/",        "<cub/", "<thrust/", "\"cuda/",
                                        "cuda_pipeline",      "cuda_awbarrier"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        const char *p = strstr(source, marks[i]);
        while (p && p > source && p[-1] != '\n') {
            if (p[-1] == '#') return true;
            p--;
        }
    }
    return false;
}

enum rg_status rg__compile(struct rg_compiler *c, struct rg_arena *a, const char *source, const char *arch,
                           int max_regs, const char *const *names, int n_names, struct rg_compiled *out,
                           struct rg_error *err)
{
    const struct nvrtc *n = c->self;
    *out = (struct rg_compiled){.outcome = RG_OUTCOME_OK};
    if (!rg__includes_allowed(c, source, out->message, sizeof out->message)) {
        out->outcome = RG_OUTCOME_COMPILE;
        return RG_OK;
    }
    char arch_option[48], regs_option[48], include[2][600], pch[450];
    snprintf(arch_option, sizeof arch_option, "--gpu-architecture=%s", arch);
    const char *options[20] = {arch_option};
    int n_options = 1;
    for (int i = 0; i < N_FIXED; i++) options[n_options++] = fixed_options[i];
    if (max_regs > 0) {
        snprintf(regs_option, sizeof regs_option, "--maxrregcount=%d", max_regs);
        options[n_options++] = regs_option;
    }
    if (c->include_dir[0]) {
        snprintf(include[0], sizeof include[0], "-I%s", c->include_dir);
        snprintf(include[1], sizeof include[1], "-I%s/cccl", c->include_dir);
        options[n_options++] = include[0];
        options[n_options++] = include[1];
    }
    if (uses_cccl(source)) {
        options[n_options++] = "-DRG_CCCL";
        if (c->pch_dir[0] && c->major * 100 + c->minor >= 1208) { /* a second becomes a tenth */
            snprintf(pch, sizeof pch, "--pch-dir=%s", c->pch_dir);
            options[n_options++] = "-pch";
            options[n_options++] = pch;
        }
    }
    enum rg_status s = RG_OK;
    bool again = true;
    for (bool by_entry = false; again; by_entry = true) {
        again = false;
        nvrtcProgram p;
        nvrtcResult rc =
            n->nvrtcCreateProgram(&p, source, "candidate.cu", rg__n_headers, rg__header_texts, rg__header_names);
        if (rc != NVRTC_SUCCESS)
            return rg_error_set(err, RG_UNAVAILABLE, "NVRTC cannot start a program: %s", n->nvrtcGetErrorString(rc));
        for (int i = 0; i < n_names && rc == NVRTC_SUCCESS; i++)
            if (!by_entry || !plain(names[i])) rc = n->nvrtcAddNameExpression(p, names[i]);
        if (rc == NVRTC_SUCCESS) rc = n->nvrtcCompileProgram(p, n_options, options);
        char *log = get_log(n, p);
        if (rc == NVRTC_ERROR_COMPILATION && !by_entry && strstr(log, "__nv_name_map") && strstr(log, "overloaded"))
            again = true;
        else if (rc == NVRTC_ERROR_COMPILATION)
            explain(out, names, n_names, log);
        else if (rc == NVRTC_ERROR_INVALID_OPTION)
            s = rg_error_set(err, RG_UNAVAILABLE,
                             "NVRTC %d.%d knows no architecture %s, or an option is unknown to it: %.200s", c->major,
                             c->minor, arch, log);
        else if (rc != NVRTC_SUCCESS)
            s = rg_error_set(err, RG_UNAVAILABLE, "NVRTC failed: %s: %.300s", n->nvrtcGetErrorString(rc), log);
        else
            s = fetch(n, p, a, names, n_names, by_entry, log, out, err);
        free(log);
        n->nvrtcDestroyProgram(&p);
    }
    return s;
}

void rg__compiled_release(struct rg_compiled *c)
{
    free(c->ptx);
    free(c->cubin);
    c->ptx = NULL;
    c->cubin = NULL;
}
