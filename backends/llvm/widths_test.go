package llvm

import (
	"testing"

	"github.com/irc-lang/irc/ir"
)

// A loop has the widest vectors of its own blocks, not of those of a loop in it, and of one place those of vectors count,
// not those of what is left over.
func TestWidths(t *testing.T) {
	const text = `define void @f(ptr %0) {
entry:
  br label %outer

outer:                                            ; preds = %after, %entry
  %x = fmul float %a, %b
  br label %inner

inner:                                            ; preds = %inner, %outer
  %v = load <4 x double>, ptr %p, align 8
  %w = tail call fast <4 x double> @llvm.fma.v4f64(<4 x double> %v, <4 x double> %v, <4 x double> %v)
  %m = add <16 x i32> %k, %k
  br i1 %c, label %rest, label %inner, !llvm.loop !4

rest:                                             ; preds = %rest, %inner
  %s = fadd double %y, %z
  br i1 %c, label %after, label %rest, !llvm.loop !6

after:                                            ; preds = %rest
  br i1 %d, label %exit, label %outer, !llvm.loop !2

exit:
  ret void
}

define void @g(ptr %0) {
  br label %loop

loop:
  %k = add nsw <8 x i32> %a, %b
  store <8 x i32> %k, ptr %0, align 4
  br i1 %c, label %exit, label %loop, !llvm.loop !8

exit:
  ret void
}

!1 = !{!"irc.place", i32 10}
!2 = distinct !{!2, !1}
!3 = !{!"irc.place", i32 20}
!4 = distinct !{!4, !3, !5, !9}
!5 = !{!"llvm.loop.isvectorized", i32 1}
!6 = distinct !{!6, !3, !5}
!7 = !{!"irc.place", i32 30}
!8 = distinct !{!8, !7}
!9 = !{!"irc.place", i32 25}
`
	got := Widths(text)
	want := map[ir.Loc]Width{10: {1, "float"}, 20: {4, "double"}, 25: {4, "double"}, 30: {8, "i32"}}
	for at, w := range want {
		if got[at] != w {
			t.Errorf("at %d: %+v, not %+v", at, got[at], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%+v", got)
	}
}
