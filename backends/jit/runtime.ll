; What compiled code may call, and what the child calls. The child compiles this
; module once and gives the addresses to every user module.
;
; The log is an array of records: a kind byte and eight bytes of bits, in the
; machine's byte order; a string (kind 6) is followed by its bytes. It lies in
; memory that the parent sees, and its length counts whole records only, so that
; the parent may read while native code runs. There is one log: native code is
; expected to run on one thread.

@irc_log_data = global ptr null
@irc_log_len = global ptr null   ; where the length is
@irc_log_max = global i64 0      ; records beyond are counted and dropped
@irc_log_dropped = global i64 0

declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)

; The place of n new bytes at the end of the log, or null.
define internal ptr @reserve(i64 %n) alwaysinline {
  %len.at = load ptr, ptr @irc_log_len
  %len = load i64, ptr %len.at
  %max = load i64, ptr @irc_log_max
  %left = sub i64 %max, %len
  %spoilt = icmp ugt i64 %len, %max
  %short = icmp ugt i64 %n, %left
  %over = or i1 %spoilt, %short
  br i1 %over, label %drop, label %have
have:
  %data = load ptr, ptr @irc_log_data
  %at = getelementptr i8, ptr %data, i64 %len
  ret ptr %at
drop:
  %d = load i64, ptr @irc_log_dropped
  %d1 = add i64 %d, 1
  store i64 %d1, ptr @irc_log_dropped
  ret ptr null
}

; Makes n bytes that were reserved and written a part of the log.
define internal void @commit(i64 %n) alwaysinline {
  %len.at = load ptr, ptr @irc_log_len
  %len = load i64, ptr %len.at
  %end = add i64 %len, %n
  store atomic i64 %end, ptr %len.at release, align 8
  ret void
}

define void @irc_print_bits(i8 %kind, i64 %bits) {
  %at = call ptr @reserve(i64 9)
  %failed = icmp eq ptr %at, null
  br i1 %failed, label %done, label %write
write:
  store i8 %kind, ptr %at
  %value = getelementptr i8, ptr %at, i64 1
  store i64 %bits, ptr %value, align 1
  call void @commit(i64 9)
  br label %done
done:
  ret void
}

define void @irc_newline() {
  call void @irc_print_bits(i8 0, i64 0)
  ret void
}

define void @irc_print_i1(i1 %x) {
  %bits = zext i1 %x to i64
  call void @irc_print_bits(i8 1, i64 %bits)
  ret void
}

define void @irc_print_i64(i64 %x) {
  call void @irc_print_bits(i8 2, i64 %x)
  ret void
}

define void @irc_print_u64(i64 %x) {
  call void @irc_print_bits(i8 3, i64 %x)
  ret void
}

define void @irc_print_f32(float %x) {
  %b = bitcast float %x to i32
  %bits = zext i32 %b to i64
  call void @irc_print_bits(i8 4, i64 %bits)
  ret void
}

define void @irc_print_f64(double %x) {
  %bits = bitcast double %x to i64
  call void @irc_print_bits(i8 5, i64 %bits)
  ret void
}

define void @irc_print_str(ptr %text, i64 %len) {
  %all = add i64 %len, 9
  %wraps = icmp ult i64 %all, %len
  %size = select i1 %wraps, i64 -1, i64 %all   ; never fits
  %at = call ptr @reserve(i64 %size)
  %failed = icmp eq ptr %at, null
  br i1 %failed, label %done, label %write
write:
  store i8 6, ptr %at
  %value = getelementptr i8, ptr %at, i64 1
  store i64 %len, ptr %value, align 1
  %bytes = getelementptr i8, ptr %at, i64 9
  call void @llvm.memcpy.p0.p0.i64(ptr %bytes, ptr %text, i64 %len, i1 false)
  call void @commit(i64 %size)
  br label %done
done:
  ret void
}

