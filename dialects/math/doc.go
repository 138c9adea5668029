// Package math is MLIR's math dialect: elementary functions of floats, and a few
// of integers, elementwise on vectors and tensors. With it one
//
//   - builds a function's op: Builder.OpAttr with Sqrt, Exp and so on, and the flags of arith.FastMathProps;
//   - computes one in Go, as programs do: Value;
//   - asks which functions there are: Dialect.
//
// Eval computes floats in float64 and rounds the result to the format of the op.
// fma, sqrt, absf, copysign and the roundings are exact; f16, bf16 and f32 results
// are correct but for rare ties. For f64 the bounds are, in ulp of the result, as
// measured by the tests: 1 for exp, exp2, expm1, log, log1p, log10, log2, cbrt, erf,
// rsqrt; 2 for powf, fpowi, sin, cos, asin, acos, atan, atan2, asinh, acosh, atanh,
// sinh, cosh, tanh, tan. Engines may differ within the sum of their bounds.
//
// As the package is named after its dialect, it shadows the standard library's
// math; importers of both rename one.
package math
