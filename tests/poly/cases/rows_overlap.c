// Rows that overlap at the sizes that are given are added up in their order, or by atomic operations. want: parallel
// chain: parallelize@C
#pragma regraph size(frames=20,hop=3,win=8) size(frames=7,hop=2,win=5)
void rows_overlap(const double *x, double *y, int frames, int hop, int win)
{
    for (int f = 0; f < frames; f++)
        for (int i = 0; i < win; i++) y[f * hop + i] += x[f * win + i];
}
