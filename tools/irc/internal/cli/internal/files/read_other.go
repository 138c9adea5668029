//go:build !unix

package files

import "os"

func ReadFile(path string, _ bool) (data []byte, mapped bool, err error) {
	data, err = os.ReadFile(path)
	return data, false, err
}

func Forget([]byte) {}
