/* Requests of the editor in the browser. Loopback is no fence: any page that the user opens can send requests here, so
 * each must name this host (no rebound name), come from this origin, and carry a token that only the page itself was
 * given, in a header that no other site can set. */
#include "base/json_util.h"
#include "cmd/graph_http.h"
#include "cmd/graph_view.h"

#include <math.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/regraph_history.h>
#include <rg/regraph_tools.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

static const double lock_wait_s = 5;

bool graph_http_random(char *hex, size_t n)
{
    unsigned char bytes[64];
    if (n > sizeof bytes || getrandom(bytes, n, 0) != (ssize_t)n) return false;
    for (size_t i = 0; i < n; i++) snprintf(hex + 2 * i, 3, "%02x", bytes[i]);
    return true;
}

/* ---- replies ---- */

static void reply_json(struct graph_reply *out, int status, json_t *o)
{
    char *text = rg_json_line(o);
    rg_buf_reset(&out->body);
    rg_buf_str(&out->body, text);
    out->status = status;
    out->type = "application/json";
    free(text);
    json_decref(o);
}

static void refuse(struct graph_reply *out, int status, const char *code, const char *text)
{
    json_t *e = json_object(), *o = json_object();
    json_object_set_new(e, "code", json_string(code));
    json_object_set_new(e, "message", rg_json_text(text));
    json_object_set_new(o, "error", e);
    reply_json(out, status, o);
}

static void refuse_error(struct graph_reply *out, const struct rg_error *err)
{
    bool theirs = err->status == RG_INPUT || err->status == RG_USAGE;
    refuse(out, theirs ? 400 : 500, theirs ? "input" : "io", err->text);
}

/* ---- who may ask ---- */

/* In a time that does not tell how much of it is right. */
static bool same_secret(const char *given, const char *secret)
{
    size_t n = strlen(secret);
    unsigned char differ = !given || strlen(given) != n;
    for (size_t i = 0; given && !differ && i < n; i++) differ |= (unsigned char)(given[i] ^ secret[i]);
    return !differ;
}

static bool this_host(const struct graph_server *s, const char *host)
{
    static const char *const names[] = {"127.0.0.1", "localhost"};
    char own[64];
    for (size_t i = 0; host && i < sizeof names / sizeof *names; i++) {
        snprintf(own, sizeof own, "%s:%d", names[i], s->port);
        if (!strcmp(own, host)) return true;
    }
    return false;
}

static bool allowed(const struct graph_server *s, const struct graph_request *r, bool page, struct graph_reply *out)
{
    static const char bearer[] = "Bearer ";
    const char *token = page ? r->token
                        : r->authorization && !strncmp(r->authorization, bearer, sizeof bearer - 1)
                            ? r->authorization + sizeof bearer - 1
                            : NULL;
    if (!this_host(s, r->host))
        return refuse(out, 403, "host", "this server answers to 127.0.0.1 and localhost alone"), false;
    if (r->origin && (strncmp(r->origin, "http://", 7) || strcmp(r->origin + 7, r->host)))
        return refuse(out, 403, "origin", "the request comes from another page"), false;
    if (r->site && strcmp(r->site, "same-origin") && strcmp(r->site, "none"))
        return refuse(out, 403, "origin", "the request comes from another page"), false;
    if (!same_secret(token, s->token))
        return refuse(out, 403, "token",
                      "the token is missing or wrong: open the address that regraph-graph serve printed"),
               false;
    return true;
}

/* ---- looking ---- */

static void give_page(const struct graph_server *s, struct graph_reply *out)
{
    const struct {
        const char *mark, *text;
    } parts[] = {{"@STYLE@", s->css}, {"@NONCE@", out->nonce}, {"@SCRIPT@", s->js}};
    if (!graph_http_random(out->nonce, 16)) {
        refuse(out, 500, "io", "no random numbers");
        return;
    }
    for (const char *p = s->html; *p;) {
        size_t hit = 3;
        for (size_t i = 0; *p == '@' && i < 3; i++)
            if (!strncmp(p, parts[i].mark, strlen(parts[i].mark))) hit = i;
        if (hit < 3)
            rg_buf_str(&out->body, parts[hit].text);
        else
            rg_buf_char(&out->body, *p);
        p += hit < 3 ? strlen(parts[hit].mark) : 1;
    }
    out->status = 200;
    out->type = "text/html; charset=utf-8";
}

