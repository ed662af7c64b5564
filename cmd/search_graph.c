/* Which reasoning graph a run uses: --graph, the one an interrupted run began with, else the user's own copy. */
#include "cmd/search.h"
#include <rg/file.h>
#include <rg/regraph_tools.h>
#include <rg/hash.h>
#include <rg/log.h>
#include <rg/places.h>
#include <stdlib.h>
#include <string.h>

/* What `then` had and `mine` has no longer was taken out by the user: it stays out. */
static enum rg_status drop_removed(struct rg_regraph *shipped, const struct rg_regraph *then,
                                   const struct rg_regraph *mine, struct rg_error *err)
{
    enum rg_status st = RG_OK;
    for (int i = 0; i < rg_regraph_edges(then) && st == RG_OK; i++) {
        const struct rg_edge *e = rg_regraph_edge(then, i);
        const char *from = e->from < 0 ? "@start" : rg_regraph_step(then, e->from)->id,
                   *to = rg_regraph_step(then, e->to)->id;
        int f = e->from < 0 ? -1 : rg_regraph_find(mine, from), t = rg_regraph_find(mine, to);
        bool kept = (e->from < 0 || f >= 0) && t >= 0 && rg_regraph_find_edge(mine, f, t) >= 0;
        f = e->from < 0 ? -1 : rg_regraph_find(shipped, from), t = rg_regraph_find(shipped, to);
        if (!kept && (e->from < 0 || f >= 0) && t >= 0 && rg_regraph_find_edge(shipped, f, t) >= 0)
            st = rg_regraph_remove_edge(shipped, from, to, err);
    }
    for (int i = 0; i < rg_regraph_steps(then) && st == RG_OK; i++) {
        const char *id = rg_regraph_step(then, i)->id;
        if (rg_regraph_find(mine, id) < 0 && rg_regraph_find(shipped, id) >= 0)
            st = rg_regraph_remove_step(shipped, id, err);
    }
    return st;
}

/* A newer ReGraph ships steps that an older copy lacks, and others in a new form; they are added to it, and what the
 * user left as it was is renewed. `base`: what was shipped when the copy was made or last brought up to date. Without
 * `save` the file stays as it is. `*newer`: the text with the additions; NULL when there are none. */
static enum rg_status bring_up_to_date(const char *mine_path, const char *base_path, const char *text, size_t len,
                                       bool save, struct rg_buf *newer, struct rg_error *err)
{
    char *then_text = NULL;
    size_t then_len = 0;
    struct rg_error none = RG_ERROR_INIT;
    bool have = rg_file_read(base_path, 0, &then_text, &then_len, &none) == RG_OK;
    if (have && then_len == len && !memcmp(then_text, text, len)) return free(then_text), RG_OK;
    struct rg_regraph *mine = NULL, *shipped = NULL, *then = NULL;
    struct rg_buf notes = RG_BUF_INIT;
    int fd = -1, added = 0, renewed = 0;
    enum rg_status st = save ? rg_file_lock(mine_path, 10, &fd, err) : RG_OK;
    bool locked = save && st == RG_OK;
    if (st == RG_OK) st = rg_regraph_load(mine_path, &mine, err);
    if (st == RG_OK) st = rg_regraph_parse(text, len, "the shipped graph", &shipped, err);
    if (st == RG_OK && have && rg_regraph_parse(then_text, then_len, base_path, &then, &none) == RG_OK)
        st = drop_removed(shipped, then, mine, err);
    if (st == RG_OK && then) rg_regraph_renew(mine, then, shipped, &renewed);
    if (st == RG_OK) {
        added = -rg_regraph_steps(mine);
        st = rg_regraph_merge(mine, shipped, &notes, err);
        added += rg_regraph_steps(mine);
    }
    if (st == RG_OK) st = rg_regraph_print(mine, newer, err);
    if (st == RG_OK && save) st = rg_regraph_save(mine, mine_path, err);
    if (st == RG_OK && save) st = rg_file_write(base_path, text, len, err);
    if (st == RG_OK && save && added)
        rg_cmd_message("%d new step%s of this version added to your graph %s", added, added == 1 ? "" : "s", mine_path);
    if (st == RG_OK && save && renewed)
        rg_cmd_message("%d step%s of your graph %s brought to this version", renewed, renewed == 1 ? "" : "s",
                       mine_path);
    if (locked) rg_file_unlock(fd);
    rg_buf_release(&notes);
    rg_regraph_free(mine);
    rg_regraph_free(shipped);
    rg_regraph_free(then);
    free(then_text);
    return st;
}

