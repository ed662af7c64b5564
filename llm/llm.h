/* Inside llm/: what its files share. One request goes prompt -> wire -> http (or record) -> wire -> reply -> coder. */
#ifndef RG_LLM_LLM_H
#define RG_LLM_LLM_H
#include <rg/arena.h>
#include <rg/buf.h>
#include <rg/llm.h>
#include <stddef.h>

/* ---- ctext.c: C text, well enough for what models write ---- */

/* Copy of the same length in which comments and the insides of literals are spaces (newlines stay). Caller frees. */
char *rg__c_blank(const char *text, size_t n);
char *rg__c_plain(const char *code); /* without comments, and without lines that were nothing else; caller frees */
/* As a model is shown what another coder wrote: plain, a blank for each four that begin a line. Caller frees. */
char *rg__c_shown(const char *code);
bool rg__c_word_char(char c);
/* Next occurrence of a whole word at or after `from`; (size_t)-1 none. */
size_t rg__c_find_word(const char *text, size_t n, size_t from, const char *word);
/* Index of the bracket that closes the one at `open`; n when there is none. */
size_t rg__c_close(const char *blank, size_t n, size_t open);

enum rg__item_kind { RG__ITEM_KERNEL, RG__ITEM_DEVICE, RG__ITEM_HOST, RG__ITEM_OTHER };
struct rg__item { /* a top-level function definition, declaration or directive; byte offsets */
    enum rg__item_kind kind;
    size_t start, end;
    size_t name, name_end; /* functions */
    size_t body, body_end; /* functions: inside the braces */
};
/* Splits blanked text; caller frees *items. */
int rg__c_items(const char *blank, size_t n, struct rg__item **items);
/* Is `name` (cut at '<') a kernel defined in the text? */
bool rg__c_has_kernel(const char *blank, size_t n, const char *name, size_t name_len);

/* ---- reply.c, reply_text.c: from a reply's text to device code and plan ---- */

/* class, word, message for people, what the model is told on repair */
#define RG__REPLY_MAP(X)                                                                                               \
    X(USABLE, "usable", "", "")                                                                                        \
    X(EMPTY, "empty", "the reply is empty", "Your reply was empty.")                                                   \
    X(NO_BLOCK, "no block", "the reply holds no fenced code", "Your reply had no fenced code block.")                  \
    X(NO_KERNEL, "no kernel", "no block of the reply holds a __global__ function",                                     \
      "No block of your reply holds a __global__ kernel.")                                                             \
    X(NO_PLAN, "no plan", "the reply holds no plan",                                                                   \
      "Your reply had no block tagged plan that says how the kernels are launched.")                                   \
    X(HOST_CODE, "host code", "the reply's host code can't be turned into a plan",                                     \
      "Host code is not accepted: say how the kernels are launched in a block tagged plan.")                           \
    X(TRUNCATED, "truncated", "the reply was cut off",                                                                 \
      "Your reply was cut off. Be brief: think little, write no prose and no comments, only the two blocks.")          \
    X(DIFF, "diff", "the reply is a diff", "You sent a diff. Send the whole device code.")                             \
    X(ELIDED, "elided", "the reply leaves out parts of the code",                                                      \
      "Your code leaves parts out. Send the whole device code, nothing shortened.")                                    \
    X(CRITICISED, "criticised", "a review found the code wrong",                                                       \
      "A reviewer says that your code is wrong. Correct it if that is so.")                                            \
    X(REFUSED, "refused", "the model declined the step", "")                                                           \
    X(NOT_APPLIED, "not applied", "the code is the one that was there",                                                \
      "Your code is the current version, unchanged. Apply the step, or reply REFUSED: and why it makes no sense "      \
      "here.")

enum rg__reply_class {
#define X(name, word, text, repair) RG__REPLY_##name,
    RG__REPLY_MAP(X)
#undef X
        RG__N_REPLY_CLASSES
};
const char *rg__reply_word(enum rg__reply_class c);
const char *rg__reply_repair(enum rg__reply_class c);

