// desc: chains: a node an element, heads exchanged atomically, then every element walks its chain
// plan: scratch int head[n/4];
// plan: scratch int next[n];
// plan: fill(head, -1);
// plan: put<<<ceil_div(n,256), 256>>>(n, n/4, key, head, next);
// plan: get<<<ceil_div(n,256), 256>>>(n, n/4, key, head, next, y);
__global__ void put(int n, int m, const int *key, int *head, int *next) { int i = blockIdx.x * 256 + threadIdx.x; if (i < n) next[i] = atomicExch(&head[key[i] % m], i); }
__global__ void get(int n, int m, const int *key, const int *head, const int *next, int *y)
{
    int i = blockIdx.x * 256 + threadIdx.x;
    if (i >= n) return;
    int e = key[i], s = 0;
    for (int p = head[e % m]; p >= 0; p = next[p]) s += key[p] == e;
    y[i] = s;
}
