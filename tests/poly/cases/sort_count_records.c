// Records in order of an age in another array, by counting: equal ones keep their order. want: parallel
// chain: parallelize@C
// shows: rg_sort_tile.*age
#include <stdlib.h>
struct person {
    int age, id;
    float score;
};
#pragma regraph size(n=3000) size(n=40)
#pragma regraph extent(out: n)
void by_age(const struct person *in, struct person *out, int n)
{
    int *start = calloc(101, sizeof(int));
    for (int i = 0; i < n; i++) start[in[i].age + 1]++;
    for (int a = 0; a < 100; a++) start[a + 1] += start[a];
    for (int i = 0; i < n; i++) out[start[in[i].age]++] = in[i];
    free(start);
}
