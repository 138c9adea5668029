; Models are made, asked for names, and map points from one scale to the other.

; The text of a file, or null.
define internal ptr @bs.file(ptr %path, ptr %error) {
  %file = call ptr @fopen(ptr %path, ptr @bs.say.read)
  %none = icmp eq ptr %file, null
  br i1 %none, label %failed, label %size
size:
  %end = call i32 @fseek(ptr %file, i64 0, i32 2)
  %n = call i64 @ftell(ptr %file)
  %start = call i32 @fseek(ptr %file, i64 0, i32 0)
  %no.size = icmp slt i64 %n, 0
  %bytes = add i64 %n, 1
  br i1 %no.size, label %close, label %room
room:
  %text = call ptr @malloc(i64 %bytes)
  %no.room = icmp eq ptr %text, null
  br i1 %no.room, label %close, label %read
read:
  %got = call i64 @fread(ptr %text, i64 1, i64 %n, ptr %file)
  %last = getelementptr i8, ptr %text, i64 %got
  store i8 0, ptr %last
  %closed = call i32 @fclose(ptr %file)
  ret ptr %text
close:
  %closed.too = call i32 @fclose(ptr %file)
  br label %failed
failed:
  call void @bs.fail(ptr %error, ptr @bs.say.file, ptr %path, i64 0, i64 0)
  ret ptr null
}

; Reads data into a model.
define internal i1 @bs.data(ptr %model, ptr %text, ptr %error) {
  %rows = load i64, ptr @bs.rows.data
  %marks = add i64 %rows, 1
  %seen = call ptr @bs.memory(i64 %marks, ptr %error)
  %none = icmp eq ptr %seen, null
  br i1 %none, label %failed, label %read
read:
  %fine = call i1 @bs.object(ptr %text, ptr @bs.table.data, i64 %rows, ptr %model, ptr %seen, ptr %error)
  call void @free(ptr %seen)
  ret i1 %fine
failed:
  ret i1 false
}

; The same, of a text or of a file that ends with .json.
define internal i1 @bs.given(ptr %model, ptr %data, ptr %error) {
  %len = call i64 @strlen(ptr %data)
  %long = icmp sgt i64 %len, 5
  br i1 %long, label %ending, label %text
ending:
  %from = sub i64 %len, 5
  %tail = getelementptr i8, ptr %data, i64 %from
  %order = call i32 @strncmp(ptr %tail, ptr @bs.say.json, i64 5)
  %path = icmp eq i32 %order, 0
  br i1 %path, label %file, label %text
text:
  %read = call i1 @bs.data(ptr %model, ptr %data, ptr %error)
  ret i1 %read
file:
  %content = call ptr @bs.file(ptr %data, ptr %error)
  %none = icmp eq ptr %content, null
  br i1 %none, label %failed, label %use
use:
  %fine = call i1 @bs.data(ptr %model, ptr %content, ptr %error)
  call void @free(ptr %content)
  ret i1 %fine
failed:
  ret i1 false
}

define ptr @bs_model_construct(ptr %data, i32 %seed, ptr %error) {
  %room = load i64, ptr @bs.room.model
  %model = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %model, null
  br i1 %none, label %failed, label %fill
fill:
  %size = load i64, ptr @bs.size.fixed
  call void @llvm.memcpy.p0.p0.i64(ptr %model, ptr @bs.fixed, i64 %size, i1 false)
  %no.data = icmp eq ptr %data, null
  br i1 %no.data, label %setup, label %look
look:
  %c = load i8, ptr %data
  %empty = icmp eq i8 %c, 0
  br i1 %empty, label %setup, label %read
read:
  %fine = call i1 @bs.given(ptr %model, ptr %data, ptr %error)
  br i1 %fine, label %setup, label %end
setup:
  %scratch = load i64, ptr @bs.room.setup
  %memory = call ptr @bs.memory(i64 %scratch, ptr %error)
  %short = icmp eq ptr %memory, null
  br i1 %short, label %end, label %compute
compute:
  %trap = call i32 @bs.setup(ptr %model, ptr %memory)
  store double 0.0, ptr %memory
  %status = getelementptr double, ptr %memory, i64 1
  store double 0.0, ptr %status
  %well = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr null, ptr null, ptr %error)
  call void @free(ptr %memory)
  br i1 %well, label %done, label %end
done:
  ret ptr %model
end:
  call void @free(ptr %model)
  ret ptr null
failed:
  ret ptr null
}

define void @bs_model_destruct(ptr %model) {
  call void @free(ptr %model)
  ret void
}

define void @bs_free_error_msg(ptr %text) {
  call void @free(ptr %text)
  ret void
}

