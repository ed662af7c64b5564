/* A tiny HTTP server on loopback for tests: a thread a connection, one request each, what is said is the handler's. */
#ifndef RG_TESTS_LLM_FAKE_SERVER_H
#define RG_TESTS_LLM_FAKE_SERVER_H
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <pthread.h>
#include <rg/buf.h>
#include <rg/file.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

struct fake_reply {
    int status;          /* 0: 200 */
    char *body;          /* malloc'd */
    const char *headers; /* further lines with \r\n, or NULL */
    int delay_ms;        /* before the reply; ends early when the server stops */
    size_t claim;        /* Content-Length that is said; 0: the true one */
    bool hang_up;        /* closes without a word */
    bool reset;          /* sends half of it, then RST */
    int drip_ms;         /* between single bytes of the body */
    size_t huge;         /* so many blanks before the body, never all in memory */
    const char *type;    /* Content-Type; NULL: application/json */
    bool chunked;        /* no Content-Length: ends with the connection */
};

struct fake_server {
    int fd, port;
    char url[64];
    void (*handle)(struct fake_server *s, int n, const char *head, const char *body, struct fake_reply *r);
    void *arg;
    pthread_mutex_t lock;
    pthread_t thread;
    int requests; /* seen so far */
    int active, max_active;
    int workers; /* connection threads alive */
    volatile bool stop;
    char last_head[4096];
    char *last_body;
};

struct fake_connection {
    struct fake_server *s;
    int fd;
};

static bool fake_send(int fd, const char *data, size_t n)
{
    while (n) {
        ssize_t w = send(fd, data, n, MSG_NOSIGNAL);
        if (w <= 0) return false;
        data += w;
        n -= (size_t)w;
    }
    return true;
}

static void *fake_serve(void *arg)
{
    struct fake_connection *c = arg;
    struct fake_server *s = c->s;
    struct rg_buf in = RG_BUF_INIT;
    char chunk[65536], *split = NULL;
    size_t want = 0;
    for (;;) {
        ssize_t got = recv(c->fd, chunk, sizeof chunk, 0);
        if (got <= 0) break;
        rg_buf_add(&in, chunk, (size_t)got);
        split = strstr(in.data, "\r\n\r\n");
        if (!split) continue;
        const char *cl = strcasestr(in.data, "content-length:");
        want = cl && cl < split ? strtoul(cl + 15, NULL, 10) : 0;
        if (in.len >= (size_t)(split - in.data) + 4 + want) break;
    }
    if (split) {
        *split = '\0';
        const char *body = split + 4;
        struct fake_reply r = {0};
        pthread_mutex_lock(&s->lock);
        int n = s->requests++;
        if (++s->active > s->max_active) s->max_active = s->active;
        snprintf(s->last_head, sizeof s->last_head, "%s", in.data);
        free(s->last_body);
        s->last_body = rg_xstrdup(body);
        s->handle(s, n, in.data, body, &r);
        pthread_mutex_unlock(&s->lock);
        for (int ms = 0; ms < r.delay_ms && !s->stop; ms += 5) usleep(5000);
        /* before the reply is out: the client may start the next request the moment it has this one */
        pthread_mutex_lock(&s->lock);
        s->active--;
        pthread_mutex_unlock(&s->lock);
        if (!r.hang_up && !s->stop) {
            size_t len = r.body ? strlen(r.body) : 0;
            char length[64] = "";
            if (!r.chunked)
                snprintf(length, sizeof length, "Content-Length: %zu\r\n", r.claim ? r.claim : len + r.huge);
            snprintf(chunk, sizeof chunk, "HTTP/1.1 %d x\r\nContent-Type: %s\r\n%sConnection: close\r\n%s\r\n",
                     r.status ? r.status : 200, r.type ? r.type : "application/json", length,
                     r.headers ? r.headers : "");
            fake_send(c->fd, chunk, strlen(chunk));
            memset(chunk, ' ', sizeof chunk);
            for (size_t left = r.huge; left && !s->stop;) {
                size_t n_ = left < sizeof chunk ? left : sizeof chunk;
                if (!fake_send(c->fd, chunk, n_)) break;
                left -= n_;
            }
            if (r.reset) len /= 2;
            for (size_t i = 0; r.drip_ms && i < len && !s->stop; i++) {
                if (!fake_send(c->fd, r.body + i, 1)) break;
                usleep((useconds_t)r.drip_ms * 1000);
            }
            if (!r.drip_ms) fake_send(c->fd, r.body ? r.body : "", len);
            if (r.reset) setsockopt(c->fd, SOL_SOCKET, SO_LINGER, &(struct linger){1, 0}, sizeof(struct linger));
        }
        free(r.body);
    }
    close(c->fd);
    rg_buf_release(&in);
    free(c);
    pthread_mutex_lock(&s->lock);
    s->workers--;
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void *fake_accept(void *arg)
{
    struct fake_server *s = arg;
    while (!s->stop) {
        struct pollfd p = {s->fd, POLLIN, 0};
        if (poll(&p, 1, 20) <= 0) continue;
        int fd = accept(s->fd, NULL, NULL);
        if (fd < 0) continue;
        struct fake_connection *c = rg_xmalloc(sizeof *c);
        *c = (struct fake_connection){s, fd};
        pthread_t t;
        pthread_mutex_lock(&s->lock);
        s->workers++;
        pthread_mutex_unlock(&s->lock);
        if (pthread_create(&t, NULL, fake_serve, c)) abort();
        pthread_detach(t);
    }
    return NULL;
}

static void fake_start(struct fake_server *s,
                       void (*handle)(struct fake_server *, int, const char *, const char *, struct fake_reply *),
                       void *arg)
{
    memset(s, 0, sizeof *s);
    s->handle = handle;
    s->arg = arg;
    pthread_mutex_init(&s->lock, NULL);
    s->fd = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t len = sizeof a;
    if (bind(s->fd, (struct sockaddr *)&a, sizeof a) || listen(s->fd, 64) ||
        getsockname(s->fd, (struct sockaddr *)&a, &len))
        abort();
    s->port = ntohs(a.sin_port);
    snprintf(s->url, sizeof s->url, "http://127.0.0.1:%d/v1", s->port);
    if (pthread_create(&s->thread, NULL, fake_accept, s)) abort();
}

static void fake_stop(struct fake_server *s)
{
    s->stop = true;
    pthread_join(s->thread, NULL);
    for (;;) {
        pthread_mutex_lock(&s->lock);
        int left = s->workers;
        pthread_mutex_unlock(&s->lock);
        if (!left) break;
        usleep(2000);
    }
    close(s->fd);
    free(s->last_body);
    pthread_mutex_destroy(&s->lock);
}

/* A chat completion whose content is `text`. Caller frees. */
static char *fake_completion(const char *text, const char *finish, int prompt, int completion)
{
    struct rg_buf b = RG_BUF_INIT;
    rg_buf_str(&b, "{\"id\":\"x\",\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":\"");
    for (const char *c = text; *c; c++) {
        if (*c == '"' || *c == '\\')
            rg_buf_printf(&b, "\\%c", *c);
        else if ((unsigned char)*c < ' ')
            rg_buf_printf(&b, "\\u%04x", *c);
        else
            rg_buf_char(&b, *c);
    }
    rg_buf_printf(&b, "\"},\"finish_reason\":\"%s\"}]", finish);
    if (prompt >= 0)
        rg_buf_printf(&b, ",\"usage\":{\"prompt_tokens\":%d,\"completion_tokens\":%d}", prompt, completion);
    rg_buf_char(&b, '}');
    return rg_buf_steal(&b);
}
#endif
