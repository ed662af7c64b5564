// function: settles
// function: drops
// function: signless
// function: endless
#include <stddef.h>
/* rounds that are counted down, and left early: what is left of them is asked behind the loop */
#pragma regraph size(n=30, rounds=9)
int settles(int n, int rounds, int *x)
{
    int sum = 0;
    while (rounds-- > 0) {
        sum = 0;
        for (int i = 0; i < n; i++) sum += x[i] & 31;
        if (sum < 60 * n / 9) break;
        for (int i = 0; i < n; i++) x[i] += 5 + (rounds & 1);
    }
    return sum * 100 + rounds;
}
// explain(settles): k < rounds && go_on; k++
#pragma regraph size(n=30, rounds=2)
int drops(int n, int rounds, int *x)
{
    int left = rounds;
    while (left-- > 0) {
        int most = 0;
        for (int i = 0; i < n; i++) most = x[i] > most ? x[i] : most;
        if (most < -5) break;
        for (int i = 0; i < n; i++) x[i] -= most / 3;
    }
    return left;
}
// explain(drops): k < rounds && go_on; k++
#pragma regraph size(n=30, rounds=4)
unsigned signless(int n, unsigned rounds, int *x)
{
    while (rounds--) {
        int any = 0;
        for (int i = 0; i < n; i++) any |= x[i] & 64;
        if (!any) break;
        for (int i = 0; i < n; i++) x[i] = x[i] * 3 + 1;
    }
    return rounds;
}
// explain(signless): k < rounds && go_on; k++
/* below 0 it would go on: no count of rounds */
#pragma regraph size(n=30, rounds=4)
int endless(int n, int rounds, int *x)
{
    int left = rounds - 7;
    while (left--) {
        int any = 0;
        for (int i = 0; i < n; i++) any += x[i];
        if (any > 100 * n) break;
        for (int i = 0; i < n; i++) x[i] += 11;
    }
    return left;
}
// explain(endless): for (; left--; )