struct rg__reply {
    enum rg__reply_class klass;
    char *cuda, *plan;         /* owned; NULL unless USABLE; of NO_PLAN the code */
    char message[400];         /* REFUSED: the model's reason; failures: class and detail */
    int fixes[RG_LLM_N_FIXES]; /* how often each known textual fault was mended */
    /* Where the step asked is not in the code (set by the coder, not by extraction): the other step that is, and
     * whether several are. */
    const struct rg_step *shows;
    bool several;
    bool rewrite;     /* no step shows, and the code is another */
    bool declines;    /* .shows is what the model says it did, as the step asked makes no sense here */
    char instead[65]; /* "INSTEAD: step"; "" none */
};
struct rg__versions {         /* what a reply may build on; borrowed, any part may be NULL */
    struct rg_source current; /* the one asked about, which a diff applies to; NULLs at the root */
    struct rg_source last;    /* the model's last attempt at the same action */
};
/* Never fails: what can't be used has a class. `cut`: the server said that the reply hit its length limit. versions
 * NULL: none. */
void rg__reply_extract(const struct rg_problem *p, const struct rg__versions *versions, const char *text, size_t len,
                       bool cut, struct rg__reply *out);
void rg__reply_release(struct rg__reply *r);
/* The reply without <think> parts, CR and NUL. *cut_inside: an opened one never ends. Caller frees. */
char *rg__reply_visible(const char *text, size_t len, size_t *out_len, bool *cut_inside);

/* Visible, unquoted, its characters mended, JSON unpacked, each fence on a line of its own. Caller frees. */
char *rg__reply_prepare(const char *text, size_t len, bool *cut_inside, int *counts);

/* ---- check.c ---- */
/* Can the step do anything for this version (code and plan; NULL: the root)? Not without what it needs, nor where its
 * check could no longer tell that it was done. */
bool rg__step_applicable(const char *cuda_and_plan, int launches, const struct rg_step *step);
bool rg__step_is_checked(const struct rg_step *step); /* does the graph say how its effect is seen? */
bool rg__step_is_any_way(const struct rg_step *step); /* it says what for, not how: `write`, `improve` */
/* Launches that a run of the plan makes: 0, 1, or more. */
int rg__plan_launches(const char *plan);

/* ---- template.c ---- */
#define RG__REWRITE "rewrite" /* the action of a chain that is no step of the graph */
/* Takes r's cuda and plan; one reference. The problem must outlive it. The last action of its chain is `step`, or what
 * the reply shows instead, or a rewrite. A model may answer the same request differently, so the key is the ordered
 * list of actions with sample and number of earlier attempts, not the text. parent NULL: the root. */
struct rg_template *rg__template_new(const struct rg_problem *p, const struct rg_template *parent, const char *step,
                                     const char *site, int sample, int n_attempts, struct rg__reply *r);

#define RG__KEY_MARK "/llm:" /* between a parent's key and the action */

/* ---- examples_json.c: best before and after of a step in earlier runs ---- */

struct rg__examples {
    int n;
    struct rg__example {
        char *step, *before, *after;
        double gain;     /* time before / time after */
        uint32_t traits; /* of its problem; 0 unknown */
        bool estimated;  /* on a simulated device: gives way to what was measured */
    } * items;
};
enum rg_status rg__examples_load(struct rg__examples *x, const char *path,
                                 struct rg_error *err); /* a missing file is empty */
void rg__examples_release(struct rg__examples *x);
/* Of the step's examples the one to show where a problem has these traits; NULL none. */
const struct rg__example *rg__examples_find(const struct rg__examples *x, const char *step, uint32_t traits);
struct json_t;
struct json_t *rg__example_json(const struct rg__example *e); /* new reference */
/* Takes the example of a JSON object, the better of two for a step; false: it is none. `newer`: it is taken in any
 * case. */
bool rg__example_read(struct rg__examples *x, const struct json_t *o, bool newer);

