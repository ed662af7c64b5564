/* Bookings, sorted by day: the total of each day, in cents. */
#include <stdio.h>
#include <stdlib.h>

struct totals {
    int *day;
    long long *cents;
};

int total_by_day(int bookings, const int *day, const long long *cents, struct totals *out)
{
    int d = 0;
    out->day[0] = day[0];
    out->cents[0] = cents[0];
    for (int i = 1; i < bookings; i++) {
        if (day[i] == day[i - 1]) {
            out->cents[d] += cents[i];
        } else {
            d++;
            out->day[d] = day[i];
            out->cents[d] = cents[i];
        }
    }
    return d + 1;
}

int main(void)
{
    enum { N = 20000 };
    int *day = malloc(N * sizeof(int));
    long long *cents = malloc(N * sizeof(long long));
    struct totals t = {malloc(N * sizeof(int)), malloc(N * sizeof(long long))};
    for (int i = 0; i < N; i++) day[i] = i / 17, cents[i] = rand() % 10000;
    printf("%d\n", total_by_day(N, day, cents, &t));
    return 0;
}
