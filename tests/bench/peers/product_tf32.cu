// The product of two matrices of f32 by tensor cores as tf32, by tiles of 128 x 128 in steps of 16, two of which are in shared
// memory at once, by 8 warps of 64 x 32 each: the algorithm of passes/grid, as one writes it in CUDA with the instructions of sm_80.
// nvrtc compiles it.
typedef unsigned int u32;

static __device__ __forceinline__ u32 shared_address(const void *p) { return (u32)__cvta_generic_to_shared(p); }
static __device__ __forceinline__ void copy16(void *to, const void *from) {
	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}
static __device__ __forceinline__ void load(u32 r[4], const void *p) {
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];" : "=r"(r[0]), "=r"(r[1]), "=r"(r[2]), "=r"(r[3]) : "r"(shared_address(p)));
}
static __device__ __forceinline__ void mma(float d[4], const u32 a[4], const u32 b[2]) {
	asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
		: "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__shared__ __align__(16) float as[2][128][20], bs[2][16][136];

static __device__ __forceinline__ void fetch(int stage, const float *a, const float *b, int k, int t) {
	const int N = 4096, K = 4096;
	for (int n = 0; n < 2; n++) {
		int v = t + 256 * n;
		copy16(&as[stage][v / 4][v % 4 * 4], a + (size_t)(v / 4) * K + k + v % 4 * 4);
		copy16(&bs[stage][v / 32][v % 32 * 4], b + (size_t)(k + v / 32) * N + v % 32 * 4);
	}
}

extern "C" __global__ void __launch_bounds__(256, 2) product(const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c) {
	const int N = 4096, K = 4096;
	int t = threadIdx.x, row0 = blockIdx.y * 128, col0 = blockIdx.x * 128;
	int warp = t / 32, lane = t % 32, wr = warp / 4 * 64, wc = warp % 4 * 32;
	int m = lane / 8, r = lane % 8, g = lane / 4, q = lane % 4;
	float s[4][4][4] = {};
	a += (size_t)row0 * K;
	b += col0;
	fetch(0, a, b, 0, t);
	asm volatile("cp.async.commit_group;" ::: "memory");
	for (int k = 0; k < K; k += 16) {
		int stage = k / 16 % 2;
		if (k + 16 < K) fetch(stage ^ 1, a, b, k + 16, t);
		asm volatile("cp.async.commit_group;" ::: "memory");
		asm volatile("cp.async.wait_group 1;" ::: "memory");
		__syncthreads();
#pragma unroll
		for (int l = 0; l < 16; l += 8) {
			u32 x[4][4], y[4][2];
#pragma unroll
			for (int i = 0; i < 4; i++) load(x[i], &as[stage][wr + 16 * i + m % 2 * 8 + r][l + m / 2 * 4]);
#pragma unroll
			for (int j = 0; j < 4; j++)
#pragma unroll
				for (int h = 0; h < 2; h++) y[j][h] = __float_as_uint(bs[stage][l + q + 4 * h][wc + 8 * j + g]);
#pragma unroll
			for (int i = 0; i < 4; i++)
#pragma unroll
				for (int j = 0; j < 4; j++) mma(s[i][j], x[i], y[j]);
		}
		__syncthreads();
	}
	for (int i = 0; i < 4; i++)
		for (int h = 0; h < 2; h++)
			for (int j = 0; j < 4; j++)
				*(float2 *)&c[(size_t)(row0 + wr + 16 * i + 8 * h + lane / 4) * N + col0 + wc + 8 * j + lane % 4 * 2] = make_float2(s[i][j][2 * h], s[i][j][2 * h + 1]);
}