/* ---- device_code.c ---- */
/* Device code without host functions, host-only includes, and extern "C" before kernels; helpers and tables that
 * kernels use are marked __device__. counts: RG_LLM_N_FIXES, added to. Caller frees. */
char *rg__device_code(const char *text, size_t n, int *counts);

/* ---- fixes.c: known textual faults. counts: RG_LLM_N_FIXES, added to ---- */
char *rg__fix_code(char *text, int *counts); /* takes text, gives text */
char *rg__fix_plan(char *text, int *counts);
char *rg__fix_line_numbers(char *text, int *counts);
char *rg__fix_characters(const char *text, size_t n, int *counts); /* caller frees */

/* ---- constants.c: macros, constants and enumerators of device code ---- */
enum { RG__MAX_TUNED_VALUES = 16 };
/* The plan with those declared that it uses and does not declare itself, in a first line of its own. p NULL: no
 * parameters. Caller frees. */
char *rg__plan_with_constants(const struct rg_problem *p, const char *cuda, const char *plan);
char *rg__plan_bare(const char *plan); /* without that line; caller frees */
/* Those with a comment `tune: NAME in VALUES` beside their one definition. Memory in `a`. */
void rg__tuned_find(struct rg_arena *a, const char *cuda, struct rg_tunables *out);
/* The code with their values defined. Caller frees. */
char *rg__tuned_code(const char *cuda, const struct rg_tunables *t, const struct rg_vector *v);

/* ---- reply_parts.c: what a reply leaves out ---- */
/* The plan of an earlier version for new code, the code of one for a new plan; NULL where it is not clear that they
 * belong together. Caller frees. */
char *rg__plan_for(const struct rg_source *version, const char *cuda);
char *rg__code_for(const struct rg_source *version, const char *plan);

/* ---- reply_diff.c, reply_json.c: other shapes of a reply ---- */
/* The current version with a unified diff applied; NULL when a hunk does not fit at exactly one place. Caller frees. */
char *rg__diff_apply(const char *current, const char *diff, size_t n);
bool rg__looks_like_diff(const char *text, size_t n);
/* {"cuda": "...", "plan": "..."} as a reply with two blocks; NULL when it is no such object. Caller frees. */
char *rg__reply_from_json(const char *text, size_t n);

/* ---- hostplan.c ---- */
/* The plan that the only host function with launches amounts to. NULL with a reason when there is none or it is not
 * unambiguous. p NULL: no parameter is known. Caller frees. */
char *rg__host_plan(const struct rg_problem *p, const char *text, size_t n, char *why, size_t why_size);
/* Host code that only launches: statements without a function around. */
char *rg__host_plan_body(const struct rg_problem *p, const char *text, size_t n, char *why, size_t why_size);

/* ---- prompt.c: texts with {{variables}} and {{#sections}} ---- */

struct rg__var {
    const char *name, *value; /* value NULL or "": its section is left out */
};
enum rg__prompt {
    RG__PROMPT_SYSTEM,
    RG__PROMPT_PROBLEM,
    RG__PROMPT_CURRENT,
    RG__PROMPT_ROOT,
    RG__PROMPT_STEP,
    RG__PROMPT_ATTEMPTS,
    RG__PROMPT_REPAIR,
    RG__PROMPT_JUDGE,
    RG__PROMPT_ISSUE,
    RG__PROMPT_CRITIC,
    RG__PROMPT_REVIEW,
    RG__PROMPT_UNTIL_STABLE, /* worked examples, from here on */
    RG__PROMPT_UNTIL_CONVERGED,
    RG__PROMPT_DIAGONALS,
    RG__PROMPT_TWO_PHASES,
    RG__N_PROMPTS
};
struct rg__prompts {
    char *text[RG__N_PROMPTS];
};
const char *rg__prompt_name(enum rg__prompt p); /* "system": llm/prompts/system.txt */
const char *rg__prompt_builtin(enum rg__prompt p);
/* dir NULL: built in; a file that the folder lacks is the built-in one. RG_INPUT with file:line for an unknown
 * variable. */
