// The place alone of the largest and the smallest, equal ones and an empty row among them. want: parallel
// chain: reduce.block@loop:j
// shows: best
#pragma regraph size(rows=300,cols=900,from=1) size(rows=7,cols=5,from=2) size(rows=3,cols=4,from=4)
#pragma regraph input(x: uniform(0, 9)) require(from <= cols)
void argmax_place(int rows, int cols, int from, const int x[rows][cols], int most[rows], int least[rows])
{
    for (int i = 0; i < rows; i++) {
        int p = from, q = from;
        for (int j = from; j < cols; j++) {
            if (x[i][j] > x[i][p]) p = j;
            if (x[i][j] <= x[i][q]) q = j;
        }
        most[i] = p;
        least[i] = q;
    }
}
