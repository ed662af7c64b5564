#include <stdio.h>

typedef struct { int accepted, rejected, unsure; double weight; } Tally;

/* Accepted, rejected or unsure, by two thresholds, into one structure; and the weight of what was accepted. */
void screen(const int *scores, const double *weight, int n, int low, int high, Tally *t)
{
    t->accepted = t->rejected = t->unsure = 0;
    t->weight = 0.0;
    for (int i = 0; i < n; i++)
    {
        int s = scores[i];
        if (s >= high) { t->accepted++; t->weight += weight[i]; }
        else if (s < low) t->rejected++;
        else t->unsure++;
    }
}

int main(void)
{
    int s[3] = {1, 50, 99};
    double w[3] = {1, 2, 3};
    Tally t;
    screen(s, w, 3, 20, 80, &t);
    printf("%d %d %d %g\n", t.accepted, t.rejected, t.unsure, t.weight);
    return 0;
}
