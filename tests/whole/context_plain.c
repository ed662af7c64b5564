/* One sweep over a polar grid whose description has no pointers. */
struct polar {
    int rings, spokes;
    double dr, dphi;
};

void polar_set(struct polar *p, int rings, int spokes)
{
    p->rings = rings;
    p->spokes = spokes;
    p->dr = 1.0 / rings;
    p->dphi = 6.283185307179586 / spokes;
}

void polar_laplace(const struct polar *grid, int rings, int spokes, const double *f, double *lap)
{
    if (grid->rings != rings || grid->spokes != spokes) return;
    for (int i = 1; i < grid->rings - 1; i++) {
        double r = (i + 0.5) * grid->dr;
        for (int j = 0; j < grid->spokes; j++) {
            int east = (j + 1) % grid->spokes, west = (j + grid->spokes - 1) % grid->spokes;
            const double *row = f + i * grid->spokes;
            double radial = (f[(i + 1) * spokes + j] - 2 * row[j] + f[(i - 1) * spokes + j]) / (grid->dr * grid->dr) +
                            (f[(i + 1) * spokes + j] - f[(i - 1) * spokes + j]) / (2 * r * grid->dr);
            lap[i * spokes + j] = radial + (row[east] - 2 * row[j] + row[west]) / (r * r * grid->dphi * grid->dphi);
        }
    }
}
