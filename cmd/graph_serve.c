/* regraph-graph serve: the editor in a browser. HTTP by libmicrohttpd, which only this file knows. */
#include "cmd/asset.h"
#include "cmd/graph.h"
#include "cmd/graph_http.h"

#include <arpa/inet.h>
#include <microhttpd.h>
#include <rg/file.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

static const char *header(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_HEADER_KIND, name);
}

static const char *query(struct MHD_Connection *c, const char *name)
{
    return MHD_lookup_connection_value(c, MHD_GET_ARGUMENT_KIND, name);
}

static enum MHD_Result send_reply(struct MHD_Connection *c, const struct graph_reply *r)
{
    struct MHD_Response *m = MHD_create_response_from_buffer(r->body.len, r->body.data, MHD_RESPMEM_MUST_COPY);
    if (!m) return MHD_NO;
    char policy[320];
    snprintf(policy, sizeof policy,
             "default-src 'none'; %s%s%sstyle-src 'unsafe-inline'; connect-src 'self'; img-src data:; base-uri 'none'; form-action 'none'; "
             "frame-ancestors 'none'",
             *r->nonce ? "script-src 'nonce-" : "", r->nonce, *r->nonce ? "'; " : "");
    const char *const headers[][2] = {{"Content-Type", r->type}, {"Content-Security-Policy", policy}, {"Cache-Control", "no-store"},
                                      {"Referrer-Policy", "no-referrer"}, {"X-Content-Type-Options", "nosniff"}};
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) MHD_add_response_header(m, headers[i][0], headers[i][1]);
    enum MHD_Result sent = MHD_queue_response(c, (unsigned)r->status, m);
    MHD_destroy_response(m);
    return sent;
}

/* Called once with the headers, again with each part of the body, and once more at its end. */
static enum MHD_Result answer(void *self, struct MHD_Connection *c, const char *url, const char *method, const char *version,
                              const char *part, size_t *size, void **state)
{
    (void)version;
    struct rg_buf *body = *state;
    if (!body) {
        *state = rg_xcalloc(1, sizeof *body);
        rg_buf_init(*state);
        return MHD_YES;
    }
    if (*size) {
        size_t room = body->len <= GRAPH_HTTP_MOST ? GRAPH_HTTP_MOST + 1 - body->len : 0; /* one byte too many says that it is too long */
        rg_buf_add(body, part, *size < room ? *size : room);
        *size = 0;
        return MHD_YES;
    }
    const struct graph_request r = {
        .method = method, .path = url, .host = header(c, "Host"), .origin = header(c, "Origin"), .site = header(c, "Sec-Fetch-Site"),
        .authorization = header(c, "Authorization"), .type = header(c, "Content-Type"), .token = query(c, "token"),
        .device = query(c, "device"), .klass = query(c, "class"), .coder = query(c, "coder"), .from = query(c, "from"), .to = query(c, "to"),
        .id = query(c, "id"), .body = body->data, .len = body->len};
    struct graph_reply reply;
    graph_http(self, &r, &reply);
    enum MHD_Result sent = send_reply(c, &reply);
    rg_buf_release(&reply.body);
    return sent;
}

static void completed(void *self, struct MHD_Connection *c, void **state, enum MHD_RequestTerminationCode code)
{
    (void)self, (void)c, (void)code;
    if (*state) rg_buf_release(*state);
    free(*state);
    *state = NULL;
}

static bool find_page(struct graph_server *s)
{
    const struct rg_asset *html = rg_web_asset("editor.html"), *css = rg_web_asset("editor.css"), *js = rg_web_asset("editor.js");
    if (!html || !css || !js) {
        rg_cmd_message("serve: this program was built without the editor's page: `make web` (node and npm), then make");
        return false;
    }
    s->html = html->data;
    s->css = css->data;
    s->js = js->data;
    return true;
}

/* Until a signal says that it is enough. */
static int serve(struct graph_server *s, int port)
{
    struct sockaddr_in here = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr = {htonl(INADDR_LOOPBACK)}};
    sigset_t stop;
    int got;
    sigemptyset(&stop);
    sigaddset(&stop, SIGINT);
    sigaddset(&stop, SIGTERM);
    sigaddset(&stop, SIGHUP);
    pthread_sigmask(SIG_BLOCK, &stop, NULL); /* before there are threads: they inherit it */
    /* One thread answers all: igraph wants that, and an editor has one user. */
    struct MHD_Daemon *d = MHD_start_daemon(MHD_USE_AUTO | MHD_USE_INTERNAL_POLLING_THREAD, (uint16_t)port, NULL, NULL, answer, s, MHD_OPTION_SOCK_ADDR, &here,
                                            MHD_OPTION_NOTIFY_COMPLETED, completed, NULL, MHD_OPTION_CONNECTION_LIMIT, 32u,
                                            MHD_OPTION_CONNECTION_TIMEOUT, 60u, MHD_OPTION_END);
    if (!d) {
        rg_cmd_message("serve: cannot listen at 127.0.0.1:%d", port);
        return RG_EXIT_INPUT;
    }
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(d, MHD_DAEMON_INFO_BIND_PORT);
    s->port = info ? info->port : port;
    printf("http://127.0.0.1:%d/?token=%s\n", s->port, s->token);
    fflush(stdout);
    rg_cmd_message("serving %s to whoever has this address, on this machine alone; Ctrl-C ends it", s->path);
    while (sigwait(&stop, &got)) {}
    MHD_stop_daemon(d);
    return RG_EXIT_OK;
}

int graph_serve(int argc, char **argv)
{
    int64_t port = 0;
    const struct rg_option options[] = {RG_OPTION_INT("port", 'p', &port, "N", 0, 65535, "listen there (any free port)")};
    const struct rg_command cmd = {.name = "regraph-graph serve",
                                   .example = "regraph-graph serve my.json",
                                   .usage = "GRAPH [options]",
                                   .about = "Opens the graph for editing in a browser: prints an address that holds a token, and serves it on this\n"
                                            "machine alone (127.0.0.1) until Ctrl-C. Edits are saved as those of the other verbs: log, undo.",
                                   .options = options,
                                   .n_options = RG_N_OPTIONS(options),
                                   .min_args = 1,
                                   .max_args = 1};
    struct rg_strings args = {0, 0, NULL};
    char token[33] = "";
    int code = rg_cmd_parse(&cmd, argc, argv, 2, &args);
    struct graph_server s = {.path = args.n ? args.items[0] : NULL, .author = graph_author(), .token = token};
    struct rg_regraph *g = code < 0 ? graph_load(s.path, &code) : NULL; /* what can't be read can't be edited */
    rg_regraph_free(g);
    if (code < 0 && !find_page(&s)) code = RG_EXIT_DEVICE;
    if (code < 0 && !graph_http_random(token, 16)) {
        rg_cmd_message("serve: no random numbers for a token");
        code = RG_EXIT_INPUT;
    }
    if (code < 0) code = serve(&s, (int)port);
    rg_strings_release(&args);
    return code;
}
