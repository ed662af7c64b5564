/* Inside of the simulated device: kernels as pre-decoded instructions, warps, blocks, memory. Nothing here is seen
 * outside of runtime/sim/; the device is used through runtime/device.h. */
#ifndef RG_SIM_SIM_H
#define RG_SIM_SIM_H
#include "runtime/device.h"
#include "runtime/sim/ops.h"
#include "runtime/sim/ptx/ptx.h"
#include <rg/buf.h>

/* ---- memory: one sparse address space (memory.c) ---- */

/* Generic addresses below GLOBAL are windows onto shared and local memory. */
#define SIM_SHARED_BASE ((uint64_t)1 << 32)
#define SIM_SHARED_TOP (SIM_SHARED_BASE + ((uint64_t)1 << 28))
#define SIM_LOCAL_BASE ((uint64_t)2 << 32)
#define SIM_LOCAL_TOP (SIM_LOCAL_BASE + ((uint64_t)1 << 30))
#define SIM_GLOBAL_BASE ((uint64_t)0x7000 << 32)
enum { SIM_GUARD = 64 << 10 };

struct sim_buffer {
    uint64_t addr;
    size_t bytes, span; /* span: with guards, whole pages */
    char name[64];
    bool is_const;   /* .const variables and parameter blocks: kernels may not write */
    bool scratch;    /* undefined values may lie in it */
    uint8_t *member; /* of the bytes of an element, 0: padding, where undefined values may lie; malloc'd; NULL: none */
    int64_t element; /* bytes of one */
    uint8_t *undefined; /* a bit a byte that nobody wrote; NULL: all are defined */
    bool touched;       /* a kernel has written it since the clock was last read from (estimates) */
    int index;          /* stable number for the footprint of estimates */
    double cold;        /* the share that a flush before the measurement left out of L2 and nothing has touched since
                           (estimates) */
};

struct sim_memory {
    char *base;   /* host address of SIM_GLOBAL_BASE */
    size_t bytes; /* reserved */
    size_t top;   /* first never used byte */
    size_t in_use, limit;
    size_t host; /* what of this machine's memory it may fill */
    int n, cap;
    struct sim_buffer **buffers; /* by address */
    int n_free, cap_free;
    struct sim_hole {
        size_t at, span;
    } * holes;
    int next_index;
    int n_undefined; /* buffers that know of undefined bytes */
};

enum rg_status rg__sim_memory_open(struct sim_memory *m, size_t limit, struct rg_error *err);
void rg__sim_memory_close(struct sim_memory *m);
enum rg_status rg__sim_alloc(struct sim_memory *m, size_t bytes, const char *name, bool is_const, uint64_t *out,
                             struct rg_error *err);
void rg__sim_release(struct sim_memory *m, uint64_t addr);
/* What checked runs know of a buffer: bytes that were given a value or not; those of `to` as those of `from`; nothing
 * more. */
void rg__sim_mark(struct sim_memory *m, uint64_t addr, size_t bytes, bool defined);
void rg__sim_mark_like(struct sim_memory *m, uint64_t to, uint64_t from, size_t bytes);
void rg__sim_all_defined(struct sim_memory *m, struct sim_buffer *b);
/* The buffer that holds addr, or the one whose guard zone does (*inside false); NULL: neither. O(log n). */
struct sim_buffer *rg__sim_find(const struct sim_memory *m, uint64_t addr, bool *inside);
static inline char *sim_host(const struct sim_memory *m, uint64_t addr)
{
    return m->base + (addr - SIM_GLOBAL_BASE);
}

/* ---- kernels ---- */

typedef uint64_t (*sim_scalar_fn)(uint64_t a, uint64_t b, uint64_t c, uint64_t e);

struct sim_inst {
    uint16_t op; /* enum sim_op */
    uint8_t x, y;
    int32_t d, a, b, c, e, p; /* byte offsets into the warp's frame; -1 none; e also aux index or number */
    int32_t line;             /* CUDA line, 0 unknown */
    int16_t group; /* shared accesses ptxas merges: n > 1 leads n of them; < 0: distance of its leader's site */
    uint8_t flags; /* SIM_F_ */
    union {
        int64_t imm;
        sim_scalar_fn fn;
    };
};

/* What memory instructions move: LDG.. STX in I->x. */
enum { SIM_E8, SIM_E16, SIM_E32, SIM_E64, SIM_E_SIZE = 3, SIM_E_SIGNED = 4, SIM_E_WIDE = 8 /* register is 64-bit */ };

enum {
    SIM_F_ORDERED = 1 /* volatile, acquire, release: nothing passes it */,
    SIM_F_CONSTANT = 2 /* .nc, .const: nobody writes there */,
    /* for estimates, see loop_unroll.c */ SIM_F_EARLY = 4,
    SIM_F_CONTROL = 8,
    SIM_F_STREAM = 16,
    /* for checks */ SIM_F_RELEASE = 32 /* an atomic or store that is a fence too */,
    SIM_F_BLOCK = 64 /* a fence, or that, for the block only */,
    SIM_F_ALL_COPIES = 128 /* cp.async.wait_all */
};

