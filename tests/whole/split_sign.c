#include <stdlib.h>
#include <stdio.h>

/* Gains to the front of `out`, losses from its end; returns how many gains. */
int split(int n, const double *change, double *out)
{
    int front = 0, back = n;
    for (int i = 0; i < n; i++)
        if (change[i] >= 0)
            out[front++] = change[i];
        else
            out[--back] = change[i];
    return front;
}

/* The same into two lists, with the places. */
void lists(int n, const double *change, int *gain_at, int *loss_at, int count[2])
{
    int g = 0, l = 0;
    for (int i = 0; i < n; i++) {
        if (change[i] > 0.1) { gain_at[g] = i; g++; }
        else if (change[i] < -0.1) { loss_at[l] = i; l++; }
    }
    count[0] = g;
    count[1] = l;
}

int main(void)
{
    double c[4] = {1, -1, 2, -2}, o[4];
    printf("%d\n", split(4, c, o));
    return 0;
}
