// Three buffers in turn: a near miss, which is no choice of one of two. want: parallel
// chain: parallelize@C
// lacks: now
static float ring[3][2000];
static int at;
#pragma regraph size(steps=4) size(steps=3) input(at: uniform(0, 2))
void current_three(int steps, float *out)
{
    for (int s = 0; s < steps; s++) {
        for (int i = 1; i < 1999; i++)
            ring[(at + 1) % 3][i] = 0.5f * (ring[at][i - 1] + ring[at][i + 1]);
        at = (at + 1) % 3;
    }
    for (int i = 0; i < 2000; i++)
        out[i] = ring[at][i];
}
