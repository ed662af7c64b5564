/* How near a device's estimates were found to be to measured times: what its file in runtime/devices states, and
 * whether that is enough to go by them. */
#ifndef RG_RUNTIME_ACCURACY_H
#define RG_RUNTIME_ACCURACY_H
#include <stdbool.h>
#include <stddef.h>

enum { RG_MAX_LOOKS = 8 };

struct rg_look { /* problems that were predicted before any was measured, and no constant set since with them in view */
    char when[11]; /* 2026-11-21 */
    int problems;
    double spearman_median, spearman_worst; /* of a problem's variants: estimated against measured */
    double pairs;                           /* share of the pairs more than 1.2x apart that are ordered right */
    int top3;                               /* problems whose best variant is among the three estimated fastest */
    int regret_small;                       /* problems whose first choice takes at most 1.15x the best's time */
    double regret_worst;                    /* >= 1 */
    double within;                          /* share of the estimates within 1.5x of the measured time, either way */
};

struct rg_accuracy {
    int n; /* 0: nobody has looked */
    struct rg_look looks[RG_MAX_LOOKS];
};

/* Does every look meet the goals (docs/sim.md)? If not, `why` says what was found and asked, in words. */
bool rg__accuracy_good(const struct rg_accuracy *a, char *why, size_t size);
#endif
