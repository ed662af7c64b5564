#include <stdlib.h>
#include <math.h>
#include <stdio.h>
typedef struct { int rows, cols; float *data; } Matrix;
typedef struct { Matrix W; float *bias; Matrix out; } Dense;
typedef struct { Dense *layers; int count; } Model;
static Matrix matrix_make(int r, int c) { Matrix m = {r, c, malloc(sizeof(float) * r * c)}; return m; }
static void dense(const Dense *d, const Matrix *in)
{
    for (int i = 0; i < in->rows; i++)
        for (int j = 0; j < d->W.cols; j++) {
            float s = d->bias[j];
            for (int k = 0; k < d->W.rows; k++) s += in->data[i * in->cols + k] * d->W.data[k * d->W.cols + j];
            d->out.data[i * d->out.cols + j] = tanhf(s);
        }
}
void predict(int batch, int width, int depth, const float *input, const float *weights, float *output)
{
    Model m;
    m.count = depth;
    m.layers = malloc(depth * sizeof(Dense));
    for (int l = 0; l < m.count; l++) {
        Dense *d = m.layers + l;
        d->W = matrix_make(width, width);
        d->out = matrix_make(batch, width);
        d->bias = malloc(sizeof(float) * width);
        for (int i = 0; i < width * width; i++) d->W.data[i] = weights[l * width * width + i];
        for (int i = 0; i < width; i++) d->bias[i] = 0.01f * i;
    }
    Matrix x = matrix_make(batch, width);
    for (int i = 0; i < batch * width; i++) x.data[i] = input[i];
    for (int l = 0; l < m.count; l++) dense(&m.layers[l], l == 0 ? &x : &m.layers[l - 1].out);
    for (int i = 0; i < batch * width; i++) output[i] = m.layers[depth - 1].out.data[i];
    for (int l = 0; l < m.count; l++) { free(m.layers[l].W.data); free(m.layers[l].out.data); free(m.layers[l].bias); }
    free(m.layers);
    free(x.data);
}
int main(void)
{
    int batch = 64, width = 96, depth = 4;
    float *in = malloc(sizeof(float) * batch * width), *w = malloc(sizeof(float) * depth * width * width), *out = malloc(sizeof(float) * batch * width);
    for (int i = 0; i < batch * width; i++) in[i] = (i % 9) * 0.1f;
    for (int i = 0; i < depth * width * width; i++) w[i] = ((i * 7) % 13 - 6) * 0.02f;
    predict(batch, width, depth, in, w, out);
    printf("%g\n", out[0]);
    return 0;
}
