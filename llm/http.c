/* HTTP POSTs over curl's multi interface: bounded in number, in size and in time, retried with jitter, cancelled at any
 * moment. Knows nothing of models. One thread; no signals (NOSIGNAL), no redirects (they would carry the key
 * elsewhere). */
#include "llm.h"
#include <curl/curl.h>
#include <math.h>
#include <pthread.h>
#include <rg/file.h>
#include <rg/log.h>
#include <rg/rng.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct request {
    struct request *next;
    int id;
    char *body;
    CURL *easy; /* NULL: waiting for a free place or for its retry time */
    struct curl_slist *headers;
    struct rg_buf reply;
    bool too_big;
    double started;    /* of its first attempt; < 0 not yet */
    double not_before; /* of its next attempt */
    int attempts;
    bool no_retry;
    char error[CURL_ERROR_SIZE];
    char last[200]; /* why the last attempt failed */
};

struct rg__http {
    struct rg__http_options o;
    char *url, *models, *auth, *shown; /* shown: without user, password and query */
    CURLM *multi;
    struct request *first; /* in order of posting */
    struct rg_rng rng;     /* jitter only: no result depends on it */
    bool probe_only;
    bool local; /* the server is this machine: a proxy of the environment can't reach it */
};

/* curl wants one global init, before threads and once a process. */
static pthread_once_t global_once = PTHREAD_ONCE_INIT;
static CURLcode global_result;
static void global_init(void)
{
    global_result = curl_global_init(CURL_GLOBAL_DEFAULT);
}

static char *url_part(CURLU *u, CURLUPart part)
{
    char *s = NULL, *copy = NULL;
    if (curl_url_get(u, part, &s, 0) == CURLUE_OK) copy = rg_xstrdup(s);
    curl_free(s);
    return copy;
}

bool rg__url_is_local(const char *url)
{
    CURLU *u = curl_url();
    bool local = false;
    if (u && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *host = url_part(u, CURLUPART_HOST);
        local = host && (!strcmp(host, "localhost") || !strncmp(host, "127.", 4) || !strcmp(host, "[::1]"));
        free(host);
    }
    curl_url_cleanup(u);
    return local;
}

enum rg__api rg__url_api(const char *url)
{
    CURLU *u = curl_url();
    bool messages = false;
    if (u && curl_url_set(u, CURLUPART_URL, url, 0) == CURLUE_OK) {
        char *host = url_part(u, CURLUPART_HOST), *path = url_part(u, CURLUPART_PATH);
        size_t n = path ? strlen(path) : 0;
        while (n && path[n - 1] == '/') n--;
        messages =
            (host && !strcasecmp(host, "api.anthropic.com")) || (n >= 9 && !strncmp(path + n - 9, "/messages", 9));
        free(host);
        free(path);
    }
    curl_url_cleanup(u);
    return messages ? RG__API_MESSAGES : RG__API_CHAT;
}

static enum rg_status set_url(struct rg__http *h, const char *base, struct rg_error *err)
{
    CURLU *u = curl_url();
    if (!u) return rg_error_set(err, RG_NOMEM, "out of memory");
    CURLUcode rc = curl_url_set(u, CURLUPART_URL, base, 0);
    char *scheme = rc == CURLUE_OK ? url_part(u, CURLUPART_SCHEME) : NULL;
    if (!scheme || (strcmp(scheme, "http") && strcmp(scheme, "https"))) {
        rg_error_set(
            err, RG_USAGE,
            "the model's url must begin with http:// or https:// and name a host, such as http://localhost:8000/v1");
    } else {
        char *path = url_part(u, CURLUPART_PATH), *host = url_part(u, CURLUPART_HOST),
             *port = url_part(u, CURLUPART_PORT);
        size_t n = path ? strlen(path) : 0;
        while (n && path[n - 1] == '/') path[--n] = '\0';
        const char *end = h->o.api == RG__API_MESSAGES ? "/messages" : "/chat/completions";
        if (path && n >= strlen(end) && !strcmp(path + n - strlen(end), end)) path[n -= strlen(end)] = '\0';
        if (h->o.api == RG__API_MESSAGES && n == 0) { /* that service has its version in the path */
            free(path);
            path = rg_xstrdup("/v1");
        }
        char *list = rg_xasprintf("%s/models", path ? path : ""), *full = rg_xasprintf("%s%s", path ? path : "", end);
        curl_url_set(u, CURLUPART_PATH, list, 0);
        h->models = url_part(u, CURLUPART_URL);
        free(list);
        curl_url_set(u, CURLUPART_PATH, full, 0);
        h->url = url_part(u, CURLUPART_URL);
        h->shown = rg_xasprintf("%s://%s%s%s%s", scheme, host ? host : "", port ? ":" : "", port ? port : "", full);
        if (!strcmp(scheme, "http") && h->auth && !h->local)
            rg_log(RG_LOG_WARN, "the model's key goes to %s unencrypted; https would protect it", h->shown);
        free(full);
        free(path);
        free(host);
        free(port);
    }
    free(scheme);
    curl_url_cleanup(u);
    return h->url ? RG_OK : RG_USAGE;
}

