; The pool: threads that share the iterations of a parallel loop. A child compiles this
; module when a program first needs it and starts the threads then; docs/performance.md
; says what the pool promises.
;
; One loop runs at a time: only the thread that runs the program starts one, and a loop
; inside of a loop runs on the thread that meets it. Its iterations are cut into chunks
; of consecutive ones, and a counter hands these out in order. A trap jumps out of its
; chunk; the lowest chunk that trapped decides what the program stops at, and since the chunks
; before it have been handed out and are run to their end, that is where it would have
; stopped on one core.
;
; Threads that wait look for work for a while and then sleep in the kernel (futex). The gate
; is how they enter a loop: its highest bit says that it is open, the others count who is in.
; A thread that wakes late finds it closed, so the loop waits for those alone who entered.

@irc_pool_threads = global i64 1      ; with the one that runs the program
@irc_pool_futex = global i64 0        ; the number of the system call
@irc_pool_key = global i32 0          ; of the thread's jump buffer, while it is in a loop

@main_buffer = internal global [512 x i8] zeroinitializer, align 16

@job_fn = internal global ptr null, align 64
@job_closure = internal global ptr null
@job_low = internal global i64 0
@job_high = internal global i64 0
@job_chunk = internal global i64 0    ; iterations
@job_chunks = internal global i64 0
@job_next = internal global i64 0, align 64
@job_trap = internal global i64 -1, align 64 ; the lowest (chunk << 32 | code), or -1
@gate = internal global i32 0, align 64
@opened = internal global i32 0, align 64    ; how often the gate was opened
@sleepers = internal global i32 0, align 64
@waits = internal global i32 0               ; the program's thread sleeps at the gate

declare ptr @pthread_getspecific(i32)
declare i32 @pthread_setspecific(i32, ptr)
declare i32 @_setjmp(ptr) returns_twice
declare void @longjmp(ptr, i32) noreturn
declare i64 @syscall(i64, ...)
declare i32 @sigaltstack(ptr, ptr)
declare i64 @llvm.umin.i64(i64, i64)
declare i64 @llvm.umax.i64(i64, i64)

; Where a trap on this thread jumps to.
define ptr @irc_jump_buffer() {
  %key = load i32, ptr @irc_pool_key
  %own = call ptr @pthread_getspecific(i32 %key)
  %none = icmp eq ptr %own, null
  %at = select i1 %none, ptr @main_buffer, ptr %own
  ret ptr %at
}

define internal void @sleep_on(ptr %word, i32 %value) {
  %number = load i64, ptr @irc_pool_futex
  %r = call i64 (i64, ...) @syscall(i64 %number, ptr %word, i64 128, i32 %value, ptr null) ; FUTEX_WAIT_PRIVATE
  ret void
}

define internal void @wake(ptr %word) {
  %number = load i64, ptr @irc_pool_futex
  %r = call i64 (i64, ...) @syscall(i64 %number, ptr %word, i64 129, i32 2147483647, ptr null) ; FUTEX_WAKE_PRIVATE
  ret void
}

; Runs iterations low to high of the job and gives the code of the trap that ended them, or 0.
define internal i32 @run(ptr %buffer, i64 %low, i64 %high) noinline {
  %code = call i32 @_setjmp(ptr %buffer) returns_twice
  %first = icmp eq i32 %code, 0
  br i1 %first, label %go, label %trapped
go:
  %fn = load ptr, ptr @job_fn
  %closure = load ptr, ptr @job_closure
  call void %fn(i64 %low, i64 %high, ptr %closure)
  ret i32 0
trapped:
  ret i32 %code
}

; Takes chunks of the job until there are none, or none below one that trapped.
define internal void @work() noinline {
entry:
  %buffer = alloca [512 x i8], align 16
  %key = load i32, ptr @irc_pool_key
  %set = call i32 @pthread_setspecific(i32 %key, ptr %buffer)
  %size = load i64, ptr @job_chunk
  %count = load i64, ptr @job_chunks
  %base = load i64, ptr @job_low
  %end = load i64, ptr @job_high
  br label %next
next:
  %c = atomicrmw add ptr @job_next, i64 1 monotonic
  %there = icmp ult i64 %c, %count
  br i1 %there, label %look, label %done
look:
  %trap = load atomic i64, ptr @job_trap monotonic, align 8
  %trap.chunk = lshr i64 %trap, 32
  %skip = icmp ult i64 %trap.chunk, %c
  br i1 %skip, label %done, label %take
take:
  %off = mul i64 %c, %size
  %low = add i64 %base, %off
  %left = sub i64 %end, %low
  %n = call i64 @llvm.umin.i64(i64 %left, i64 %size)
  %high = add i64 %low, %n
  %code = call i32 @run(ptr %buffer, i64 %low, i64 %high)
  %ok = icmp eq i32 %code, 0
  br i1 %ok, label %next, label %note
note:
  %c.high = shl i64 %c, 32
  %code64 = zext i32 %code to i64
  %mark = or i64 %c.high, %code64
  %old = atomicrmw umin ptr @job_trap, i64 %mark monotonic
  br label %done
done:
  %unset = call i32 @pthread_setspecific(i32 %key, ptr null)
  ret void
}

