/* activation functions by name: a table of function pointers */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef float (*activation_fn)(float);

static float relu(float x) { return x > 0 ? x : 0; }
static float leaky(float x) { return x > 0 ? x : 0.01f * x; }
static float sigmoid(float x) { return 1.0f / (1.0f + expf(-x)); }
static float softplus(float x) { return log1pf(expf(x)); }

enum { ACT_RELU, ACT_LEAKY, ACT_SIGMOID, ACT_SOFTPLUS, N_ACT };

static const activation_fn activations[N_ACT] = { relu, leaky, sigmoid, softplus };

static void map(float *v, int n, activation_fn f)
{
    for (int i = 0; i < n; i++) v[i] = f(v[i]);
}

void layer_forward(const float *w, const float *bias, const float *in, float *hidden, float *out,
                   int n_in, int n_hidden, int n_out, int act)
{
    for (int h = 0; h < n_hidden; h++) {
        float s = bias[h];
        for (int i = 0; i < n_in; i++) s += w[h * n_in + i] * in[i];
        hidden[h] = activations[act](s);
    }
    for (int o = 0; o < n_out; o++) {
        float s = 0;
        for (int h = 0; h < n_hidden; h++) s += hidden[h] * w[(o * n_hidden + h) % (n_hidden * n_in)];
        out[o] = s;
    }
    map(out, n_out, sigmoid);
}

int main(void)
{
    enum { A = 64, B = 32, C = 10 };
    static float w[A * B], bias[B], in[A], hid[B], out[C];
    for (int i = 0; i < A * B; i++) w[i] = (float)rand() / RAND_MAX - 0.5f;
    layer_forward(w, bias, in, hid, out, A, B, C, ACT_RELU);
    printf("%f\n", out[0]);
    return 0;
}
