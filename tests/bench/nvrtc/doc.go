// Package nvrtc calls NVIDIA's compiler of CUDA source, a peer of the kernels that irc writes. It needs no GPU; where the
// library is missing, Open says so.
package nvrtc
