"""The launches whose times are estimated and measured: kernels of estimate.cu
with a grid, a block, dynamic shared bytes and arguments. Each runs in seconds on
the simulator."""
from dataclasses import dataclass, field

K, M = 1 << 10, 1 << 20
SMS = 132
FLOATS = 16 * M  # of the buffers a and b
CHASE_LINKS = 4096
# Launches that no constant of the estimate was fitted to.
HELD_OUT = {"copy8", "copy16_loop", "copy16_four_in_flight", "strided_8", "gather_8MB",
            "reread_64MB", "gelu", "heavy_math", "fma_tail_wave", "divergent", "softmax",
            "row_sum_few", "transpose_conflicts", "shared_4", "histogram",
            "atomics_random_4M", "matmul_tiled_512", "matmul_blocked_1024", "matmul_mma_1024"}


@dataclass
class Case:
    name: str
    kernel: str
    grid: tuple
    block: tuple
    args: list = field(default_factory=list)
    shared: int = 0


def case(name, kernel, grid, block, *args, shared=0):
    def three(x):
        return (*x, 1, 1)[:3] if isinstance(x, tuple) else (x, 1, 1)
    return Case(name, kernel, three(grid), three(block), list(args), shared)


def copies():
    """Streams; "a", "b" and the like name buffers."""
    return [
        case("copy4", "copy4", 32 * K, 256, "a", "b", 8 * M),
        case("copy8", "copy8", 16 * K, 256, "a", "b", 4 * M),
        case("copy16", "copy16", 8 * K, 256, "a", "b", 2 * M),
        case("copy16_128MB", "copy16", 16 * K, 256, "a", "b", 4 * M),
        case("copy16_2MB", "copy16", 256, 256, "a", "b", 64 * K),
        case("copy16_one_block", "copy16", 1, 256, "a", "b", 256),
        case("copy4_shifted", "copy4_shifted", 32 * K, 256, "a", "b", 8 * M - 4),
        case("copy16_loop", "copy16_stride_loop", 8 * SMS, 256, "a", "b", 2 * M),
        case("copy16_low_occupancy", "copy16_stride_loop", SMS, 128, "a", "b", M,
             shared=200 * K),
        case("copy16_four_in_flight", "copy16_four", 128, 256, "a", "b", M),
        case("copy_async", "copy_async", 2 * SMS, 256, "a", "b", M),
        case("read", "read_only", 8 * SMS, 256, "a", "b", 4 * M),
        case("write", "write_only", 16 * K, 256, "b", 4 * M),
        case("strided_2", "strided", 16 * K, 256, "a", "b", 4 * M, 2),
        case("strided_8", "strided", 8 * K, 256, "a", "b", 2 * M, 8),
        case("strided_32", "strided", 2 * K, 256, "a", "b", 512 * K, 32),
        case("gather", "gather", 8 * K, 256, "a", "index", "b", 2 * M, 16 * M - 1),
        case("gather_8MB", "gather", 8 * K, 256, "a", "index", "b", 2 * M, 2 * M - 1),
    ]


def caches():
    return [
        case("empty", "empty", 1, 32),
        case("empty_many_blocks", "empty", 16 * K, 128),
        case("reread_8MB", "reread", 4 * SMS, 256, "a", "b", 512 * K, 8),
        case("reread_64MB", "reread", 4 * SMS, 256, "a", "b", 4 * M, 2),
        case("reread_l1", "reread_l1", 2 * SMS, 256, "a", "b", 32),
        case("broadcast", "broadcast", 8 * SMS, 256, "a", "b", 128),
        case("chase", "chase", 1, 1, "links", "b", CHASE_LINKS),
        case("chase_shared", "chase_shared", 1, 32, "b", 4096),
    ]


def arithmetic():
    return [
        case("heavy_math", "heavy_math", 4 * K, 256, "a", "b", M),
        case("gelu", "gelu", 32 * K, 256, "a", "b", 8 * M),
        case("fma_f32", "fma_f32", 8 * SMS, 256, "a", "b", 128),
        case("fma_f64", "fma_f64", 8 * SMS, 256, "a", "b", 32),
        case("fma_dependent", "fma_dependent", SMS, 128, "a", "b", 1024),
        case("fma_full_wave", "fma_f32", SMS, 1024, "a", "b", 128, shared=120 * K),
        case("fma_tail_wave", "fma_f32", SMS + 1, 1024, "a", "b", 128, shared=120 * K),
        case("integer_chain", "integer_chain", 8 * SMS, 256, "a", "b", 128),
        case("special", "special", 8 * SMS, 256, "a", "b", 64),
        case("divergent", "divergent", 8 * SMS, 256, "a", "b", 4),
    ]


def reductions():
    return [
        case("row_sum_many", "row_sum", 4 * K, 256, "a", "b", 4 * K),
        case("row_sum_few", "row_sum", 8, 1024, "a", "b", 512 * K),
        case("row_sum_by_warp", "warp_row_sum", 4 * K, 256, "a", "b", 256),
        case("softmax", "softmax", 2 * K, 256, "a", "b", 4 * K),
        case("barriers", "barriers", SMS, 1024, "b", 256),
    ]


def shared():
    tiles, threads = (64, 64), (32, 8)
    return [
        case("transpose_conflicts", "transpose_conflicts", tiles, threads, "a", "b", 2 * K),
        case("transpose_padded", "transpose_padded", tiles, threads, "a", "b", 2 * K),
        case("transpose_naive", "transpose_naive", tiles, threads, "a", "b", 2 * K),
        case("shared_1", "shared_loads", 2 * SMS, 256, "b", 256, 1),
        case("shared_4", "shared_loads", 2 * SMS, 256, "b", 256, 4),
        case("shared_32", "shared_loads", 2 * SMS, 256, "b", 256, 32),
    ]


def atomics():
    return [
        case("atomics_apart", "atomics_apart", 16 * K, 256, "b", 4 * M),
        case("atomics_together", "atomics_together", 256, 256, "b"),
        case("atomics_random_1k", "atomics_random", 4 * K, 256, "b", "index", K - 1),
        case("atomics_random_4M", "atomics_random", 4 * K, 256, "b", "index", 4 * M - 1),
        case("histogram", "histogram", 2 * SMS, 256, "index", "b", 2 * M),
        case("local_array", "local_array", 2 * SMS, 256, "a", "b", 64),
    ]


def products():
    return [
        case("matmul_tiled_512", "matmul_tiled", (16, 16), (32, 32), "a", "a", "b", 512),
        case("matmul_blocked_512", "matmul_blocked", (8, 8), 256, "a", "a", "b", 512),
        case("matmul_blocked_1024", "matmul_blocked", (16, 16), 256, "a", "a", "b", 1024),
        case("matmul_mma_1024", "matmul_mma", (8, 8), 256, "a", "a", "b", 1024),
        case("mma_rate", "mma_rate", SMS, 256, "b", 128),
        case("wgmma_rate", "wgmma_rate", SMS, 256, "b", 256),
    ]


def cases():
    return [*copies(), *caches(), *arithmetic(), *reductions(), *shared(), *atomics(),
            *products()]
