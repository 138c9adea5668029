package ir

import "unsafe"

// asValues and asRegions view stored edges under their own type; all three are
// uint32.
func asValues(e []uint32) []Value {
	if len(e) == 0 {
		return nil
	}
	return unsafe.Slice((*Value)(unsafe.Pointer(&e[0])), len(e))
}

func asRegions(e []uint32) []Region {
	if len(e) == 0 {
		return nil
	}
	return unsafe.Slice((*Region)(unsafe.Pointer(&e[0])), len(e))
}

func fromValues(v []Value) []uint32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&v[0])), len(v))
}

func fromRegions(v []Region) []uint32 {
	if len(v) == 0 {
		return nil
	}
	return unsafe.Slice((*uint32)(unsafe.Pointer(&v[0])), len(v))
}
