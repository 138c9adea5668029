package c

import (
	"fmt"
	"strings"

	"github.com/irc-lang/irc/backends/source"
)

// Globals whose elements have more than source.LargeData bytes are in a second file, which the assembler includes: an
// array of a hundred million numbers takes a compiler of C minutes, and has no place among lines for people. C11 has no
// word for it (#embed came with C23, and gives bytes, not floats), but GCC and Clang know .incbin, for every machine.

// includes is what stands before the first embedded global.
const includes = `/* The large constants are in %[1]s: in the folder that is compiled in, in one that
   -Wa,-I,FOLDER names, or under the name that -DIRC_DATA='"PATH"' gives. */
#ifndef __GNUC__
#error "the constants in %[1]s are included by .incbin, of the assembler of GCC and Clang"
#endif
#ifndef IRC_DATA
#define IRC_DATA "%[1]s"
#endif
#ifdef __APPLE__
#define IRC_PREFIX "_"
#define IRC_CONSTANTS "\t.section __TEXT,__const\n\t.p2align 6\n"
#define IRC_VARIABLES "\t.section __DATA,__data\n\t.p2align 6\n"
#define IRC_CODE "\t.text\n"
#else
#define IRC_PREFIX ""
#define IRC_CONSTANTS "\t.section .rodata\n\t.balign 64\n"
#define IRC_VARIABLES "\t.section .data\n\t.balign 64\n"
#define IRC_CODE "\t.previous\n"
#endif
`

// embedded declares a global whose elements are in the second file.
func (e *emitter) embedded(g *source.Global) string {
	d := source.DataOf(e.Module, g, e.opts.Data, ".c")
	var b strings.Builder
	if d.String() == "" {
		fmt.Fprintf(&b, includes, d.Name)
	}
	section, array := "IRC_VARIABLES", fmt.Sprintf("%s %s[%d]", e.Scalar(g.Elem), g.Name, g.Count)
	if g.Constant {
		section, array = "IRC_CONSTANTS", "const "+array
	}
	label, public, says := "irc_data_"+g.Name, "", fmt.Sprintf(" __asm__(\"irc_data_%s\") __attribute__((visibility(\"hidden\")))", g.Name)
	if !g.Private {
		label = `" IRC_PREFIX "` + g.Name
		public, says = fmt.Sprintf(` "\t.globl %s\n"`, label), ""
	}
	fmt.Fprintf(&b, "__asm__(%s%s \"%s:\\n\\t.incbin \\\"\" IRC_DATA \"\\\", %d, %d\\n\" IRC_CODE);\n", section, public, label, d.Add(g.Data), len(g.Data))
	fmt.Fprintf(&b, "extern %s%s;\n", array, says)
	return b.String()
}
