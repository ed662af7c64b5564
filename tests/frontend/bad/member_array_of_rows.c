// expect: member_array_of_rows.c:3:57: the member 'g.of' leads to an array of structures that hold pointers
struct list { int *at, n; };
struct graph { int n; float *weight, *sum; struct list *of; };

static float sum_of(const struct graph *g, int i)
{
    float s = 0;
    for (int k = 0; k < g->of[i].n; k++) s += g->weight[g->of[i].at[k]];
    return s;
}

void sums(struct graph *g)
{
    for (int i = 0; i < g->n; i++) g->sum[i] = sum_of(g, i);
}
