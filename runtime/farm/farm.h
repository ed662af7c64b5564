/* The supervisor's inside: worker processes, compiled programs, jobs, cases. Internal. One thread. */
#ifndef RG_RUNTIME_FARM_H
#define RG_RUNTIME_FARM_H
#include "runtime/os/cache.h"
#include "runtime/protocol/protocol.h"
#include "runtime/os/shm.h"
#include <rg/proc.h>
#include <rg/worker.h>

enum {
    FARM_MAX_COMPILE = 8,
    FARM_MAX_REFERENCE = 4,
    FARM_MAX_RUN = 16,
    FARM_MAX_LOOK = 4,
    FARM_TOUCHES = 8,
    FARM_MAX_WORKERS = FARM_MAX_RUN + FARM_MAX_REFERENCE + FARM_MAX_COMPILE + FARM_MAX_LOOK + 1,
    FARM_BRIEF = 4, /* rounds in which is seen how the time of the C grows */
    FARM_FILLS = 5 * RG_MAX_CASES + FARM_TOUCHES + 3 * RG_MAX_TIMED + 2 * FARM_BRIEF + 6,
    FARM_PROGRAMS = 64,
    FARM_ROOM = 48 << 20,
    FARM_ATTEMPTS = 2,
    FARM_KILLED_ATTEMPTS = 5,
    FARM_TAKEN_ATTEMPTS = 50,
    FARM_START_FAILURES = 6,
    FARM_REFERENCE_FAILURES = 2
};

enum farm_role { FARM_COMPILE, FARM_RUN, FARM_REFERENCE, FARM_HOOKS, FARM_LOOK };
enum farm_loss {
    FARM_LATE,
    FARM_STALLED /* not its work's doing: it was stopped or got no CPU */,
    FARM_KILLED /* by SIGKILL, not ours, perhaps because memory ran out */,
    FARM_TAKEN /* likewise, though it had little memory: by hand */,
    FARM_DIED
};
enum farm_state { FARM_DOWN, FARM_STARTING, FARM_SETUP, FARM_IDLE, FARM_BUSY };

struct farm_worker {
    enum farm_role role;
    enum farm_state state;
    char device[24], name[64]; /* RUN: "cuda:1", what it says it is */
    struct rg_proc proc;
    int pending;                  /* SETUP: answers to come */
    struct farm_job *job;         /* RUN, LOOK: BUSY */
    int cases_version;            /* RUN, LOOK: that it was told of */
    struct farm_program *program; /* COMPILE, BUSY */
    int threads;                  /* REFERENCE: of the user's C with OpenMP; 0: as it is */
    struct farm_fill *fill;       /* REFERENCE, HOOKS: BUSY */
    double since, deadline;       /* BUSY, STARTING, SETUP: when it began, when it is killed */
    double cpu_since;             /* CPU seconds it had used by then */
    double looked, stopped;       /* when /proc was read last; since when it has been seen stopped, 0: it runs */
    bool retired;                 /* RUN, on another machine: given up, as others are there; LOOK: done without */
    int failures,
        disturbed; /* starts in a row that did not come to IDLE: by its own doing; killed or stopped from outside */
    struct rg_error error; /* of the last failed start */
};

/* One source and plan, compiled once. */
struct farm_program {
    char key[65]; /* sha256 of source, plan; "" unused */
    struct rg_range source, plan, room;
    bool compiled, compiling;
    bool ahead;          /* compiled when no job waits: somebody may ask soon */
    bool cached;         /* it came from the cache on disk */
    char cache_key[65];  /* its name there; "" it is not to be kept */
    int attempts, taken; /* compile workers that died over it; that were killed by hand */
    int users;           /* jobs that need it */
    int64_t used;        /* clock of the cache */
    enum rg_outcome outcome;
    char message[1024];
    char ptx_hash[65];
    double compile_s;
    bool suspected; /* it was faster than physics allows, and has been looked at again for that */
    bool screened;  /* the simulated device has looked for races and stray accesses */
    enum farm_checked { FARM_NOT_LOOKED, FARM_CLEAN, FARM_FOUND, FARM_UNKNOWN } sanitized;
    enum rg_outcome found; /* FARM_FOUND: by compute-sanitizer, with `complaint` */
    char complaint[400];
    int64_t launches;      /* of a run at the timed size; 0 not known yet */
    struct rg_arena arena; /* program.kernels */
    struct rg_program program;
};

