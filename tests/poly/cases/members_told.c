// Members of one element, set in front of the loop and counted on conditions in it, are scalars there. want: parallel
#pragma regraph size(n=60, tries=700) size(n=3, tries=5) size(n=1, tries=1)
// chain: reduce.block@loop:k
// shows: __syncthreads|__shfl
typedef struct {
    long wins, losses;
    double sum;
} tally;
void members_told(int n, int tries, const float *restrict x, tally *restrict out)
{
    for (int i = 0; i < n; i++) {
        tally *t = &out[i];
        t->wins = t->losses = 0;
        t->sum = 0;
        for (int k = 0; k < tries; k++) {
            float v = x[i * tries + k];
            if (v > 0.5f)
                t->wins++;
            else if (v < 0.25f)
                t->losses++;
            t->sum += v;
        }
    }
}