define ptr @bs_name(ptr %model) {
  ret ptr @bs.name
}

define ptr @bs_model_info(ptr %model) {
  ret ptr @bs.info
}

define ptr @bs_param_unc_names(ptr %model) {
  ret ptr @bs.names.unconstrained
}

define i32 @bs_param_unc_num(ptr %model) {
  %n = load i64, ptr @bs.coordinates
  %m = trunc i64 %n to i32
  ret i32 %m
}

; Which of the four lists of names two flags ask for.
define internal i64 @bs.which(i8 %tp, i8 %gq) {
  %a = icmp ne i8 %tp, 0
  %b = icmp ne i8 %gq, 0
  %one = zext i1 %a to i64
  %two = select i1 %b, i64 2, i64 0
  %which = add i64 %one, %two
  ret i64 %which
}

define ptr @bs_param_names(ptr %model, i8 %tp, i8 %gq) {
  %which = call i64 @bs.which(i8 %tp, i8 %gq)
  %at = getelementptr ptr, ptr @bs.names, i64 %which
  %names = load ptr, ptr %at
  ret ptr %names
}

define i32 @bs_param_num(ptr %model, i8 %tp, i8 %gq) {
  %which = call i64 @bs.which(i8 %tp, i8 %gq)
  %at = getelementptr i32, ptr @bs.counts, i64 %which
  %n = load i32, ptr %at
  ret i32 %n
}

; The values of the nodes: the parameters come first, then what is computed of them.
define i32 @bs_param_constrain(ptr %model, i8 %tp, i8 %gq, ptr %theta.unc, ptr %theta, ptr %rng, ptr %error) {
  %which = call i64 @bs.which(i8 %tp, i8 %gq)
  %n.at = getelementptr i32, ptr @bs.counts, i64 %which
  %n = load i32, ptr %n.at
  %places.at = getelementptr ptr, ptr @bs.places, i64 %which
  %places = load ptr, ptr %places.at
  %drawn = icmp eq ptr %places, null
  br i1 %drawn, label %refuse, label %start
refuse:
  call void @bs.fail(ptr %error, ptr @bs.say.generated, ptr @bs.name, i64 0, i64 0)
  ret i32 -1
start:
  %g = icmp ne i8 %gq, 0
  %less.room = load i64, ptr @bs.room.constrain
  %more.room = load i64, ptr @bs.room.generate
  %room = select i1 %g, i64 %more.room, i64 %less.room
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %call
call:
  br i1 %g, label %generate, label %constrain
constrain:
  %trap.less = call i32 @bs.call.constrain(ptr %model, ptr %theta.unc, ptr %memory)
  br label %called
generate:
  %ready = call i1 @bs.random(ptr %memory, ptr %rng, ptr %error)
  br i1 %ready, label %draw, label %end
draw:
  %trap.more = call i32 @bs.call.generate(ptr %model, ptr %theta.unc, ptr %memory)
  br label %called
called:
  %trap = phi i32 [ %trap.less, %constrain ], [ %trap.more, %draw ]
  %status = getelementptr double, ptr %memory, i64 1
  store double 0.0, ptr %status ; the nodes are there, whether they have a density or not
  %well = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr null, ptr null, ptr %error)
  br i1 %well, label %next, label %end
next:
  %i = phi i32 [ 0, %called ], [ %i1, %copy ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %copy, label %end
copy:
  %at = getelementptr i64, ptr %places, i32 %i
  %place = load i64, ptr %at
  %from = getelementptr double, ptr %memory, i64 %place
  %x = load double, ptr %from
  %to = getelementptr double, ptr %theta, i32 %i
  store double %x, ptr %to
  %i1 = add i32 %i, 1
  br label %next
end:
  %fine = phi i1 [ false, %generate ], [ false, %called ], [ true, %next ]
  call void @free(ptr %memory)
  %rc = select i1 %fine, i32 0, i32 -1
  ret i32 %rc
failed:
  ret i32 -1
}

; The vector of the nodes that stand in memory.
define internal i32 @bs.unconstrain(ptr %model, ptr %memory, ptr %theta.unc, ptr %error) {
  %trap = call i32 @bs.call.unconstrain(ptr %model, ptr %theta.unc, ptr %memory)
  %fine = call i1 @bs.went.well(i32 %trap, ptr %memory, ptr @bs.nodes.unconstrain, ptr null, ptr %error)
  %n = load i64, ptr @bs.coordinates
  br i1 %fine, label %next, label %failed
next:
  %i = phi i64 [ 0, %0 ], [ %i1, %inside ]
  %more = icmp slt i64 %i, %n
  br i1 %more, label %look, label %done
look:
  %i1 = add i64 %i, 1
  %at = getelementptr double, ptr %theta.unc, i64 %i
  %x = load double, ptr %at
  %rest = fsub double %x, %x
  %finite = fcmp oeq double %rest, 0.0
  br i1 %finite, label %inside, label %outside
inside:
  br label %next
outside:
  %name.at = getelementptr ptr, ptr @bs.name.of, i64 %i
  %name = load ptr, ptr %name.at
  call void @bs.fail(ptr %error, ptr @bs.say.outside, ptr %name, i64 0, i64 0)
  br label %failed
done:
  ret i32 0
failed:
  ret i32 -1
}

