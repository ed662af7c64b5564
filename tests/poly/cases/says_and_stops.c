// A message to a stream before the program ends, as in loops that must end. want: parallel
// chain: parallelize
// shows: rg_exit
#pragma regraph extent(a: n) extent(b: n) input(a: uniform(1, 1000)) size(n=1000) size(n=33)
#include <stdio.h>
#include <stdlib.h>
void lengths(int n, const int *restrict a, int *restrict b)
{
    for (int i = 0; i < n; i++) {
        int k = a[i], rounds = 0;
        while (k != 1) {
            k = k % 2 ? 3 * k + 1 : k / 2;
            if (++rounds == 100000) {
                fprintf(stderr, "%d: too long\n", a[i]);
                exit(1);
            }
        }
        b[i] = rounds;
    }
}
