/* What stands behind the verdicts of a run: hashes of inputs and references, which lie in the memory file, and of what
 * candidates wrote, which the run worker tells. */
#include "runtime/farm/farm.h"
#include "runtime/data/layout.h"
#include <rg/hash.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void rg__farm_outputs(struct rg_farm *f, const char *key, int cases_version, const struct rg_msg *m)
{
    struct farm_outputs *o = rg_xmalloc(sizeof *o + (size_t)m->n_outputs * sizeof *o->items);
    snprintf(o->key, sizeof o->key, "%s", key);
    o->cases_version = cases_version;
    o->n = m->n_outputs;
    if (o->n) memcpy(o->items, m->outputs, (size_t)o->n * sizeof *o->items);
    struct farm_outputs **at = &f->outputs;
    while (*at && strcmp((*at)->key, key)) at = &(*at)->next;
    if (*at) { /* evaluated again: only the last one counts */
        struct farm_outputs *old = *at;
        *at = old->next;
        free(old);
    }
    o->next = f->outputs;
    f->outputs = o;
}

void rg__farm_outputs_free(struct rg_farm *f)
{
    for (struct farm_outputs *o = f->outputs, *next; o; o = next) {
        next = o->next;
        free(o);
    }
    f->outputs = NULL;
}

static enum rg_status hash_case(struct rg_farm *f, const struct rg_case *c, struct rg_case_evidence *out,
                                struct rg_error *err)
{
    const struct rg_problem *p = f->problem;
    struct rg_arena a = RG_ARENA_INIT;
    struct rg_layout l;
    struct rg_mapping m = {NULL, 0, NULL};
    enum rg_status s = rg__layout(&a, p, &p->sizes[c->size], true, &l, err);
    if (s == RG_OK) s = rg__shm_map(f->shm.fd, c->at, false, &m, err);
    if (s == RG_OK) {
        struct rg_sha256 *inputs = rg_sha256_new(), *reference = rg_sha256_new();
        const char *base = m.data;
        for (int i = 0; i < l.n; i++) {
            const struct rg_slot *t = &l.slots[i];
            if (t->input >= 0) rg_sha256_add(inputs, base + t->input, (size_t)t->bytes);
            if (t->expect >= 0) rg_sha256_add(reference, base + t->expect, (size_t)t->bytes);
        }
        rg_sha256_end(inputs, out->inputs);
        rg_sha256_end(reference, out->reference);
        if (!c->expected) out->reference[0] = 0; /* a timed case's place is the anchor's */
    }
    rg__shm_unmap(&m);
    rg_arena_release(&a);
    return s;
}

bool rg_farm_doubts(const struct rg_farm *f, const struct rg_source *src)
{
    char key[65];
    rg__farm_key(src, key);
    for (const struct farm_outputs *o = f->outputs; o; o = o->next)
        if (!strcmp(o->key, key)) return o->cases_version < f->doubt_from;
    return true;
}

double rg_farm_case_bytes(const struct rg_farm *f)
{
    double sum = 0;
    for (int i = 0; i < f->n_cases; i++) sum += (double)f->cases[i].at.len;
    return sum;
}

enum rg_status rg_farm_evidence(struct rg_farm *f, const struct rg_source *src, struct rg_case_evidence **out, int *n,
                                struct rg_error *err)
{
    char key[65] = "";
    const struct farm_outputs *o = NULL;
    if (src) {
        rg__farm_key(src, key);
        for (o = f->outputs; o && strcmp(o->key, key);) o = o->next;
    }
    *n = 0;
    *out = rg_xcalloc((size_t)f->n_cases + 1, sizeof **out);
    enum rg_status s = RG_OK;
    for (int i = 0; i < f->n_cases && s == RG_OK; i++) {
        const struct rg_case *c = &f->cases[i];
        struct rg_case_evidence *e = &(*out)[(*n)++];
        e->size = c->size;
        e->seed = c->seed;
        e->timed = c->timed;
        e->again = c->again;
        s = hash_case(f, c, e, err);
        for (int k = 0; o && k < o->n; k++)
            if (o->items[k].size == c->size && o->items[k].seed == c->seed && o->items[k].timed == c->timed)
                snprintf(e->outputs, sizeof e->outputs, "%016llx", (unsigned long long)o->items[k].hash);
    }
    return s;
}
