/* make_record DIR RECORD NOTE PROGRAM ARGS... - serves the replies of DIR on loopback while PROGRAM runs with
 * `--llm-url URL --llm-record RECORD` added to its arguments, and writes NOTE as the record's first line. DIR/rules says which
 * reply answers what; a reply `!500`, `!reset`, ... is a failure of the service. This is how records of hand-written replies are made again when prompts or the graph have changed:
 * tests/llm/bfs/make.sh. Not a test itself. */
#include "fake_server.h"
#include <errno.h>
#include <sys/wait.h>

struct rules {
    const char *dir;
    char *text;
};

/* Does the request's JSON hold the step line "(ID)\n" after the step prompt's title? */
static bool step_is(const char *body, const char *id)
{
    const char *at = strstr(body, "# The step to apply: "), *end = at ? strstr(at, "\\n") : NULL;
    size_t n = strlen(id);
    return end && (size_t)(end - at) > n + 2 && end[-1] == ')' && !strncmp(end - 1 - n, id, n) && end[-2 - (long)n] == '(';
}

/* "500", "429", any status; reset, hangup, slow, drip, huge, html, half, cut, empty */
static void fail(struct fake_reply *r, const char *how)
{
    char *text = rg_xstrdup("{\"choices\":[]}");
    if (*how >= '1' && *how <= '9') r->status = atoi(how);
    else if (!strcmp(how, "reset")) r->reset = true;
    else if (!strcmp(how, "hangup")) r->hang_up = true;
    else if (!strcmp(how, "slow")) r->delay_ms = 60000;
    else if (!strcmp(how, "drip")) r->drip_ms = 1000;
    else if (!strcmp(how, "huge")) r->huge = 100u << 20;
    else if (!strcmp(how, "half")) r->claim = 5000;
    else if (!strcmp(how, "html")) r->type = "text/html", free(text), text = rg_xstrdup("<html>Sign in</html>");
    else if (!strcmp(how, "cut")) free(text), text = fake_completion("```cuda\n__global__ void k(", "length", 9, 9);
    r->body = text;
}

static void answer(struct fake_server *s, int n, const char *head, const char *body, struct fake_reply *r)
{
    const struct rules *rules = s->arg;
    char *copy = rg_xstrdup(rules->text), *save = NULL;
    for (char *line = strtok_r(copy, "\n", &save); line; line = strtok_r(NULL, "\n", &save)) {
        char step[64], current[128], file[128], told[128] = "", path[512], *text;
        size_t len;
        if (*line == '#' || sscanf(line, "%63s %127s %127s %127s", step, current, file, told) < 3) continue;
        bool root = strstr(body, "There is no CUDA code yet") != NULL;
        if (strcmp(step, "*") && !step_is(body, step)) continue;
        if (!strcmp(current, "-") ? !root : strcmp(current, "*") && (root || !strstr(body, current))) continue;
        if (*told && !strstr(body, told)) continue;
        if (*file == '!') { /* a service that fails */
            fail(r, file + 1);
            break;
        }
        snprintf(path, sizeof path, "%s/%s", rules->dir, file);
        if (rg_file_read(path, 0, &text, &len, NULL) != RG_OK) break;
        r->body = fake_completion(text, "stop", (int)strlen(body) / 4, (int)len / 4);
        free(text);
        break;
    }
    free(copy);
    if (!r->body && !r->status && !r->hang_up && !r->delay_ms) r->status = 404;
}

int main(int argc, char **argv)
{
    if (argc < 5) {
        fprintf(stderr, "usage: make_record DIR RECORD NOTE PROGRAM ARGS...\n");
        return 2;
    }
    struct rules rules = {.dir = argv[1]};
    char path[512];
    size_t n;
    struct rg_error err = RG_ERROR_INIT;
    snprintf(path, sizeof path, "%s/rules", argv[1]);
    if (rg_file_read(path, 0, &rules.text, &n, &err) != RG_OK) {
        fprintf(stderr, "make_record: %s\n", err.text);
        return 3;
    }
    if (!rg_file_exists(argv[2])) { /* one that is there is continued */
        struct rg_buf head = RG_BUF_INIT;
        rg_buf_printf(&head, "{\"note\": \"%s\"}\n{\"format\": \"regraph-llm-record/1\"}\n", argv[3]);
        if (rg_file_write(argv[2], head.data, head.len, &err) != RG_OK) {
            fprintf(stderr, "make_record: %s\n", err.text);
            return 3;
        }
        rg_buf_release(&head);
    }
    struct fake_server s;
    fake_start(&s, answer, &rules);
    char **args = rg_xcalloc((size_t)argc + 1, sizeof *args);
    int k = 0;
    for (int i = 4; i < argc; i++) args[k++] = argv[i];
    args[k++] = (char *)"--llm-url";
    args[k++] = s.url;
    args[k++] = (char *)"--llm-record";
    args[k++] = argv[2];
    pid_t pid = fork();
    if (pid == 0) {
        execvp(args[0], args);
        fprintf(stderr, "make_record: cannot run '%s': %s\n", args[0], strerror(errno));
        _exit(127);
    }
    int status = 0;
    if (pid > 0) waitpid(pid, &status, 0);
    fake_stop(&s);
    free(args);
    free(rules.text);
    fprintf(stderr, "make_record: %d requests answered\n", s.requests);
    return pid > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : 1;
}
