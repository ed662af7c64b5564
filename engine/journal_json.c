/* Writing the journal, and answering from it while an earlier session is replayed. */
#include "engine/engine.h"
#include "base/json_members.h"
#include "engine/journal_line_json.h"
#include <errno.h>
#include <fcntl.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const double sync_every_s = 1; /* a crash of the machine may cost this much; a crash of ours costs nothing */

struct rg__journal {
    char *path;
    int fd;
    off_t size; /* up to the last whole line */
    struct rg__old_lines old;
    int next; /* old line to compare with next */
    bool resumed, said_resume, closing, broken;
    double synced;
    int cursor; /* where the last answer was found: requests come nearly in order */
};

bool rg__journal_replaying(const struct rg__journal *j)
{
    return j && j->next < j->old.n_body;
}

int64_t rg__journal_next_action(const struct rg__journal *j)
{
    const json_t *a = rg__journal_replaying(j) ? json_object_get(j->old.items[j->next].json, "a") : NULL;
    return json_is_integer(a) ? json_integer_value(a) : -1;
}

bool rg__journal_traits_as_bits(const struct rg__journal *j)
{
    return j && j->old.n > 0 && json_is_integer(json_object_get(j->old.items[0].json, "traits"));
}

double rg__journal_clock(const struct rg__journal *j)
{
    return j ? j->old.clock : 0;
}

static void trim(struct rg__journal *j)
{
    if (ftruncate(j->fd, j->size) != 0) j->broken = true;
}

/* A whole line or nothing of it. */
static enum rg_status append(struct rg__journal *j, const char *line, size_t len, struct rg_error *err)
{
    if (j->broken) return rg_error_set(err, RG_IO, "journal '%s': an earlier line could not be written", j->path);
    for (size_t done = 0; done < len;) {
        ssize_t w = write(j->fd, line + done, len - done);
        if (w < 0 && errno == EINTR) continue;
        if (w <= 0) {
            int e = w < 0 ? errno : ENOSPC;
            trim(j);
            j->broken = true;
            return rg_error_set(err, RG_IO, "journal '%s': %s; every line before is kept", j->path, strerror(e));
        }
        done += (size_t)w;
    }
    j->size += (off_t)len;
    double now = rg_now();
    if (now - j->synced >= sync_every_s) {
        fdatasync(j->fd);
        j->synced = now;
    }
    return RG_OK;
}

static enum rg_status write_line(struct rg__journal *j, const char *stable, json_t *clock, struct rg_error *err)
{
    char *c = json_dumps(clock, JSON_COMPACT | JSON_REAL_PRECISION(6));
    char *line = rg_xasprintf("%s,\"clock\":%s}\n", stable, c ? c : "{}");
    enum rg_status st = append(j, line, strlen(line), err);
    free(c);
    free(line);
    return st;
}

static enum rg_status diverged(struct rg__journal *j, const char *now, struct rg_error *err)
{
    const struct rg__old_line *l = &j->old.items[j->next];
    size_t at = 0;
    while (now[at] && now[at] == l->stable[at]) at++;
    return rg_error_at(err, RG_INPUT, j->path, l->number, (int)at + 1,
                       "the run cannot be resumed: here it went otherwise than it does now (program, coder or graph "
                       "changed?): '%.60s' against '%.60s'",
                       l->stable + (at > 20 ? at - 20 : 0), now + (at > 20 ? at - 20 : 0));
}

enum rg_status rg__journal_emit(struct rg__search *s, json_t *o, json_t *clock, struct rg_error *err)
{
    struct rg__journal *j = s->journal;
    enum rg_status st = RG_OK;
    char *text = json_dumps(o, JSON_COMPACT | JSON_REAL_PRECISION(17));
    json_decref(o);
    if (!clock) clock = json_object();
    if (!text) {
        json_decref(clock);
        return rg_error_set(err, RG_NOMEM, "journal '%s': out of memory", j->path);
    }
    text[strlen(text) - 1] = 0; /* its '}': the clock comes before it */
    if (rg__journal_replaying(j)) {
        if (j->closing) goto out; /* ended while replaying: the file already holds more */
        if (strcmp(text, j->old.items[j->next].stable)) st = diverged(j, text, err);
        j->next++;
        goto out;
    }
    json_object_set_new(clock, "t", json_real(rg__elapsed(s)));
    if (j->resumed && !j->said_resume) {
        json_t *c = json_object();
        json_object_set_new(c, "t", json_real(rg__elapsed(s)));
        j->said_resume = true;
        st = write_line(j, "{\"line\":\"resume\"", c, err);
        json_decref(c);
    }
    if (st == RG_OK) st = write_line(j, text, clock, err);
out:
    free(text);
    json_decref(clock);
    return st;
}

enum rg_status rg__journal_close_section(struct rg__search *s, json_t *end, struct rg_error *err)
{
    if (rg__journal_replaying(s->journal)) s->journal->closing = true;
    enum rg_status st = rg__journal_emit(s, end, NULL, err);
    s->journal->closing = true;
    return st;
}

