/* An image whose values lead on in it: its arrays get no rows, so its loops over n*m elements stay loops over these. */
static int find(int *parent, int i)
{
    while (parent[i] != i) { parent[i] = parent[parent[i]]; i = parent[i]; }
    return i;
}
#pragma regraph size(rows=17, cols=23) input(img: uniform(0, 1)) extent(size: rows * cols)
void flat_labels(const unsigned char *img, int rows, int cols, int *lab, int *size)
{
    for (int i = 0; i < rows * cols; i++) { lab[i] = i; size[i] = 0; }
    for (int r = 0; r < rows; r++)
        for (int c = 0; c < cols; c++) {
            int i = r * cols + c;
            if (!img[i] || !c || !img[i - 1]) continue;
            int a = find(lab, i), b = find(lab, i - 1);
            if (a < b) lab[b] = a;
            else if (b < a) lab[a] = b;
        }
    for (int i = 0; i < rows * cols; i++) {
        lab[i] = find(lab, i);
        size[lab[i]]++;
    }
}
// explain: scalar int computed: rows*cols
