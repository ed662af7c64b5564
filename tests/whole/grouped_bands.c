/* Frames of a signal in groups of bands: memory of a size that a variable gets behind its declaration, and that nobody
 * can say to be whole rows of the groups. */
#include <math.h>
#include <stdlib.h>

struct setting {
    int width, groups;
    const float *gain;
};

struct room {
    float *power, *share;
};

static void square(const struct setting *s, struct room *r, int frames, const float *signal)
{
    const int bands = s->width / s->groups;

    for (int t = 0; t < frames; t++)
        for (int g = 0; g < s->groups; g++) {
            float *p = r->power + (t * s->groups + g) * bands;

            for (int i = 0; i < bands; i++) p[i] = signal[(t * s->groups + g) * bands + i];
            for (int i = 0; i < bands; i++) p[i] *= p[i];
        }
}

static void weigh(const struct setting *s, struct room *r, int frames)
{
    const int bands = s->width / s->groups;

    for (int g = 0; g < s->groups; g++)
        for (int t = 0; t < frames; t++) {
            const float *p = r->power + (t * s->groups + g) * bands;
            float *out = r->share + (t * s->groups + g) * bands;
            float sum = 1e-6f;

            for (int i = 0; i < bands; i++) sum += p[i];
            for (int i = 0; i < bands; i++) out[i] = p[i] / sum * s->gain[g];
        }
}

int shares(const struct setting *s, int frames, const float *signal, float *out)
{
    struct room r;
    int used;

    if (s->groups < 1 || s->width % s->groups) return -1;
    used = s->width / s->groups * s->groups;
    r.power = malloc(sizeof(float) * frames * used);
    r.share = malloc(sizeof(float) * frames * used);
    if (!r.power || !r.share) abort();
    square(s, &r, frames, signal);
    weigh(s, &r, frames);
    for (int t = 0; t < frames; t++)
        for (int g = 0; g < s->groups; g++) {
            const float *share = r.share + (t * s->groups + g) * (s->width / s->groups);

            out[t * s->groups + g] = sqrtf(share[0]);
        }
    free(r.power);
    free(r.share);
    return 0;
}