enum rg_status rg__prompts_load(struct rg__prompts *out, const char *dir, struct rg_error *err);
void rg__prompts_release(struct rg__prompts *p);
void rg__prompt_expand(struct rg_buf *out, const char *text, const struct rg__var *vars, int n_vars);

/* ---- describe.c: what the variables hold ---- */

/* What is left out where a request is long or a context small, in this order; each cut includes those before it
 * (docs/llm.md). */
enum rg__problem_cut {
    RG__PROBLEM_WHOLE,
    RG__PROBLEM_NO_LOOPS,
    RG__PROBLEM_NO_CONTEXT,
    RG__PROBLEM_SHORT,
    RG__N_PROBLEM_CUTS
};
enum rg__request_cut {
    RG__REQUEST_WHOLE,
    RG__REQUEST_NO_EXAMPLE, /* of the step; the worked one */
    RG__REQUEST_ONE_ERROR,  /* older errors, and the counters */
    RG__REQUEST_SHORT_HINT, /* most of the step's hint */
    RG__REQUEST_NO_CURRENT, /* code of the version that the last attempt, which is shown, started from */
    RG__REQUEST_NO_ATTEMPT, /* code of the last attempt, and no more that of the version */
    RG__N_REQUEST_CUTS
};
struct rg__facts { /* what is known beside the problem; NULLs: nothing */
    const char *device, *loops;
    const char *const *inputs; /* by parameter; NULL, or any of them: unknown */
};
void rg__describe_problem(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_problem *p,
                          const struct rg__facts *known, enum rg__problem_cut cut);
/* others: names of steps that may be taken instead; NULL or "": none. */
void rg__describe_step(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_step *step,
                       const char *site, const struct rg__example *learnt, const char *others,
                       enum rg__request_cut cut);
/* source: its .cuda NULL where the version is too long to be shown. */
void rg__describe_current(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_source *source,
                          const struct rg_hint *hint, int sms, enum rg__request_cut cut);
void rg__describe_root(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_problem *p,
                       const struct rg_hint *hint, enum rg__request_cut cut);
void rg__describe_attempts(struct rg_buf *out, const struct rg__prompts *prompts, const struct rg_hint *hint,
                           enum rg__request_cut cut);
/* How many of the last attempts ended alike: same outcome, same first error; 0 when there is none. */
int rg__repeated_errors(const struct rg_hint *hint);
/* The first error of a compiler's or verifier's message, whole lines, at most `max` bytes. */
void rg__short_error(struct rg_buf *out, const char *message, size_t max);
/* Text between fences that no run of backquotes inside can close. */
void rg__fenced(struct rg_buf *out, const char *tag, const char *text);
/* The same of code or plan, cleaned and cut where it is overlong; NULL for none. Caller frees. */
char *rg__fenced_text(const char *tag, const char *text);
/* Invalid UTF-8 becomes '?', control characters but tab and newline go. Caller frees. */
char *rg__clean_text(const char *s, size_t n);

/* ---- wire_json.c, stream_json.c, quirks.c: the protocols ---- */

struct rg__part {     /* a piece of a message; pieces recur (problem, kernel, step), so records keep each once */
    const char *name; /* static: "rules", "problem", ... */
    char *text;       /* owned */
};
struct rg__message {
    const char *role; /* static */
    int n;
    struct rg__part *parts;
};
struct rg__chat {
    const char *model;
    double temperature; /* < 0: not sent */
    int reply_tokens;   /* 0: not sent */
    int sample;         /* part of the key alone */
    int n_samples;      /* answers asked for at once; 0, 1: one */
    int n;
    struct rg__message *messages;
};
struct rg__message *rg__chat_message(struct rg__chat *c, const char *role);
void rg__message_part(struct rg__message *m, const char *name, char *text); /* takes text */
void rg__chat_release(struct rg__chat *c);
int64_t rg__chat_bytes(const struct rg__chat *c); /* of all its texts */
/* SHA-256 over model, parameters and messages; how messages are cut into parts does not matter. */
void rg__chat_key(const struct rg__chat *c, char out[65]);

