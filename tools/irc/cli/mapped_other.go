//go:build !unix

package cli

import "os"

func readFile(path string, _ bool) (data []byte, mapped bool, err error) {
	data, err = os.ReadFile(path)
	return data, false, err
}

func forget([]byte) {}
