/* Judge and critic: a second model (or the same) that names one issue before the step, or reviews the result before it
 * is run. Neither writes code; what is no such JSON is left out, never an error. */
#include "coder.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void start(struct rg__llm *m, struct rg__job *j, enum rg__stage stage, const char *system)
{
    j->stage = stage;
    rg__chat_release(&j->side);
    j->side = (struct rg__chat){
        .model = m->judge_model ? m->judge_model : m->model, .temperature = m->temperature, .sample = j->sample};
    rg__message_part(rg__chat_message(&j->side, "system"), "role", rg_xstrdup(system));
    rg__message_part(rg__chat_message(&j->side, "user"), "problem", rg_xasprintf("%s\n", m->problem));
}

void rg__judge_ask(struct rg__llm *m, struct rg__job *j, const struct rg_hint *hint)
{
    start(m, j, RG__STAGE_JUDGE, m->judge_system);
    struct rg__message *user = &j->side.messages[1];
    struct rg_buf text = RG_BUF_INIT;
    rg__describe_current(&text, &m->prompts, &j->current, hint, m->sms, RG__REQUEST_WHOLE);
    rg__message_part(user, "current", rg_buf_steal(&text));
    rg_buf_printf(&text, "\nThe next step will be: %s\n", j->step->title ? j->step->title : j->step->id);
    rg__message_part(user, "step", rg_buf_steal(&text));
    rg__describe_attempts(&text, &m->prompts, hint, RG__REQUEST_WHOLE);
    if (text.len) rg__message_part(user, "attempts", rg_buf_steal(&text));
    rg_buf_release(&text);
    m->budget.used.judged++;
}

void rg__critic_ask(struct rg__llm *m, struct rg__job *j)
{
    start(m, j, RG__STAGE_CRITIC, m->critic_system);
    struct rg_buf text = RG_BUF_INIT, cuda = RG_BUF_INIT, plan = RG_BUF_INIT;
    rg__fenced(&cuda, "cuda", j->reply.cuda);
    rg__fenced(&plan, "plan", j->reply.plan);
    const struct rg__var vars[] = {
        {"title", j->step->title ? j->step->title : j->step->id}, {"cuda", cuda.data}, {"plan", plan.data}};
    rg__prompt_expand(&text, m->prompts.text[RG__PROMPT_REVIEW], vars, sizeof vars / sizeof *vars);
    rg__message_part(&j->side.messages[1], "candidate", rg__clean_text(text.data, text.len));
    rg_buf_release(&text);
    rg_buf_release(&cuda);
    rg_buf_release(&plan);
    m->budget.used.criticised++;
}

static char *visible(const char *text)
{
    size_t n;
    bool cut;
    return rg__reply_visible(text, strlen(text), &n, &cut);
}

void rg__judge_take(struct rg__llm *m, struct rg__job *j, const char *text)
{
    struct rg__issue issue;
    char *said = visible(text);
    if (rg__issue_parse(said, &issue)) {
        struct rg_buf b = RG_BUF_INIT;
        const struct rg__var vars[] = {{"issue", issue.issue}, {"why", issue.why}, {"fix", issue.fix}};
        rg__prompt_expand(&b, m->prompts.text[RG__PROMPT_ISSUE], vars, sizeof vars / sizeof *vars);
        rg__message_part(&j->chat.messages[j->chat.n - 1], "issue", rg_buf_steal(&b));
    } else {
        m->budget.used.unjudged++;
    }
    free(said);
}

bool rg__critic_passes(struct rg__llm *m, const char *text, char *why, size_t size)
{
    char *said = visible(text);
    int verdict = rg__verdict_parse(said, why, size);
    free(said);
    m->budget.used.unjudged += verdict < 0;
    return verdict != 0;
}
