//go:build !linux

package files

import (
	"errors"
	"os"
)

// nameless makes no file here: one with a name does.
func nameless(string) (*os.File, error) { return nil, errors.ErrUnsupported }

// giveName is not called.
func giveName(*os.File, string) error { return errors.ErrUnsupported }
