/* The model coder: one chat-completions request a step, fenced-block extraction, one repair, record and replay. */
#ifndef RG_LLM_H
#define RG_LLM_H
#include <rg/coder.h>
#include <rg/problem.h>
#include <stdint.h>

struct rg_llm_options {
    const char *url;         /* base, "http://localhost:8000/v1"; may be NULL with replay */
    const char *model;
    const char *key_env;     /* name of the variable that holds the key; NULL: OPENAI_API_KEY; may be empty */
    const char *record;      /* file appended to; NULL none */
    const char *replay;      /* file answered from; a miss is an error */
    const char *prompts;     /* folder; NULL: built in */
    int max_calls;           /* 0: 200 */
    int64_t max_tokens;      /* 0 none */
    double max_cost;         /* 0 none */
    double timeout_s;        /* of one request; 0: 300 */
    double temperature;      /* < 0: the server's */
    int in_flight;           /* 0: 4 */
    const char *device_facts; /* short text for the prompt */
};

struct rg_llm_usage {
    int calls;
    int64_t prompt_tokens, completion_tokens;
    double cost;             /* < 0 unknown price */
    int replayed;
};

enum rg_status rg_llm_new(const struct rg_llm_options *o, const struct rg_problem *p, struct rg_coder *out,
                          struct rg_error *err);
void rg_llm_usage(const struct rg_coder *c, struct rg_llm_usage *out);
#endif
