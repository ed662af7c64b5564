/* vertex normals of a triangle mesh kept by the loader in file-scope tables */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>

struct triangle { int a, b, c; };
static float (*vertex)[3];
static float (*normal)[3];
static struct triangle *face;
static int n_vertices, n_faces;

void mesh_normals(void)
{
    for (int v = 0; v < n_vertices; v++) normal[v][0] = normal[v][1] = normal[v][2] = 0;
    for (int t = 0; t < n_faces; t++) {
        const float *p = vertex[face[t].a], *q = vertex[face[t].b], *r = vertex[face[t].c];
        float u[3], w[3], n[3];
        for (int k = 0; k < 3; k++) {
            u[k] = q[k] - p[k];
            w[k] = r[k] - p[k];
        }
        n[0] = u[1] * w[2] - u[2] * w[1];
        n[1] = u[2] * w[0] - u[0] * w[2];
        n[2] = u[0] * w[1] - u[1] * w[0];
        for (int k = 0; k < 3; k++) {
            normal[face[t].a][k] += n[k];
            normal[face[t].b][k] += n[k];
            normal[face[t].c][k] += n[k];
        }
    }
    for (int v = 0; v < n_vertices; v++) {
        float l = sqrtf(normal[v][0] * normal[v][0] + normal[v][1] * normal[v][1] + normal[v][2] * normal[v][2]);
        if (l > 0)
            for (int k = 0; k < 3; k++) normal[v][k] /= l;
    }
}

int main(void)
{
    int side = 200;
    n_vertices = side * side;
    n_faces = 2 * (side - 1) * (side - 1);
    vertex = malloc(n_vertices * sizeof *vertex);
    normal = malloc(n_vertices * sizeof *normal);
    face = malloc(n_faces * sizeof *face);
    for (int i = 0, t = 0; i < side; i++)
        for (int j = 0; j < side; j++) {
            vertex[i * side + j][0] = i;
            vertex[i * side + j][1] = j;
            vertex[i * side + j][2] = sinf(0.1f * i) * cosf(0.1f * j);
            if (i + 1 < side && j + 1 < side) {
                struct triangle x = {i * side + j, (i + 1) * side + j, i * side + j + 1};
                struct triangle y = {(i + 1) * side + j, (i + 1) * side + j + 1, i * side + j + 1};
                face[t++] = x;
                face[t++] = y;
            }
        }
    mesh_normals();
    printf("%f\n", normal[5][2]);
    return 0;
}