enum rg_status rg__http_new(const struct rg__http_options *o, struct rg__http **out, struct rg_error *err)
{
    *out = NULL;
    pthread_once(&global_once, global_init);
    if (global_result != CURLE_OK)
        return rg_error_set(err, RG_SERVICE, "libcurl can't start: %s", curl_easy_strerror(global_result));
    struct rg__http *h = rg_xcalloc(1, sizeof *h);
    h->o = *o;
    h->o.url = h->o.key = NULL;
    h->local = rg__url_is_local(o->url);
    if (o->key && *o->key)
        h->auth = rg_xasprintf(o->api == RG__API_MESSAGES ? "x-api-key: %s" : "Authorization: Bearer %s", o->key);
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    rg_rng_seed(&h->rng, (uint64_t)now.tv_nsec ^ ((uint64_t)getpid() << 32));
    enum rg_status s = set_url(h, o->url, err);
    if (s == RG_OK && !(h->multi = curl_multi_init())) s = rg_error_set(err, RG_NOMEM, "out of memory");
    if (s != RG_OK) {
        rg__http_free(h);
        return s;
    }
    *out = h;
    return RG_OK;
}

static void stop(struct rg__http *h, struct request *r)
{
    if (r->easy) {
        curl_multi_remove_handle(h->multi, r->easy);
        curl_easy_cleanup(r->easy);
        r->easy = NULL;
    }
    curl_slist_free_all(r->headers);
    r->headers = NULL;
}

static void drop(struct rg__http *h, struct request *r)
{
    for (struct request **p = &h->first; *p; p = &(*p)->next)
        if (*p == r) {
            *p = r->next;
            break;
        }
    stop(h, r);
    rg_buf_release(&r->reply);
    free(r->body);
    free(r);
}

void rg__http_free(struct rg__http *h)
{
    if (!h) return;
    while (h->first) drop(h, h->first);
    if (h->multi) curl_multi_cleanup(h->multi);
    if (h->auth) explicit_bzero(h->auth, strlen(h->auth));
    free(h->auth);
    free(h->url);
    free(h->models);
    free(h->shown);
    free(h);
}

static void enqueue(struct rg__http *h, int id, const char *body)
{
    struct request *r = rg_xcalloc(1, sizeof *r), **p = &h->first;
    r->id = id;
    r->body = rg_xstrdup(body); /* NULL: a GET */
    r->started = -1;
    r->no_retry = h->probe_only;
    rg_buf_init(&r->reply);
    while (*p) p = &(*p)->next;
    *p = r;
}

void rg__http_post(struct rg__http *h, int id, const char *body)
{
    enqueue(h, id, body);
}

void rg__http_get_models(struct rg__http *h, int id)
{
    enqueue(h, id, NULL);
}

const char *rg__http_shown(const struct rg__http *h)
{
    return h->shown;
}

void rg__http_cancel(struct rg__http *h, int id)
{
    for (struct request *r = h->first; r; r = r->next)
        if (r->id == id) {
            drop(h, r);
            return;
        }
}

int rg__http_pending(const struct rg__http *h)
{
    int n = 0;
    for (const struct request *r = h->first; r; r = r->next) n++;
    return n;
}

void rg__http_probe_only(struct rg__http *h, bool on)
{
    h->probe_only = on;
}

