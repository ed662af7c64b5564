/* The run worker's inside: cases resident on a device, a plan executed over it, verification, timing. Internal. */
#ifndef RG_RUNTIME_RUNNER_H
#define RG_RUNTIME_RUNNER_H
#include "runtime/data/compare.h"
#include "runtime/device.h"
#include "runtime/data/layout.h"
#include "runtime/protocol/protocol.h"
#include <rg/plan.h>

enum { RG_KNOWN = 8, RG_TIMED_SETS = RG_MAX_TIMED, RG_SIM_MAX_LAUNCHES = 100000 };

struct rg_known {  /* outputs that were compared in full and passed */
    uint64_t hash; /* over all outputs */
    double max_error, rms_error;
};

struct rg_reference { /* what an output is compared with, on the device; at 0: it is not there */
    rg_addr at;
    uint64_t hash; /* as veiled: a stray write shows */
};

struct rg_resident { /* a case and its buffers on the device */
    struct rg_case c;
    struct rg_layout layout;
    struct rg_mapping data; /* its range of the memory file; mapped while resident */
    bool up;                /* buffers allocated, inputs there */
    rg_addr *buffers;       /* per parameter; 0 for scalars. Of timed sets but the first: the first's */
    rg_addr
        *pristine; /* on a real device: copies of inouts, and of inputs where several sets share the buffers; 0 none */
    uint64_t *hashes;                /* of inputs and inouts, as uploaded */
    struct rg_seen **seen;           /* per parameter: what its reference is like */
    struct rg_reference *references; /* per parameter: run_reference.c */
    uint64_t outputs;                /* hash of what the program under examination last wrote */
    bool has_outputs;
    int n_known, next_known;
    struct rg_known known[RG_KNOWN];
};

struct rg_runner {
    struct rg_device device;
    const struct rg_problem *problem;
    int shm;
    struct rg_arena arena; /* cases */
    int n_cases;
    struct rg_resident *cases; /* cheapest first, the timed ones last */
    int64_t limit_memory;
    bool cache_hot;
    bool no_screen;
    double read_bytes, write_bytes; /* that must move at the timed size, counted or touched; NaN or < 0 unknown */
    struct rg_runner *screen;       /* the simulated device beside a real one; NULL none */
    char model[32]; /* its name, if it describes this very device, so that its estimates mean something; "" it does not
                     */
    enum rg_may_prune prune; /* of the program at hand */
    bool lost;               /* a sticky fault: the process must end */
    bool disputed;           /* the fault is that outputs at the timed size differ from what is no last word */
    /* timing on a real device */
    bool calibrated;
    double empty_us;   /* what an empty pair of marks measures */
    double best_us;    /* of the best candidate so far; 0 unknown */
    double contend_us; /* a candidate that takes longer is not to be the best, and measured by few samples; 0 unknown */
    double top_hz;     /* highest clock seen around a sample; 0 none */
    uint64_t veil;     /* of references on the device; 0 not drawn yet */
    void *got;         /* outputs on their way to a comparison; grows, is kept */
    size_t got_bytes;
    double transfer_in_us, transfer_out_us; /* of the timed case, pageable memory */
    uint64_t n_timed;
    /* on the simulated device, in the arena: programs estimated in these cases, and how many there have been */
    struct rg__known_estimate *estimates;
    int n_estimates;
};

/* One program loaded on the device. */
struct rg_loaded {
    struct rg_blob blob;
    struct rg_plan *plan;
    struct rg_kernel_sig *sigs;
    struct rg_module *module;
    struct rg_arena arena;
    struct rg_mapping plan_text, ptx, cubin;
    const struct rg_program *program;
};

/* RG_OK with a fault in *fault: the candidate's own failure. Release in any case. */
enum rg_status rg__loaded_new(struct rg_runner *r, const struct rg_program *p, struct rg_loaded *out,
                              struct rg_fault *fault, struct rg_error *err);
void rg__loaded_release(struct rg_runner *r, struct rg_loaded *l);

/* --- run_cases.c --- */
/* As a message CASES tells. What is on a real device and stays the same stays there. */
enum rg_status rg__cases_set(struct rg_runner *r, const struct rg_msg *in, struct rg_error *err);
void rg__cases_forget(struct rg_runner *r);

/* --- run_case.c --- */
enum rg_status rg__case_up(struct rg_runner *r, struct rg_resident *c, struct rg_error *err);
/* On the simulated device, before each program: all cases that fit come up in one order. Then their addresses, and with
 * them the model's caches, do not depend on what this worker did before: one that was replaced gives the same
 * estimates. */
