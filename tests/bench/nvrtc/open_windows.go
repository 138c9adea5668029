package nvrtc

// Open finds none: what `make deps-ptx` gets is for Linux.
func Open() (*Library, error) { return nil, errNoNVRTC }