static size_t received(char *data, size_t size, size_t n, void *arg)
{
    struct request *r = arg;
    struct rg__http *h;
    curl_easy_getinfo(r->easy, CURLINFO_PRIVATE, (char **)&h);
    size_t bytes = size * n;
    if ((int64_t)(r->reply.len + bytes) > h->o.reply_bytes) {
        r->too_big = true;
        return CURL_WRITEFUNC_ERROR;
    }
    rg_buf_add(&r->reply, data, bytes);
    return bytes;
}

static bool start(struct rg__http *h, struct request *r, double now)
{
    CURL *c = curl_easy_init();
    if (!c) return false;
    if (r->started < 0) r->started = now;
    double left = h->o.wall_s - (now - r->started), limit = h->o.timeout_s < left ? h->o.timeout_s : left;
    r->attempts++;
    r->too_big = false;
    *r->error = '\0';
    rg_buf_reset(&r->reply);
    r->headers = curl_slist_append(NULL, "Content-Type: application/json");
    r->headers = curl_slist_append(r->headers, "Expect:");
    if (h->o.api == RG__API_MESSAGES) r->headers = curl_slist_append(r->headers, "anthropic-version: 2023-06-01");
    if (h->auth) r->headers = curl_slist_append(r->headers, h->auth);
    curl_easy_setopt(c, CURLOPT_URL, r->body ? h->url : h->models);
    curl_easy_setopt(c, CURLOPT_HTTPHEADER, r->headers);
    if (r->body) {
        curl_easy_setopt(c, CURLOPT_POSTFIELDS, r->body);
        curl_easy_setopt(c, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)strlen(r->body));
    }
    curl_easy_setopt(c, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 0L);
    curl_easy_setopt(c, CURLOPT_USERAGENT, "regraph");
    curl_easy_setopt(c, CURLOPT_ACCEPT_ENCODING, "");
    if (h->local) curl_easy_setopt(c, CURLOPT_NOPROXY, "*");
    curl_easy_setopt(c, CURLOPT_CONNECTTIMEOUT_MS, (long)(1000 * (limit < 30 ? limit : 30)) + 1);
    curl_easy_setopt(c, CURLOPT_TIMEOUT_MS, (long)(1000 * (limit > 0.001 ? limit : 0.001)));
    curl_easy_setopt(c, CURLOPT_WRITEFUNCTION, received);
    curl_easy_setopt(c, CURLOPT_WRITEDATA, r);
    curl_easy_setopt(c, CURLOPT_PRIVATE, h);
    curl_easy_setopt(c, CURLOPT_ERRORBUFFER, r->error);
#if LIBCURL_VERSION_NUM >= 0x075500
    curl_easy_setopt(c, CURLOPT_PROTOCOLS_STR, "http,https");
#else
    curl_easy_setopt(c, CURLOPT_PROTOCOLS, (long)(CURLPROTO_HTTP | CURLPROTO_HTTPS));
#endif
    /* Every certificate authority the environment names, as curl's own command line does. */
    const char *ca = getenv("SSL_CERT_FILE"), *ca_dir = getenv("SSL_CERT_DIR"), *bundle = getenv("CURL_CA_BUNDLE");
    if (bundle && *bundle) ca = bundle;
    if (ca && *ca) curl_easy_setopt(c, CURLOPT_CAINFO, ca);
    if (ca_dir && *ca_dir) curl_easy_setopt(c, CURLOPT_CAPATH, ca_dir);
    r->easy = c;
    if (curl_multi_add_handle(h->multi, c) == CURLM_OK) return true;
    curl_easy_cleanup(c);
    r->easy = NULL;
    return false;
}

static void give_up(struct rg__http *h, struct request *r, const char *how, struct rg__http_result *out)
{
    out->status = RG_SERVICE;
    snprintf(out->message, sizeof out->message, "%s: %s%s%s", h->shown, r->last, *how ? "; " : "", how);
}

