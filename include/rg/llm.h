/* The model coder: one request a step to any chat-completions or messages server, extraction, repair, judge and critic,
 * record, replay and deferral. docs/llm.md. */
#ifndef RG_LLM_H
#define RG_LLM_H
#include <rg/coder.h>
#include <rg/decls.h>
#include <rg/problem.h>
#include <stddef.h>
#include <stdint.h>

RG_BEGIN_DECLS

/* Textual faults of replies that are mended before compiling: name, word, what was done. */
#define RG_LLM_FIX_MAP(X)                                                                                              \
    X(HOST_FUNCTION, "host-function", "a host function (main, a wrapper) dropped")                                     \
    X(HOST_INCLUDE, "host-include", "an include that only host code needs dropped")                                    \
    X(EXTERN_C, "extern-c", "extern \"C\" before kernels dropped")                                                     \
    X(HELPER, "helper-device", "__device__ put before a helper that kernels call")                                     \
    X(TABLE, "table-device", "__device__ put before a file-scope array")                                               \
    X(USING_STD, "using-std", "using namespace std dropped")                                                           \
    X(STD_FUNCTION, "std-function", "std:: before a function that CUDA has itself dropped")                            \
    X(INCLUDE, "include", "an include added for a name that was used")                                                 \
    X(RESTRICT, "restrict", "restrict spelt __restrict__")                                                             \
    X(BARRIER_CALL, "barrier-call", "the brackets of __syncthreads() added")                                           \
    X(KERNEL_LINKAGE, "kernel-linkage", "static or inline before a kernel dropped")                                    \
    X(TYPOGRAPHY, "typography", "typographic quotes, dashes and blanks spelt in ASCII")                                \
    X(ENTITIES, "entities", "HTML entities decoded")                                                                   \
    X(LINE_NUMBERS, "line-numbers", "line numbers of a listing dropped")                                               \
    X(PLAN_CEIL_DIV, "plan-ceil-div", "another name of ceil_div in the plan")                                          \
    X(PLAN_CPP, "plan-cpp", "C++ in the plan (const, auto, casts, suffixes, std::)")                                   \
    X(PLAN_HOST_CALL, "plan-host-call", "a host call in the plan dropped or turned into fill")                         \
    X(PLAN_SCRATCH, "plan-scratch", "scratch declared as a pointer")                                                   \
    X(PLAN_SEMICOLON, "plan-semicolon", "a missing semicolon behind a launch")                                         \
    X(PLAN_FROM_HOST, "plan-from-host", "the plan recovered from host code")                                           \
    X(PATCH, "patch", "a diff applied to the current version")                                                         \
    X(PART, "part", "a missing block taken from the version it builds on")

enum rg_llm_fix {
#define X(name, word, text) RG_LLM_FIX_##name,
    RG_LLM_FIX_MAP(X)
#undef X
        RG_LLM_N_FIXES
};
const char *rg_llm_fix_word(int fix);
const char *rg_llm_fix_text(int fix);

struct rg_llm_form { /* of a step: whether the C has the form that it is for, and the traits of where */
    const char *step;
    bool has;
    uint32_t traits;
};

struct rg_llm_options {
    const char *url; /* base, "http://localhost:8000/v1"; may be NULL with replay or defer */
    const char *model;
    const char
        *key_env; /* name of the variable that holds the key; NULL: OPENAI_API_KEY, ANTHROPIC_API_KEY; may be empty */
    const char *key_file;           /* file whose first line is the key; before the environment */
    const char *api;                /* "chat" (completions), "messages", NULL or "auto": by the url */
    const char *record;             /* file appended to; NULL none */
    const char *replay;             /* file answered from; a miss is an error, or with a url asks */
    const char *defer;              /* folder for requests that nobody answers now: RG_DEFERRED; NULL none */
    const char *prompts;            /* folder; NULL: built in */
    int max_calls;                  /* 0: 200 */
    int64_t max_tokens;             /* 0 none */
    double max_cost;                /* 0 none */
    double timeout_s;               /* of one request; 0: 300 */
    double temperature;             /* < 0: the server's */
    int in_flight;                  /* 0: 4 */
    const char *device_facts;       /* short text for the prompt */
    const char *loop_facts;         /* which loops are parallel and what the others carry, a line each; NULL unknown */
    const char *const *input_facts; /* of each parameter, what its input holds when it is timed: "0 .. 99"; NULL, or any
                                       of them: unknown */
    const struct rg_llm_form *forms; /* of steps that need the C to have it; of others it is not known */
    int n_forms;
    int sms; /* multiprocessors; 0 unknown */
    /* All below: 0 or NULL is the default. */
    const char *prices;   /* file of `MODEL-PREFIX INPUT OUTPUT [CACHED]` lines, USD per million tokens; max_cost needs
                             one, except for a server on this machine, which is free */
    const char *examples; /* file of best before/after of steps, from earlier runs; NULL none. See rg_llm_keep_examples.
                             A replay shows those that its record names instead */
    const char *quirks;   /* file of `MODEL-PREFIX WORD...` lines, docs/models.md */
    int context;          /* tokens of prompt and reply together; what does not fit is dropped in a documented order */
    int samples; /* answers asked for in one request, where the server can; further usable ones serve later samples; 0:
                    one, and two once the model sends too much that is of no use */
    bool judge;  /* ask first what the one issue is, from outcome and counters */
    bool critic; /* have each new version reviewed before it is run; one revision */
    const char *judge_model; /* of judge and critic; NULL: the coder's */
    int reply_tokens;        /* most tokens of one reply, sent to the server; 0: the server's own limit */
    int retries;             /* of one request; 0: 4; < 0 none */
    double backoff_s;        /* before the first retry, doubled after each; 0: 0.5 */
    double wall_s;           /* hard limit of one request with its retries; 0: twice timeout_s */
    int64_t reply_bytes;     /* a larger HTTP reply is refused; 0: 8 MiB */
};

