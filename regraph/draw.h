/* How steps and edges look, shared by the pictures. */
#ifndef REGRAPH_DRAW_H
#define REGRAPH_DRAW_H
#include "regraph/internal.h"

#include <rg/regraph_tools.h>
#include <stdio.h>

struct rg__drawn_edge {
    int edge, from, to; /* from: -1 @start */
    int rank;           /* among those out of its source, by score; 0 the strongest */
    struct rg_weight weight;
    double width; /* of the line, 0.6 to 8 */
    char color[8];
    bool barred, untried;
};

/* A layer for each category, in the order in which steps mostly follow each other. */
int rg__draw_layer(const char *category);
const char *rg__draw_category(int layer);
const char *rg__draw_fill(int layer); /* "#dcfce7" */
/* Which are drawn, the thin ones first; malloc'd. */
struct rg__drawn_edge *rg__draw_edges(const struct rg_regraph *g, const struct rg_regraph_picture *p, int *n);
#endif
