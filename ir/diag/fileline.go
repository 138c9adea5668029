package diag

import (
	"fmt"
	"os"
	"path/filepath"
)

// FileLine is a line of a file, whose name is given from the working directory where that is shorter.
func FileLine(file string, line int) string {
	if dir, err := os.Getwd(); err == nil {
		if short, err := filepath.Rel(dir, file); err == nil && len(short) < len(file) {
			file = short
		}
	}
	return fmt.Sprintf("%s:%d", file, line)
}