struct opened { /* the graph as it is on disk now */
    char *text;
    size_t len;
    char revision[65];
    struct rg_regraph *g;
};

static bool open_graph(const struct graph_server *s, struct opened *o, struct graph_reply *out)
{
    struct rg_error err = RG_ERROR_INIT;
    *o = (struct opened){0};
    if (rg_file_read(s->path, 0, &o->text, &o->len, &err) == RG_OK) {
        rg_sha256_hex(o->text, o->len, o->revision);
        rg_regraph_parse(o->text, o->len, s->path, &o->g, &err);
    }
    if (!o->g) refuse_error(out, &err);
    return o->g != NULL;
}

static void close_graph(struct opened *o)
{
    rg_regraph_free(o->g);
    free(o->text);
}

static json_t *word_list(int n, const char *(*word)(int))
{
    json_t *a = json_array();
    for (int i = 0; i < n; i++) json_array_append_new(a, json_string(word(i)));
    return a;
}

static const char *limiter_word(int i)
{
    return rg_limiter_word((enum rg_limiter)i);
}

static json_t *words_json(void)
{
    static const char *const categories[] = {RG_CATEGORY_WORDS};
    json_t *o = json_object(), *c = json_array();
    for (size_t i = 0; i < sizeof categories / sizeof *categories; i++)
        json_array_append_new(c, json_string(categories[i]));
    json_object_set_new(o, "categories", c);
    json_object_set_new(o, "when", word_list(RG_N_TRAITS, rg_trait_word));
    json_object_set_new(o, "limiter", word_list(RG_N_LIMITERS, limiter_word));
    return o;
}

static json_t *log_json(const char *path)
{
    enum { most = 50 };
    struct rg_edit_log log;
    struct rg_error err = RG_ERROR_INIT;
    json_t *a = json_array();
    if (rg_regraph_log_read(path, &log, &err) != RG_OK) return a; /* the graph can be edited without it */
    for (int i = log.n - 1; i >= 0 && log.n - i <= most; i--) {
        const struct rg_edit *e = &log.edits[i];
        json_t *o = json_object(), *changes = json_array();
        for (int k = 0; k < e->n_changes; k++) json_array_append_new(changes, rg_json_text(e->changes[k]));
        json_object_set_new(o, "at", rg_json_text(e->at));
        json_object_set_new(o, "author", rg_json_text(e->author));
        json_object_set_new(o, "did", rg_json_text(e->did));
        json_object_set_new(o, "changes", changes);
        json_object_set_new(o, "undone", json_boolean(e->undone));
        json_object_set_new(o, "undo", json_boolean(e->undoes > 0));
        json_array_append_new(a, o);
    }
    rg_regraph_log_release(&log);
    return a;
}

static struct graph_view view_of(const struct graph_request *r)
{
    struct graph_view v = GRAPH_VIEW_INIT;
    v.device = r->device && *r->device ? r->device : NULL;
    v.klass = r->klass && *r->klass ? r->klass : NULL;
    v.coder = r->coder && *r->coder ? r->coder : NULL;
    return v;
}

/* The graph as `show --json` has it; of one edge (-1: all) that alone, with its evidence. */
static void show(const struct rg_regraph *g, const struct graph_request *r, int edge, struct rg_buf *out)
{
    struct graph_view v = view_of(r);
    struct graph_rows rows;
    bool *steps = rg_xcalloc((size_t)rg_regraph_steps(g) + 1, sizeof *steps);
    memset(steps, edge < 0, (size_t)rg_regraph_steps(g) * sizeof *steps);
    if (edge >= 0) {
        const struct rg_edge *e = rg_regraph_edge(g, edge);
        steps[e->to] = true;
        if (e->from >= 0) steps[e->from] = true;
    }
    graph_view_rows(g, &v, steps, &rows);
    if (edge >= 0) {
        for (int i = 0; i < rows.n; i++)
            if (rows.edges[i] == edge) rows.edges[0] = edge, rows.weights[0] = rows.weights[i];
        rows.n = 1;
    }
    graph_json(g, steps, &rows, &v, edge, out);
    graph_rows_release(&rows);
    free(steps);
}

