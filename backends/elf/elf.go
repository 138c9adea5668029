// Package elf adds constants to object files: bytes that LLVM has not seen, for symbols that it left undefined.
package elf

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
)

// A Constant is the bytes of a symbol.
type Constant struct {
	Symbol string
	Data   string
	Align  int64
}

// Append writes a relocatable ELF file of 32 or 64 bits, little end first, with a read-only section more for each
// constant. Its symbol, which the file has to leave undefined, is defined there: weak and hidden, so that of files
// with a constant of one name the linker takes one. The bytes go to w as they are. What the file does not refer to is left out.
func Append(w io.Writer, object []byte, constants []Constant) error {
	f, err := read(object)
	if err != nil {
		return fmt.Errorf("the object file is none of ELF's that constants can be added to: %w", err)
	}
	var out [][]byte
	size := int64(len(f.data))
	add := func(data []byte, align int64) (at int64) {
		if pad := -size & (align - 1); pad > 0 {
			out, size = append(out, make([]byte, pad)), size+pad
		}
		at = size
		out, size = append(out, data), size+int64(len(data))
		return at
	}
	var blobs []string // by their places in out
	at := map[int]int{}
	for _, c := range constants {
		section := len(f.sections)
		if !f.define(c, section) {
			continue
		}
		name := f.name(".rodata." + c.Symbol)
		off := add(nil, c.Align)
		at[len(out)-1] = len(blobs)
		blobs = append(blobs, c.Data)
		size += int64(len(c.Data))
		f.sections = append(f.sections, elf.Section64{Name: name, Type: uint32(elf.SHT_PROGBITS), Flags: uint64(elf.SHF_ALLOC),
			Off: uint64(off), Size: uint64(len(c.Data)), Addralign: uint64(c.Align)})
	}
	names := &f.sections[f.header.Shstrndx]
	names.Off, names.Size = uint64(add(f.names, 1)), uint64(len(f.names))
	f.header.Shoff = uint64(add(f.sectionTable(), 8))
	f.header.Shnum = uint16(len(f.sections))
	f.writeHeader()
	if _, err := w.Write(f.data); err != nil {
		return err
	}
	for i, part := range out {
		if _, err := w.Write(part); err != nil {
			return err
		}
		if k, ok := at[i]; ok {
			if _, err := io.WriteString(w, blobs[k]); err != nil {
				return err
			}
		}
	}
	return nil
}

// file is an object file that is changed. Its headers are those of 64 bits.
type file struct {
	data     []byte
	small    bool // 32 bits
	header   elf.Header64
	sections []elf.Section64
	names    []byte // of sections
	symbols  map[string]int
}

var order = binary.LittleEndian

func read(data []byte) (*file, error) {
	if len(data) < 64 || string(data[:4]) != elf.ELFMAG || elf.Data(data[elf.EI_DATA]) != elf.ELFDATA2LSB {
		return nil, errors.New("it does not begin as one whose little end comes first")
	}
	f := &file{data: data, small: elf.Class(data[elf.EI_CLASS]) == elf.ELFCLASS32, symbols: map[string]int{}}
	if err := f.readHeader(); err != nil {
		return nil, err
	}
	if elf.Type(f.header.Type) != elf.ET_REL || f.header.Shnum == 0 || f.header.Shstrndx >= f.header.Shnum {
		return nil, errors.New("it is not relocatable, or has more sections than fit its header")
	}
	strings := f.sections[f.header.Shstrndx]
	text, err := f.part(strings.Off, strings.Size)
	if err != nil {
		return nil, err
	}
	f.names = bytes.Clone(text)
	for _, s := range f.sections {
		if elf.SectionType(s.Type) == elf.SHT_SYMTAB {
			return f, f.readSymbols(s)
		}
	}
	return f, nil
}

func (f *file) part(off, size uint64) ([]byte, error) {
	if off > uint64(len(f.data)) || size > uint64(len(f.data))-off {
		return nil, errors.New("a section lies outside of the file")
	}
	return f.data[off : off+size], nil
}

