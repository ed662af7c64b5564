typedef float real;
typedef real scalar_t;
struct params { real dt, eps; int steps_ignored; };
typedef struct { scalar_t pos[3]; scalar_t vel[3]; int id; } particle;
#pragma regraph size(n=400)
void advance(struct params p, particle *ps, int n)
{
    for (int i = 0; i < n; i++) {
        for (int d = 0; d < 3; d++) {
            ps[i].pos[d] += p.dt * ps[i].vel[d];
            if (ps[i].pos[d] > 1.0f || ps[i].pos[d] < -1.0f)
                ps[i].vel[d] = -ps[i].vel[d] * p.eps;
        }
    }
}
