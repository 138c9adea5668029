// bytes: C = A B of bytes with their signs, as sums of 32 bits, or as bytes again by a scale: by oneDNN, with the factor B in the layout that it likes
// best, or by loops over rows, sums and columns. What oneDNN makes of B before is not in the time.
// Usage: bytes loops|onednn M N K REPETITIONS [SCALE]; prints the seconds of all, a sum over C, and how it is done.
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

using namespace dnnl;

static void loops(int32_t *__restrict c, const int8_t *__restrict a, const int8_t *__restrict b, long m, long n, long k) {
	for (long i = 0; i < m; i++) {
		memset(c + i * n, 0, 4 * n);
		for (long l = 0; l < k; l++)
			for (long j = 0; j < n; j++) c[i * n + j] += a[i * k + l] * b[l * n + j];
	}
}

static void quantise(int8_t *__restrict y, const int32_t *__restrict c, long n, float scale) {
	for (long i = 0; i < n; i++) y[i] = (int8_t)fminf(fmaxf(rintf((float)c[i] * scale), -128), 127);
}

int main(int argc, char **argv) {
	if (argc != 6 && argc != 7) return 2;
	bool scaled = argc == 7, plain = !strcmp(argv[1], "loops");
	long m = atol(argv[2]), n = atol(argv[3]), k = atol(argv[4]), repetitions = atol(argv[5]);
	float scale = scaled ? (float)atof(argv[6]) : 1;
	std::vector<int8_t> a(m * k), b(k * n), y(m * n);
	std::vector<int32_t> c(m * n);
	for (long i = 0; i < m * k; i++) a[i] = (int8_t)(i * 7 % 11 - 5);
	for (long i = 0; i < k * n; i++) b[i] = (int8_t)(i * 5 % 7 - 3);
	using type = memory::data_type;
	using tag = memory::format_tag;
	auto now = [] { return std::chrono::steady_clock::now(); };
	std::function<void()> run;
	const char *how = "loops";
	engine cpu(engine::kind::cpu, 0);
	stream s(cpu);
	matmul product;
	std::unordered_map<int, memory> args;
	if (plain) {
		run = [&] {
			loops(c.data(), a.data(), b.data(), m, n, k);
			if (scaled) quantise(y.data(), c.data(), m * n, scale);
		};
	} else {
		memory::desc ad({m, k}, type::s8, tag::ab), bd({k, n}, type::s8, tag::any), cd({m, n}, scaled ? type::s8 : type::s32, tag::ab);
		primitive_attr attr;
		if (scaled) attr.set_output_scales(0, {scale});
		matmul::primitive_desc p(matmul::desc(ad, bd, cd), attr, cpu);
		memory mine({{k, n}, type::s8, tag::ab}, cpu, b.data()), packed(p.weights_desc(), cpu);
		reorder(mine, packed).execute(s, mine, packed);
		s.wait();
		product = matmul(p);
		args = {{DNNL_ARG_SRC, memory(ad, cpu, a.data())}, {DNNL_ARG_WEIGHTS, packed}, {DNNL_ARG_DST, memory(cd, cpu, scaled ? (void *)y.data() : (void *)c.data())}};
		how = strdup(p.impl_info_str());
		run = [&] { product.execute(s, args), s.wait(); };
	}
	run(); // the first time for its memory and code
	auto start = now();
	for (long r = 0; r < repetitions; r++) run();
	double t = std::chrono::duration<double>(now() - start).count(), sum = 0;
	for (long i = 0; i < m * n; i++) sum += (double)(scaled ? y[i] : c[i]) * (double)(1 + i % 7);
	printf("%.9f %.17g %s\n", t, sum, how);
	return 0;
}
