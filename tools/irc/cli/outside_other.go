//go:build !linux

package cli

// outside returns memory that the collector knows nothing of, or nil.
func outside(int) []byte { return nil }
