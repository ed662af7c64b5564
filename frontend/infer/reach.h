/* Sizes that are as large as the data of some arrays lead. */
#ifndef RG_FRONTEND_REACH_H
#define RG_FRONTEND_REACH_H
#include <stdbool.h>
#include <stdint.h>

struct rg__load;
struct rg_expr;

enum { RG__MAX_REACH = 4 };

/* Such a size is the largest of the elements of arrays, each times a number and so much more. */
struct rg__reach {
    int n;
    bool run;    /* its elements bound a loop */
    bool counts; /* and are numbers of elements, no places among all */
    bool rows;   /* it is how long the longest row is of those that a member leads to in an array of structures */
    bool text;   /* that is how long its string is, with its zero, of the one array that is noted */
    bool loose;  /* nobody may ask the data for it: elements that are never looked at may be anything; callers say it */
    bool early;  /* made before other sizes were known: its values are not chosen yet */
    int beside;  /* an array parameter of known extent that is led to alike: as many elements; 0: none, else 1 + it */
    struct rg__reach_from {
        int of; /* an array parameter */
        int64_t times, more;
    } from[RG__MAX_REACH];
};

/* Extents that nothing else says, as such sizes. */
void rg__reach_extents(struct rg__load *l);
/* Those alone of the rows that a member leads to in an array of structures. */
void rg__reach_rows(struct rg__load *l);
/* The values that the file's own program has, which said its sizes once more. */
void rg__reach_made(struct rg__load *l);
/* The size that is the largest element of the array parameter, `row.end`, where a stated extent names it, though what
 * leads so far is not read off yet: the parameter that it is from here on. -1: no extent does, or there is none. */
int rg__reach_end_stated(struct rg__load *l, int param);
int rg__reach_end(struct rg__load *l, int param); /* the same whatever is stated */
/* Their values once more, when all other sizes are known. need: rg__sizes_needed(). */
void rg__reach_sizes_again(struct rg__load *l, const bool *need);
/* The numbers of elements of such rows stay within it, where nobody says what they are. */
void rg__reach_row_inputs(struct rg__load *l);
/* The value of parameter `param`, which is one, in C; text: that of another parameter, of a column what element rg_k
 * is, NULL where it has none. NULL: one that it needs has none. */
const char *rg__reach_in_c(struct rg__load *l, int param, const char *(*text)(struct rg__load *l, int param));
const char *rg__size_in_c(struct rg__load *l, const struct rg_expr *e,
                          const char *(*text)(struct rg__load *l, int param)); /* the same of an expression of sizes */
/* Of a row that such a size is the longest of, behind a member of element rg_k: how many elements it has. */
const char *rg__reach_row_in_c(struct rg__load *l, const struct rg__reach *r,
                               const char *(*text)(struct rg__load *l, int param));
#endif