static void add_once(json_t *list, const char *text)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!strcmp(json_string_value(json_array_get(list, i)), text)) return;
    json_array_append_new(list, rg_json_text(text));
}

/* Which devices, classes and coders the evidence is of: what weights can be asked for. */
static json_t *known_json(const struct rg_regraph *g)
{
    json_t *o = json_object(), *devices = json_array(), *classes = json_array(), *coders = json_array();
    for (int i = 0; i < rg_regraph_edges(g); i++) {
        const struct rg_edge *e = rg_regraph_edge(g, i);
        for (int k = 0; k < e->n_evidence; k++) {
            add_once(devices, e->evidence[k].device);
            add_once(classes, e->evidence[k].klass);
            add_once(coders, e->evidence[k].coder);
        }
    }
    json_object_set_new(o, "devices", devices);
    json_object_set_new(o, "classes", classes);
    json_object_set_new(o, "coders", coders);
    return o;
}

static void get_graph(const struct graph_server *s, const struct graph_request *r, struct graph_reply *out)
{
    struct opened now;
    if (open_graph(s, &now, out)) {
        json_t *o = json_object();
        json_object_set_new(o, "revision", json_string(now.revision));
        json_object_set_new(o, "file", rg_json_text(s->path));
        json_object_set_new(o, "author", rg_json_text(s->author));
        json_object_set_new(o, "words", words_json());
        json_object_set_new(o, "known", known_json(now.g));
        json_object_set_new(o, "log", log_json(s->path));
        reply_json(out, 200, o);
        out->body.data[--out->body.len] = '\0'; /* its brace: the graph, which is text already, comes last */
        rg_buf_str(&out->body, ",\"graph\":");
        show(now.g, r, -1, &out->body);
        rg_buf_char(&out->body, '}');
    }
    close_graph(&now);
}

static int edge_named(const struct rg_regraph *g, const char *from, const char *to)
{
    int f = from && strcmp(from, "@start") ? rg_regraph_find(g, from) : -1, t = to ? rg_regraph_find(g, to) : -1;
    return !from || t < 0 || (f < 0 && strcmp(from, "@start")) ? -1 : rg_regraph_find_edge(g, f, t);
}

static void get_edge(const struct graph_server *s, const struct graph_request *r, struct graph_reply *out)
{
    struct opened now;
    if (open_graph(s, &now, out)) {
        int edge = edge_named(now.g, r->from, r->to);
        if (edge < 0) {
            refuse(out, 404, "edge", "there is no such edge");
        } else {
            struct rg_buf text = RG_BUF_INIT;
            show(now.g, r, edge, &text);
            json_t *o = rg_json_parse(text.data, text.len, "graph", NULL);
            reply_json(out, 200, json_incref(json_array_get(json_object_get(o, "edges"), 0)));
            json_decref(o);
            rg_buf_release(&text);
        }
    }
    close_graph(&now);
}

/* As it stands in the file, to be changed there. */
static void get_step(const struct graph_server *s, const struct graph_request *r, struct graph_reply *out)
{
    struct opened now;
    if (open_graph(s, &now, out)) {
        json_t *doc = rg_json_parse(now.text, now.len, s->path, NULL), *steps = json_object_get(doc, "steps"),
               *found = NULL;
        for (size_t i = 0; r->id && !found && i < json_array_size(steps); i++)
            if (!strcmp(json_string_value(json_object_get(json_array_get(steps, i), "id")), r->id))
                found = json_array_get(steps, i);
        if (found)
            reply_json(out, 200, json_incref(found));
        else
            refuse(out, 404, "step", "there is no such step");
        json_decref(doc);
    }
    close_graph(&now);
}