void rg__cases_settle(struct rg_runner *r);
void rg__case_down(struct rg_runner *r, struct rg_resident *c);
/* Inouts as they were, outputs poisoned. */
enum rg_status rg__case_restore(struct rg_runner *r, struct rg_resident *c, struct rg_error *err);
/* Were `in` buffers left alone? Else fault WRONG. */
enum rg_status rg__case_inputs_kept(struct rg_runner *r, struct rg_resident *c, struct rg_fault *fault,
                                    struct rg_error *err);
/* Are the copies that inputs are restored from what was uploaded? A stray write of an earlier candidate is mended.
 * Several timed sets: all of them come up, in buffers that they share. */
enum rg_status rg__timed_up(struct rg_runner *r, struct rg_resident **sets, int *n, struct rg_error *err);
/* The outputs' hash, and whether those very bytes passed before. */
enum rg_status rg__case_outputs(struct rg_runner *r, struct rg_resident *c, uint64_t *hash,
                                const struct rg_known **known, struct rg_error *err);
/* Room for an output, valid until the next call; NULL: no memory. */
void *rg__case_room(struct rg_runner *r, size_t bytes);
void rg__case_learn(struct rg_resident *c, uint64_t hash, double max_error, double rms_error);

/* --- run_reference.c --- */
/* Large outputs of a timed set are compared on the device: the host takes a second for a gigabyte. */
/* What the buffer of output i holds is what others will be compared with. A reference is a convenience: no memory for
 * it is no error. */
void rg__reference_set(struct rg_runner *r, struct rg_resident *c, int i);
/* Output i in its buffer is right, by the bounds of `cmp`. False: it may be or not, compare it on the host. */
bool rg__reference_agrees(struct rg_runner *r, struct rg_resident *c, int i, const struct rg_compare *cmp);
void rg__reference_drop(struct rg_runner *r, struct rg_resident *c, int i);

/* --- run_exec.c --- */
struct rg_exec { /* a plan over a case; reusable, keeps its scratch */
    struct rg_runner *r;
    const struct rg_loaded *l;
    const struct rg_resident *c;
    int n_scratch, cap_scratch, next_scratch;
    struct rg_exec_scratch {
        rg_addr addr;
        int64_t bytes, elem_bytes;
        enum rg_scalar elem;
    } * scratch;
    int64_t max_launches; /* 0: the plan language's own bound */
    double until;         /* rg_now() from which no launch is begun: TIMEOUT; 0 never */
    struct rg_fault fault;
    int64_t launches; /* of the last run */
    int64_t waits;    /* in it: elements that the plan read back, for a condition or a number */
    struct rg_watch { /* of a run: where its time goes, by kernel. NULL: not watched */
        int n;
        int64_t waits; /* before the launch that was marked last */
        struct rg_watched {
            double us, lone_us, block_us; /* in all; in launches of one thread; in launches of one block */
            double threads;               /* of its largest launch */
            int64_t block, shared;        /* threads and dynamic shared bytes of a block there */
        } * kernels;
        struct rg_mark { /* real devices: launches between pairs of marks, not yet read */
            int kernel;
            double threads;
            bool one_block;
        } * marks;
        int n_marks;
    } watch;
};
void rg__exec_init(struct rg_exec *x, struct rg_runner *r, const struct rg_loaded *l, const struct rg_resident *c);
void rg__exec_release(struct rg_exec *x);
/* Runs the plan once; on a real device work may still be queued. What the candidate does wrong is in x->fault with
 * RG_OK. */
enum rg_status rg__exec_run(struct rg_exec *x, struct rg_error *err);
enum rg_status rg__exec_poison_scratch(struct rg_exec *x, struct rg_error *err);

/* --- run_watch.c: which kernel takes the time, and in how many threads --- */
/* The next run is watched. On a real device only a first so many of its launches are; rg__watch_read once they are
 * over. */
void rg__watch(struct rg_exec *x);
void rg__watch_launch(struct rg_exec *x, const struct rg_plan_launch *l, double us); /* after it; us < 0: marks tell */
bool rg__watch_marks(const struct rg_exec *x); /* is the next launch to stand between marks? */
enum rg_status rg__watch_mark(struct rg_exec *x, bool end, struct rg_error *err);
enum rg_status rg__watch_read(struct rg_exec *x, struct rg_error *err);
int rg__watch_main(const struct rg_exec *x); /* the kernel that takes the most time; -1 nothing was launched */
void rg__watch_release(struct rg_exec *x);

/* --- run_screen.c --- */
/* Runs the program once on the simulated device, before a real one sees it: at the smallest size, with every check. A
 * race, an access out of bounds, a trap or an uninitialised read becomes the fault; anything else, failures included,
 * is let pass: it was screened when it ran to its end. Nothing on a simulated device or with no_screen. */
