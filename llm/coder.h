/* Inside the model coder: a session and its jobs. coder.c is the interface to the engine, ask.c sends requests and
 * takes replies, roles.c has judge and critic, open.c makes a session of options. */
#ifndef RG_LLM_CODER_H
#define RG_LLM_CODER_H
#include "llm.h"

enum { RG__BREAKER = 3 }; /* requests in a row that must fail before the service counts as down for good */

enum rg__stage { RG__STAGE_JUDGE, RG__STAGE_CODE, RG__STAGE_CRITIC };

struct rg__job {
    struct rg__job *next;
    int id;
    enum rg__stage stage;
    const struct rg_step *step; /* the regraph's */
    char *site;
    struct rg_template *parent; /* a reference */
    struct rg_source current;   /* of the parent; NULLs at the root */
    struct rg_source last;      /* the last attempt at this action, as far as there is one */
    int sample, n_attempts, round;
    int n_others; /* steps of the regraph that a reply may show instead */
    const struct rg_step **others;
    struct rg__chat chat;   /* to the coder */
    struct rg__chat side;   /* to judge or critic */
    struct rg__reply reply; /* CRITIC: what it looks at */
    bool reviewed;
    char key[65];
    int64_t prompt_bytes;
    int adaptions; /* 400s answered by sending the request differently */
    double started;
    bool done;
    struct rg_answer answer; /* when done */
};

struct rg__given { /* an answer that the search has and has not taken yet */
    int id;
    char *action;
};

struct rg__spare { /* a usable reply that was asked for together with another, for the next sample of the same action */
    char *parent, *step, *site;
    struct rg__reply reply;
};

struct rg__seen {     /* the version that steps were last looked for in */
    char *key, *text; /* of its template; code and plan, NULL: it can't be printed */
    int launches;
    bool too_long; /* another coder's, and not shown */
};

struct rg__llm {
    const struct rg_problem *p;
    struct rg__seen seen;
    struct rg__prompts prompts;
    char *model, *judge_model, *key, *system, *problem, *judge_system, *critic_system;
    char family[64];
    double temperature;
    int reply_tokens, sms;
    int samples;           /* answers asked for in a request; 0: as many as the model needs (rg__job_samples) */
    int n_read, n_useless; /* texts read; of them, no usable code, or the version that was shown */
    bool judge, critic;
    int64_t prompt_limit;      /* bytes; 0 none */
    int64_t prompt_target;     /* bytes; a longer request is made shorter, as far as it can be without harm */
    struct rg__http *http;     /* NULL: replay only */
    struct rg__record *record; /* NULL: neither */
    struct rg__defer *defer;   /* NULL: requests are sent */
    struct rg__quirks quirks, judge_quirks;
    struct rg__budget budget;
    struct rg__examples examples;
    int n_forms;
    struct rg_llm_form *forms; /* owned, with their names */
    int failures;              /* service failures in a row */
    bool refused_key;          /* 401, 403, 404: no request will do better */
    char down[400];            /* why the service counts as down */
    struct rg__job *first;
    int n_spares, cap_spares;
    struct rg__spare *spares;
    int n_given, cap_given;
    struct rg__given *given;
};

/* ask.c */
/* Answers to ask for now: one, and two of a model that has sent too much that is of no use. */
int rg__job_samples(const struct rg__llm *m);
void rg__job_send(struct rg__llm *m, struct rg__job *j);
void rg__job_arrived(struct rg__llm *m, struct rg__job *j, struct rg__http_result *h);
/* The reply in j->reply becomes the answer. */
void rg__job_accept(struct rg__llm *m, struct rg__job *j);
void rg__job_finish(struct rg__llm *m, struct rg__job *j, enum rg_answer_kind kind, enum rg_status status,
                    enum rg_outcome outcome, const char *message);
/* Asks the coder again with what was wrong with `said`. */
void rg__job_repair(struct rg__llm *m, struct rg__job *j, const char *said, enum rg__reply_class klass,
                    const char *detail);
/* A spare reply of the same action taken as the answer; false: there is none. */
bool rg__job_take_spare(struct rg__llm *m, struct rg__job *j);

/* roles.c */
/* j->side becomes the question to the judge, to the critic. */
void rg__judge_ask(struct rg__llm *m, struct rg__job *j, const struct rg_hint *hint);
void rg__critic_ask(struct rg__llm *m, struct rg__job *j);
/* The judge's issue goes into the coder's request; what is no such JSON is counted and left out. */
void rg__judge_take(struct rg__llm *m, struct rg__job *j, const char *text);
/* True: nothing was found wrong, or nothing usable was said. False: `why` says what. */
bool rg__critic_passes(struct rg__llm *m, const char *text, char *why, size_t size);

/* open.c */
enum rg_status rg__llm_open(struct rg__llm *m, const struct rg_llm_options *o, struct rg_error *err);
void rg__llm_close(struct rg__llm *m);
void rg__hide_key(const struct rg__llm *m, char *text);
#endif
