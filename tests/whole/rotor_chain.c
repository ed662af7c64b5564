/* A ring of rotors, unit quaternions: each active one leans towards its neighbours, one after the other, then the
 * ring's twist is added up. Frozen ones, and those
 * that would turn too far, keep what they are. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define TRIES 3

typedef struct { double q[4]; } quat;

static const quat unit = {{1, 0, 0, 0}};
static const struct { double lean, stop; } rule = {0.25, 0.5};

static quat times(quat a, quat b)
{
    quat r;
    r.q[0] = a.q[0] * b.q[0] - a.q[1] * b.q[1] - a.q[2] * b.q[2] - a.q[3] * b.q[3];
    r.q[1] = a.q[0] * b.q[1] + a.q[1] * b.q[0] + a.q[2] * b.q[3] - a.q[3] * b.q[2];
    r.q[2] = a.q[0] * b.q[2] - a.q[1] * b.q[3] + a.q[2] * b.q[0] + a.q[3] * b.q[1];
    r.q[3] = a.q[0] * b.q[3] + a.q[1] * b.q[2] - a.q[2] * b.q[1] + a.q[3] * b.q[0];
    return r;
}

static unsigned hash(unsigned x)
{
    x ^= x >> 16;
    x *= 0x7feb352dU;
    x ^= x >> 15;
    return x * 0x846ca68bU;
}

static double draw(unsigned *key)
{
    *key = hash(*key + 1);
    return (*key >> 8) / 16777216.0;
}

double relax_ring(int n, int sweeps, const int *prev, const int *next, const unsigned char *colour, quat *ring, double *twist)
{
    double all = 0;
    long moved = 0;
    for (int s = 0; s < sweeps; s++) {
        for (int c = 0; c < 2; c++)
            for (int i = 0; i < n; i++)
                if (colour[i] == c) {
                    unsigned key = hash(i * 4u + s);
                    for (int t = 0; t < TRIES; t++) {
                        quat m = ring[i];
                        double len = 0;
                        for (int k = 0; k < 4; k++)
                            m.q[k] += rule.lean * (ring[prev[i]].q[k] + draw(&key) * ring[next[i]].q[k]);
                        for (int k = 0; k < 4; k++)
                            len += m.q[k] * m.q[k];
                        for (int k = 0; k < 4; k++)
                            m.q[k] /= sqrt(len);
                        if (m.q[0] > rule.stop || draw(&key) < rule.lean) {
                            ring[i] = m;
                            moved++;
                        }
                    }
                }
        double sum = 0;
        for (int i = 0; i < n; i++)
            sum += times(ring[i], ring[next[i]]).q[0];
        twist[s] = sum / n;
        quat turn = unit;
        for (int i = 0; i < 8; i++)
            turn = times(turn, ring[next[i % n]]);
        all += turn.q[0];
    }
    return all + moved;
}

void spin(int n, int *prev, int *next, unsigned char *colour, quat *ring)
{
    for (int i = 0; i < n; i++) {
        quat r = {{1, 0.3 * sin(i), 0.2 * cos(3 * i), 0.1}};
        double len = sqrt(r.q[0] * r.q[0] + r.q[1] * r.q[1] + r.q[2] * r.q[2] + r.q[3] * r.q[3]);
        for (int k = 0; k < 4; k++) ring[i].q[k] = r.q[k] / len;
        prev[i] = (i + n - 1) % n;
        next[i] = (i + 1) % n;
        colour[i] = i % 7 == 3 ? 2 : i & 1;
    }
}

int main(void)
{
    int n = 600, sweeps = 5, *p = malloc(n * sizeof *p), *q = malloc(n * sizeof *q);
    unsigned char *c = malloc(n);
    quat *ring = malloc(n * sizeof *ring);
    double twist[5];

    spin(n, p, q, c, ring);
    printf("%.9f", relax_ring(n, sweeps, p, q, c, ring, twist));
    printf(" %.9f\n", twist[4]);
    free(p), free(q), free(c), free(ring);
    return 0;
}
