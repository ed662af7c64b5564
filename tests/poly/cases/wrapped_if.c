// The same by a condition, which takes it back once: as long as a step is not more than the number. want: parallel
#pragma regraph size(n=30000,rate=7,base=100) size(n=70,rate=250,base=100) size(n=9,rate=3,base=3) size(n=40,rate=0,base=2)
void wrapped_if(int n, int rate, int base, const int *x, int *out, int *count)
{
    int acc = 0, ticks = 3;
    for (int i = 2; i < n; i++) {
        out[i] = x[i] * acc + ticks;
        acc += rate;
        if (acc >= base) {
            acc -= base;
            ticks += 2;
        }
    }
    *count = ticks * 1000 + acc;
}
