/* The messages between the supervisor and regraph-worker: one JSON object a line, described by tables in
 * protocol_json.c and, for people, in docs/worker.md. Bulk data goes through the memory file (runtime/os/shm.h). */
#ifndef RG_RUNTIME_PROTOCOL_H
#define RG_RUNTIME_PROTOCOL_H
#include "runtime/device.h"
#include "runtime/os/shm.h"
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/error.h>
#include <rg/outcome.h>

enum { RG_PROTOCOL = 1, RG_MAX_KERNELS = 256, RG_MAX_CASES = 64, RG_MAX_TIMED = 4 /* input sets of the timed size */ };

enum rg_msg_kind {
    /* supervisor to worker */
    RG_MSG_PROBLEM, /* problem; any role */
    RG_MSG_COMPILE, /* compile */
    RG_MSG_LIBRARY, /* reference, hooks: build and load the user's C */
    RG_MSG_PREPARE, /* reference: inputs and expected outputs of one case */
    RG_MSG_ORACLE,  /* reference: one prepared case evaluated in double */
    RG_MSG_SPREAD,  /* reference: how far its own results move, rounded otherwise and on inputs half an ulp away */
    RG_MSG_COUNT,   /* reference: how much one prepared case makes the user's C do */
    RG_MSG_EXPECT,  /* reference: one prepared case against the user's --expect files */
    RG_MSG_GATES,   /* reference: what must hold over all cases together */
    RG_MSG_TOUCH,   /* hooks: what the user's C touches in one prepared case */
    RG_MSG_CASES,   /* run: where the cases are */
    RG_MSG_RUN,     /* run: verify and time a program */
    RG_MSG_DUEL,    /* run: two programs, interleaved */
    RG_MSG_PROFILE, /* run: a program once, beside a profiler */
    RG_MSG_LOOK,    /* look: a program on the simulated device, before a real one has it */
    /* worker to supervisor */
    RG_MSG_READY,     /* first line of every worker */
    RG_MSG_DONE,      /* PROBLEM, LIBRARY, ORACLE, SPREAD, COUNT, EXPECT, GATES, CASES */
    RG_MSG_ERROR,     /* the worker could not do its work: a status */
    RG_MSG_COMPILED,  /* COMPILE */
    RG_MSG_PREPARED,  /* PREPARE */
    RG_MSG_TOUCHED,   /* TOUCH: status INPUT and the place when it did what it must not; else what was touched */
    RG_MSG_EVALUATED, /* RUN */
    RG_MSG_DUELLED,   /* DUEL */
    RG_MSG_LOOKED,    /* LOOK */
    RG_N_MSGS
};

struct rg_kernel_info {  /* one kernel of a compiled program */
    const char *name;    /* as the plan writes it */
    const char *lowered; /* mangled */
    struct rg_kernel_attributes attributes;
    int64_t spill_bytes;
};

struct rg_program { /* what compiling gave; ranges of the memory file */
    struct rg_range plan, ptx, cubin;
    int n_kernels;
    struct rg_kernel_info *kernels; /* parallel to the plan's kernels */
};

enum rg_may_prune {
    RG_PRUNE_NEVER,
    RG_PRUNE_MAY,
    RG_PRUNE_MEASURE /* estimated, and timed whatever comes of it */,
    RG_N_MAY_PRUNE
};

struct rg_case {        /* one verification: a size and a seed */
    int size;           /* into problem->sizes */
    int seed;           /* 0, 1, ...: which distribution, see runtime/data/inputs.h */
    bool timed;         /* measured, its outputs checked against the anchor; else verified */
    bool again;         /* only for a second look at a new best */
    bool positive;      /* default real inputs are all > 0: mixed signs gave NaN */
    bool in_double;     /* its reals are the oracle's, evaluated in double */
    bool expected;      /* its expected outputs are there; of a timed case: they take the anchor's place */
    bool may_move;      /* how far they move is measured when a candidate differs from them, not before */
    struct rg_range at; /* laid out as runtime/data/layout.h says */
    /* Of a function with loops that data end and others stand in: basic blocks that it ran through, and accesses of one
     * round of them; else 0. */
    double steps, round;
};

struct rg_output_hash { /* what a candidate wrote in its last run of a case */
    int size, seed;     /* name the case */
    bool timed;
    uint64_t hash; /* over all outputs, the device's own function */
};