; Runs fn(a, b, closure) for parts a to b of low to high, none of fewer than grain iterations but
; perhaps the last. A negative grain says that iterations take equally long: then each thread
; gets one part, else more than that.
define void @irc_parallel_for(ptr %fn, ptr %closure, i64 %low, i64 %high, i64 %grain) {
entry:
  %some = icmp slt i64 %low, %high
  br i1 %some, label %where, label %nothing
where:
  %key = load i32, ptr @irc_pool_key
  %inside = call ptr @pthread_getspecific(i32 %key)
  %nested = icmp ne ptr %inside, null
  br i1 %nested, label %serial, label %cut
serial:
  call void %fn(i64 %low, i64 %high, ptr %closure)
  ret void
nothing:
  ret void
cut:
  %n = sub i64 %high, %low
  %even = icmp slt i64 %grain, 0
  %minus = sub i64 0, %grain
  %least0 = select i1 %even, i64 %minus, i64 %grain
  %least = call i64 @llvm.umax.i64(i64 %least0, i64 1)
  %threads = load i64, ptr @irc_pool_threads
  %each = select i1 %even, i64 1, i64 16
  %parts = mul i64 %threads, %each
  %n1 = sub i64 %n, 1
  %q = udiv i64 %n1, %parts
  %share = add i64 %q, 1
  %few = lshr i64 %n, 30            ; so that a chunk's number has 31 bits
  %few1 = add i64 %few, 1
  %a = call i64 @llvm.umax.i64(i64 %share, i64 %least)
  %chunk = call i64 @llvm.umax.i64(i64 %a, i64 %few1)
  %n1q = udiv i64 %n1, %chunk
  %chunks = add i64 %n1q, 1
  %one = icmp eq i64 %chunks, 1
  br i1 %one, label %serial, label %start
start:
  store ptr %fn, ptr @job_fn
  store ptr %closure, ptr @job_closure
  store i64 %low, ptr @job_low
  store i64 %high, ptr @job_high
  store i64 %chunk, ptr @job_chunk
  store i64 %chunks, ptr @job_chunks
  store atomic i64 0, ptr @job_next monotonic, align 8
  store atomic i64 -1, ptr @job_trap monotonic, align 8
  store atomic i32 0, ptr @waits monotonic, align 4
  store atomic i32 -2147483648, ptr @gate release, align 4
  %before = atomicrmw add ptr @opened, i32 1 seq_cst
  %asleep = load atomic i32, ptr @sleepers seq_cst, align 4
  %any = icmp ne i32 %asleep, 0
  br i1 %any, label %rouse, label %begin
rouse:
  call void @wake(ptr @opened)
  br label %begin
begin:
  call void @work()
  %was = atomicrmw and ptr @gate, i32 2147483647 seq_cst
  br label %check
check:
  %k = phi i64 [ 0, %begin ], [ %k1, %spin ], [ 0, %slept ]
  %in = load atomic i32, ptr @gate seq_cst, align 4
  %empty = icmp eq i32 %in, 0
  br i1 %empty, label %over, label %patience
patience:
  %more = icmp ult i64 %k, 2000
  br i1 %more, label %spin, label %slept
spin:
  call void asm sideeffect "PAUSE", ""()
  %k1 = add i64 %k, 1
  br label %check
slept:
  store atomic i32 1, ptr @waits seq_cst, align 4
  call void @sleep_on(ptr @gate, i32 %in)
  br label %check
over:
  %trap = load atomic i64, ptr @job_trap acquire, align 8
  %fine = icmp eq i64 %trap, -1
  br i1 %fine, label %nothing, label %stop
stop:
  %code = trunc i64 %trap to i32
  call void @longjmp(ptr @main_buffer, i32 %code) noreturn
  unreachable
}

; What a thread of the pool does. Signals come on a stack of their own, which lies on the
; thread's: an overflow of that is then seen by the handler.
define ptr @irc_pool_thread(ptr %unused) {
entry:
  %alt = alloca [65536 x i8], align 16
  %stack = alloca { ptr, i32, i64 }
  store ptr %alt, ptr %stack
  %flags = getelementptr { ptr, i32, i64 }, ptr %stack, i32 0, i32 1
  store i32 0, ptr %flags
  %length = getelementptr { ptr, i32, i64 }, ptr %stack, i32 0, i32 2
  store i64 65536, ptr %length
  %r = call i32 @sigaltstack(ptr %stack, ptr null)
  br label %wait
wait:
  %seen = phi i32 [ 0, %entry ], [ %now, %enter ], [ %now, %run ], [ %now, %leave ], [ %now, %rouse ]
  br label %look
look:
  %k = phi i64 [ 0, %wait ], [ %k1, %spin ], [ 0, %sleep ]
  %now = load atomic i32, ptr @opened seq_cst, align 4
  %same = icmp eq i32 %now, %seen
  br i1 %same, label %patience, label %enter
patience:
  %more = icmp ult i64 %k, 2000
  br i1 %more, label %spin, label %sleep
spin:
  call void asm sideeffect "PAUSE", ""()
  %k1 = add i64 %k, 1
  br label %look
sleep:
  %s = atomicrmw add ptr @sleepers, i32 1 seq_cst
  call void @sleep_on(ptr @opened, i32 %seen)
  %t = atomicrmw sub ptr @sleepers, i32 1 seq_cst
  br label %look
enter:
  %in = load atomic i32, ptr @gate seq_cst, align 4
  %open = icmp slt i32 %in, 0
  br i1 %open, label %try, label %wait
try:
  %in1 = add i32 %in, 1
  %pair = cmpxchg ptr @gate, i32 %in, i32 %in1 seq_cst seq_cst
  %entered = extractvalue { i32, i1 } %pair, 1
  br i1 %entered, label %run, label %enter
run:
  call void @work()
  %before = atomicrmw sub ptr @gate, i32 1 seq_cst
  %emptied = icmp eq i32 %before, 1    ; and it is closed
  br i1 %emptied, label %leave, label %wait
leave:
  %asleep = load atomic i32, ptr @waits seq_cst, align 4
  %tell = icmp ne i32 %asleep, 0
  br i1 %tell, label %rouse, label %wait
rouse:
  call void @wake(ptr @gate)
  br label %wait
}