static enum rg_status read_old(struct rg__search *s, struct rg__journal *j, struct rg_error *err)
{
    char *text;
    size_t len;
    enum rg_status st = rg_file_read(j->path, 0, &text, &len, err);
    if (st != RG_OK) return st;
    if (!s->o->resume && len > 0) {
        free(text);
        return rg_error_set(err, RG_INPUT, "journal '%s' exists already; --resume continues it", j->path);
    }
    st = rg__old_lines_parse(text, len, j->path, &j->old, err);
    free(text);
    if (st != RG_OK) return st;
    j->size = (off_t)j->old.bytes;
    if ((size_t)j->size < len) trim(j); /* a line that was being written when the program was killed */
    if (j->old.n == 0) return RG_OK;
    j->resumed = true;
    const char *id = json_string_value(json_object_get(j->old.items[0].json, "run"));
    if (id) s->run_id = rg_arena_strdup(&s->arena, id);
    struct rg_provenance o;
    rg__origin_read(j->old.items[0].json, &o);
    if (*o.date) /* a run is of the day it began, where it began */
        s->origin = (struct rg_provenance){rg_arena_strdup(&s->arena, o.date), rg_arena_strdup(&s->arena, o.version),
                                           rg_arena_strdup(&s->arena, o.machine)};
    return RG_OK;
}

enum rg_status rg__journal_open(struct rg__search *s, struct rg_error *err)
{
    if (!s->o->journal) return RG_OK;
    struct rg__journal *j = rg_xcalloc(1, sizeof *j);
    s->journal = j;
    j->path = rg_xstrdup(s->o->journal);
    j->synced = rg_now();
    j->fd = open(j->path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (j->fd < 0) return rg_error_set(err, RG_IO, "cannot write journal '%s': %s", j->path, strerror(errno));
    enum rg_status st = read_old(s, j, err);
    if (st != RG_OK) return st;
    return rg__line_run(s, err);
}

void rg__journal_stop(struct rg__journal *j)
{
    if (j) j->broken = true;
}

void rg__journal_close(struct rg__journal *j)
{
    if (!j) return;
    if (j->fd >= 0) {
        fsync(j->fd);
        close(j->fd);
    }
    rg__old_lines_release(&j->old);
    free(j->path);
    free(j);
}

static const json_t *find(const struct rg__journal *j, const char *kind, uint32_t action, int k)
{
    if (!j) return NULL;
    int from = j->cursor < j->old.n_body ? j->cursor : 0;
    for (int n = 0; n < j->old.n_body; n++) {
        int i = from + n < j->old.n_body ? from + n : from + n - j->old.n_body;
        const json_t *o = j->old.items[i].json;
        if (json_integer_value(json_object_get(o, "a")) != action || !json_is_integer(json_object_get(o, "a")))
            continue;
        if (k >= 0 && json_integer_value(json_object_get(o, "k")) != k) continue;
        if (strcmp(json_string_value(json_object_get(o, "line")), kind)) continue;
        ((struct rg__journal *)j)->cursor = i;
        return o;
    }
    return NULL;
}

bool rg__journal_answer(const struct rg__journal *j, uint32_t action, struct rg_answer *out)
{
    if (!rg__journal_replaying(j)) return false;
    const json_t *o = find(j, "answer", action, -1);
    const char *kind = o ? json_string_value(json_object_get(o, "kind")) : NULL;
    if (!kind || !strcmp(kind, "template")) return false;
    memset(out, 0, sizeof *out);
    out->kind = !strcmp(kind, "refused") ? RG_ANSWER_REFUSED : RG_ANSWER_FAILED;
    const char *w = json_string_value(json_object_get(o, "outcome")),
               *m = json_string_value(json_object_get(o, "message"));
    int outcome = w ? rg_outcome_parse(w) : -1;
    out->outcome = outcome < 0 ? RG_OUTCOME_COMPILE : (enum rg_outcome)outcome;
    out->status = (enum rg_status)json_integer_value(json_object_get(o, "status"));
    if (m) snprintf(out->message, sizeof out->message, "%s", m);
    const char *request = json_string_value(json_object_get(o, "request"));
    if (request) snprintf(out->request, sizeof out->request, "%s", request);
    out->seconds = rg_json_any_number_read(json_object_get(json_object_get(o, "clock"), "seconds"), 0);
    return true;
}

static bool evaluation(const struct rg__journal *j, const char *kind, uint32_t action, int k, struct rg_evaluation *out)
{
    if (!rg__journal_replaying(j)) return false;
    const json_t *o = find(j, kind, action, k);
    if (!o) return false;
    rg_evaluation_read(json_object_get(o, "evaluation"), json_object_get(o, "clock"), out);
    return true;
}

bool rg__journal_eval(const struct rg__journal *j, uint32_t action, int k, struct rg_evaluation *out)
{
    return evaluation(j, "eval", action, k, out);
}

bool rg__journal_again(const struct rg__journal *j, uint32_t action, int k, struct rg_evaluation *out)
{
    return evaluation(j, "again", action, k, out);
}

bool rg__journal_duel(const struct rg__journal *j, uint32_t action, int k, struct rg_duel *out)
{
    if (!rg__journal_replaying(j)) return false;
    const json_t *o = find(j, "duel", action, k);
    if (!o) return false;
    const json_t *us = json_object_get(o, "us");
    out->ratio = rg_json_any_number_read(json_object_get(o, "ratio"), 0);
    out->significant = json_is_true(json_object_get(o, "significant"));
    out->a_us = rg_json_any_number_read(json_array_get(us, 0), 0);
    out->b_us = rg_json_any_number_read(json_array_get(us, 1), 0);
    return true;
}

bool rg__journal_counters(const struct rg__journal *j, uint32_t action, int k, struct rg_counter *out, int *n)
{
    *n = 0;
    const json_t *o = rg__journal_replaying(j) ? find(j, "counters", action, k) : NULL;
    if (!o) return false;
    const char *key;
    json_t *v;
    json_object_foreach(json_object_get(o, "counters"), key, v)
    {
        if (*n == RG_MAX_COUNTERS) break;
        snprintf(out[*n].name, sizeof out[*n].name, "%s", key);
        out[(*n)++].value = rg_json_any_number_read(v, 0);
    }
    return true;
}
