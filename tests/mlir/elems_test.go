package mlir_test

import "encoding/binary"

// size is the number of bytes of an element in memory.
func size(typ string) int {
	if typ == "i32" || typ == "f32" {
		return 4
	}
	return 8
}

func putElem(b []byte, typ string, i int, x uint64) {
	if size(typ) == 4 {
		binary.LittleEndian.PutUint32(b[4*i:], uint32(x))
	} else {
		binary.LittleEndian.PutUint64(b[8*i:], x)
	}
}

func getElem(b []byte, typ string, i int) uint64 {
	if size(typ) == 4 {
		return uint64(binary.LittleEndian.Uint32(b[4*i:]))
	}
	return binary.LittleEndian.Uint64(b[8*i:])
}
