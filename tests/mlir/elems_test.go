package mlir_test

import (
	"encoding/binary"
	"strconv"
	"strings"
)

// floatSizes are the bytes of floats.
var floatSizes = map[string]int{"bf16": 2, "f16": 2, "f32": 4, "f64": 8}

// widthOf is the width of an integer type, 0 of others.
func widthOf(typ string) uint {
	if typ == "index" {
		return 64
	}
	if !strings.HasPrefix(typ, "i") {
		return 0
	}
	w, err := strconv.ParseUint(typ[1:], 10, 8)
	if err != nil {
		panic("no integer type " + typ)
	}
	return uint(w)
}

// size is the number of bytes of an element in memory.
func size(typ string) int {
	if n, ok := floatSizes[typ]; ok {
		return n
	}
	n := 1
	for 8*n < int(widthOf(typ)) {
		n *= 2
	}
	return n
}

func putElem(b []byte, typ string, i int, x uint64) {
	var all [8]byte
	binary.LittleEndian.PutUint64(all[:], x)
	n := size(typ)
	copy(b[n*i:n*(i+1)], all[:])
}

func getElem(b []byte, typ string, i int) uint64 {
	var all [8]byte
	n := size(typ)
	copy(all[:], b[n*i:n*(i+1)])
	return binary.LittleEndian.Uint64(all[:])
}