define i32 @bs_param_unconstrain(ptr %model, ptr %theta, ptr %theta.unc, ptr %error) {
  %room = load i64, ptr @bs.room.unconstrain
  %memory = call ptr @bs.memory(i64 %room, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %start
start:
  %n = load i32, ptr @bs.counts
  call void @bs.enter.unconstrain(ptr %model, ptr %memory)
  br label %next
next:
  %i = phi i32 [ 0, %start ], [ %i1, %copy ]
  %more = icmp slt i32 %i, %n
  br i1 %more, label %copy, label %call
copy:
  %from = getelementptr double, ptr %theta, i32 %i
  %x = load double, ptr %from
  %at = getelementptr i64, ptr @bs.at.unconstrained, i32 %i
  %place = load i64, ptr %at
  %to = getelementptr double, ptr %memory, i64 %place
  store double %x, ptr %to
  %i1 = add i32 %i, 1
  br label %next
call:
  %rc = call i32 @bs.unconstrain(ptr %model, ptr %memory, ptr %theta.unc, ptr %error)
  call void @free(ptr %memory)
  ret i32 %rc
failed:
  ret i32 -1
}

define i32 @bs_param_unconstrain_json(ptr %model, ptr %text, ptr %theta.unc, ptr %error) {
  %room = load i64, ptr @bs.room.unconstrain
  %rows = load i64, ptr @bs.rows.parameters
  %both = add i64 %room, %rows
  %memory = call ptr @bs.memory(i64 %both, ptr %error)
  %none = icmp eq ptr %memory, null
  br i1 %none, label %failed, label %read
read:
  call void @bs.enter.unconstrain(ptr %model, ptr %memory)
  %seen = getelementptr double, ptr %memory, i64 %room
  %fine = call i1 @bs.object(ptr %text, ptr @bs.table.parameters, i64 %rows, ptr %memory, ptr %seen, ptr %error)
  br i1 %fine, label %call, label %end
call:
  %rc = call i32 @bs.unconstrain(ptr %model, ptr %memory, ptr %theta.unc, ptr %error)
  br label %end
end:
  %out = phi i32 [ -1, %read ], [ %rc, %call ]
  call void @free(ptr %memory)
  ret i32 %out
failed:
  ret i32 -1
}

; A generator is its seed, and how often it was used.
define ptr @bs_rng_construct(i32 %seed, ptr %error) {
  %rng = call ptr @bs.memory(i64 2, ptr %error)
  %none = icmp eq ptr %rng, null
  br i1 %none, label %done, label %keep
keep:
  %n = zext i32 %seed to i64
  store i64 %n, ptr %rng
  br label %done
done:
  ret ptr %rng
}

; Gives a call that draws a seed and a stream of its own.
define internal i1 @bs.random(ptr %memory, ptr %rng, ptr %error) {
  %at = load i64, ptr @bs.at.random
  %none = icmp slt i64 %at, 0
  br i1 %none, label %done, label %look
look:
  %no.rng = icmp eq ptr %rng, null
  br i1 %no.rng, label %refuse, label %take
refuse:
  call void @bs.fail(ptr %error, ptr @bs.say.generator, ptr @bs.name, i64 0, i64 0)
  ret i1 false
take:
  %seed = load i64, ptr %rng
  %used.at = getelementptr i64, ptr %rng, i64 1
  %used = atomicrmw add ptr %used.at, i64 1 seq_cst
  %seed.x = uitofp i64 %seed to double
  %used.x = uitofp i64 %used to double
  %seed.to = getelementptr double, ptr %memory, i64 %at
  store double %seed.x, ptr %seed.to
  %used.to = getelementptr double, ptr %seed.to, i64 1
  store double %used.x, ptr %used.to
  br label %done
done:
  ret i1 true
}

define void @bs_rng_destruct(ptr %rng) {
  call void @free(ptr %rng)
  ret void
}

; Models print nothing.
define i32 @bs_set_print_callback(ptr %callback, ptr %error) {
  ret i32 0
}
