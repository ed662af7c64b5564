// A layer whose weights, gradients and momenta are arrays in one structure, which helpers go along as flat ones. want: parallel
// chain: parallelize@C, reduce.block@C
#pragma regraph size(n=300,rounds=3) size(n=7,rounds=2) input(rounds: uniform(1, 3))
#define IN 8
#define OUT 12
typedef struct {
    float w[OUT][IN], b[OUT], g[OUT][IN], gb[OUT], m[OUT][IN];
    float rate;
} layer;

static void apply(const float *w, const float *b, const float *in, float *out, int n_in, int n_out)
{
    for (int o = 0; o < n_out; o++) {
        float s = b[o];
        for (int i = 0; i < n_in; i++) s += w[o * n_in + i] * in[i];
        out[o] = s;
    }
}

static void step(float *w, float *m, const float *g, int n, float rate)
{
    for (int i = 0; i < n; i++) {
        m[i] = 0.5f * m[i] - rate * g[i];
        w[i] += m[i];
    }
}

void train(layer net[1], int n, int rounds, const float x[n * IN], const float want[n * OUT], float y[n * OUT])
{
    for (int r = 0; r < rounds; r++) {
        for (int s = 0; s < n; s++) apply(&net->w[0][0], net->b, x + s * IN, y + s * OUT, IN, OUT);
        for (int o = 0; o < OUT; o++) {
            float *row = net->g[o], sum = 0;
            for (int i = 0; i < IN; i++) {
                float g = 0;
                for (int s = 0; s < n; s++) g += (y[s * OUT + o] - want[s * OUT + o]) * x[s * IN + i] / n;
                row[i] = g;
            }
            for (int s = 0; s < n; s++) sum += (y[s * OUT + o] - want[s * OUT + o]) / n;
            net->gb[o] = sum;
        }
        step(net->w[0], net->m[0], &net->g[0][0], OUT * IN, 0.01f);
        for (int o = 0; o < OUT; o++) net->b[o] -= 0.01f * net->gb[o];
    }
}