bool rg__screen(struct rg_runner *r, const struct rg_program *p, struct rg_fault *fault); /* screened? */
/* Once, before the worker's files are closed: the device's description is read. Without it nothing is screened. */
void rg__screen_open(struct rg_runner *r);
/* A runner without a device of its own looks at what others will run: `name` is the simulated one's. */
enum rg_status rg__screen_alone(struct rg_runner *r, const char *name, struct rg_error *err);
void rg__screen_forget(struct rg_runner *r); /* its cases */
/* Case c, of the real device, as the simulated one has it: not yet up; NULL without one. */
struct rg_resident *rg__screen_case(struct rg_runner *r, const struct rg_resident *c);
void rg__screen_end(struct rg_runner *r);

/* --- run_prune.c --- */
struct rg_interval {
    double us, low, high;
};
/* What the simulated device expects of a program at the timed size, where it may be pruned and its estimate is worth
 * what it costs; us 0: nothing. */
struct rg_interval rg__expect(struct rg_runner *r, const struct rg_program *p);
/* A program that was verified and is about to be timed on a real device. Where even the low end of what is expected of
 * it is above twice the best time so far (r->best_us), the fault is PRUNED; with RG_PRUNE_MEASURE it is timed all the
 * same, and the counters prune_low_us and prune_limit_us say what was expected. Everything else is let pass: no
 * estimate, one that cost too much, a wide interval. */
void rg__prune(struct rg_runner *r, struct rg_interval expected, struct rg_fault *fault, struct rg_msg *reply);

/* --- run_verify.c, run_time.c, run_estimate.c: fill the reply; faults end in reply->outcome --- */
enum rg_status rg__verify(struct rg_runner *r, const struct rg_loaded *l, bool again, struct rg_fault *fault,
                          struct rg_msg *reply, struct rg_error *err);
enum rg_status rg__time(struct rg_runner *r, struct rg_loaded *l, bool anchored, struct rg_fault *fault,
                        struct rg_msg *reply, struct rg_error *err);
/* --- run_known.c --- */
/* The estimate of a program that was estimated in these cases before; 0: it was not. */
double rg__known_us(const struct rg_runner *r, const struct rg_loaded *l);
/* The same with all that the reply says of it, behind what it has. False: it was not. */
bool rg__known_estimate(const struct rg_runner *r, const struct rg_loaded *l, struct rg_msg *reply);
/* reply's estimate is kept, with its counters from `first` on. */
void rg__keep_estimate(struct rg_runner *r, const struct rg_loaded *l, const struct rg_msg *reply, int first);

enum rg_status rg__estimate(struct rg_runner *r, const struct rg_loaded *l, struct rg_fault *fault,
                            struct rg_msg *reply, struct rg_error *err);
/* The plan at the timed size by sampled blocks, for at most some `seconds` and `instructions` a launch. out->us 0: that
 * says nothing (the plan's course depends on data, the model lacks something, it took too long). A status is a failure
 * of ours. */
enum rg_status rg__estimate_quick(struct rg_runner *r, const struct rg_loaded *l, double seconds, double instructions,
                                  struct rg_interval *out, struct rg_error *err);
/* Two programs: reply->ratio = t_a / t_b. */
enum rg_status rg__estimate_duel(struct rg_runner *r, const struct rg_loaded *a, const struct rg_loaded *b,
                                 struct rg_fault *fault, struct rg_msg *reply, struct rg_error *err);
enum rg_status rg__time_duel(struct rg_runner *r, struct rg_loaded *a, struct rg_loaded *b, struct rg_fault *fault,
                             struct rg_msg *reply, struct rg_error *err);
/* Registers, occupancy, rates, limiter: what is known without hardware counters; x was watched. grown: so many times
 * the threads of the run that x saw are what the kernel that takes the time has at the timed size. */
void rg__counters(struct rg_runner *r, const struct rg_exec *x, double grown, struct rg_msg *reply);
void rg__counter_add(struct rg_msg *reply, const char *name, double value);
/* The case that is timed, the first of several input sets; NULL: none was given. */
struct rg_resident *rg__timed_case(struct rg_runner *r);

/* A kernel's fault may first show in any later call on a real device, as a failure of that call. When `s` is a failure,
 * asks the device: a fault there is the candidate's (in *fault, then RG_OK and *err cleared); else `s` stands. */
enum rg_status rg__run_settle(struct rg_runner *r, enum rg_status s, struct rg_fault *fault, struct rg_error *err);
/* A fault, printf-like. The first wins. */
void rg__fault_set(struct rg_fault *f, enum rg_outcome o, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#endif