/* What a program wrote when it last was ok. */
struct farm_outputs {
    struct farm_outputs *next;
    char key[65];      /* of the program */
    int cases_version; /* the cases that it was ok in */
    int n;
    struct rg_output_hash items[];
};

enum farm_stage {
    FARM_WANTS_COMPILE,
    FARM_WANTS_LOOK,
    FARM_LOOKING,
    FARM_WANTS_RUN,
    FARM_RUNNING,
    FARM_WANTS_ARBITER,
    FARM_DONE
};

struct farm_job {
    struct farm_job *next;
    int id;
    enum farm_stage stage;
    bool suspected;        /* faster than physics allows: it goes through a fresh worker once more */
    bool looked;           /* rg__farm_sanitize is done with it */
    bool canceled, hidden; /* hidden: of a duel, never polled */
    bool compile_only;
    enum rg_eval_purpose purpose;
    int attempts, taken;                 /* run workers that died over it; that were killed by hand */
    int cases_version;                   /* the cases that it was last run in */
    bool seen, screened, unseen;         /* a look worker: has had it, to its end; does not get it */
    double estimate_us, low_us, high_us; /* by one; 0 unknown */
    double expected_us;                  /* what it may take, by a draft; 0 unknown */
    int passed;                          /* far behind: younger ones that ran before it */
    struct farm_program *program;
    struct rg_evaluation e;
};

enum farm_fill_state { FARM_FILL_WAITS, FARM_FILL_RUNS, FARM_FILL_DONE };

/* A case for a reference worker: its inputs made, the user's C run on them. TOUCH: for the hooks worker. */
struct farm_fill {
    enum rg_msg_kind kind;      /* PREPARE, ORACLE, SPREAD, EXPECT, TOUCH */
    struct rg_case c;           /* in; positive also out */
    bool measure, measure_only; /* time the sequential run; measure_only: on inputs that are there */
    double limit_s;
    enum farm_fill_state state;
    int attempts, taken; /* workers stopped over it, or killed when they had much memory; killed by hand */
    double seconds;      /* of the sequential run; < 0 not measured */
    bool rounded;        /* SPREAD, filled: the C was rounded at random, too */
    double rounds;       /* COUNT, filled; 0 unknown */
    bool random;         /* PREPARE: the init function does not work there */
    bool undefined;      /* PREPARE: what it makes gives no usable reference there: error says so, but is no reason to
                            refuse the function where other sizes are left */
    bool violation;      /* TOUCH: the error says what the function did that it must not */
    int n_touches;       /* TOUCH, filled: malloc'd */
    struct rg_touch *touches;
    struct rg_error error; /* status RG_OK: filled. RG_CANCELED: it did not return within limit_s; RG_INPUT: the
                              function's own doing */
};

enum farm_arbiter_state { FARM_ARBITER_IDLE, FARM_ARBITER_RUNS, FARM_ARBITER_JUDGED, FARM_ARBITER_NONE_COMES };

struct farm_late { /* farm_late.c */
    struct rg_case c;
    double limit_s;         /* of the C there */
    struct farm_fill *fill; /* under way: PREPARE, then ORACLE, then SPREAD */
    bool done;              /* it is among the cases, or left out */
};

struct farm_arbiter { /* farm_arbiter.c */
    enum farm_arbiter_state state;
    int n;
    struct rg_case cases[RG_MAX_TIMED];    /* copies of the timed ones, with room of their own */
    struct farm_fill *fills[RG_MAX_TIMED]; /* under way: PREPARE, then ORACLE, then SPREAD */
    bool installed;                        /* candidates are compared with them */
};

