package linalg

import "slices"

// A Row is a named op as data: what MLIR writes in its table of structured ops. The loops stand first, outermost first; then
// for each input and, after the arrow, for the output the subscripts that the loops have in it; then what one
// point computes. A loop that the output does not have is a reduction. s0, s1, s2 are strides and d0, d1, d2 dilations; a factor
// `8` is itself; in0, in1 ... are the inputs' elements and out the output's; cast is to the type of out, i32 and f64 to these;
// index0, index1 ... are the indices of the loops, and numbers i64 or, with a point, f64.
type Row struct {
	Name, Space, Body, Doc string
	Attrs                  []string // "strides", "dilations", "cast", "fun"
}

// Rows are the named ops.
func Rows() []Row { return rows }

// Structure is that of the op for operands of a rank, with numbers for strides and dilations, three of each.
func (r Row) Structure(rank int, strides, dilations []int64) *Structure {
	x := readSpace(r.Space)
	return x.structure(slices.Repeat([]int{rank}, len(x.operands)), strides, dilations)
}

// Attributes that several rows have.
var (
	windowed  = []string{"dilations", "strides"}
	castable  = []string{"cast"}
	madeOf    = []string{"cast", "fun"}
	noProps   []string
	multiply  = "add(out, mul(cast(in0), cast(in1)))"
	quantised = "add(out, mul(sub(cast(in0), cast(in2)), sub(cast(in1), cast(in3))))"
)