static void get_revision(const struct graph_server *s, struct graph_reply *out)
{
    struct rg_error err = RG_ERROR_INIT;
    char *text = NULL, sha[65];
    size_t len = 0;
    if (rg_file_read(s->path, 0, &text, &len, &err) != RG_OK) {
        refuse_error(out, &err);
        return;
    }
    rg_sha256_hex(text, len, sha);
    free(text);
    reply_json(out, 200, json_pack("{s:s}", "revision", sha));
}

/* ---- changing ---- */

static const char *text_of(const json_t *o, const char *key)
{
    return json_string_value(json_object_get(o, key));
}

static enum rg_status apply_to_edge(struct rg_regraph *g, const char *op, const json_t *o, struct rg_error *err)
{
    const char *from = text_of(o, "from"), *to = text_of(o, "to"), *note = text_of(o, "note");
    const json_t *prior = json_object_get(o, "prior"), *confidence = json_object_get(o, "confidence"),
                 *never = json_object_get(o, "never");
    if (!from || !to) return rg_error_set(err, RG_INPUT, "%s wants from and to", op);
    if ((prior && !json_is_number(prior)) || (confidence && !json_is_number(confidence)))
        return rg_error_set(err, RG_INPUT, "prior and confidence are numbers");
    enum rg_status s = RG_OK;
    if (!strcmp(op, "remove-edge")) return rg_regraph_remove_edge(g, from, to, err);
    if (!strcmp(op, "add-edge"))
        s = rg_regraph_add_edge(g, from, to, prior ? json_number_value(prior) : 0.5,
                                confidence ? json_number_value(confidence) : 1, note, err);
    else
        s = rg_regraph_set(g, from, to, prior ? json_number_value(prior) : NAN,
                           confidence ? json_number_value(confidence) : NAN, note, err);
    if (s == RG_OK && never) s = rg_regraph_bar_edge(g, from, to, json_is_true(never), err);
    return s;
}

static enum rg_status apply_to_step(struct rg_regraph *g, const char *op, const json_t *o, struct rg_error *err)
{
    const char *id = text_of(o, "id"), *now = text_of(o, "now");
    const json_t *content = json_object_get(o, !strcmp(op, "add-step") ? "step" : "changes");
    if (!strcmp(op, "remove-step") && id) return rg_regraph_remove_step(g, id, err);
    if (!strcmp(op, "rename") && id && now) return rg_regraph_rename(g, id, now, err);
    bool add = !strcmp(op, "add-step"), set = !strcmp(op, "set-step") && id;
    if ((!add && !set) || !json_is_object(content))
        return rg_error_set(err, RG_INPUT, "an edit '%.40s' that is not understood", op);
    char *text = rg_json_line(content);
    struct rg_error inner = RG_ERROR_INIT; /* places in what the page sent mean nothing to anyone */
    enum rg_status s = add ? rg_regraph_add_step_of(g, text, "step", NULL, &inner)
                           : rg_regraph_set_step(g, id, text, "step", NULL, &inner);
    free(text);
    return s == RG_OK ? s : rg_error_set(err, s, "%s", inner.text);
}

static enum rg_status apply(struct rg_regraph *g, const json_t *o, struct rg_buf *did, struct rg_error *err)
{
    const char *op = text_of(o, "op"), *a = text_of(o, "from"), *b = text_of(o, "to");
    if (!op) return rg_error_set(err, RG_INPUT, "an edit without \"op\"");
    bool edge = !strcmp(op, "set-edge") || !strcmp(op, "add-edge") || !strcmp(op, "remove-edge");
    if (!edge)
        a = text_of(o, "id") ? text_of(o, "id") : text_of(json_object_get(o, "step"), "id"), b = text_of(o, "now");
    if (did->len < 200)
        rg_buf_printf(did, "%s%s%s%.64s%s%.64s", did->len ? "; " : "", op, a ? " " : "", a ? a : "", b ? " " : "",
                      b ? b : "");
    else if (did->data[did->len - 1] != '.')
        rg_buf_str(did, "; ...");
    return edge ? apply_to_edge(g, op, o, err) : apply_to_step(g, op, o, err);
}