; Runs a thunk n times, or until it gives a status other than 0, which is
; returned. args = {thunk, its args, its results, n}. Printing is thrown away, so
; that the log does not grow with n: only the last run's is kept.
define i32 @irc_repeat(ptr %args, ptr %results) {
entry:
  %fn = load ptr, ptr %args
  %p1 = getelementptr i64, ptr %args, i64 1
  %a = load ptr, ptr %p1
  %p2 = getelementptr i64, ptr %args, i64 2
  %r = load ptr, ptr %p2
  %p3 = getelementptr i64, ptr %args, i64 3
  %n = load i64, ptr %p3
  br label %loop
loop:
  %i = phi i64 [ 0, %entry ], [ %i1, %run ]
  %status = phi i32 [ 0, %entry ], [ %s, %run ]
  %bad = icmp ne i32 %status, 0
  %end = icmp uge i64 %i, %n
  %stop = or i1 %bad, %end
  br i1 %stop, label %done, label %run
run:
  %len.at = load ptr, ptr @irc_log_len
  store i64 0, ptr %len.at
  %s = call i32 %fn(ptr %a, ptr %r)
  %i1 = add i64 %i, 1
  br label %loop
done:
  store i64 %i, ptr %results
  ret i32 %status
}

; The handler of fatal signals: notes what happened in the control page, restores the default action and
; returns, so that the fault happens again and ends the process. Of several threads that fault at once the
; first notes, and the others wait for the end: were the default action there before the note, they
; would end the process without it. Offsets: siginfo_t of Linux, 64 bits; those
; into ucontext_t depend on the processor and are set by the child.
@irc_fault_note = global ptr null
@fault_claimed = internal global i32 0
@irc_fault_sp_at = global i64 0
@irc_fault_pc_at = global i64 0

declare ptr @signal(i32, ptr)

define void @irc_on_fault(i32 %sig, ptr %info, ptr %context) {
  %others = atomicrmw xchg ptr @fault_claimed, i32 1 seq_cst
  %first = icmp eq i32 %others, 0
  br i1 %first, label %write, label %wait
wait:
  %x = load volatile i32, ptr @fault_claimed
  br label %wait
write:
  %note = load ptr, ptr @irc_fault_note
  %code.at = getelementptr i8, ptr %info, i64 8
  %code = load i32, ptr %code.at
  %addr.at = getelementptr i8, ptr %info, i64 16
  %addr = load i64, ptr %addr.at
  %sp.off = load i64, ptr @irc_fault_sp_at
  %sp.at = getelementptr i8, ptr %context, i64 %sp.off
  %sp = load i64, ptr %sp.at
  %pc.off = load i64, ptr @irc_fault_pc_at
  %pc.at = getelementptr i8, ptr %context, i64 %pc.off
  %pc = load i64, ptr %pc.at
  %code64 = sext i32 %code to i64
  %sig64 = sext i32 %sig to i64
  %n1 = getelementptr i64, ptr %note, i64 1
  store volatile i64 %code64, ptr %n1
  %n2 = getelementptr i64, ptr %note, i64 2
  store volatile i64 %addr, ptr %n2
  %n3 = getelementptr i64, ptr %note, i64 3
  store volatile i64 %sp, ptr %n3
  %n4 = getelementptr i64, ptr %note, i64 4
  store volatile i64 %pc, ptr %n4
  store volatile i64 %sig64, ptr %note
  %old = call ptr @signal(i32 %sig, ptr null) ; SIG_DFL
  ret void
}

; The handler of system calls that the sandbox's filter refuses. While the program
; runs the call is the program's, which ends with a note of the call's number; at
; other times a library made it: the call fails with EPERM.
@irc_result_at = global i64 0

declare void @_exit(i32)

define void @irc_on_denied(i32 %sig, ptr %info, ptr %context) {
  %note = load ptr, ptr @irc_fault_note
  %state.at = getelementptr i64, ptr %note, i64 5
  %state = load volatile i64, ptr %state.at
  %running = icmp eq i64 %state, 2
  br i1 %running, label %end, label %fail
end:
  %number.at = getelementptr i8, ptr %info, i64 24
  %number = load i32, ptr %number.at
  %number64 = zext i32 %number to i64
  %n2 = getelementptr i64, ptr %note, i64 2
  store volatile i64 %number64, ptr %n2
  %sig64 = sext i32 %sig to i64
  store volatile i64 %sig64, ptr %note
  call void @_exit(i32 1)
  unreachable
fail:
  %result.off = load i64, ptr @irc_result_at
  %result.at = getelementptr i8, ptr %context, i64 %result.off
  store i64 -1, ptr %result.at
  ret void
}