/* What becomes of a finished attempt: true when the request is done. */
static bool settle(struct rg__http *h, struct request *r, CURLcode rc, struct rg__http_result *out)
{
    long code = 0;
    curl_off_t after = 0;
    curl_easy_getinfo(r->easy, CURLINFO_RESPONSE_CODE, &code);
    curl_easy_getinfo(r->easy, CURLINFO_RETRY_AFTER, &after);
    stop(h, r);
    *out = (struct rg__http_result){.id = r->id, .status = RG_OK, .code = code, .retries = r->attempts - 1};
    rg_buf_init(&out->body);
    bool retry = rc != CURLE_OK || code == 408 || code == 425 || code == 429 || code >= 500; /* 529: overloaded */
    if (r->too_big) {
        retry = false;
        snprintf(r->last, sizeof r->last, "the reply is larger than %lld bytes", (long long)h->o.reply_bytes);
    } else if (rc != CURLE_OK) {
        snprintf(r->last, sizeof r->last, "%.180s", *r->error ? r->error : curl_easy_strerror(rc));
        /* These do not get better by waiting. */
        retry = rc != CURLE_PEER_FAILED_VERIFICATION && rc != CURLE_SSL_CACERT_BADFILE &&
                rc != CURLE_UNSUPPORTED_PROTOCOL && rc != CURLE_URL_MALFORMAT;
    } else if (retry) {
        char text[200];
        rg__wire_error(r->reply.data, r->reply.len, text, sizeof text);
        snprintf(r->last, sizeof r->last, "HTTP %ld%s%.150s", code, *text ? ": " : "", text);
    }
    if (rc == CURLE_OK && !retry && !r->too_big) { /* consumed: never asked again here */
        struct rg_buf swap = out->body;
        out->body = r->reply;
        r->reply = swap;
        return true;
    }
    double now = rg_now();
    if (!retry || r->no_retry || h->probe_only || r->attempts > h->o.retries) {
        char how[64] = "";
        if (retry && r->attempts > 1) snprintf(how, sizeof how, "given up after %d attempts", r->attempts);
        give_up(h, r, how, out);
        return true;
    }
    /* Exponential, the upper half of it random, so that many clients don't come back together. */
    double wait = h->o.backoff_s * ldexp(1, r->attempts - 1 < 10 ? r->attempts - 1 : 10);
    if (wait > 60) wait = 60;
    wait *= 0.5 + 0.5 * rg_rng_unit(&h->rng);
    if ((double)after > wait) wait = (double)after;
    if (now + wait - r->started >= h->o.wall_s) {
        char how[96];
        snprintf(how, sizeof how,
                 after > 0 ? "the server asks to wait %.0f s, longer than the time limit"
                           : "out of time (%.1f s to wait)",
                 wait);
        give_up(h, r, how, out);
        return true;
    }
    rg_log(RG_LOG_INFO, "model service: %s; again in %.1f s", r->last, wait);
    r->not_before = now + wait;
    return false;
}

/* Starts what may start. The time of the next retry, INFINITY when none waits. */
static double start_due(struct rg__http *h, double now)
{
    int active = 0;
    double next = INFINITY;
    for (struct request *r = h->first; r; r = r->next) active += r->easy != NULL;
    for (struct request *r = h->first; r; r = r->next) {
        if (r->easy) continue;
        if (r->not_before > now)
            next = r->not_before < next ? r->not_before : next;
        else if (active < h->o.in_flight && start(h, r, now))
            active++;
    }
    return next;
}

bool rg__http_poll(struct rg__http *h, double seconds, struct rg__http_result *out)
{
    double end = rg_now() + seconds;
    while (h->first) {
        double now = rg_now(), next = start_due(h, now);
        int running, left;
        bool again = false;
        curl_multi_perform(h->multi, &running);
        for (CURLMsg *m; (m = curl_multi_info_read(h->multi, &left));) {
            if (m->msg != CURLMSG_DONE) continue;
            CURLcode rc = m->data.result;
            struct request *r = h->first;
            while (r && r->easy != m->easy_handle) r = r->next;
            if (r && settle(h, r, rc, out)) {
                drop(h, r);
                return true;
            }
            again = true; /* it waits for its next attempt now, or left a place to another */
        }
        now = rg_now();
        if (now >= end) break;
        if (again) continue;
        double wait = end < next ? end - now : next - now;
        if (wait < 0) wait = 0;
        curl_multi_poll(h->multi, NULL, 0, wait < 1 ? (int)(wait * 1000) + 1 : 1000, NULL);
    }
    return false;
}
