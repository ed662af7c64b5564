/* From PTX instructions to simulated ones, one table of functions by base opcode; registers are still virtual. */
#ifndef RG_SIM_LOWER_H
#define RG_SIM_LOWER_H
#include "runtime/sim/lower/inline.h"
#include "runtime/sim/sim.h"

enum { SIM_NONE = -1 }; /* operand absent. Registers are >= 0, constant i is -(i + 2) until slots are given */

struct sim_param_slot {
    const struct ptx_var *var;
    int64_t offset;
    int bytes, reg;
};
struct sim_placed {
    const struct ptx_var *var;
    int owner;
    int64_t offset;
};
struct sim_passed;
struct sim_site_code {
    int owner, save, call, restore;
}; /* of a call: whose; instructions */

enum { LOWER_MAX_MODS = 16, LOWER_MAX_TYPES = 4 };
struct sim_lower {
    struct rg_module *m;
    struct sim_kernel *k;
    const struct ptx_func *entry;
    struct sim_flat flat;
    struct rg_error *err;
    int n_regs, cap_regs;
    unsigned char *cls; /* bytes of a register's lane: 4, 8; 0 predicate */
    int carry;          /* predicate that stands for CC.CF; SIM_NONE until used */
    int n_slots, cap_slots;
    struct sim_param_slot *slots; /* call parameters kept in registers */
    int n_placed, cap_placed;
    struct sim_placed *placed; /* local and shared variables */
    int64_t local_top, shared_top;
    /* calls.h */
    int owner;                   /* whose the instruction at hand is: 0 the kernel's, else of a body, its number + 1 */
    int sp, first_body;          /* register; first instruction; SIM_NONE without such calls */
    int64_t *frames;             /* by owner: bytes placed in a frame so far */
    struct sim_site_code *sites; /* by call */
    int n_passed;
    struct sim_passed *passed;
    bool has_ftz, has_noftz;
    /* the instruction at hand */
    const struct ptx_inst *in;
    char base[32];
    int n_mods;
    const char *mods[LOWER_MAX_MODS];
    char mod_text[256];
    int n_types;
    enum ptx_type types[LOWER_MAX_TYPES];
};

typedef enum rg_status (*sim_lower_fn)(struct sim_lower *l);
struct sim_lower_entry {
    const char *base;
    sim_lower_fn fn;
};
/* Ended by a NULL base. */
extern const struct sim_lower_entry rg__sim_lower_alu[], rg__sim_lower_float[], rg__sim_lower_memory[],
    rg__sim_lower_sync[], rg__sim_lower_matrix[], rg__sim_lower_compare[];

bool rg__sim_mod(const struct sim_lower *l, const char *word);
enum rg_status rg__sim_bad(struct sim_lower *l, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The instruction is legal but nothing simulates it: the kernel becomes unsupported. */
enum rg_status rg__sim_refuse(struct sim_lower *l);
struct sim_inst *rg__sim_emit(struct sim_lower *l, enum sim_op op);
int rg__sim_temp(struct sim_lower *l, int cls);
int rg__sim_bits(struct sim_lower *l, int bytes, uint64_t bits); /* a constant operand */
/* Operand i as a source or destination of the type's lane; RG_INPUT when it is missing or of another size. */
enum rg_status rg__sim_src(struct sim_lower *l, int i, enum ptx_type t, int *out);
enum rg_status rg__sim_src_of(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, int *out);
enum rg_status rg__sim_dst(struct sim_lower *l, int i, enum ptx_type t, int *out);
enum rg_status rg__sim_dst_of(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, int *out);
/* Sources and destinations whose width is the register's own, as ld, st and cvt allow. */
enum rg_status rg__sim_any(struct sim_lower *l, const struct ptx_operand *o, enum ptx_type t, bool is_dst, int *out,
                           int *cls);
enum rg_status rg__sim_pred_src(struct sim_lower *l, int i, int *out); /* !p gives a temporary */
int rg__sim_carry(struct sim_lower *l);
int rg__sim_aux(struct sim_lower *l, const int *regs, int n); /* index of the first */
/* Where a local or shared variable lies in its space. */
int64_t rg__sim_place(struct sim_lower *l, const struct ptx_var *v);
/* The register of a call parameter's part; false: others overlap it. */
bool rg__sim_param_slot(struct sim_lower *l, const struct ptx_var *v, int64_t off, int bytes, int *reg);
int rg__sim_cls(enum ptx_type t);
/* An operand holding a variable's address, 4 or 8 bytes wide. */
enum rg_status rg__sim_address_of(struct sim_lower *l, const struct ptx_var *v, int64_t offset, int bytes, int *out);
enum rg_status rg__sim_arity(struct sim_lower *l, int lo, int hi);
/* Emits SCALAR: dst and sources with lanes as their classes say. */
void rg__sim_scalar(struct sim_lower *l, sim_scalar_fn fn, int d, int a, int b, int c, int e);
int rg__sim_width(const struct sim_lower *l, int operand); /* 4, 8, 0 of any operand */

/* flow.c: blocks, liveness, copies and dead code removed, slots in the frame. labels: instruction index a label;
 * rolled: of loops that ptxas is told to leave as they are. */
enum rg_status rg__sim_flow(struct sim_lower *l, const int *labels, int n_labels, const bool *rolled);
#endif