/* What the file has become since the page read it. */
static void tell_conflict(const struct opened *now, struct graph_reply *out)
{
    json_t *e = json_object(), *o = json_object();
    json_object_set_new(e, "code", json_string("conflict"));
    json_object_set_new(e, "message", json_string("the file was changed since this page read it; nothing was written"));
    json_object_set_new(o, "error", e);
    json_object_set_new(o, "revision", json_string(now->revision));
    reply_json(out, 409, o);
}

static void write_edits(const struct graph_server *s, const json_t *edits, struct opened *now, struct graph_reply *out)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf did = RG_BUF_INIT;
    char today[11];
    rg_cmd_today(today);
    rg_regraph_sign(now->g, s->author, today, &err);
    for (size_t i = 0; err.status == RG_OK && i < json_array_size(edits); i++)
        apply(now->g, json_array_get(edits, i), &did, &err);
    if (err.status == RG_OK) rg_regraph_keep(s->path, now->text, now->len, NULL, now->g, did.data, s->author, &err);
    if (err.status == RG_OK)
        get_revision(s, out);
    else
        refuse_error(out, &err);
    rg_buf_release(&did);
}

static void undo(const struct graph_server *s, struct graph_reply *out)
{
    struct rg_error err = RG_ERROR_INIT;
    struct rg_buf told = RG_BUF_INIT;
    if (rg_regraph_undo(s->path, s->author, &told, &err) == RG_OK)
        get_revision(s, out);
    else
        refuse_error(out, &err);
    rg_buf_release(&told);
}

static void post(const struct graph_server *s, const struct graph_request *r, bool undoing, struct graph_reply *out)
{
    struct rg_error err = RG_ERROR_INIT;
    struct opened now;
    int lock = -1;
    if (!r->type || strncmp(r->type, "application/json", 16)) {
        refuse(out, 415, "type", "the body must be application/json");
        return;
    }
    if (r->len > GRAPH_HTTP_MOST) {
        refuse(out, 413, "size", "the body is too long");
        return;
    }
    json_t *o = rg_json_parse(r->body ? r->body : "", r->len, "request", &err), *edits = json_object_get(o, "edits");
    const char *revision = text_of(o, "revision");
    if (!o || !revision || (!undoing && !json_is_array(edits))) {
        refuse(out, 400, "input", o ? "the request lacks revision or edits" : err.text);
    } else if (rg_file_lock(s->path, lock_wait_s, &lock, &err) != RG_OK) {
        refuse_error(out, &err);
    } else {
        if (open_graph(s, &now, out)) {
            if (strcmp(now.revision, revision))
                tell_conflict(&now, out);
            else if (undoing)
                undo(s, out);
            else
                write_edits(s, edits, &now, out);
        }
        close_graph(&now);
        rg_file_unlock(lock);
    }
    json_decref(o);
}

void graph_http(const struct graph_server *s, const struct graph_request *r, struct graph_reply *out)
{
    bool get = !strcmp(r->method, "GET"), page = !strcmp(r->path, "/");
    static const char *const looks[] = {"/", "/api/graph", "/api/edge", "/api/step", "/api/revision"},
                             *const changes[] = {"/api/edit", "/api/undo"};
    int look = -1, change = -1;
    for (int i = 0; i < 5; i++)
        if (!strcmp(r->path, looks[i])) look = i;
    for (int i = 0; i < 2; i++)
        if (!strcmp(r->path, changes[i])) change = i;
    *out = (struct graph_reply){.status = 500, .type = "application/json", .body = RG_BUF_INIT};
    if (!allowed(s, r, page, out)) return;
    if (look < 0 && change < 0)
        refuse(out, 404, "path", "there is nothing here");
    else if (look >= 0 ? !get : strcmp(r->method, "POST") != 0)
        refuse(out, 405, "method", "not this method");
    else if (change >= 0)
        post(s, r, change == 1, out);
    else if (look == 0)
        give_page(s, out);
    else if (look == 1)
        get_graph(s, r, out);
    else if (look == 2)
        get_edge(s, r, out);
    else if (look == 3)
        get_step(s, r, out);
    else
        get_revision(s, out);
}
