/* The inside of rg__canon_automata: scalars of a loop that hold one of a few numbers. */
#ifndef RG_FRONTEND_AUTOMATA_H
#define RG_FRONTEND_AUTOMATA_H
#include "frontend/normalise/canon.h"

enum { RG__AUTOMATON_SCALARS = 4, RG__AUTOMATON_STATES = 16 };

struct rg__values { /* the numbers that an expression may be, in order */
    int n;          /* -1: nobody knows */
    int64_t v[RG__AUTOMATON_STATES];
};

struct rg__automaton {
    struct rg_ctree *t;
    struct rg_cnode *loop, *body;
    int n_vars; /* when it began; the arrays are that long */
    bool may_alias;
    bool *wanted; /* [var] written in the body: the scalars, and what they are made of */
    bool *led;    /* [var] of those: the scalars, and what is made of them */
    int n, var[RG__AUTOMATON_SCALARS];
    int64_t first[RG__AUTOMATON_SCALARS];        /* in front of the loop */
    struct rg__values of[RG__AUTOMATON_SCALARS]; /* all that they are in front of an iteration */
    int states, bits;                            /* the product of these; of a field that holds a state's number */
};

/* ---- automata_step.c ---- */
/* Which of them it is; -1. */
int rg__values_place(const struct rg__values *s, int64_t v);
/* May the states lead to the element, by subscript d of the INDEX? */
bool rg__automaton_inside(const struct rg__automaton *a, const struct rg_cnode *index, int d);
/* Sets of, states and bits. False: there are too many. */
bool rg__automaton_states(struct rg__automaton *a);
/* Statements that set the fields of w, which is 0, to what becomes of each state. */
void rg__automaton_words(struct rg__automaton *a, int w, struct rg__kids *out);
#endif
