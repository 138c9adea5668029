// The product of two matrices of f32 by tiles of 128 x 128 in steps of 8, by 256 threads of 8 x 8 each: the algorithm of
// passes/grid, as one writes it in CUDA; with EPILOGUE it adds a bias by columns, and what is below 0 becomes 0. nvrtc compiles it.
#ifdef EPILOGUE
#define BIAS const float *__restrict__ bias,
#else
#define BIAS
#endif
extern "C" __global__ void __launch_bounds__(256, 2) product(const float *__restrict__ a, const float *__restrict__ b, BIAS float *__restrict__ c) {
	const int N = 4096, K = 4096;
	__shared__ __align__(16) float as[8][132], bs[8][128];
	int t = threadIdx.x, row0 = blockIdx.y * 128, col0 = blockIdx.x * 128;
	int r = t / 16 * 4, q = t % 16 * 4;
	float s[8][8] = {};
	const float *pa = a + (size_t)(row0 + t / 2) * K + t % 2 * 4;
	const float *pb = b + (size_t)(t / 32) * N + col0 + t % 32 * 4;
	float4 x = *(const float4 *)pa, y = *(const float4 *)pb;
	for (int k = 0; k < K; k += 8) {
		float u[4] = {x.x, x.y, x.z, x.w};
		for (int i = 0; i < 4; i++) as[t % 2 * 4 + i][t / 2] = u[i];
		*(float4 *)&bs[t / 32][t % 32 * 4] = y;
		__syncthreads();
		int next = k + 8 < K ? k + 8 : 0;
		x = *(const float4 *)(pa + next);
		y = *(const float4 *)(pb + (size_t)next * N);
#pragma unroll
		for (int l = 0; l < 8; l++) {
			float4 a0 = *(float4 *)&as[l][r], a1 = *(float4 *)&as[l][64 + r], b0 = *(float4 *)&bs[l][q], b1 = *(float4 *)&bs[l][64 + q];
			float u[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w}, v[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
			for (int i = 0; i < 8; i++)
#pragma unroll
				for (int j = 0; j < 8; j++) s[i][j] = fmaf(u[i], v[j], s[i][j]);
		}
		__syncthreads();
	}
#ifdef EPILOGUE
	for (int i = 0; i < 8; i++)
		for (int j = 0; j < 8; j++) s[i][j] = fmaxf(s[i][j] + bias[col0 + j / 4 * 64 + q + j % 4], 0);
#endif
	for (int i = 0; i < 8; i++)
		for (int h = 0; h < 2; h++)
			*(float4 *)&c[(size_t)(row0 + i / 4 * 64 + r + i % 4) * N + col0 + h * 64 + q] = make_float4(s[i][4 * h], s[i][4 * h + 1], s[i][4 * h + 2], s[i][4 * h + 3]);
}
