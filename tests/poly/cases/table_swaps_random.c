// The table is a permutation that does not lead back: the loop is run as it stands. want: parallel
// chain: parallelize@C
// shows: leads_back
#pragma regraph size(n=50) size(n=7) input(t: permutation)
void reorder(int n, const unsigned *t, float *x)
{
    for (int i = 0; i < n; i++)
        if (i < (int)t[i]) {
            float a = x[i];
            x[i] = x[t[i]];
            x[t[i]] = a * 0.5f;
        }
}
