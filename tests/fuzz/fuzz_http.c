/* Any request of the graph editor has a reply, and the file stays a graph; without the token nothing is given out or changed.
 * Input: a byte of bits (1 no token, 2 another host, 4 another origin, 8 the rest is a list of edits of the file as it is), method
 * and path with a query as in HTTP, a line each `key=value` until an empty one, the body. */
#include "cmd/graph_http.h"

#include <dirent.h>
#include <rg/file.h>
#include <rg/hash.h>
#include <rg/regraph.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char graph[] = "{\"format\": \"regraph/1\", \"name\": \"t\", \"steps\": [{\"id\": \"a\", \"title\": \"A\", \"category\": \"memory\"},"
                            "{\"id\": \"b\", \"title\": \"SECRET\", \"category\": \"memory\"}],"
                            "\"edges\": [{\"from\": \"@start\", \"to\": \"a\", \"prior\": 0.5}, {\"from\": \"a\", \"to\": \"b\", \"prior\": 0.5}]}";

static void expect(int holds)
{
    if (!holds) abort();
}

static void begin_anew(const char *path)
{
    char folder[128], file[512];
    snprintf(folder, sizeof folder, "%s.history", path);
    DIR *d = opendir(folder);
    for (struct dirent *e; d && (e = readdir(d));) {
        snprintf(file, sizeof file, "%s/%s", folder, e->d_name);
        if (e->d_name[0] != '.') unlink(file);
    }
    if (d) closedir(d);
    FILE *f = fopen(path, "w");
    expect(f && fwrite(graph, 1, sizeof graph - 1, f) == sizeof graph - 1 && !fclose(f));
}

/* The next line of the input, its end cut off. */
static char *line(char **p)
{
    char *begin = *p, *end = strchr(begin, '\n');
    if (!end) return NULL;
    *end = '\0';
    *p = end + 1;
    return begin;
}

static void header(struct graph_request *r, char *text)
{
    char *value = strchr(text, '=');
    if (!value) return;
    *value++ = '\0';
    const struct {
        const char *name, **to;
    } fields[] = {{"from", &r->from}, {"to", &r->to}, {"id", &r->id}, {"device", &r->device}, {"class", &r->klass}, {"coder", &r->coder}, {"type", &r->type},
                  {"site", &r->site}, {"origin", &r->origin}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++)
        if (!strcmp(text, fields[i].name)) *fields[i].to = value;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[64];
    if (size < 2) return 0;
    if (!*path) snprintf(path, sizeof path, "/dev/shm/fuzz_http_%ld.json", (long)getpid());
    begin_anew(path);
    char *text = malloc(size), *p = text, sha[65];
    memcpy(text, data + 1, size - 1);
    text[size - 1] = '\0';
    unsigned bits = data[0];
    char *method = line(&p), *where = method ? strchr(method, ' ') : NULL;
    if (where) {
        *where++ = '\0';
        const struct graph_server s = {path, "fuzz", "0123456789abcdef0123456789abcdef", 8080, "<html>@STYLE@@NONCE@@SCRIPT@ SECRET", "", ""};
        struct graph_request r = {.method = method, .path = where, .host = bits & 2 ? "evil:8080" : "127.0.0.1:8080", .type = "application/json",
                                  .authorization = bits & 1 ? "Bearer 0123456789abcdef0123456789abcdee" : "Bearer 0123456789abcdef0123456789abcdef",
                                  .token = bits & 1 ? "" : "0123456789abcdef0123456789abcdef"};
        for (char *h; (h = line(&p)) && *h;) header(&r, h);
        if (bits & 4) r.origin = "http://evil";
        struct rg_buf body = RG_BUF_INIT;
        rg_sha256_hex(graph, sizeof graph - 1, sha);
        if (bits & 8) rg_buf_printf(&body, "{\"revision\":\"%s\",\"edits\":%s}", sha, p);
        else rg_buf_str(&body, p);
        r.body = body.data;
        r.len = body.len;
        struct graph_reply reply;
        graph_http(&s, &r, &reply);
        expect(reply.status >= 200 && reply.status < 600 && reply.type);
        char *now;
        size_t len;
        expect(rg_file_read(path, 0, &now, &len, NULL) == RG_OK);
        if (bits & 7) {
            expect(reply.status == 403 && !strstr(reply.body.data, "SECRET"));
            expect(len == sizeof graph - 1 && !memcmp(now, graph, len));
        } else {
            struct rg_regraph *g;
            struct rg_error err = RG_ERROR_INIT;
            expect(rg_regraph_parse(now, len, "now", &g, &err) == RG_OK);
            expect(reply.status != 500);
            rg_regraph_free(g);
        }
        free(now);
        rg_buf_release(&body);
        rg_buf_release(&reply.body);
    }
    free(text);
    return 0;
}
