/* Members of C structs as members of JSON objects: one table of a struct both writes it and reads it. */
#ifndef RG_BASE_JSON_MEMBERS_H
#define RG_BASE_JSON_MEMBERS_H
#include "base/json_util.h"
#include <rg/arena.h>

enum rg_member_type {
    RG_MEMBER_INT,      /* int64_t */
    RG_MEMBER_SMALL,    /* int */
    RG_MEMBER_REAL,     /* double; null where it is no finite number, which reads as NaN */
    RG_MEMBER_ANY_REAL, /* double; "inf" and "-inf" besides */
    RG_MEMBER_BOOL,
    RG_MEMBER_TEXT,  /* const char *, the arena's once read; NULL is written as "" */
    RG_MEMBER_CHARS, /* char [size]: cut where it is longer */
    RG_MEMBER_HEX,   /* char [size]: size - 1 digits, or "" */
    RG_MEMBER_WORD,  /* an enum from 0 on, by `words` */
    RG_MEMBER_INTS,  /* int64_t *, the arena's once read; how many: the int at `count` */
    RG_MEMBER_ITEMS, /* a pointer to structs of `size` bytes with the table `of`; how many: the int at `count` */
    RG_MEMBER_OWN    /* by `write` and `read` */
};

enum rg_member_how {
    RG_MEMBER_MAY_LACK = 1, /* missing, or null where that is no value: what stands there stays */
    RG_MEMBER_IF_SET = 2,   /* written only where it is not 0, NULL or "", or what `write` gives; may lack */
    RG_MEMBER_OR_NULL = 4   /* TEXT, HEX: null where it is ""; may lack */
};

struct rg_member {
    const char *key; /* "a.b": member b of the object a. NULL: the table's end */
    enum rg_member_type type;
    unsigned how;
    size_t at, size, count;   /* in the struct */
    int64_t least, most;      /* INT, SMALL: its range, unless both are 0; INTS, ITEMS: `most` of them */
    const char *const *words; /* ends with NULL */
    const struct rg_member *of;
    json_t *(*write)(const void *at); /* new reference; NULL: nothing is written */
    bool (*read)(const json_t *v, void *at, struct rg_arena *a);
};

struct rg_member_fault {
    const char *key, *what; /* "is missing", "is no string", ... */
};

void rg_member_put(json_t *o, const struct rg_member *m, const void *s);
void rg_members_put(json_t *o, const struct rg_member *table, const void *s);
json_t *rg_members_json(const struct rg_member *table, const void *s); /* an object of its own */
/* Into *s, which holds what stands where nothing is said. False: a member is wrong or lacks, and stayed as it was;
 * *fault (may be NULL) is the first one. All others are read. */
bool rg_member_read(const json_t *o, const struct rg_member *m, void *s, struct rg_arena *a,
                    struct rg_member_fault *fault);
bool rg_members_read(const json_t *o, const struct rg_member *table, void *s, struct rg_arena *a,
                     struct rg_member_fault *fault);

/* ---- records that several files have ---- */
struct rg_counter;
struct rg_evaluation;
extern const struct rg_member rg_evaluation_members[]; /* struct rg_evaluation, but for what the clock says of it */
extern const struct rg_member rg_evaluation_clock_members[];
/* Both. Unknown words and wrong types become "crash" and zeros: a line that was written is complete, a foreign one
 * harmless. */
void rg_evaluation_read(const json_t *j, const json_t *clock, struct rg_evaluation *e);
extern const struct rg_member rg_tunables_members[];         /* struct rg_tunables: "tunables" and "require" */
extern const struct rg_member rg_link_members[];             /* struct rg_link: an action of a chain */
json_t *rg_counters_json(const struct rg_counter *c, int n); /* {"NAME": value} */
/* RG_MAX_COUNTERS at most. */
bool rg_counters_read(const json_t *v, struct rg_counter *c, int *n);
#endif