struct farm_sanitizer {
    bool wanted; /* and not known to fail */
    char path[400];
};

struct farm_counters {
    bool wanted; /* and not known to be missing */
    char ncu[400];
    uint64_t left_out; /* metrics that this chip does not know */
};

struct rg_farm {
    struct rg_farm_options o;
    const struct rg_problem *problem;
    struct rg_arena arena;
    struct rg_farm_info info;
    struct rg_evaluator evaluator;
    const char *const *launcher;       /* of run workers on other machines; NULL: they are here */
    char *worker_path, *device, *arch; /* arch: what is compiled for */
    char *cache_dir;                   /* NULL: nothing is kept for later runs */
    char tmp[300];                     /* the workers' folder; "" none */
    int tmp_lock;                      /* held while the folder is in use; -1 none */
    bool simulated;
    char model[40];                /* the simulated device that describes the real one; "" none does */
    double accounted;              /* until when the run workers' time is counted; 0 not yet */
    bool dueling;                  /* a run worker is at a duel */
    bool reserved;                 /* the next run worker that is free is waited for: no job gets it */
    double watched;                /* when the workers were last looked after; 0 never */
    int driver_major, nvrtc_major; /* CUDA versions; 0 unknown or none */
    struct rg_shm shm;
    struct rg_range problem_range;
    int n_cases;
    struct rg_case cases[RG_MAX_CASES];
    bool cases_ready, anchored;
    char doing[240];   /* before the search: "while ...", for whoever stops it then */
    int cases_version; /* they changed so often; run workers are told when they are idle */
    int doubt_from;    /* what was found right before that version has not been compared with all that there is */
    bool in_double;    /* the user's C can be evaluated in double: it was, at every verify size */
    struct farm_arbiter arbiter;
    int n_moves;
    struct farm_fill *moves[RG_MAX_CASES]; /* SPREAD of cases with may_move, under way; farm_uncertainty.c */
    int n_late;
    struct farm_late late[RG_MAX_CASES];
    struct farm_counters counters;
    struct farm_sanitizer sanitizer;
    double wait_until;     /* 0, or when what is waited for at present is given up */
    volatile int *leaving; /* NULL, or not 0 when the user wants to leave */
    double best_us;        /* least time of an accepted candidate; 0 none yet */
    double contend;        /* times that, a candidate may still become the best; 0: whatever it takes */
    int expected_id;       /* of the job that `expected_us` is of */
    double expected_us;
    double behind; /* times that, a candidate is expected to be far behind: it comes last; 0: none does */
    int n_workers, n_reference;
    struct farm_worker workers[FARM_MAX_WORKERS]; /* run, reference..., compile..., hooks, run... */
    int n_fills;
    struct farm_fill fills[FARM_FILLS];
    struct farm_fill *sequential; /* the one that times the user's C beside the search; NULL none */
    struct farm_program programs[FARM_PROGRAMS];
    int64_t clock;
    struct rg_cache cache;        /* of compiled programs, on disk */
    char compiler[65];            /* fingerprint of the compilers; "" not known yet */
    bool mixed_compilers;         /* they differ: the toolkit was changed under a running search */
    struct farm_job *jobs;        /* in order of submission */
    struct rg_error failure;      /* the farm can work no more */
    double transfer_us;           /* inputs to the device and outputs back, as first measured; 0 not yet */
    struct farm_outputs *outputs; /* of every program that was ok, the newest first */
};

