// Importance of pages, updated in place until no page moves by more than eps.
// In place converges faster; where it ends does not depend on the order.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

struct Web {
    int pages, links;
    const int *begin;   // pages + 1
    const int *source;  // who links here
    const int *fanout;  // of each page, 1 at least
};

static double incoming(const struct Web *web, const double *rank, int page)
{
    double s = 0;
    for (int k = web->begin[page]; k < web->begin[page + 1]; k++) {
        int from = web->source[k];
        s += rank[from] / (8 + web->fanout[from]);
    }
    return s;
}

int settle(const struct Web *web, double damping, double eps, int at_most, double *rank)
{
    int round;
    for (int p = 0; p < web->pages; p++) rank[p] = 1.0;
    for (round = 0; round < at_most; round++) {
        double largest = 0;
        for (int p = 0; p < web->pages; p++) {
            double next = (1 - damping) + damping * incoming(web, rank, p);
            double by = fabs(next - rank[p]);
            if (by > largest) largest = by;
            rank[p] = next;
        }
        if (largest < eps) break;
    }
    return 0;
}

int main(void)
{
    enum { P = 500, L = 4 };
    int *begin = malloc((P + 1) * sizeof(int)), *source = malloc(P * L * sizeof(int)), *fanout = malloc(P * sizeof(int));
    double *rank = malloc(P * sizeof(double));
    for (int p = 0; p <= P; p++) begin[p] = p * L;
    for (int k = 0; k < P * L; k++) source[k] = (k * 7919) % P;
    for (int p = 0; p < P; p++) fanout[p] = L;
    struct Web web = { P, P * L, begin, source, fanout };
    settle(&web, 0.85, 1e-12, 1000, rank);
    printf("%g\n", rank[1]);
    return 0;
}
