// Package cf is what is structured of MLIR's dialect of control flow: assertions.
// Its branches between blocks (cf.br, cf.cond_br, cf.switch) are not read; the
// parser says how to lift them to scf.
package cf