func (f *file) readHeader() error {
	if !f.small {
		if _, err := binary.Decode(f.data, order, &f.header); err != nil {
			return err
		}
	} else {
		var h elf.Header32
		if _, err := binary.Decode(f.data, order, &h); err != nil {
			return err
		}
		f.header = elf.Header64{Ident: h.Ident, Type: h.Type, Machine: h.Machine, Version: h.Version, Entry: uint64(h.Entry), Phoff: uint64(h.Phoff),
			Shoff: uint64(h.Shoff), Flags: h.Flags, Ehsize: h.Ehsize, Phentsize: h.Phentsize, Phnum: h.Phnum, Shentsize: h.Shentsize, Shnum: h.Shnum, Shstrndx: h.Shstrndx}
	}
	each := uint64(binary.Size(elf.Section64{}))
	if f.small {
		each = uint64(binary.Size(elf.Section32{}))
	}
	table, err := f.part(f.header.Shoff, each*uint64(f.header.Shnum))
	for ; err == nil && len(table) > 0; table = table[each:] {
		var s elf.Section64
		if f.small {
			var x elf.Section32
			_, err = binary.Decode(table, order, &x)
			s = elf.Section64{Name: x.Name, Type: x.Type, Flags: uint64(x.Flags), Addr: uint64(x.Addr), Off: uint64(x.Off), Size: uint64(x.Size),
				Link: x.Link, Info: x.Info, Addralign: uint64(x.Addralign), Entsize: uint64(x.Entsize)}
		} else {
			_, err = binary.Decode(table, order, &s)
		}
		f.sections = append(f.sections, s)
	}
	return err
}

// readSymbols notes where in the file undefined symbols are.
func (f *file) readSymbols(s elf.Section64) error {
	if int(s.Link) >= len(f.sections) || s.Entsize == 0 {
		return errors.New("its symbols have no names")
	}
	names, err := f.part(f.sections[s.Link].Off, f.sections[s.Link].Size)
	if err != nil {
		return err
	}
	table, err := f.part(s.Off, s.Size)
	if err != nil {
		return err
	}
	for i := uint64(0); i+s.Entsize <= uint64(len(table)); i += s.Entsize {
		entry := table[i:]
		section, name := order.Uint16(entry[6:]), order.Uint32(entry)
		if f.small {
			section = order.Uint16(entry[14:])
		}
		if elf.SectionIndex(section) != elf.SHN_UNDEF || uint64(name) >= uint64(len(names)) {
			continue
		}
		text, _, _ := bytes.Cut(names[name:], []byte{0})
		f.symbols[string(text)] = int(s.Off + i)
	}
	return nil
}

// define makes an undefined symbol the begin of a section.
func (f *file) define(c Constant, section int) bool {
	off, ok := f.symbols[c.Symbol]
	if !ok {
		return false
	}
	entry := f.data[off:]
	const info = byte(elf.STB_WEAK)<<4 | byte(elf.STT_OBJECT)
	if f.small {
		order.PutUint32(entry[4:], 0)
		order.PutUint32(entry[8:], uint32(len(c.Data)))
		entry[12], entry[13] = info, byte(elf.STV_HIDDEN)
		order.PutUint16(entry[14:], uint16(section))
		return true
	}
	entry[4], entry[5] = info, byte(elf.STV_HIDDEN)
	order.PutUint16(entry[6:], uint16(section))
	order.PutUint64(entry[8:], 0)
	order.PutUint64(entry[16:], uint64(len(c.Data)))
	return true
}

// name adds the name of a section.
func (f *file) name(text string) uint32 {
	at := len(f.names)
	f.names = append(append(f.names, text...), 0)
	return uint32(at)
}

func (f *file) sectionTable() []byte {
	var b bytes.Buffer
	for _, s := range f.sections {
		var err error
		if f.small {
			err = binary.Write(&b, order, elf.Section32{Name: s.Name, Type: s.Type, Flags: uint32(s.Flags), Addr: uint32(s.Addr), Off: uint32(s.Off), Size: uint32(s.Size),
				Link: s.Link, Info: s.Info, Addralign: uint32(s.Addralign), Entsize: uint32(s.Entsize)})
		} else {
			err = binary.Write(&b, order, s)
		}
		if err != nil {
			panic(err) // a buffer takes all
		}
	}
	return b.Bytes()
}

func (f *file) writeHeader() {
	h := f.header
	var err error
	if f.small {
		_, err = binary.Encode(f.data, order, elf.Header32{Ident: h.Ident, Type: h.Type, Machine: h.Machine, Version: h.Version, Entry: uint32(h.Entry), Phoff: uint32(h.Phoff),
			Shoff: uint32(h.Shoff), Flags: h.Flags, Ehsize: h.Ehsize, Phentsize: h.Phentsize, Phnum: h.Phnum, Shentsize: h.Shentsize, Shnum: h.Shnum, Shstrndx: h.Shstrndx})
	} else {
		_, err = binary.Encode(f.data, order, h)
	}
	if err != nil {
		panic(err) // it was read from there
	}
}