enum rg__api { RG__API_CHAT, RG__API_MESSAGES };
struct rg__quirks { /* what this server or model wants; from the table, and learnt from its 400 replies */
    enum rg__api api;
    bool no_temperature, completion_tokens, no_reply_tokens, no_system, no_samples, stream;
    int most_tokens; /* longest reply that may be asked for; 0 not known */
    char effort[16]; /* reasoning_effort; "": not sent */
    char *extra;     /* JSON object whose members every request gets; NULL none */
};
/* Built-in table, then the user's (NULL: none). RG_INPUT with file:line. */
enum rg_status rg__quirks_load(struct rg__quirks *q, const char *path, const char *model, struct rg_error *err);
void rg__quirks_release(struct rg__quirks *q);
/* True when the error text of a 400 names a parameter that can be sent differently: the request is worth repeating. */
bool rg__quirks_learn(struct rg__quirks *q, const char *error_text);
bool rg__wire_is_object(const char *text);
char *rg__wire_request(const struct rg__chat *c, const struct rg__quirks *q); /* JSON, caller frees */

struct rg__sample {
    char *text;
    bool cut;
};
struct rg__answer {                                                            /* what the model said */
    char *text;                                                                /* owned */
    bool cut;                                                                  /* finish_reason length */
    int64_t prompt_tokens, completion_tokens, cached_tokens, reasoning_tokens; /* -1 unknown */
    int n_more;                                                                /* further samples of the same request */
    struct rg__sample *more;                                                   /* owned */
};
#define RG__ANSWER_NONE ((struct rg__answer){NULL, false, -1, -1, -1, -1, 0, NULL})
void rg__answer_release(struct rg__answer *a);
void rg__answer_more(struct rg__answer *a, char *text, bool cut); /* takes text */
/* RG_SERVICE with what is wrong when the body is no chat completion, message or stream of either. */
enum rg_status rg__wire_answer(const char *body, size_t n, struct rg__answer *out, struct rg_error *err);
/* {"data": [{"id", "max_model_len"...}]}: how many, is `model` among them, its context. False: no such list. */
bool rg__wire_models(const char *body, size_t n, const char *model, int *n_models, bool *has_model, int64_t *context,
                     char *first, size_t size);
bool rg__wire_is_stream(const char *body, size_t n);
enum rg_status rg__wire_stream(const char *body, size_t n, struct rg__answer *out, struct rg_error *err);
struct json_t;
void rg__wire_usage(const struct json_t *usage, struct rg__answer *out);            /* only in *_json.c */
struct json_t *rg__wire_body(const struct rg__chat *c, const struct rg__quirks *q); /* new reference */
/* error.message of an error body, or its first printable line; at most 200 bytes. */
void rg__wire_error(const char *body, size_t n, char *out, size_t size);

/* ---- http.c: POST over curl's multi interface ---- */

struct rg__http_options {
    const char *url, *key; /* key NULL or "": none sent */
    enum rg__api api;      /* decides path and key header */
    double timeout_s, wall_s, backoff_s;
    int retries, in_flight;
    int64_t reply_bytes;
};
struct rg__http;
struct rg__http_result {
    int id;
    enum rg_status status; /* OK: an HTTP reply that is no retryable failure, see .code; SERVICE: given up */
    long code;
    struct rg_buf body; /* owned by the receiver */
    int retries;
    char message[300]; /* SERVICE */
};
enum rg_status rg__http_new(const struct rg__http_options *o, struct rg__http **out, struct rg_error *err);
void rg__http_free(struct rg__http *h);
void rg__http_post(struct rg__http *h, int id, const char *body); /* body copied */
void rg__http_get_models(struct rg__http *h, int id);             /* GET base/models */
const char *rg__http_shown(const struct rg__http *h);             /* url without secrets */
void rg__http_cancel(struct rg__http *h, int id);
int rg__http_pending(const struct rg__http *h);
/* Next finished one, waiting up to `seconds`; false: none came. */
bool rg__http_poll(struct rg__http *h, double seconds, struct rg__http_result *out);
/* No retries for what is posted while set: the service is known to be down. */
void rg__http_probe_only(struct rg__http *h, bool on);
bool rg__url_is_local(const char *url);
/* By host and path: MESSAGES for api.anthropic.com and paths that end in /messages. */
enum rg__api rg__url_api(const char *url);

