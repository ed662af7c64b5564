/* The editor's server as a function of requests: what asks is in graph_serve.c (libmicrohttpd), and in the fuzzer. */
#ifndef RG_CMD_GRAPH_HTTP_H
#define RG_CMD_GRAPH_HTTP_H
#include <rg/buf.h>
#include <stdbool.h>
#include <stddef.h>

struct graph_server {
    const char *path;   /* of the graph's file */
    const char *author;
    const char *token;  /* 32 hex digits: without it nothing is given out */
    int port;
    const char *html, *css, *js; /* of the page; @STYLE@, @NONCE@ and @SCRIPT@ in html */
};

struct graph_request { /* NULL: the request has no such thing */
    const char *method, *path;
    const char *host, *origin, *site, *authorization, *type; /* headers; site: Sec-Fetch-Site */
    const char *token, *device, *klass, *coder, *from, *to, *id; /* of the query */
    const char *body;
    size_t len;
};

enum { GRAPH_HTTP_MOST = 16 << 20 }; /* bytes of a request's body */

struct graph_reply {
    int status; /* 200, 400 (not understood), 403 (not allowed), 404, 405, 409 (the file changed), 413, 415, 500 */
    const char *type;
    char nonce[33]; /* of the page's script; "" no page */
    struct rg_buf body;
};

/* Errors of the graph are replies. Threads: one at a time (igraph). */
void graph_http(const struct graph_server *s, const struct graph_request *r, struct graph_reply *out);
/* 2n hex digits of the kernel's random bytes; false where it has none. */
bool graph_http_random(char *hex, size_t n);
#endif
