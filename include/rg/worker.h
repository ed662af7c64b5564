/* The evaluator over worker processes (runtime/): compile, run and reference workers, supervised, killed and replaced.
 */
#ifndef RG_WORKER_H
#define RG_WORKER_H
#include <rg/decls.h>
#include <rg/evaluator.h>
#include <rg/problem.h>

RG_BEGIN_DECLS

/* What a start is refused with that found no input at which the function does anything has this in it. */
#define RG_PASSES_AS "would pass as"
#define RG_SAME_OUTPUTS "do not depend on its inputs"

enum rg_prune {
    RG_PRUNE_OFF,
    RG_PRUNE_AUTO /* where the device file states estimates that are good enough */,
    RG_PRUNE_ON
};

struct rg_farm_options {
    const char *worker;          /* path of regraph-worker; NULL: beside the running program, else PATH */
    const char *device;          /* "auto", "cuda:N", "cuda:all", "sim:NAME" */
    const char *const *launcher; /* words that start the run workers elsewhere, "srun", ...; what follows them is run
                                    there, with standard streams here; outlives the farm. NULL: here */
    int remote;                  /* with launcher: so many, each with `device` of where it is */
    int look_workers;     /* screen and estimate while the device does other things; 0: one for every four cores, of
                             six or more, at most 4; < 0: none */
    int compile_workers;  /* 0: one a core up to 4, of more cores half, at most 8 */
    bool cache_hot;       /* --cache hot */
    bool no_screen;       /* --no-screen: a real device runs what the simulated one has not looked at */
    enum rg_prune prune;  /* --prune: on a real device candidates that the simulated one estimates far slower than the
                             best are not timed (docs/sim.md) */
    bool objective_total; /* --objective total */
    uint64_t seed;        /* of inputs */
    int limit_regs;       /* --limit; 0 none */
    int64_t limit_shared, limit_memory;
    const char *limit_arch; /* NULL: the device's */
    int baseline_threads;   /* time the user's C with OpenMP on so many threads too; 0: no */
    const char *cache;   /* folder in which compiled programs are kept for later runs, made when needed; NULL: none are.
                            No outcome depends on it */
    double deadline_s;   /* of one candidate on a real device; 0: 60 */
    double reference_s;  /* of the user's C at one verify size; 0: 30 */
    bool beside;         /* a search follows: sizes at which the C takes long are filled beside it (real devices) */
    double until;        /* by rg_now(): the start, duels, counters and the timing of the C end by then; 0: no limit */
    double arbiter_s;    /* of the user's C at the timed size, all input sets, where candidates disagree there; 0: 40 */
    bool foreign;        /* the problem came from somebody else: its C is compiled and run without more than it needs
                            (docs/worker.md) */
    bool counters;       /* the hardware's are read where they can be (docs/worker.md) */
    const double *round; /* a value for each of the problem's sizes, as rg_frontend_rounds says; NULL: no rounds */
    /* rg_farm_look: all that it does is tell how far each array parameter of one dimension was gone along at one of the
     * problem's sizes, in elements (the last one that was touched, and those in front of it; 0: none was). Sizes at
     * which the C ends or steps outside are left out. NULL: it does what it is for */
    void (*reached)(void *arg, int param, int size, int64_t elements);
    void *reached_arg;
    bool tell_rounds; /* info.rounds is wanted: a real device has no other use for it */
    /* Seconds of the user's C at the timed size, and at a verify size that was chosen: where it is expected to take
     * longer, or does, the start ends with RG_LIMIT and, with how often what there is to do is to be halved,
     * *timed_less or *verify_less. 0: such sizes stay. */
    double most_timed_s, most_verify_s;
    int *timed_less, *verify_less;
    volatile int *stop; /* NULL, or when not 0 rg_farm_start gives up with RG_CANCELED within a second, and counters are
                           not waited for; outlives the farm */
};

/* How the bytes that must move are known: counted from affine accesses; touched at the verify sizes, where what is
 * touched grows with the sizes in a plain way; or not at all. */
enum rg_traffic { RG_TRAFFIC_UNKNOWN, RG_TRAFFIC_COUNTED, RG_TRAFFIC_TOUCHED };
const char *rg_traffic_word(enum rg_traffic t); /* "unknown", "counted", "touched" */

/* How the sequential time is known: run at the timed size; from smaller sizes, as its time grows between them; or that
 * it was given up after so long. */
