"""What vendor libraries take for the headline problems on this machine's GPU, by PyTorch, as JSON: {name: [what, ms]}; {} without PyTorch or a GPU.

Data stay on the device, float32 without TF32; 5 calls to warm up, then the mean of 30 between two events: the L2 as the call before left it,
launches included.
"""
import json


def measure(torch, call):
    for _ in range(5): call()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    for _ in range(30): call()
    end.record()
    torch.cuda.synchronize()
    return float(f"{begin.elapsed_time(end) / 30:.4g}")


def measured():
    try:
        import torch
    except ImportError:
        return {}
    if not torch.cuda.is_available(): return {}
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    random = lambda *shape: torch.rand(*shape, device="cuda")
    peers = {}
    for n in 1024, 2048, 4096:
        a, b, c = random(n, n), random(n, n), random(n, n)
        peers[f"sgemm-{n}"] = "cuBLAS", measure(torch, lambda: torch.mm(a, b, out=c))
    peers["sgemm-1024-taught"] = peers["sgemm-1024"]
    for rows in 8192, 262144:
        a = random(rows, 1024)
        peers[f"softmax-{rows}x1024"] = "PyTorch", measure(torch, lambda: torch.softmax(a, 1))
    a, b = random(8192, 8192), random(8192, 8192)
    peers["transpose-8192"] = "device copy", measure(torch, lambda: b.copy_(a))
    a = random(1 << 24)
    peers["scan-2^24"] = "PyTorch", measure(torch, lambda: torch.cumsum(a, 0))
    image, filter = random(1, 1, 2052, 2052), random(1, 1, 5, 5)
    peers["conv2d-2048"] = "PyTorch", measure(torch, lambda: torch.conv2d(image, filter))
    a, x = random(4096, 4096), random(4096)
    peers["gemv"] = "cuBLAS", measure(torch, lambda: torch.mv(a, x))
    a, b = random(1 << 27), random(1 << 27)
    peers["dot-2^27"] = "cuBLAS", measure(torch, lambda: torch.dot(a, b))
    return peers


print(json.dumps(measured()))
