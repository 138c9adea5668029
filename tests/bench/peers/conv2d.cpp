// conv2d: a convolution by oneDNN, in the layouts that it likes best, as often as said; what it makes of the image, of the kernels and of the
// result before and after is not in the time. Usage: conv2d M C/GROUPS K IMAGE-C IMAGE-H OUT STRIDE PAD GROUPS REPETITIONS [relu: with a bias, and
// a rectifier as a post-op]
// prints the seconds of all, a sum over the result, and how oneDNN does it.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <oneapi/dnnl/dnnl.hpp>
#include <unordered_map>
#include <vector>

using namespace dnnl;

int main(int argc, char **argv) {
	if (argc != 11 && argc != 12) return 2;
	bool relu = argc == 12;
	long v[10];
	for (int i = 0; i < 10; i++) v[i] = atol(argv[1 + i]);
	long m = v[0], per = v[1], k = v[2], c = v[3], h = v[4], o = v[5], stride = v[6], pad = v[7], groups = v[8], repetitions = v[9];
	long behind = (o - 1) * stride + k - h - pad; // how far the last place reaches
	engine cpu(engine::kind::cpu, 0);
	stream s(cpu);
	using tag = memory::format_tag;
	auto f32 = memory::data_type::f32;
	memory::dims image{1, c, h, h}, result{1, m, o, o}, kernel{m, per, k, k};
	if (groups > 1) kernel = {groups, m / groups, per, k, k};
	auto any = [&](memory::dims d) { return memory::desc(d, f32, tag::any); };
	memory plainImage({image, f32, tag::nchw}, cpu), plainKernel({kernel, f32, groups > 1 ? tag::goihw : tag::oihw}, cpu), plainResult({result, f32, tag::nchw}, cpu);
	float *x = (float *)plainImage.get_data_handle(), *w = (float *)plainKernel.get_data_handle();
	for (long i = 0; i < c * h * h; i++) x[i] = (float)(i * 7 % 11 - 5);
	for (long i = 0; i < m * per * k * k; i++) w[i] = (float)(i * 5 % 7 - 3);
	memory bias({{m}, f32, tag::x}, cpu);
	float *b = (float *)bias.get_data_handle();
	for (long i = 0; i < m; i++) b[i] = (float)(i * 3 % 5 - 3);
	auto forward = [&]() {
		if (relu) return convolution_forward::desc(prop_kind::forward_inference, algorithm::convolution_direct, any(image), any(kernel), any({m}), any(result), {stride, stride}, {pad, pad}, {behind, behind});
		return convolution_forward::desc(prop_kind::forward_inference, algorithm::convolution_direct, any(image), any(kernel), any(result), {stride, stride}, {pad, pad}, {behind, behind});
	};
	primitive_attr attr;
	if (relu) {
		post_ops ops;
		ops.append_eltwise(1, algorithm::eltwise_relu, 0, 0);
		attr.set_post_ops(ops);
	}
	convolution_forward::primitive_desc p(forward(), attr, cpu);
	memory src(p.src_desc(), cpu), weights(p.weights_desc(), cpu), dst(p.dst_desc(), cpu);
	reorder(plainImage, src).execute(s, plainImage, src);
	reorder(plainKernel, weights).execute(s, plainKernel, weights);
	convolution_forward conv(p);
	std::unordered_map<int, memory> args{{DNNL_ARG_SRC, src}, {DNNL_ARG_WEIGHTS, weights}, {DNNL_ARG_DST, dst}};
	if (relu) args.insert({DNNL_ARG_BIAS, bias});
	conv.execute(s, args);
	s.wait();
	auto start = std::chrono::steady_clock::now();
	for (long r = 0; r < repetitions; r++) conv.execute(s, args);
	s.wait();
	double t = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
	reorder(dst, plainResult).execute(s, dst, plainResult);
	s.wait();
	double sum = 0;
	float *y = (float *)plainResult.get_data_handle();
	for (long i = 0; i < m * o * o; i++) sum += y[i] * (double)(1 + i % 7);
	printf("%.9f %.17g %s\n", t, sum, p.impl_info_str());
	return 0;
}