enum rg_sequential { RG_SEQUENTIAL_MEASURED, RG_SEQUENTIAL_EXTRAPOLATED, RG_SEQUENTIAL_AT_LEAST };
const char *rg_sequential_word(enum rg_sequential h); /* "measured", "extrapolated", "at least" */

struct rg_farm_info { /* known once started */
    char device[80];  /* "cuda:0 NVIDIA H200", "cuda:all 4 x NVIDIA H200", "sim:h200" */
    char name[64];    /* "NVIDIA H200" */
    int devices;      /* that run candidates side by side */
    char arch[32];
    bool estimated;
    double sequential_ms;              /* of the user's C at the timed size; < 0 unknown */
    enum rg_sequential sequential_how; /* where known */
    char sequential_from[120];         /* extrapolated: the largest size that was run, "n=613" */
    int baseline_threads;              /* what was asked for, 1 where it has no OpenMP pragmas; 0: not asked for */
    double baseline_ms;                /* of the user's C on so many threads at the timed size; < 0 unknown */
    char baseline_note[200];           /* why unknown, or what to know of it; "" */
    double sol_ms;                     /* < 0 unknown */
    enum rg_traffic traffic;           /* how the next two are known */
    double read_bytes, write_bytes;    /* that must move at the timed size; < 0 unknown */
    char traffic_why[240];             /* unknown: why; touched: by how much it may be too low; else "" */
    char reference_sandbox[32];        /* what is closed to the user's C: as `sandbox`; "" it was not run */
    double copy_bytes_s, fp32_flop_s, fp64_flop_s;
    double pcie_bytes_s; /* of a simulated device: between host and device, one way; 0 unknown */
    int sms;
    int64_t shared_per_block, regs_per_sm, l2_bytes; /* 0 unknown */
    char sandbox[32];           /* what is closed to candidates: "files and calls", "calls", "nothing" */
    char driver[80], nvrtc[80]; /* "13.0 (580.65)", "NVRTC 13.0"; "" none */
    char peaks[32]; /* how copy_bytes_s and the rates are known: "measured", "measured before" (by an earlier run, on
                       this driver and clocks), "data sheet", "model" */
    char hardware_counters[200]; /* in words; "missing: ..." where they cannot be read */
    char race_checks[240];       /* in words: by what races and stray accesses of a new best are looked for */
    bool prunes;                 /* candidates may be pruned by estimate */
    char prune[700];             /* why, or why not, in words: "off: ..." */
    double clock_hz;             /* of its multiprocessors, at most; 0 unknown */
    double compile_s, verify_s, time_s, reference_s; /* spent so far */
    /* Seconds of run workers, all together: at work (by their own clocks); that a candidate was ready for, compiled or
     * running; that a candidate was there for, compiled or not. Busy over ready is how well the devices are used while
     * candidates wait. Duels are candidates too. */
    double run_busy_s, run_ready_s, run_open_s;
    /* How well the C itself determines its reals: decimal digits, at the output and size where they are fewest
     * (INFINITY: its runs do not differ; NaN: not measured). loose: so few that candidates are held to the C's own
     * uncertainty and not to the tolerance alone. wider_helps: it computes in less than double. */
    double digits;
    char digits_of[64], digits_at[160];
    bool loose, wider_helps;
    double rounds;        /* that the C's loop of rounds (problem.round_line) goes at the timed size; 0 unknown */
    int64_t undetermined; /* integers, or whether a real is a number, that come out differently when the C rounds
                             otherwise; most in one output of one case */
    char undetermined_of[64], undetermined_at[160];
    int64_t n_nan, n_infinite, odd_of_n; /* results of the C that are no numbers, and of how many; most in one output of
                                            one case. Candidates must give NaN and infinity at just these places */
    char odd_of[64], odd_at[160];
    int init_missed; /* sizes at which the init function does not work: random inputs stand for what it fills there */
    char left_out[600]; /* sizes that candidates are not verified at, with the reasons; "" none */
    bool overruled; /* the first candidate, with which others were compared at the timed size, turned out to be wrong
                       there */
    int compiled, compile_hits; /* programs: compiled by this run; taken from the cache on disk instead */
};

/* Names of the hardware's counters that are always asked for (stalls are named by what is waited for, and only the
 * three longest are told); NULL ends. */
const char *const *rg_hardware_counters(void);

struct rg_farm;
/* Starts workers, runs the reference at every verify size, applies the gates (deterministic, finite, inputs matter, no
 * write out of bounds, null kernels fail). RG_INPUT says what is wrong with the user's function and what to change;
 * RG_UNAVAILABLE what is missing. */
