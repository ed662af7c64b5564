#include <stdlib.h>
#include <string.h>
#define Q 9
static const int cx[Q] = {0,1,0,-1,0,1,-1,-1,1};
static const int cy[Q] = {0,0,1,0,-1,1,1,-1,-1};
static const int opp[Q] = {0,3,4,1,2,7,8,5,6};
static const double w[Q] = {4./9,1./9,1./9,1./9,1./9,1./36,1./36,1./36,1./36};
typedef struct { int nx, ny; double tau; double *f, *g; unsigned char *solid; } lbm_t;
static lbm_t *sim;
lbm_t *lbm_new(int nx, int ny, double tau)
{
    lbm_t *s = calloc(1, sizeof *s);
    s->nx = nx; s->ny = ny; s->tau = tau;
    s->f = malloc(sizeof(double) * Q * nx * ny);
    s->g = malloc(sizeof(double) * Q * nx * ny);
    s->solid = calloc(nx * ny, 1);
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            int c = y * nx + x;
            double dx = x - nx / 4.0, dy = y - ny / 2.0;
            s->solid[c] = dx * dx + dy * dy < 25.0;
            for (int q = 0; q < Q; q++) s->f[c * Q + q] = w[q] * (1.0 + 0.01 * ((x * 7 + y * 3 + q) % 5));
        }
    return s;
}
static void step(lbm_t *s)
{
    const int nx = s->nx, ny = s->ny;
    for (int y = 0; y < ny; y++)
        for (int x = 0; x < nx; x++) {
            const double *f = &s->f[(y * nx + x) * Q];
            double rho = 0, ux = 0, uy = 0, feq;
            for (int q = 0; q < Q; q++) { rho += f[q]; ux += f[q] * cx[q]; uy += f[q] * cy[q]; }
            ux /= rho; uy /= rho;
            double usq = ux * ux + uy * uy;
            for (int q = 0; q < Q; q++) {
                int xn = (x + cx[q] + nx) % nx, yn = (y + cy[q] + ny) % ny;
                double out;
                if (s->solid[y * nx + x]) out = f[opp[q]];
                else {
                    double cu = cx[q] * ux + cy[q] * uy;
                    feq = w[q] * rho * (1 + 3 * cu + 4.5 * cu * cu - 1.5 * usq);
                    out = f[q] - (f[q] - feq) / s->tau;
                }
                s->g[(yn * nx + xn) * Q + q] = out;
            }
        }
    double *t = s->f; s->f = s->g; s->g = t;
}
void lbm_run(int nx, int ny, int steps, double tau, double *rho_out)
{
    sim = lbm_new(nx, ny, tau);
    for (int t = 0; t < steps; t++) step(sim);
    for (int i = 0; i < nx * ny; i++) {
        double r = 0;
        for (int q = 0; q < Q; q++) r += sim->f[i * Q + q];
        rho_out[i] = r;
    }
    free(sim->f); free(sim->g); free(sim->solid); free(sim);
}

#include <stdio.h>
int main(void)
{
    static double rho[64 * 48];
    double mass = 0;
    lbm_run(64, 48, 30, 0.8, rho);
    for (int i = 0; i < 64 * 48; i++) mass += rho[i];
    printf("%.12g\n", mass);
    return 0;
}
