/* Checks of a launch that is run in full: races, uninitialised reads, divergent barriers, exchanges with inactive
 * lanes, copies that are read before they were waited for. Only rg__sim_exec_checked runs them; a run without them has
 * check == NULL and pays nothing.
 *
 * Order. An access is stamped with its thread and its warp's clock, which ticks at everything that orders. Two accesses
 * of different threads to one byte, one of them a write, race unless what orders them lies between:
 *   - a block barrier orders the warps that meet at it; __syncwarp the lanes it names; launches order everything;
 *   - a fence, then an atomic or a volatile, relaxed or release store on M, then an atomic or a volatile, relaxed or
 * acquire load on M in another thread order what the first did before its fence with what the second does afterwards.
 * The second fence that the memory model asks for is not asked for here; __threadfence_block (.cta) orders threads of
 * one block only. Fences and barriers add up: a write, then a barrier, then another thread's fence and atomic is the
 * usual last-block protocol. Warp shuffles and votes order nothing. Not races: two accesses that are both atomic or
 * volatile/relaxed; a write of the value that is there already (same-value writes); a plain read against atomics by an
 * instruction whose threads go on to do an atomic there (the first read of a compare-and-swap loop). Clocks are kept a
 * warp, so what orders one lane with another warp is taken to order all lanes of it: a race may be missed, none is
 * invented.
 *
 * Uninitialised. Loading it is no error; what is loaded is followed through registers, shared and local memory and
 * global scratch, and reported when it decides a branch or an address, is added to atomically or reaches a result of
 * the program. Lanes that a shuffle takes from an inactive one are undefined in the same way. */
#ifndef RG_SIM_CHECK_H
#define RG_SIM_CHECK_H
#include "runtime/sim/exec/exec.h"

enum sim_where { SIM_AT_GLOBAL, SIM_AT_SHARED, SIM_AT_LOCAL };
enum sim_access { SIM_READS, SIM_WRITES, SIM_UPDATES /* atomically */ };

struct sim_stamp {
    uint32_t who; /* thread of the grid, by warps, + 1; 0 nobody */
    uint32_t when;
    int32_t pc; /* SIM_STRONG: atomic, volatile */
};
enum { SIM_STRONG = 1 << 30 };
struct sim_cell {                    /* of a granule */
    struct sim_stamp write, read[2]; /* reads since: the last one, and the last one of another warp or lane */
    bool copying;                    /* a cp.async nobody waited for yet */
};

struct sim_known { /* clocks of warps of the whole grid; shared, copied when changed */
    int refs;
    uint64_t version;      /* unlike that of any other of the launch, or of itself before it was changed */
    int64_t bytes, *total; /* of all of the launch */
    uint32_t when[];
};
enum { SIM_JOINED = 8 };
struct sim_joined {
    uint64_t to, from;
    struct sim_known *is;
};                  /* versions, and what joining them gave */
struct sim_clocks { /* what is known to have happened: a clock a warp of the own block, of others where there was
                       anything to know */
    uint32_t *block;
    struct sim_known *grid;
};
struct sim_sync { /* a place that atomics or volatile stores published clocks at */
    uint64_t addr;
    struct sim_clocks c; /* c.block: NULL in the table of the grid */
    uint32_t version;
};
struct sim_syncs {
    int n, cap;
    struct sim_sync *at;
};

struct sim_copy {
    uint32_t offset;
    uint16_t group;
    uint8_t bytes, lane;
    int32_t pc;
};

enum { SIM_RECENT = 4 };
struct sim_warp_check {
    uint32_t clock;
    uint32_t full;   /* all lanes have met since */
    uint32_t own;    /* a lane of the warp published this, another took it */
    uint32_t *lanes; /* [32][32]: clocks of lanes known to lanes; NULL until a __syncwarp of some lanes */
    struct sim_clocks seen, fenced, fenced_block;
    bool has_fenced;
    uint64_t taken_addr;
    uint32_t taken_version;
    struct {
        uint64_t addr;
        int32_t pc;
    } recent[32][SIM_RECENT]; /* plain loads */
    uint8_t next_recent[32];
    int n_copies, cap_copies;
    struct sim_copy *copies;
    uint16_t committed[32];
    uint32_t *taint;  /* by frame offset / 4: lanes whose value is undefined */
    uint32_t *origin; /* and the first reason for it */
    uint8_t *local;   /* a byte a byte of local memory: 1 written */
    uint32_t *saved;  /* origins of undefined registers that are saved, by word of local memory */
};

struct sim_meeting {
    struct sim_clocks seen, fenced, fenced_block;
    int pc;
};
struct sim_block_check {
    struct sim_cell *cells;
    uint8_t *defined; /* a byte a byte of shared memory */
    struct sim_warp_check *warps;
    struct sim_meeting bars[16];
    struct sim_syncs syncs;
};

enum sim_cause { SIM_UNSET_MEMORY, SIM_INACTIVE_LANE };
struct sim_origin {
    enum sim_cause cause;
    int32_t pc;
    enum sim_where where;
    uint64_t addr;
};

struct sim_shadow { /* cells of one global buffer, by pages */
    uint64_t addr;
    struct sim_cell **pages;
    int64_t n_pages;
};
struct sim_pending {
    int32_t pc;
    struct rg_fault fault;
};

