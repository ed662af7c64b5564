/* A step of the reasoning graph as coders see it. Owned by the regraph; read-only. */
#ifndef RG_STEP_H
#define RG_STEP_H
#include <rg/decls.h>
#include <rg/tunable.h>
#include <stdbool.h>
#include <stdint.h>

RG_BEGIN_DECLS

enum rg_once { RG_ONCE_NO, RG_ONCE_SITE, RG_ONCE_CANDIDATE };
enum rg_check_change {
    RG_CHECK_NONE,
    RG_CHECK_APPEARS,
    RG_CHECK_RISES,
    RG_CHECK_FALLS,
    RG_CHECK_DISAPPEARS,
    RG_CHECK_CHANGES
};
/* What a coder that writes text is asked for the step only with; the built-in coder knows better by itself. */
enum rg_needs {
    RG_NEEDS_NOTHING,
    RG_NEEDS_CODE,     /* device code: the step rewrites it */
    RG_NEEDS_LAUNCHES, /* several launches */
    RG_NEEDS_NO_BEST,  /* that nothing has verified yet */
    RG_NEEDS_BEST,     /* that the version is the best so far; a new best is asked for it first */
    RG_NEEDS_FORM      /* that the C has what the step is for, where the built-in coder can tell */
};

struct rg_step {
    const char *id; /* "tile.shared" */
    const char *title;
    const char *category;
    uint32_t when;     /* RG_TRAIT_ bits, all needed; 0: always */
    uint32_t limiters; /* 1 << enum rg_limiter; which bottleneck it relieves; 0: any */
    enum rg_once once;
    enum rg_needs needs;
    struct rg_tunables tunables; /* what the file proposes; a coder may narrow them */
    const char *poly;            /* poly's name for the edit, NULL: poly can't */
    const char *hint;
    const char *precondition;  /* a sentence for people and models */
    const char *check_pattern; /* PCRE2 over the CUDA source; NULL none */
    enum rg_check_change check_change;
    const char *example_before, *example_after; /* NULL none */
    const char *source;
    bool never; /* the expert bars it: no search takes it */
};
RG_END_DECLS
#endif
