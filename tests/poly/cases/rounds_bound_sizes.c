// want: parallel
/* A local array of fixed length that rounds fill, until data end them, says how many degrees of freedom there may be:
 * nobody states them. */
#define MAX_DOF 6
void relax(int n, int dof, int rounds, const float *start, float *out, int *used)
{
    for (int t = 0; t < n; t++) {
        float q[MAX_DOF], step[MAX_DOF];
        int it = 0;
        for (int k = 0; k < dof; k++) q[k] = start[t * dof + k];
        for (;; it++) {
            float err = 0;
            for (int k = 0; k < dof; k++) {
                step[k] = 0.5f - 0.25f * q[k];
                err += step[k] * step[k];
            }
            if (err < 1e-3f || it >= rounds) break;
            for (int k = 0; k < dof; k++) q[k] += step[k];
        }
        for (int k = 0; k < dof; k++) out[t * dof + k] = q[k];
        used[t] = it;
    }
}
