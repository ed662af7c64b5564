/* Whose a run is, where many machines share the folder: a file that names the process, written whole and renamed. No
 * lock: a node that dies leaves none behind, and locks do not reach across every shared folder. Whoever comes later
 * writes its own name and waits until the one before, if it still lives, has read it and has ended. */
#include "cmd/suite.h"

#include <rg/file.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum { GRACE_S = 6 };             /* more than an owner takes to look, and to end its search */
static const double look_s = 1.5; /* how often an owner does */
static const char nobody[] = "nobody\n";

static char *owner_path(const struct suite_run *r, const struct suite *s, const char *out)
{
    return suite_path(out, "owners", s->items[r->problem].name, "");
}

static char *owner_now(const struct suite_run *r, const struct suite *s, const char *out)
{
    char *path = owner_path(r, s, out), *text = NULL;
    size_t len;
    if (rg_file_read(path, 4096, &text, &len, NULL) != RG_OK) text = NULL;
    free(path);
    return text;
}

static enum rg_status write_owner(const struct suite_run *r, const struct suite *s, const char *out, const char *text,
                                  struct rg_error *err)
{
    char *path = owner_path(r, s, out);
    enum rg_status st = rg_file_write(path, text, strlen(text), err);
    free(path);
    return st;
}

enum rg_status suite_own(struct suite_run *r, const struct suite *s, const char *out, struct rg_error *err)
{
    char host[48] = "", unique[17], *before = owner_now(r, s, out);
    gethostname(host, sizeof host - 1);
    rg_file_unique(unique);
    snprintf(r->owner, sizeof r->owner, "%s %ld %s\n", host, (long)getpid(), unique);
    enum rg_status st = write_owner(r, s, out, r->owner, err);
    for (double until = rg_now() + GRACE_S;
         st == RG_OK && before && strcmp(before, nobody) && rg_now() < until && !suite_signal;)
        nanosleep(&(struct timespec){0, 100000000}, NULL);
    free(before);
    r->looked = rg_now();
    if (st == RG_OK && !suite_still_own(r, s, out))
        st = rg_error_set(err, RG_CANCELED, "'%s' was taken over by another process", s->items[r->problem].name);
    return st;
}

bool suite_still_own(const struct suite_run *r, const struct suite *s, const char *out)
{
    char *now = owner_now(r, s, out);
    bool own = !now || !strcmp(now, r->owner); /* unreadable for a moment: nobody else's */
    free(now);
    return own;
}

bool suite_time_to_look(struct suite_run *r)
{
    if (!*r->owner || rg_now() < r->looked + look_s) return false;
    r->looked = rg_now();
    return true;
}

void suite_disown(const struct suite_run *r, const struct suite *s, const char *out)
{
    struct rg_error none = RG_ERROR_INIT;
    if (*r->owner && suite_still_own(r, s, out)) (void)write_owner(r, s, out, nobody, &none);
}