/* --- farm.c --- */
char *rg__farm_find_worker(const char *given);
void rg__farm_doing(struct rg_farm *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void rg__farm_cases_msg(const struct rg_farm *f,
                        struct rg_msg *m); /* what a run worker is told of the cases; borrows them */

/* --- farm_worker.c --- */
/* Bytes this process and its workers may have: the machine's, or its cgroup's. */
int64_t rg__farm_memory(void);
/* Puts e into *err (when s is a failure) and returns s. */
enum rg_status rg__error_move(struct rg_error *err, enum rg_status s, const struct rg_error *e);
/* Starts the process; it becomes IDLE in rg__farm_pump. */
enum rg_status rg__farm_spawn(struct rg_farm *f, struct farm_worker *w, struct rg_error *err);
void rg__farm_stop(struct farm_worker *w);
/* An idle run worker is told of cases that changed. */
void rg__farm_tell_cases(struct rg_farm *f, struct farm_worker *w);
enum rg_status rg__farm_send(struct farm_worker *w, const struct rg_msg *m, struct rg_error *err);
/* Starts counting: `seconds` from now it is late. Only its own doing counts: not the time it was stopped or starved of
 * CPU, nor what this process was away. */
void rg__farm_clock(struct farm_worker *w, double seconds);
/* Waits for the worker to come to IDLE, started when it is down; the error of a failed start. */
enum rg_status rg__farm_wait_idle(struct rg_farm *f, struct farm_worker *w, struct rg_error *err);
/* One question to an idle worker, answered before anything else happens to it. An ERROR answer becomes the error; a
 * worker that was gone already, or is killed or stopped from outside, is RG_IO: ask a new one. One that dies of it or
 * is late is RG_CANCELED with the reason as text. Whatever the failure, it is down then. Release *reply in any case. */
enum rg_status rg__farm_ask(struct rg_farm *f, struct farm_worker *w, struct rg_msg *m, double seconds,
                            struct rg_msg *reply, struct rg_error *err);
/* Assigns work, waits up to `seconds` for any worker's news and takes them in. */
enum rg_status rg__farm_pump(struct rg_farm *f, double seconds, struct rg_error *err);
/* Why a process ended: "killed by signal 9 (Killed)". */
void rg__farm_why(const struct farm_worker *w, char *text, size_t size);

/* --- farm_jobs.c --- */
void rg__farm_finish(struct farm_job *j, enum rg_outcome o, const char *text);
/* May an estimate keep it from being timed? */
enum rg_may_prune rg__farm_may_prune(const struct rg_farm *f, const struct farm_job *j);
/* Gives idle workers their next work. True when a job came to its end here: its program had been compiled before. */
bool rg__farm_assign(struct rg_farm *f);
void rg__farm_answer(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m);
/* A worker is gone; what it was busy with (as `was` names it), if anything, is tried again or ends. */
void rg__farm_lost(struct rg_farm *f, const struct farm_worker *was, enum farm_loss loss, const char *why);
void rg__farm_evaluator_init(struct rg_farm *f);
void rg__farm_jobs_free(struct rg_farm *f);

/* --- farm_order.c --- */
struct farm_job *rg__farm_next_run(struct rg_farm *f);              /* for a device that is free; NULL none now */
struct farm_program *rg__farm_next_compile(struct rg_farm *f);      /* for a compiler that is */
struct farm_job *rg__farm_next_look(struct rg_farm *f);             /* for a look worker that is */
void rg__farm_passed(struct rg_farm *f, const struct farm_job *by); /* `by` goes to a device now */

/* --- farm_look.c --- */
/* Beside a real device: workers that screen and estimate what it will be given. */
enum rg_status rg__farm_look_open(struct rg_farm *f, struct rg_error *err);
bool rg__farm_looks(const struct rg_farm *f, const struct farm_job *j); /* one is to look at it before it is run */
bool rg__farm_look_start(struct rg_farm *f, struct farm_worker *w, struct farm_job *j);
void rg__farm_looked(struct farm_job *j, const struct rg_msg *m);
/* It was lost over it, or failed: once more, then the device's own worker looks. */
void rg__farm_look_lost(struct farm_job *j);
/* It does not start. */
void rg__farm_look_retire(struct rg_farm *f, struct farm_worker *w);

/* --- farm_program.c --- */
/* The program of a source, new or known; its users are counted up. RG_LIMIT: no place is free. */
enum rg_status rg__farm_program(struct rg_farm *f, const struct rg_source *src, struct farm_program **out,
                                struct rg_error *err);
void rg__farm_compiled(struct rg_farm *f, struct farm_program *p, const struct rg_msg *m);
void rg__farm_programs_free(struct rg_farm *f);

/* --- farm_threads.c --- */
/* With o.baseline_threads: times the user's C on so many threads, on the inputs of the timed size, or says in the info
 * why not. */
void rg__farm_threads(struct rg_farm *f);

/* --- farm_busy.c --- */
/* Counts the time since the last call as what the jobs are now: to be called before any of them changes. */
void rg__farm_account(struct rg_farm *f);

/* --- farm_cache.c --- */
void rg__farm_cache_open(struct rg_farm *f);
void rg__farm_cache_compiler(struct rg_farm *f, const char *fingerprint); /* as a compile worker tells it */
/* A new program whose source was compiled before, by this run or another, is compiled now. */
void rg__farm_cache_find(struct rg_farm *f, struct farm_program *p, const struct rg_source *src);
void rg__farm_cache_keep(struct rg_farm *f, const struct farm_program *p); /* it has just been compiled */

/* The name of a source with its plan: SHA-256 of both texts, each with its NUL. */
void rg__farm_key(const struct rg_source *src, char out[65]);

/* --- farm_evidence.c --- */
void rg__farm_outputs(struct rg_farm *f, const char *key, int cases_version, const struct rg_msg *m);
void rg__farm_outputs_free(struct rg_farm *f);

/* --- farm_tool.c --- */
/* The first `name` that can be run: in PATH, CUDA_HOME, or what the pattern `elsewhere` (NULL: nowhere) finds, the last
 * of those. */
bool rg__tool_find(const char *name, const char *elsewhere, char *out, size_t size);
/* To its end, or until `until` (by rg_now; RG_LIMIT), or until *stop is not 0 (RG_CANCELED). How it ended is not looked
 * at. */
enum rg_status rg__tool_run(const char *const *argv, double limit_s, double until, volatile int *stop,
                            struct rg_error *err);
/* Writes the messages for a worker that launches the program once, in case `c`; NULL none. */
enum rg_status rg__tool_script(struct rg_farm *f, const struct farm_program *p, const struct rg_case *c,
                               const char *path, struct rg_error *err);

/* --- farm_sanitizer.c --- */
void rg__farm_sanitizer_open(struct rg_farm *f); /* once the device is known */
/* A look came out ok: unless the simulated device has looked for races and stray accesses before, compute-sanitizer
 * does (w NULL: not now), on the GPU of that idle run worker, in the smallest case. What it finds becomes the job's
 * outcome; the counter "race_checked" of its evaluation says who looked. */
enum rg_status rg__farm_sanitize(struct rg_farm *f, struct farm_job *j, const struct farm_worker *w,
                                 struct rg_error *err);

/* --- farm_counters.c --- */
void rg__farm_counters_open(struct rg_farm *f); /* once the device is known */
/* Counters of a compiled program on the device of an idle worker; *n 0 where there are none, and then the info says
 * why. */
enum rg_status rg__farm_profile(struct rg_farm *f, const struct farm_program *p, const struct farm_worker *w,
                                struct rg_counter *out, int *n, struct rg_error *err);

/* --- farm_arbiter.c --- */
/* A candidate was called wrong beside the first one's results only, or beside the C's before it was measured how far
 * those move: unless that is the last word, its job's stage is set to wait and be run again. */
void rg__farm_dispute(struct rg_farm *f, struct farm_job *j, const struct farm_worker *w);
/* What waited for that is run again. */
void rg__farm_go_on(struct rg_farm *f);
/* Before anybody disputes: the C is quick at the timed size, and is run there beside the search, on that many input
 * sets. */
void rg__farm_arbiter_begin(struct rg_farm *f, int n_sets);
/* Goes on with what is under way, if anything. In every pump. */
void rg__farm_arbiter(struct rg_farm *f);
/* The reference worker that it needs does not come up. False: nothing is under way. */
bool rg__farm_arbiter_lost(struct rg_farm *f, const char *why);

/* --- farm_late.c --- */
bool rg__farm_is_late(const struct rg_farm *f, const struct rg_case *c);            /* its place is known */
bool rg__farm_late_add(struct rg_farm *f, const struct rg_case *c, double limit_s); /* false: too many */
/* Candidates are not verified at this size: said, and its memory let go. `limit_s`: of the C, where it took longer. */
void rg__farm_leave_out(struct rg_farm *f, const struct rg_case *c, const struct rg_error *e, double limit_s);
void rg__farm_late_drop(struct rg_farm *f, struct farm_late *l, const struct rg_error *e); /* the same of a late one */
void rg__farm_late_begin(struct rg_farm *f); /* when all that a search needs is there */
bool rg__farm_late(struct rg_farm *f);       /* goes on with what is under way; true: something is. In every pump */
void rg__farm_late_lost(struct rg_farm *f,
                        const char *why); /* no reference worker comes up: those that are not there are left out */
/* Until all cases are there that are to be, the arbiter's among them; or f->wait_until. */
void rg__farm_settle_cases(struct rg_farm *f);

/* --- farm_fill.c --- */
/* Queued for the reference workers; done in rg__farm_pump. */
/* Can what the C gives at this size be what candidates are compared with? Long sums in its own precision are no
 * reference by themselves: they are with their values in double beside them, or with how far they move when they are
 * rounded at random. */
bool rg__farm_c_can_judge(const struct rg_farm *f, const struct rg_sizes *s);
/* Does that spread alone make the C a reference for this case? */
bool rg__farm_needs_spread(const struct rg_farm *f, const struct rg_case *c);
struct farm_fill *rg__farm_fill(struct rg_farm *f, enum rg_msg_kind kind, const struct rg_case *c, bool measure,
                                double limit_s);
/* Until all of the fills up to now are done, those of the hooks worker aside. The error is of the workers, not of the
 * fills. */
enum rg_status rg__farm_fills_wait(struct rg_farm *f, struct rg_error *err);
/* farm_count.c: fills steps, round and info.rounds, of functions with rounds. */
enum rg_status rg__farm_count(struct rg_farm *f, struct rg_error *err);
/* Measures how far the C's own results move in cases from .. to-1, and sums it up in f->info. A case without it is held
 * to the tolerance alone. */
enum rg_status rg__farm_uncertainty(struct rg_farm *f, int from, int to, struct rg_error *err);
/* The cases that it left for later (may_move), beside the search: begun, gone on with in every pump, given up. */
void rg__farm_moves_begin(struct rg_farm *f);
void rg__farm_moves(struct rg_farm *f);
void rg__farm_moves_lost(struct rg_farm *f);
void rg__farm_uncertain(struct rg_farm *f, const struct rg_case *c); /* sums up one that was measured */
bool rg__farm_fill_start(struct rg_farm *f, struct farm_worker *w);  /* the next one for it that waits */
bool rg__farm_fill_waits(const struct rg_farm *f, enum farm_role role);
void rg__farm_fills_free(struct rg_farm *f);
void rg__farm_filled(struct rg_farm *f, struct farm_worker *w, const struct rg_msg *m);
void rg__farm_fill_lost(struct farm_fill *fill, enum farm_loss loss, const char *why);

/* --- farm_chosen.c --- */
/* May what went wrong there be the size's fault, as nobody asked for it? */
bool rg__farm_unfit(const struct rg_farm *f, const struct farm_fill *fill);
/* Such sizes go with all their cases and what made these, unless nothing is left; without an init function, unless one
 * that is not clearly larger works. */
void rg__farm_drop_unfit(struct rg_farm *f, struct farm_fill **fills, int *n_fills);
/* On a simulated device: cases that would take a candidate most of the time there is; fills as the cases. */
void rg__farm_drop_costly(struct rg_farm *f, struct farm_fill **fills);
/* So do those at which the access hooks, which are waited for, see the function leave its arrays; and with them, where
 * an init function makes the inputs, such sizes that they don't watch. */
enum rg_status rg__farm_drop_outside(struct rg_farm *f, struct rg_error *err);

/* --- farm_hooks.c --- */
/* Queues the cases that the hooks watch, the cheapest: TOUCH, for the hooks worker, where their references are there;
 * PREPARE to have them there. */
void rg__farm_hooks_begin(struct rg_farm *f, enum rg_msg_kind kind);
enum rg_status rg__farm_hooks_wait(struct rg_farm *f, struct rg_error *err); /* until all that is queued is done */
/* Waits for it. RG_INPUT: what the user's function does that it must not, with its place. Where the affine count does
 * not say, the traffic that must move comes from what was touched; the info says how it is known. That the hooks are
 * not to be had is no error. */
enum rg_status rg__farm_hooks_end(struct rg_farm *f, struct rg_error *err);
/* How far the C goes in the cases that were prepared, to o.reached; those in which it does what it must not are not
 * told of. */
enum rg_status rg__farm_hooks_reach(struct rg_farm *f, struct rg_error *err);
/* The function crashed in this case, which `was` tells: with the place, where the hooks see the same. Always a failure.
 */
enum rg_status rg__farm_hooks_explain(struct rg_farm *f, const struct rg_case *c, const struct rg_error *was,
                                      struct rg_error *err);
/* The hooks worker does not come up: what waits for it is done, without a result. */
void rg__farm_hooks_lost(struct rg_farm *f, const char *why);

/* --- farm_cases.c --- */
/* Takes in the sequential time that is measured beside the search, when it is there. wait: until it is, or is given up.
 */
void rg__farm_sequential(struct rg_farm *f, bool wait);
/* Chooses the cases, has the reference worker fill them, passes the gates, times the sequential run. */
enum rg_status rg__farm_cases(struct rg_farm *f, struct rg_error *err);
enum rg_status rg__farm_place(struct rg_farm *f, struct rg_case *c, struct rg_error *err); /* room for the case */
/* One fill, waited for; there: its inputs are. NULL: the workers failed. */
struct farm_fill *rg__farm_fill_now(struct rg_farm *f, const struct rg_case *c, bool measure, bool there,
                                    double limit_s, struct rg_error *err);
/* farm_brief.c, where o.most_verify_s and o.most_timed_s say so, else nothing. What the C may take at a verify size. */
double rg__farm_brief(const struct rg_farm *f, const struct rg_case *c, double limit_s);
/* Waits for the cases; RG_LIMIT and *o.verify_less as soon as the C is seen to take too long in one. */
enum rg_status rg__farm_verify_brief(struct rg_farm *f, struct farm_fill *const *fills, int n, struct rg_error *err);
/* The same where it is expected to take too long at the timed size, by how its time grows. Cost: two short runs. */
enum rg_status rg__farm_timed_brief(struct rg_farm *f, const struct rg_sizes *timed, bool positive,
                                    struct rg_error *err);
/* farm_case_sizes.c. .npy inputs have one shape: sizes that they do not fit cannot be run. */
enum rg_status rg__farm_files_fit(const struct rg_problem *p, const struct rg_sizes *s, bool *fit,
                                  struct rg_error *err);
/* Its number, or -1: there are as many as there may be. */
int rg__farm_add_case(struct rg_farm *f, const struct rg_sizes *s, int seed, bool timed, bool again);
/* Sizes that will be verified, cheapest first, into list, which has room for all; 0 with an error when there is none.
 */
int rg__farm_verify_sizes(struct rg_farm *f, const struct rg_sizes **list, struct rg_error *err);
/* Cases for each of them. */
void rg__farm_choose_cases(struct rg_farm *f, const struct rg_sizes **list, int n);
/* Only those that the hooks watch, and what they see. */
enum rg_status rg__farm_look(struct rg_farm *f, struct rg_error *err);
#endif