/* The user's own copy, made on first use. A home that can't be written falls back to the shipped file, unlearnt. */
static enum rg_status user_graph(struct search_session *s, struct rg_buf *newer, struct rg_error *err)
{
    char *shipped = rg_place_data("cuda.json"), *text = NULL;
    const char *data = getenv("XDG_DATA_HOME"), *home = getenv("HOME");
    char *dir = data && *data   ? rg_xasprintf("%s/regraph", data)
                : home && *home ? rg_xasprintf("%s/.local/share/regraph", home)
                                : NULL;
    char *mine = dir ? rg_xasprintf("%s/cuda.json", dir) : NULL,
         *base = dir ? rg_xasprintf("%s/cuda.shipped.json", dir) : NULL;
    bool own = mine && rg_file_exists(mine), made;
    size_t len = 0;
    struct rg_error e = RG_ERROR_INIT;
    enum rg_status st = RG_OK;
    if (!s->o.learn && !own) {
        s->graph_path = rg_xstrdup(shipped);
    } else if (own) {
        s->graph_path = rg_xstrdup(mine);
        /* a copy that can't be brought up to date serves as it is; what is wrong with it, loading it says */
        if (rg_file_read(shipped, 0, &text, &len, &e) != RG_OK ||
            bring_up_to_date(mine, base, text, len, s->o.learn, newer, &e) != RG_OK)
            rg_log(RG_LOG_INFO, "the graph '%s' was not brought up to date: %s", mine, e.text);
    } else {
        st = rg_file_read(shipped, 0, &text, &len, err);
        if (st != RG_OK)
            rg_error_prefix(err, "the shipped reasoning graph");
        else if (!mine || rg_file_mkdirs(dir, &e) != RG_OK || rg_file_write(base, text, len, &e) != RG_OK ||
                 rg_file_create(mine, text, len, &made, &e) !=
                     RG_OK) { /* another first run may have learnt into it by now */
            rg_cmd_message("%s; using the shipped graph and not learning", mine ? e.text : "no home folder");
            s->o.learn = false;
            s->graph_path = rg_xstrdup(shipped);
        } else {
            s->graph_path = rg_xstrdup(mine);
        }
    }
    free(text);
    free(base);
    free(mine);
    free(dir);
    free(shipped);
    return st;
}

/* What the steps of a graph did in earlier runs stands beside it: NAME.examples.jsonl. */
static void choose_examples(struct search_session *s)
{
    const char *given = s->o.llm_examples, *g = s->graph_path;
    if (given && !strcmp(given, "none")) return;
    size_t n = strlen(g), ext = strlen(".json");
    if (n > ext && !strcmp(g + n - ext, ".json")) n -= ext;
    s->examples_path = given ? rg_xstrdup(given) : rg_xasprintf("%.*s.examples.jsonl", (int)n, g);
}

enum rg_status search_load_graph(struct search_session *s, struct rg_error *err)
{
    char *saved = NULL;
    if (s->o.resume) { /* the graph the interrupted run used */
        saved = rg_xasprintf("%s/graph-before.json", s->out_dir);
        if (!rg_file_exists(saved)) {
            enum rg_status st =
                rg_error_set(err, RG_INPUT, "nothing to resume in '%s': no graph-before.json", s->out_dir);
            free(saved);
            return st;
        }
    }
    enum rg_status st = RG_OK;
    struct rg_buf newer = RG_BUF_INIT;
    if (s->o.graph)
        s->graph_path = rg_xstrdup(s->o.graph);
    else
        st = user_graph(s, &newer, err);
    char *text = NULL;
    size_t len = 0;
    const char *from = saved ? saved : s->graph_path;
    if (newer.len && !saved)
        text = rg_xstrndup(newer.data, newer.len), len = newer.len;
    else if (st == RG_OK)
        st = rg_file_read(from, 0, &text, &len, err);
    struct rg_buf notes = RG_BUF_INIT;
    if (st == RG_OK) st = rg_regraph_parse_noting(text, len, from, &notes, &s->graph, err);
    for (char *p = notes.data, *end; st == RG_OK && p && (end = strchr(p, '\n')); p = end + 1)
        rg_cmd_message("warning: %s:%.*s", from, (int)(end - p), p);
    rg_buf_release(&notes);
    if (st == RG_OK) rg_sha256_hex(text, len, s->graph_sha);
    if (st == RG_OK) choose_examples(s);
    rg_buf_release(&newer);
    free(text);
    free(saved);
    return st;
}