enum { RG_TOUCH_DIMS = 8, RG_MAX_TOUCHES = 256 };
struct rg_touch_set { /* distinct bytes of an array */
    int64_t bytes;
    int64_t per_element; /* > 0: the elements touched are all of a box, this many bytes of each; 0: no such shape, or
                            nothing */
    int n_dims;          /* of the array */
    int64_t below[RG_TOUCH_DIMS], above[RG_TOUCH_DIMS]; /* indices outside the box at each end, by dimension */
};
struct rg_touch { /* what one run of the user's C touched of an array parameter */
    int param;
    bool unseen;                       /* bytes changed that no hook saw written */
    struct rg_touch_set read, written; /* read: before they were written */
};

struct rg_msg {
    enum rg_msg_kind kind;
    int64_t id;
    struct rg_arena arena; /* owns what a parsed message points to */

    struct rg_range problem, source, room;
    const char *arch;
    int64_t limit_regs, limit_shared, limit_memory;
    struct rg_program program, other; /* `other`: the second of a duel */
    int n_cases;
    struct rg_case *cases; /* PREPARE: one */
    int64_t prune;         /* RUN, LOOK: enum rg_may_prune */
    /* RUN: a look worker has had it, to its end; LOOKED: it came to its end */
    bool looked, screened;
    double estimate_us, low_us, high_us; /* RUN, LOOKED: what the simulated device expects; 0 nothing */
    bool again, anchored, cache_hot, no_screen, measure, measure_only;
    int64_t seed;

    int64_t protocol;
    const char *role, *device, *driver, *sandbox; /* sandbox: what is closed to it, "files and calls" */
    const char *model, *accuracy; /* RUN: the simulated device that describes it, "" none; what its estimates lack to be
                                     gone by, "" nothing */
    const char *peaks,
        *hardware_counters; /* RUN: how its peaks are known; which of the chip's own counters can be read */
    const char *compiler;   /* COMPILE: rg_compiler.fingerprint; "" */
    bool simulated;
    int64_t sms, shared_per_block, regs_per_sm, l2_bytes;
    double copy_bytes_s, dram_bytes_s, pcie_bytes_s, fp32_flop_s, fp64_flop_s, clock_hz;
    const char *status, *file, *text;
    int64_t line, column;
    const char *outcome, *hash, *limiter, *kernel;
    double read_bytes, write_bytes;   /* CASES: that must move at the timed size; NaN or < 0 unknown */
    double seconds, verify_s, time_s; /* SPREAD: what there is for draws beyond the least; 0: no limit of the farm's */
    double steps, rounds; /* DONE, of COUNT: basic blocks that the user's C ran through, and rounds; 0 unknown */
    /* RUN, LOOK: the best time so far; RUN: and up to which time a candidate may still become the best; 0 unknown */
    double time_us, other_us, noise_us, total_us, max_error, rms_error, threads, ratio;
    bool random;    /* PREPARED: the init function cannot work at this size, random inputs stand for what it fills */
    bool undefined; /* PREPARED: what the init function makes gives no usable reference at this size, says `text` */
    bool estimated, significant, positive, finished,
        disputed; /* disputed: wrong, but not to the last word (rg_case, expected and may_move) */
    int n_counters;
    struct rg_counter *counters;
    int n_outputs; /* EVALUATED: at most RG_MAX_CASES */
    struct rg_output_hash *outputs;
    int n_touches; /* TOUCHED: a row for each array parameter, at most RG_MAX_TOUCHES */
    struct rg_touch *touches;
};

void rg__msg_init(struct rg_msg *m, enum rg_msg_kind kind, int64_t id);
void rg__msg_release(struct rg_msg *m);
/* One line, newline included. */
void rg__msg_print(struct rg_buf *out, const struct rg_msg *m);
/* RG_INPUT for anything that is not a well-formed message. *out is initialised either way. */
enum rg_status rg__msg_parse(const char *line, size_t len, struct rg_msg *out, struct rg_error *err);
const char *rg__msg_word(enum rg_msg_kind k);

/* An ERROR message from an error, and back. Texts are borrowed from `e`. */
void rg__msg_error(struct rg_msg *m, int64_t id, const struct rg_error *e);
enum rg_status rg__msg_to_error(const struct rg_msg *m, struct rg_error *err);
#endif