enum { SIM_MAX_PENDING = 16 };
struct sim_check { /* of a launch */
    double left;   /* lane accesses until it gives up */
    bool off;
    int granule;             /* bytes of a cell, power of two: the narrowest access of the kernel */
    int64_t memory, warps;   /* bytes of cells and clocks so far; warps of the grid */
    bool grid_off;           /* too much to remember: blocks are no longer checked against one another */
    struct sim_buffer *near; /* the buffer met last */
    int n_shadows;
    int last_shadow;
    struct sim_shadow *shadows;
    struct sim_syncs syncs;
    uint32_t version;
    uint64_t knowns;
    struct sim_joined joined[SIM_JOINED];
    int n_origins, cap_origins;
    struct sim_origin *origins;
    struct rg_fault undefined; /* the first use of an undefined value: a race found later is the better explanation */
    bool steers;               /* an undefined value decided a branch or an address: other faults may come from that */
    int n_pending;
    struct sim_pending pending[SIM_MAX_PENDING];
    uint8_t *excused; /* by pc: its reads may meet atomics */
};

/* check.c. begin: for run->k; end: what is still pending becomes the fault. */
enum rg_status rg__sim_check_begin(struct sim_run *run, double accesses, struct rg_error *err);
void rg__sim_check_end(struct sim_run *run);
enum rg_status rg__sim_check_block_new(struct sim_run *run, struct sim_block *b, struct rg_error *err);
void rg__sim_check_block_start(struct sim_run *run, struct sim_block *b);
void rg__sim_check_block_free(struct sim_block *b);
/* The buffer that holds addr; NULL: none. */
struct sim_buffer *rg__sim_check_buffer(const struct sim_run *run, uint64_t addr);
/* "offset 12 of shared memory", "offset 8 of 'x'" */
void rg__sim_check_place(const struct sim_run *run, enum sim_where where, uint64_t addr, char *out, size_t size);

/* check_race.c; false after a fault. silent: the write changes nothing. */
bool rg__sim_check_access(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int lane, enum sim_where where, uint64_t addr, int bytes, enum sim_access kind, bool silent);
/* cp.async: the target of one lane is being written until its group is waited for. */
bool rg__sim_check_copy(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        int lane, uint32_t offset, int bytes);
/* commit (in->x 1) and wait (2) of cp.async */
void rg__sim_check_copies(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          uint32_t mask);

/* check_order.c */
void rg__sim_check_fence(struct sim_run *run, struct sim_block *b, struct sim_warp *w, bool whole_grid);
void rg__sim_check_meet(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                        uint32_t mask);
/* in: the barrier; NULL: a warp that has ended counts as there */
bool rg__sim_check_arrive(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int id, bool waits);
void rg__sim_check_leave(struct sim_run *run, struct sim_block *b, struct sim_warp *w,
                         int id);                                          /* one that waited goes on */
void rg__sim_check_open(struct sim_run *run, struct sim_block *b, int id); /* all have */
void rg__sim_check_publish(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                           uint64_t addr);
void rg__sim_check_take(struct sim_run *run, struct sim_block *b, struct sim_warp *w, uint64_t addr);
bool rg__sim_ordered(const struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                     const struct sim_stamp *s);
void rg__sim_clocks_free(struct sim_clocks *c);
void rg__sim_joined_free(struct sim_check *c);
void rg__sim_syncs_free(struct sim_syncs *s);

/* check_undefined.c */
/* Before an instruction of a warp that holds undefined values. */
void rg__sim_track(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                   uint32_t mask);
/* Instructions that exchange between lanes, when all lanes are there. false after a fault. */
bool rg__sim_track_exchange(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                            uint32_t mask);
bool rg__sim_undefined(const struct sim_run *run, const struct sim_block *b, const struct sim_warp *w, int lane,
                       enum sim_where where, uint64_t addr, int bytes); /* all of them */
void rg__sim_define(struct sim_run *run, struct sim_block *b, struct sim_warp *w, int lane, enum sim_where where,
                    uint64_t addr, int bytes, bool defined);
void rg__sim_taint(struct sim_run *run, struct sim_warp *w, int32_t slot, uint32_t lanes, struct sim_origin origin);
static inline uint32_t sim_tainted(const struct sim_warp *w, int32_t slot)
{
    return w->tainted && slot >= 0 ? w->check->taint[slot / 4] : 0;
}
/* The same of an atomic on memory that nobody wrote. */
void rg__sim_unset_atomic(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in,
                          int lane, enum sim_where where, uint64_t addr);
/* Was the slot's undefined value read in the buffer in global memory that this address is of? */
bool rg__sim_came_from(const struct sim_run *run, const struct sim_warp *w, int32_t slot, uint64_t addr);
/* Undefined values may lie there: only what is no result of the program, or padding of a structure. */
bool rg__sim_may_hold(const struct sim_run *run, enum sim_where where, uint64_t addr, int bytes);
static inline bool sim_checking(const struct sim_run *run)
{
    return run->check && !run->check->off;
}
extern const char rg__sim_stored[]; /* how: it reached a result */
/* A value that nothing defined is used. The launch goes on, to see whether that is the trace of a race; from here on
 * the value counts as defined. */
void rg__sim_used(struct sim_run *run, struct sim_block *b, struct sim_warp *w, const struct sim_inst *in, int32_t slot,
                  uint32_t lanes, const char *how);
#endif
