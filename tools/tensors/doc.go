// Package tensors writes programs of tensors in Go, and runs them as native code. With it one
//
//   - says what a program is given: F32, F64, I64;
//   - writes it as a function of tensors, and compiles it: Tensor, Compile;
//   - runs it on arrays: Program.Run.
//
// A Tensor is known when the program runs. A Go function of such is called once, when Compile makes a program of ten ops of
// it, so that loops and ifs of Go decide what the program is:
//
//	p, err := tensors.Compile(ctx, []tensors.Type{tensors.Of(ir.F32, -1, 2), tensors.Of(ir.F32, 2, 3), tensors.Of(ir.F32, 3)}, func(x ...tensors.Tensor) []tensors.Tensor {
//		h := x[0].Einsum("ij,jk->ik", x[1]).Add(x[2]).Relu(0)
//		return []tensors.Tensor{h.Softmax(1)}
//	})
//	defer p.Close()
//	y, err := p.Run(ctx, images, weights, bias) // each an *npy.Array, which npy.Read makes of a file
//
// A mistake in the function is the error of Compile, with the file and the line. Programs are native code where there is
// libLLVM, which runs in a child process, this program again: main calls engine.ServeIfChild first.
package tensors
