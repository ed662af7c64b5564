#include <math.h>
#include <stdbool.h>

struct spread {
    double total, widest;
    int used;
};

/* How far the measurements of each station lie from their own mean, over the stations that report: those without a
   working sensor are left out. */
void station_spread(int stations, int hours, const float *level, const bool *works, struct spread *out)
{
    double total = 0.0, widest = 0.0;
    int used = 0;

    for (int s = 0; s < stations; s++) {
        if (!works[s])
            continue;
        const float *row = level + (long)s * hours;
        double mean = 0.0, off = 0.0;
        for (int h = 0; h < hours; h++)
            mean += row[h];
        mean /= hours;
        for (int h = 0; h < hours; h++)
            off += fabs(row[h] - mean);
        used++;
        total += off / hours;
        if (off > widest)
            widest = off;
    }
    out->total = total;
    out->widest = widest;
    out->used = used;
}