// rows are the named ops.
var rows = []Row{
	// Products.
	{"matmul", "m n k: (m, k) (k, n) -> (m, n)", multiply, "Adds a product of two matrices.", castable},
	{"matmul_transpose_a", "m n k: (k, m) (k, n) -> (m, n)", multiply, "Adds the product of a matrix, transposed, and another.", castable},
	{"matmul_transpose_b", "m n k: (m, k) (n, k) -> (m, n)", multiply, "Adds the product of a matrix and another, transposed.", castable},
	{"quantized_matmul", "m n k: (m, k) (k, n) () () -> (m, n)", quantised, "Adds a product of two matrices, each less its zero point.", noProps},
	{"mmt4d", "m n k m0 n0 k0: (m, k, m0, k0) (n, k, n0, k0) -> (m, n, m0, n0)", multiply, "Adds the product of a matrix of tiles and another, transposed.", noProps},
	{"batch_mmt4d", "b m n k m0 n0 k0: (b, m, k, m0, k0) (b, n, k, n0, k0) -> (b, m, n, m0, n0)", multiply, "mmt4d for each of a batch.", noProps},
	{"batch_matmul", "b m n k: (b, m, k) (b, k, n) -> (b, m, n)", multiply, "Adds a product of two matrices for each of a batch.", noProps},
	{"batch_matmul_transpose_a", "b m n k: (b, k, m) (b, k, n) -> (b, m, n)", multiply, "matmul_transpose_a for each of a batch.", noProps},
	{"batch_matmul_transpose_b", "b m n k: (b, m, k) (b, n, k) -> (b, m, n)", multiply, "matmul_transpose_b for each of a batch.", noProps},
	{"quantized_batch_matmul", "b m n k: (b, m, k) (b, k, n) () () -> (b, m, n)", quantised, "quantized_matmul for each of a batch.", noProps},
	{"batch_reduce_matmul", "b m n k: (b, m, k) (b, k, n) -> (m, n)", "add(out, cast(mul(in0, cast(in1))))", "Adds the products of all matrices of a batch.", noProps},
	{"matvec", "m n: (m, n) (n) -> (m)", multiply, "Adds the product of a matrix and a vector.", noProps},
	{"vecmat", "n m: (m) (m, n) -> (n)", multiply, "Adds the product of a vector and a matrix.", noProps},
	{"batch_matvec", "b m k: (b, m, k) (b, k) -> (b, m)", multiply, "matvec for each of a batch.", noProps},
	{"batch_vecmat", "b n k: (b, k) (b, k, n) -> (b, n)", multiply, "vecmat for each of a batch.", noProps},
	{"dot", "m: (m) (m) -> ()", multiply, "Adds the inner product of two vectors.", noProps},

	// Convolutions: n is the image, o the place, f the feature, k the place in the window, c the channel, g the group.
	{"conv_1d", "o k: (o + k) (k) -> (o)", multiply, "Adds a convolution.", noProps},
	{"conv_2d", "o p k l: (o + k, p + l) (k, l) -> (o, p)", multiply, "Adds a convolution.", noProps},
	{"conv_3d", "o p q k l r: (o + k, p + l, q + r) (k, l, r) -> (o, p, q)", multiply, "Adds a convolution.", noProps},
	{"conv_1d_nwc_wcf", "n o f k c: (n, o*s0 + k*d0, c) (k, c, f) -> (n, o, f)", multiply, "Adds a convolution, channels last.", windowed},
	{"conv_1d_ncw_fcw", "n f o c k: (n, c, o*s0 + k*d0) (f, c, k) -> (n, f, o)", multiply, "Adds a convolution, channels first.", windowed},
	{"conv_2d_nhwc_hwcf", "n o p f k l c: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c, f) -> (n, o, p, f)", multiply, "Adds a convolution, channels last.", windowed},
	{"conv_2d_nhwc_fhwc", "n o p f k l c: (n, o*s0 + k*d0, p*s1 + l*d1, c) (f, k, l, c) -> (n, o, p, f)", multiply, "Adds a convolution, channels last and features first.", windowed},
	{"conv_2d_nhwc_hwcf_q", "n o p f k l c: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c, f) () () -> (n, o, p, f)", quantised, "conv_2d_nhwc_hwcf less zero points.", windowed},
	{"conv_2d_nhwc_fhwc_q", "n o p f k l c: (n, o*s0 + k*d0, p*s1 + l*d1, c) (f, k, l, c) () () -> (n, o, p, f)", quantised, "conv_2d_nhwc_fhwc less zero points.", windowed},
	{"conv_2d_nchw_fchw", "n f o p c k l: (n, c, o*s0 + k*d0, p*s1 + l*d1) (f, c, k, l) -> (n, f, o, p)", multiply, "Adds a convolution, channels first.", windowed},
	{"conv_2d_ngchw_fgchw", "n g f o p c k l: (n, g, c, o*s0 + k*d0, p*s1 + l*d1) (f, g, c, k, l) -> (n, g, f, o, p)", multiply, "Adds a convolution in groups, features first.", windowed},
	{"conv_2d_ngchw_gfchw", "n g f o p c k l: (n, g, c, o*s0 + k*d0, p*s1 + l*d1) (g, f, c, k, l) -> (n, g, f, o, p)", multiply, "Adds a convolution in groups.", windowed},
	{"conv_2d_ngchw_gfchw_q", "n g f o p c k l: (n, g, c, o*s0 + k*d0, p*s1 + l*d1) (g, f, c, k, l) () () -> (n, g, f, o, p)", quantised, "conv_2d_ngchw_gfchw less zero points.", windowed},
	{"conv_3d_ndhwc_dhwcf", "n o p q f k l r c: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r, c, f) -> (n, o, p, q, f)", multiply, "Adds a convolution, channels last.", windowed},
	{"conv_3d_ndhwc_dhwcf_q", "n o p q f k l r c: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r, c, f) () () -> (n, o, p, q, f)", quantised, "conv_3d_ndhwc_dhwcf less zero points.", windowed},
	{"conv_3d_ncdhw_fcdhw", "n o p q f k l r c: (n, c, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2) (f, c, k, l, r) -> (n, f, o, p, q)", multiply, "Adds a convolution, channels first.", windowed},
	{"depthwise_conv_1d_ncw_cw", "n o c k: (n, c, o*s0 + k*d0) (c, k) -> (n, c, o)", multiply, "Adds a convolution of each channel, channels first.", windowed},
	{"depthwise_conv_1d_nwc_wc", "n o c k: (n, o*s0 + k*d0, c) (k, c) -> (n, o, c)", multiply, "Adds a convolution of each channel.", windowed},
	{"depthwise_conv_1d_nwc_wcm", "n o c m k: (n, o*s0 + k*d0, c) (k, c, m) -> (n, o, c, m)", multiply, "Adds several convolutions of each channel.", windowed},
	{"depthwise_conv_2d_nchw_chw", "n o p c k l: (n, c, o*s0 + k*d0, p*s1 + l*d1) (c, k, l) -> (n, c, o, p)", multiply, "Adds a convolution of each channel, channels first.", windowed},
	{"depthwise_conv_2d_nhwc_hwc", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c) -> (n, o, p, c)", multiply, "Adds a convolution of each channel.", windowed},
	{"depthwise_conv_2d_nhwc_hwc_q", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c) () () -> (n, o, p, c)", quantised, "depthwise_conv_2d_nhwc_hwc less zero points.", windowed},
	{"depthwise_conv_2d_nhwc_hwcm", "n o p c m k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c, m) -> (n, o, p, c, m)", multiply, "Adds several convolutions of each channel.", windowed},
	{"depthwise_conv_2d_nhwc_hwcm_q", "n o p c m k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l, c, m) () () -> (n, o, p, c, m)", quantised, "depthwise_conv_2d_nhwc_hwcm less zero points.", windowed},
	{"depthwise_conv_3d_ndhwc_dhwc", "n o p q c k l r: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r, c) -> (n, o, p, q, c)", multiply, "Adds a convolution of each channel.", windowed},
	{"depthwise_conv_3d_ncdhw_cdhw", "n o p q c k l r: (n, c, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2) (c, k, l, r) -> (n, c, o, p, q)", multiply, "Adds a convolution of each channel, channels first.", windowed},
	{"depthwise_conv_3d_ndhwc_dhwcm", "n o p q m k l r c: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r, c, m) -> (n, o, p, q, c, m)", multiply, "Adds several convolutions of each channel.", windowed},

	// Pooling: of the second input only the shape counts, which is that of the window.
	{"pooling_nhwc_sum", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l) -> (n, o, p, c)", "add(out, cast(in0))", "Adds the sum of each window.", windowed},
	{"pooling_nchw_sum", "n c o p k l: (n, c, o*s0 + k*d0, p*s1 + l*d1) (k, l) -> (n, c, o, p)", "add(out, cast(in0))", "Adds the sum of each window, channels first.", windowed},
	{"pooling_nhwc_max", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l) -> (n, o, p, c)", "max(out, cast(in0))", "The greatest of each window and what is there.", windowed},
	{"pooling_nhwc_max_unsigned", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l) -> (n, o, p, c)", "max_unsigned(out, cast_unsigned(in0))", "The greatest, without a sign, of each window and what is there.", windowed},
	{"pooling_nchw_max", "n c o p k l: (n, c, o*s0 + k*d0, p*s1 + l*d1) (k, l) -> (n, c, o, p)", "max(out, cast(in0))", "The greatest of each window and what is there, channels first.", windowed},
	{"pooling_nhwc_min", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l) -> (n, o, p, c)", "min(out, cast(in0))", "The least of each window and what is there.", windowed},
	{"pooling_nhwc_min_unsigned", "n o p c k l: (n, o*s0 + k*d0, p*s1 + l*d1, c) (k, l) -> (n, o, p, c)", "min_unsigned(out, cast_unsigned(in0))", "The least, without a sign, of each window and what is there.", windowed},
	{"pooling_nwc_sum", "n o c k: (n, o*s0 + k*d0, c) (k) -> (n, o, c)", "add(out, cast(in0))", "Adds the sum of each window.", windowed},
	{"pooling_ncw_sum", "n c o k: (n, c, o*s0 + k*d0) (k) -> (n, c, o)", "add(out, cast(in0))", "Adds the sum of each window, channels first.", windowed},
	{"pooling_nwc_max", "n o c k: (n, o*s0 + k*d0, c) (k) -> (n, o, c)", "max(out, cast(in0))", "The greatest of each window and what is there.", windowed},
	{"pooling_nwc_max_unsigned", "n o c k: (n, o*s0 + k*d0, c) (k) -> (n, o, c)", "max_unsigned(out, cast_unsigned(in0))", "The greatest, without a sign, of each window and what is there.", windowed},
	{"pooling_ncw_max", "n c o k: (n, c, o*s0 + k*d0) (k) -> (n, c, o)", "max(out, cast(in0))", "The greatest of each window and what is there, channels first.", windowed},
	{"pooling_nwc_min", "n o c k: (n, o*s0 + k*d0, c) (k) -> (n, o, c)", "min(out, cast(in0))", "The least of each window and what is there.", windowed},
	{"pooling_nwc_min_unsigned", "n o c k: (n, o*s0 + k*d0, c) (k) -> (n, o, c)", "min_unsigned(out, cast_unsigned(in0))", "The least, without a sign, of each window and what is there.", windowed},
	{"pooling_ndhwc_sum", "n o p q c k l r: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r) -> (n, o, p, q, c)", "add(out, cast(in0))", "Adds the sum of each window.", windowed},
	{"pooling_ndhwc_max", "n o p q c k l r: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r) -> (n, o, p, q, c)", "max(out, cast(in0))", "The greatest of each window and what is there.", windowed},
	{"pooling_ndhwc_min", "n o p q c k l r: (n, o*s0 + k*d0, p*s1 + l*d1, q*s2 + r*d2, c) (k, l, r) -> (n, o, p, q, c)", "min(out, cast(in0))", "The least of each window and what is there.", windowed},

	// Elementwise: `...` is as many loops as the output has dimensions.
	{"fill", "...: () -> (...)", "cast(in0)", "Sets all elements to a number.", noProps},
	{"fill_rng_2d", "m n: () () () -> (m, n)",
		"cast(add(mul(add(f64(2147483647), f64(" + nextRandom("index1", nextRandom("index0", "in2")) + ")), mul(sub(in1, in0), 2.3283063999999999e-10)), in0))",
		"Sets elements to numbers between two, which look random: a linear congruence makes them of the place and of a seed.", noProps},
	{"copy", "...: (...) -> (...)", "cast(in0)", "Copies all elements.", castable},
	{"elemwise_unary", "...: (...) -> (...)", "fun(cast(in0))", "Applies a function to each element: that of its attribute fun, else exp.", madeOf},
	{"elemwise_binary", "...: (...) (...) -> (...)", "fun(cast(in0), cast(in1))", "Applies a function to each two elements: that of its attribute fun, else add.", madeOf},
	{"exp", "...: (...) -> (...)", "exp(in0)", "e to the power of each element.", noProps},
	{"log", "...: (...) -> (...)", "log(in0)", "The natural logarithm of each element.", noProps},
	{"abs", "...: (...) -> (...)", "abs(in0)", "Each element without its sign.", noProps},
	{"ceil", "...: (...) -> (...)", "ceil(in0)", "Each element, rounded up.", noProps},
	{"floor", "...: (...) -> (...)", "floor(in0)", "Each element, rounded down.", noProps},
	{"negf", "...: (...) -> (...)", "negf(in0)", "The negative of each element.", noProps},
	{"reciprocal", "...: (...) -> (...)", "reciprocal(in0)", "1 divided by each element.", noProps},
	{"round", "...: (...) -> (...)", "round(in0)", "Each element, rounded, ties away from zero.", noProps},
	{"sqrt", "...: (...) -> (...)", "sqrt(in0)", "The square root of each element.", noProps},
	{"rsqrt", "...: (...) -> (...)", "rsqrt(in0)", "1 divided by the square root of each element.", noProps},
	{"square", "...: (...) -> (...)", "square(in0)", "The square of each element.", noProps},
	{"tanh", "...: (...) -> (...)", "tanh(in0)", "The hyperbolic tangent of each element.", noProps},
	{"erf", "...: (...) -> (...)", "erf(in0)", "The error function of each element.", noProps},
	{"add", "...: (...) (...) -> (...)", "add(in0, in1)", "The sum of each two elements.", noProps},
	{"sub", "...: (...) (...) -> (...)", "sub(in0, in1)", "The difference of each two elements.", noProps},
	{"mul", "...: (...) (...) -> (...)", "mul(in0, in1)", "The product of each two elements.", noProps},
	{"div", "...: (...) (...) -> (...)", "div(in0, in1)", "The quotient of each two elements.", noProps},
	{"div_unsigned", "...: (...) (...) -> (...)", "div_unsigned(in0, in1)", "The quotient, without a sign, of each two elements.", noProps},
	{"max", "...: (...) (...) -> (...)", "max(in0, in1)", "The greater of each two elements.", noProps},
	{"min", "...: (...) (...) -> (...)", "min(in0, in1)", "The less of each two elements.", noProps},
	{"powf", "...: (...) (...) -> (...)", "powf(in0, in1)", "Each element to the power of another.", noProps},
	{"select", "...: (...) (...) (...) -> (...)", "select(in0, in1, in2)", "Of each two elements the first where a third is true.", noProps},
}

// nextRandom is a step of a linear congruence from a seed, for the index of a loop.
func nextRandom(index, seed string) string {
	return "add(mul(add(i32(" + index + "), " + seed + "), i32(1103515245)), i32(12345))"
}