enum sim_const_kind { SIM_K_BITS, SIM_K_PARAM, SIM_K_SPECIAL, SIM_K_PARAM_BLOCK, SIM_K_EXTERN_SHARED, SIM_K_STACK };
struct sim_const { /* a frame slot that no instruction writes */
    enum sim_const_kind kind;
    int bytes;          /* of a lane: 4, 8; 0: predicate mask */
    uint64_t bits;      /* BITS; PARAM: offset; SPECIAL: enum ptx_special; EXTERN_SHARED: addend */
    enum ptx_type type; /* PARAM: what is loaded */
    int32_t slot;
    bool used;
};

struct sim_block_info { /* a basic block */
    int first, n;       /* instructions after its BB */
    int unroll;         /* iterations ptxas makes one, 1: none */
    int region;         /* one more than the first block of those that ptxas makes one by predicates, 0: none */
    bool equal;         /* its branch back ends a loop whose rounds all do the same */
    int latch,
        leaves; /* the integer comparison that decides its branch back, or ahead, an instruction; -1: see latches.c */
};

struct sim_call { /* a call that stays one (calls.h) */
    int32_t aux;  /* registers saved around it: 64 bits, 32 bits, predicates; the same once more for those restored */
    int n64, n32, n_preds, n;
    int64_t save, frame, callee_frame; /* where in the caller's frame; bytes of the frames */
    const char *callee;                /* mangled */
};

struct sim_kernel {
    const char *name; /* mangled */
    char shown[128];  /* for messages */
    int n_code, cap_code;
    struct sim_inst *code;
    int n_aux, cap_aux;
    int32_t *aux;
    int n_blocks;
    struct sim_block_info *blocks;
    bool *meets; /* an instruction: from it to the end of its basic block there is what other blocks may notice, or what
                    notices them */
    int n_mem;   /* memory instructions; their number is in I->p */
    struct sim_site_kind {
        bool steers, writes;
    } * sites; /* of each: flow.h, steers; may change global memory */
    int n_consts, cap_consts;
    struct sim_const *consts;
    int32_t frame_bytes;
    int n_calls;
    struct sim_call *calls;
    int n_bodies; /* of recursive functions, behind everything else */
    struct sim_recursive {
        int first;
        int64_t frame;
    } * bodies;                                 /* its first instruction, bytes of an activation */
    int32_t sp;                                 /* slot */
    int64_t stack_base, stack_first, stack_top; /* in local memory: sp of the kernel, of what it calls; the end */
    bool independent;                           /* its blocks may run in any order */
    bool exchanges; /* its blocks wait for one another, or take work from a common counter: in a loop they look at what
                       others change */
    int n_unset, cap_unset;
    struct sim_unset {
        int32_t slot;
        int bytes;
    } * unset;           /* registers that may be read before a block has set them; bytes a lane, 0 predicate */
    bool block_specials; /* some constant changes from block to block */
    bool grid_workspace; /* it asks where a cooperative launch keeps its barrier: grid.sync() */
    int n_shared, cap_shared;
    struct sim_shared {
        const char *name;
        int64_t offset, bytes;
    } * shared; /* variables in shared memory, for messages */
    int64_t param_bytes, local_bytes, shared_static, shared_align;
    int n_params;
    const struct ptx_func *f;
    bool ftz;         /* every fp32 operation flushes denormals */
    bool unsupported; /* why */
    char why[256];
    struct rg_kernel_attributes attributes;
    bool has_attributes;
};

struct sim_symbol {
    const char *name;
    uint64_t addr;
    size_t bytes;
};

struct rg_module {
    struct ptx_module *ptx;
    int n_kernels;
    struct sim_kernel *kernels;
    int n_symbols;
    struct sim_symbol *symbols;
    int64_t stack_bytes; /* a thread has for recursion */
    uint64_t id;         /* unlike any other module's, ever */
};

/* Lowering (lower.c): an entry of m to k. Text that cannot run sets k->unsupported; RG_INPUT for malformed PTX. */
enum rg_status rg__sim_lower(struct rg_module *m, const struct ptx_func *entry, struct sim_kernel *k,
                             struct rg_error *err);
void rg__sim_kernel_release(struct sim_kernel *k);
/* "offset 12 of shared memory 'tile'" */
void rg__sim_shared_place(const struct sim_kernel *k, int64_t offset, char *out, size_t size);
/* _ZZ4sortPfE4tile gives "tile". */
void rg__sim_plain_name(const char *mangled, char *out, size_t size);
/* Local memory that a thread is sure to use; of a stack a little. */
static inline int64_t sim_local_likely(const struct sim_kernel *k)
{
    return k->n_bodies ? k->stack_first + 1024 : k->local_bytes;
}
const char *rg__sim_op_name(int op);
const char *rg__sim_op_shape(int op);
#endif