struct rg_llm_usage {
    int calls;
    int64_t prompt_tokens, completion_tokens;
    double cost;  /* < 0 unknown price */
    int replayed; /* of calls: answered from the record; their tokens and cost are those of the recorded run */
    int64_t cached_tokens, reasoning_tokens; /* of prompt_tokens, of completion_tokens, where the server tells */
    int repairs;                             /* of calls: second requests after an unusable reply */
    int judged, criticised;                  /* of calls: to the judge, to the critic */
    int unjudged;                            /* their answers that were no such JSON */
    int retries;                             /* HTTP attempts beyond the first of a call */
    int refused, failed;                     /* actions that ended without a template */
    int fixes[RG_LLM_N_FIXES];               /* textual faults mended, by kind */
};

/* rg_llm_new - a coder over a model; see docs/llm.md.
 * o, p     the options are copied; the problem must outlive the coder. Freed through out->free(out->self).
 * Errors   RG_USAGE: no url and no replay, a bad url, max_cost without a price. RG_IO, RG_INPUT: record, replay,
 * prompts or prices can't be read. The service itself is first spoken to by submit. Key      read from the environment
 * here; it goes to the server alone, never to logs, records or messages. Answers  TEMPLATE; with .applied where the
 * step's check does not find the step asked, but another of hint.others shows. REFUSED: the model declined, or no such
 * step shows ("not applied: ..."). FAILED: status RG_SERVICE (down after retries, or a replay that does not hold the
 * request), RG_LIMIT (budget), RG_DEFERRED, RG_IO (record), or RG_OK with an outcome: no usable code after one repair.
 * Threads  one caller. */
enum rg_status rg_llm_new(const struct rg_llm_options *o, const struct rg_problem *p, struct rg_coder *out,
                          struct rg_error *err);
/* Whether the effect that the step's check names (check_pattern, check_change) is seen between two versions (CUDA
 * source, or that and its plan); comments don't count. before NULL: the root. True where nothing can be said (no check,
 * or it held before already). Unchanged code never holds. */
bool rg_llm_step_applied(const char *before, const char *after, const struct rg_step *step);
/* Whether it is seen in `after` and was not in `before`: stricter than the above, which gives a step that was asked for
 * the benefit of the doubt. False without a check. */
bool rg_llm_step_shows(const char *before, const char *after, const struct rg_step *step);
/* Are the two different, but for comments and blanks? before NULL: the root. */
bool rg_llm_code_changed(const char *before, const char *after);
/* RG_TRAIT_ bits that can be read off CUDA source: SHARED, ATOMICS, BARRIERS, MULTI_KERNEL. */
uint32_t rg_llm_source_traits(const char *cuda);
/* What a model's experience is kept under: "llm:" and its name without maker, size, date and packaging
 * ("llm:qwen2.5-coder" of Qwen/Qwen2.5-Coder-32B-Instruct-AWQ). */
void rg_llm_family(const char *model, char *out, size_t size);
void rg_llm_usage(const struct rg_coder *c, struct rg_llm_usage *out);
/* One line for people before the first call: model, place, budgets, price. */
void rg_llm_budget(const struct rg_coder *c, char *out, size_t size);
/* Merges before and after (device code without comments) of what a search gained by single steps into `path`, made
 * where missing: of each step the best of up to four kinds of problems (traits: of this one), measured ones before
 * estimated ones, at most 3000 bytes a side. Coders that made the pairs must still be there. RG_IO, RG_INPUT. */
enum rg_status rg_llm_keep_examples(const char *path, const struct rg_pair *pairs, int n, uint32_t traits,
                                    bool estimated, struct rg_error *err);

struct rg_llm_probe { /* what a server can do */
    char place[300];  /* where was asked, without secrets */
    bool lists_models, has_model;
    int n_models;
    char first_model[128]; /* of its list; "" none */
    int64_t context;       /* tokens, where the list tells; 0 unknown */
    bool answers;          /* a reply came; else .message */
    bool usable;           /* with code and plan as asked for */
    char reply[32];        /* the class of the reply, "usable" */
    bool samples;          /* several answers a request */
    char quirks[120];      /* words of docs/models.md that it taught us, each behind a blank; "" none */
    int64_t prompt_tokens, completion_tokens; /* as it counts; -1 it doesn't */
    double seconds;                           /* of the last exchange */
    char message[400];                        /* why there was no answer */
};
/* Talks to the server of o->url: at most a few requests. Errors RG_USAGE, RG_INPUT, RG_IO of the options; a server that
 * fails is a result. Blocks up to the options' time limits. */
enum rg_status rg_llm_probe(const struct rg_llm_options *o, struct rg_llm_probe *out, struct rg_error *err);
RG_END_DECLS
#endif
