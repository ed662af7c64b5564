/* The inside of rg__fills_first. */
#ifndef RG_FRONTEND_FILLED_FIRST_PARTS_H
#define RG_FRONTEND_FILLED_FIRST_PARTS_H
#include "frontend/normalise/filled_first.h"

enum { RG__MAX_REGIONS = 24, RG__FILLED_FLAGS = 4 };

struct rg__region { /* elements that are certainly written: a box, and a piece of the array's memory, ends included */
    bool is_box, is_piece;
    const char *member; /* of each of them; NULL: all of the element */
    struct rg__poly low[RG__FILLED_DIMS], high[RG__FILLED_DIMS], from, to;
};

struct rg__filled { /* what is certainly written so far */
    int n;
    struct rg__region items[RG__MAX_REGIONS];
};

struct rg__filled_check {
    struct rg_ctree *t;
    const struct rg_struct *of; /* what the elements are; NULL: scalars */
    int array, n_dims;
    struct rg__poly row[RG__FILLED_DIMS], end; /* elements below each dimension, and the place of the last of all */
    struct rg__range *r;
    bool failed;  /* a read of something that is not certainly written, or code that says nothing */
    bool writing; /* only what is written is asked for */
    const struct rg_cnode *body;
    int at;   /* which of the body's statements is looked at */
    int last; /* the last of them that writes, where every run writes the same elements, and nobody else any; else -1 */
    bool *counts; /* by variable: it stands in a subscript of the array */
    int n_flags;
    const struct rg_cnode *flags[RG__FILLED_FLAGS]; /* declarations of what conditions came to, here */
    struct rg__listed {
        bool set;
        int list, count; /* the elements that the list, an array, names up to its count, a scalar, are written */
    } listed;
    int n_begun; /* loops around that go on by a flag: what holds wherever an iteration of theirs begins */
    const struct rg_cnode *begun[RG__MAX_NEST], *begun_by[RG__MAX_NEST];
};

/* What is known of values, to come back to: a part of the code changes it that may not run, or runs again. */
struct rg__filled_known {
    int n;
    struct rg__poly facts[RG__MAX_FACTS];
};

/* ---- filled_first_regions.c ---- */
bool rg__filled_whole(struct rg__filled_check *c, const struct rg__filled *f); /* is all of the array written? */
/* Is the element written? member NULL: all of it, which its members may have been written to one by one. */
bool rg__filled_covered(struct rg__filled_check *c, const struct rg__filled *f, const struct rg_cnode *index,
                        const char *member);
/* Of an array of one dimension (n_dims 1) also what the region is together with one that ends where it begins. */
void rg__filled_add(struct rg__filled *f, const struct rg__region *x, int n_dims);
/* What the region of an iteration is over all of them, or up to the one in front of that which runs (`before`). False:
 * nobody knows. */
bool rg__filled_over_loop(struct rg__filled_check *c, const struct rg_cnode *loop, bool before, struct rg__region *x);
bool rg__filled_same_region(const struct rg__filled_check *c, const struct rg__region *x, const struct rg__region *y);

/* ---- filled_first_values.c ---- */
/* Is it a value that the code changes? */
bool rg__filled_changed(const struct rg__filled_check *c, const struct rg__poly *p, const struct rg_cnode *code);
/* Regions whose ends the code changes are no longer known, nor are values that it changes. */
void rg__filled_forget(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *code);
/* The scalar that `n += by` moves; -1: it is something else. */
int rg__filled_stepped(struct rg__filled_check *c, const struct rg_cnode *s, struct rg__poly *by);
/* Regions and values in terms of what the variable is behind the step. */
void rg__filled_shift_all(struct rg__filled_check *c, struct rg__filled *f, int var, const struct rg__poly *by);
/* `int taken = a < b;` says what that variable is, until something sets it or what it speaks of. */
void rg__filled_note_flag(struct rg__filled_check *c, const struct rg_cnode *s);
/* What the condition is, if it is such a variable. */
const struct rg_cnode *rg__filled_flag(const struct rg__filled_check *c, const struct rg_cnode *condition);
/* Those that the code may set, or what they speak of, say nothing any more. */
void rg__filled_drop_flags(struct rg__filled_check *c, const struct rg_cnode *code);
/* What the condition says is known as long as `code` changes nothing that it names. */
void rg__filled_assume(struct rg__filled_check *c, const struct rg_cnode *condition, bool holds,
                       const struct rg_cnode *code);
/* What holds wherever an iteration of the LOOP begins, which goes on by a flag that its last statement sets: asked in
 * front of the loop, where it holds for the first one. NULL: nobody knows. */
const struct rg_cnode *rg__filled_begins(struct rg__filled_check *c, const struct rg_cnode *loop);
/* To be freed. */
struct rg__filled_known *rg__filled_known_now(const struct rg__filled_check *c);
void rg__filled_known_again(struct rg__filled_check *c, const struct rg__filled_known *k);
/* `int j = i - 1;`: both are the same until one of them changes. */
void rg__filled_note_value(struct rg__filled_check *c, struct rg__filled *f, const struct rg_cnode *s);
/* Behind a loop: counters that it only moves up, and surely does. */
void rg__filled_note_steps(struct rg__filled_check *c, const struct rg_cnode *s);
/* May an iteration end before its last statement? */
bool rg__filled_leaves(const struct rg_cnode *body);

/* ---- filled_first_listed.c ---- */
/* Behind the loop: does it write to all elements that a list names? Sets c->listed. */
void rg__filled_note_listed(struct rg__filled_check *c, const struct rg_cnode *s);
/* Is the element that is read here on that list, by a mark that everybody on it has? */
bool rg__filled_listed(struct rg__filled_check *c, const struct rg_cnode *index);

/* ---- filled_first_same.c ---- */
/* Sets c->last. */
void rg__filled_find_last(struct rg__filled_check *c, const struct rg_cnode *const *around, int n_around);
#endif