/* ---- record_json.c ---- */

struct rg__about { /* for people and for the message of a miss */
    const char *step, *site, *chain;
    int round; /* 0 first, 1 repair */
};
struct rg__record;
/* Either path may be NULL; both may be the same file. may_be_empty: somebody else can be asked. */
enum rg_status rg__record_open(const char *replay, const char *record, bool may_be_empty, struct rg__record **out,
                               struct rg_error *err);
void rg__record_close(struct rg__record *r);
bool rg__record_replaying(const struct rg__record *r);
/* The examples that the recorded run showed: its requests repeat with these alone. False: nothing is replayed. */
bool rg__record_examples(const struct rg__record *r, struct rg__examples *out);
/* Says which ones this run shows, where a later replay finds them. */
enum rg_status rg__record_note_examples(struct rg__record *r, const struct rg__examples *x, struct rg_error *err);
/* Of its first request; NULL none. */
const char *rg__record_model(const struct rg__record *r);
/* Copies the recorded answer into *out. */
bool rg__record_find(const struct rg__record *r, const char key[65], struct rg__answer *out);
/* When the answer to an action was taken in the recorded run, as coder.taken tells it; 0: it does not say. */
uint32_t rg__record_held(const struct rg__record *r, const char *action);
enum rg_status rg__record_taken(struct rg__record *r, const char *action, uint32_t held, struct rg_error *err);
/* Says which request is missing and which recorded one is nearest. */
void rg__record_miss(const struct rg__record *r, const struct rg__chat *c, const char key[65],
                     const struct rg__about *about, char *out, size_t size);
enum rg_status rg__record_add(struct rg__record *r, const struct rg__chat *c, const char key[65],
                              const struct rg__about *about, const struct rg__answer *a, struct rg_error *err);

/* ---- usage.c: budgets and prices ---- */

struct rg__price {
    bool known;
    double input, output, cached; /* USD per million tokens */
};
enum rg_status rg__price_load(const char *path, const char *model, bool local, struct rg__price *out,
                              struct rg_error *err);
struct rg__budget {
    int max_calls;
    int64_t max_tokens;
    double max_cost;
    struct rg__price price, judge_price;
    struct rg_llm_usage used;
    int64_t reserved; /* tokens that requests under way will cost at least */
};
/* False with a message when one more request with about `prompt_tokens` would break the budget. */
bool rg__budget_allows(const struct rg__budget *b, const struct rg__price *price, int64_t prompt_tokens, char *message,
                       size_t size);
void rg__budget_add(struct rg__budget *b, const struct rg__price *price, const struct rg__answer *a,
                    int64_t prompt_bytes);

/* ---- defer_json.c: requests as files, answers beside them ---- */

struct rg__defer;
enum rg_status rg__defer_open(const char *dir, struct rg__defer **out, struct rg_error *err);
void rg__defer_close(struct rg__defer *d);
/* Answers: KEY.answer.json (a reply body), or lines of any *.jsonl of the folder in the services' batch result format.
 */
bool rg__defer_find(const struct rg__defer *d, const char key[65], struct rg__answer *out);
/* Writes KEY.json and a line of batch.jsonl; `said` tells where. */
enum rg_status rg__defer_write(struct rg__defer *d, const struct rg__chat *c, const struct rg__quirks *q,
                               const char key[65], char *said, size_t size, struct rg_error *err);

/* ---- verdict_json.c: what judge and critic answer ---- */

struct rg__issue {
    char issue[240], why[400], fix[240];
};
bool rg__issue_parse(const char *text, struct rg__issue *out);
/* 1 ok, 0 wrong (why says what), -1 no verdict. */
int rg__verdict_parse(const char *text, char *why, size_t size);

#endif