enum rg_status rg_farm_start(const struct rg_farm_options *o, const struct rg_problem *p, struct rg_farm **out,
                             struct rg_error *err);
/* What the user's C alone shows, without a device: it is run at the smallest verify sizes, plainly and with access
 * hooks. *info holds the traffic (no times). Errors as above. Cost: compiling the C thrice, some 0.5 s and the runs. */
enum rg_status rg_farm_look(const struct rg_farm_options *o, const struct rg_problem *p, struct rg_farm_info *info,
                            struct rg_error *err);
double rg_farm_case_bytes(const struct rg_farm *f); /* of the inputs and references that evidence is made of */
/* Was this source, once ok, not ok in all the cases that there are by now? */
bool rg_farm_doubts(const struct rg_farm *f, const struct rg_source *src);
const struct rg_farm_info *rg_farm_info(struct rg_farm *f);
/* What an input array holds at the timed size; a struct's members are not looked at, nor more than 2^26 elements. */
struct rg_input_facts {
    double least, most;
    bool whole;                              /* integers */
    bool ascends;                            /* integers, none less than the one before it: */
    double least_step, mean_step, most_step; /* their differences, as the degrees of row pointers */
};
/* False: nothing can be said. Cost: up to a quarter of a second an array. */
bool rg_farm_input(const struct rg_farm *f, int param, struct rg_input_facts *out);
/* What stands behind a verdict: the cases, and what a candidate wrote in them. */
struct rg_case_evidence {
    int size;           /* into problem->sizes */
    int seed;           /* of the input set, 0, 1, ... */
    bool timed, again;  /* again: only for a second look at a new best */
    char inputs[65];    /* SHA-256 of all inputs, in the order of the parameters, without padding */
    char reference[65]; /* of what the user's C gives for them; "" it was not run */
    char outputs[17];   /* what the candidate wrote, the device's own hash; "" unknown */
};
/* One row a case, malloc'd. src: the outputs of its last evaluation that was ok by this farm; NULL: none are asked for.
 * Cost: hashes the inputs and references, about a second per GB. */
enum rg_status rg_farm_evidence(struct rg_farm *f, const struct rg_source *src, struct rg_case_evidence **out, int *n,
                                struct rg_error *err);
/* Before the last look at the info: waits for the sequential time where that is measured beside the search (until then
 * the info holds what was extrapolated). Seconds at most: not to be called when the user wants to leave. */
void rg_farm_settle(struct rg_farm *f);
/* Borrowed view, valid while f lives; its free is a no-op. */
struct rg_evaluator *rg_farm_evaluator(struct rg_farm *f);
/* Kernel names and mangled names of a source, for the exporter's checks: compile only. */
void rg_farm_free(struct rg_farm *f); /* kills and reaps all workers */

struct rg_probe { /* what a worker says of itself when it starts */
    char device[80], driver[80], arch[32], sandbox[32];
    char hardware_counters[200];
    int sms;
    double copy_bytes_s, fp32_flop_s, fp64_flop_s;
    double seconds; /* until it was ready */
};
/* Whether ncu can read the counters of device "cuda:N": it is had to do so once. out: in words; RG_UNAVAILABLE and the
 * like with the reason. Cost: some seconds. */
enum rg_status rg_worker_counters(const char *device, char *out, size_t size, struct rg_error *err);
/* Whether compute-sanitizer is there; out: its path. */
bool rg_worker_sanitizer(char *out, size_t size);
/* Starts one worker of `role` ("compile", "run") and ends it again. device: of a run worker, else NULL. RG_UNAVAILABLE
 * with what it lacks. Cost: what starting costs, 0.1 s to compile, up to a second on a GPU. */
enum rg_status rg_worker_probe(const char *role, const char *device, struct rg_probe *out, struct rg_error *err);
/* Names of the simulated devices, "h200, a100"; malloc'd. */
char *rg_worker_simulated(void);

/* main() of regraph-worker, roles compile|run|reference. */
int rg_worker_main(int argc, char **argv);
/* A worker on another machine (docs/worker.md). Near: stands beside the supervisor for it, argv is the command that
 * starts the other: far, whose argv is that of the worker. */
int rg_worker_near_main(int argc, char **argv);
int rg_worker_far_main(int argc, char **argv);
RG_END_DECLS
#endif
