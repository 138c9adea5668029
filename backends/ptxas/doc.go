// Package ptxas asks NVIDIA's assembler and disassembler, where they are found, what the machine code of kernels takes: registers,
// shared memory, spills, how many threads a multiprocessor has room for, and the instructions of the hottest loop. None of
// it needs a GPU, and nothing that irc compiles or runs needs these tools: drivers assemble PTX themselves.
//
//	Assemble      PTX to machine code, with the Usage of each kernel
//	Usage.Fits    the occupancy, computed as NVIDIA's tables say
//	Disassemble   machine code to the text of its instructions
//	HotLoop       what the loop with the most multiply-adds does
package ptxas
