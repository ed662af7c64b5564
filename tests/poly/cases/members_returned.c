// A box around points, and a mean, in a local structure of structures that is returned as a whole. want: parallel
#pragma regraph size(n=70000) size(n=1) size(n=33) require(n >= 1)
typedef struct { float x, y, z; } vec3;
typedef struct { vec3 min, max; double weight; int n; } box;
box bounds(int n, const vec3 p[n], const double w[n])
{
    box b;
    b.min = b.max = p[0];
    b.n = 1;
    b.weight = w[0];
    for (int i = 1; i < n; i++) {
        if (p[i].x < b.min.x) b.min.x = p[i].x;
        if (p[i].y < b.min.y) b.min.y = p[i].y;
        if (p[i].z < b.min.z) b.min.z = p[i].z;
        if (b.max.x < p[i].x) b.max.x = p[i].x;
        b.max.y = p[i].y > b.max.y ? p[i].y : b.max.y;
        b.max.z = b.max.z >= p[i].z ? b.max.z : p[i].z;
        b.weight += w[i];
        b.n++;
    }
    return b;
}
