// Package sampler has Markov chains as programs: Go that becomes IR (tools/stage), to be compiled with the density that the chain moves on.
// With it one
//
//   - has the step of a chain as a staged function: Iterate;
//   - makes the memory that it works in: NewMemory;
//   - joins it with the functions of a model to a program: Link.
//
// A chain works in memory of its own, and takes random numbers by seed, chain and iteration: what it draws does not depend on what runs
// beside it, nor on how many iterations a call makes. So a chain that is stopped between calls goes on to the same draws.
//
// Sources: Hoffman and Gelman 2014 (the no-U-turn sampler; dual averaging), Betancourt 2017 (multinomial draws, the generalised
// criterion), Carpenter et al. 2017 (Stan's defaults); the criterion between halves is that of Stan 2.20 on, and the metric that of
// nutpie: of draws and of gradients.
package sampler
