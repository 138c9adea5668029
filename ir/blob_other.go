//go:build !unix

package ir

// mapBytes: blobs are memory of the heap here.
func mapBytes(int) []byte { return nil }

func unmapBytes([]byte) {}
