; Reads the JSON of data and of parameters. A table says what is in it, a row for each name. A reader is the address of the
; place in the text, which is moved on. What returns i1 is false once a message was written.

; A row: name, rank, sizes, elements, what the library was made for, where it goes, and the largest number
%bs.row = type { ptr, i64, ptr, i64, ptr, i64, double }

; A row without what the library was made for (null) takes any numbers, and leaves an element that is null as it is. One that goes
; nowhere (-1) has to say the same numbers again.

declare double @strtod(ptr, ptr)
declare i32 @strncmp(ptr, ptr, i64)
declare i64 @strlen(ptr)

; The next character that is no space.
define internal i8 @bs.next(ptr %reader) {
entry:
  br label %look
look:
  %at = load ptr, ptr %reader
  %c = load i8, ptr %at
  switch i8 %c, label %found [ i8 32, label %skip i8 9, label %skip i8 10, label %skip i8 13, label %skip ]
skip:
  %after = getelementptr i8, ptr %at, i64 1
  store ptr %after, ptr %reader
  br label %look
found:
  ret i8 %c
}

; Goes past a character, if that is the next one.
define internal i1 @bs.take(ptr %reader, i8 %wanted) {
  %c = call i8 @bs.next(ptr %reader)
  %is = icmp eq i8 %c, %wanted
  br i1 %is, label %yes, label %no
yes:
  %at = load ptr, ptr %reader
  %after = getelementptr i8, ptr %at, i64 1
  store ptr %after, ptr %reader
  ret i1 true
no:
  ret i1 false
}

; Goes past the rest of a string, and gives its length; -1 is no end. No name has an escape.
define internal i64 @bs.rest(ptr %reader) {
entry:
  %start = load ptr, ptr %reader
  %from = ptrtoint ptr %start to i64
  br label %look
look:
  %at = load ptr, ptr %reader
  %c = load i8, ptr %at
  %after = getelementptr i8, ptr %at, i64 1
  switch i8 %c, label %move [ i8 0, label %none i8 34, label %end i8 92, label %escape ]
escape:
  %escaped = load i8, ptr %after
  %open = icmp eq i8 %escaped, 0
  %past = getelementptr i8, ptr %at, i64 2
  br i1 %open, label %none, label %jump
jump:
  store ptr %past, ptr %reader
  br label %look
move:
  store ptr %after, ptr %reader
  br label %look
end:
  store ptr %after, ptr %reader
  %to = ptrtoint ptr %at to i64
  %len = sub i64 %to, %from
  ret i64 %len
none:
  ret i64 -1
}

; Goes past a value that nobody wants: up to the comma or the bracket behind it.
define internal i1 @bs.skip(ptr %reader) {
entry:
  br label %look
look:
  %depth = phi i64 [ 0, %entry ], [ %deeper, %open ], [ %less, %up ], [ %depth, %move ], [ %depth, %text ]
  %c = call i8 @bs.next(ptr %reader)
  %at = load ptr, ptr %reader
  %after = getelementptr i8, ptr %at, i64 1
  switch i8 %c, label %move [ i8 0, label %none i8 34, label %quote i8 91, label %open i8 123, label %open
    i8 93, label %close i8 125, label %close i8 44, label %comma ]
quote:
  store ptr %after, ptr %reader
  %len = call i64 @bs.rest(ptr %reader)
  %endless = icmp slt i64 %len, 0
  br i1 %endless, label %none, label %text
text:
  br label %look
open:
  store ptr %after, ptr %reader
  %deeper = add i64 %depth, 1
  br label %look
close:
  %ends = icmp eq i64 %depth, 0
  br i1 %ends, label %done, label %up
up:
  store ptr %after, ptr %reader
  %less = sub i64 %depth, 1
  br label %look
comma:
  %top = icmp eq i64 %depth, 0
  br i1 %top, label %done, label %move
move:
  store ptr %after, ptr %reader
  br label %look
done:
  ret i1 true
none:
  ret i1 false
}

; The end of the number at a place, by the grammar of JSON; the place itself if there is none.
define internal ptr @bs.number.end(ptr %start) {
entry:
  %c = load i8, ptr %start
  %minus = icmp eq i8 %c, 45
  %skip = zext i1 %minus to i64
  %first = getelementptr i8, ptr %start, i64 %skip
  %whole = call ptr @bs.digits(ptr %first)
  %any = icmp ne ptr %whole, %first
  br i1 %any, label %dot, label %none
dot:
  %p = load i8, ptr %whole
  %fraction = icmp eq i8 %p, 46
  %behind = getelementptr i8, ptr %whole, i64 1
  br i1 %fraction, label %digits, label %exponent
digits:
  %part = call ptr @bs.digits(ptr %behind)
  %some = icmp ne ptr %part, %behind
  br i1 %some, label %exponent, label %none
exponent:
  %end = phi ptr [ %whole, %dot ], [ %part, %digits ]
  %e = load i8, ptr %end
  %lower = or i8 %e, 32
  %power = icmp eq i8 %lower, 101
  br i1 %power, label %sign, label %done
sign:
  %one = getelementptr i8, ptr %end, i64 1
  %s = load i8, ptr %one
  %plus = icmp eq i8 %s, 43
  %less = icmp eq i8 %s, 45
  %signed = or i1 %plus, %less
  %more = zext i1 %signed to i64
  %two = getelementptr i8, ptr %one, i64 %more
  %last = call ptr @bs.digits(ptr %two)
  %ends = icmp ne ptr %last, %two
  br i1 %ends, label %raised, label %none
raised:
  ret ptr %last
done:
  ret ptr %end
none:
  ret ptr %start
}

define internal ptr @bs.digits(ptr %start) {
entry:
  br label %look
look:
  %at = phi ptr [ %start, %entry ], [ %after, %digit ]
  %c = load i8, ptr %at
  %value = sub i8 %c, 48
  %is = icmp ult i8 %value, 10
  br i1 %is, label %digit, label %end
digit:
  %after = getelementptr i8, ptr %at, i64 1
  br label %look
end:
  ret ptr %at
}

; Reads an element. The count of elements is moved on.
define internal i1 @bs.element(ptr %reader, ptr %row, ptr %count, ptr %to, ptr %error) {
entry:
  %end = alloca ptr
  %name = load ptr, ptr %row
  %given.at = getelementptr %bs.row, ptr %row, i64 0, i32 4
  %given = load ptr, ptr %given.at
  %goes.at = getelementptr %bs.row, ptr %row, i64 0, i32 5
  %goes = load i64, ptr %goes.at
  %i = load i64, ptr %count
  %human = add i64 %i, 1
  store i64 %human, ptr %count
  %slot.n = add i64 %goes, %i
  %slot = getelementptr double, ptr %to, i64 %slot.n
  %free = icmp eq ptr %given, null
  br i1 %free, label %anything, label %known
known:
  %was.at = getelementptr double, ptr %given, i64 %i
  %was.there = load double, ptr %was.at
  br label %anything
anything:
  %was = phi double [ 0.0, %entry ], [ %was.there, %known ]
  %gap = fcmp uno double %was, 0.0
  %c = call i8 @bs.next(ptr %reader)
  %start = load ptr, ptr %reader
  %none = call i32 @strncmp(ptr %start, ptr @bs.say.null, i64 4)
  %null = icmp eq i32 %none, 0
  br i1 %null, label %missing, label %number
missing:
  %may = or i1 %gap, %free
  br i1 %may, label %leave, label %lacks
leave:
  %past = getelementptr i8, ptr %start, i64 4
  store ptr %past, ptr %reader
  br label %done
lacks:
  call void @bs.fail(ptr %error, ptr @bs.say.lacks, ptr %name, i64 %human, i64 0)
  ret i1 false
number:
  %wanted = call ptr @bs.number.end(ptr %start)
  %is = icmp ne ptr %wanted, %start
  br i1 %is, label %convert, label %bad
bad:
  call void @bs.fail(ptr %error, ptr @bs.say.number, ptr %name, i64 %human, i64 0)
  ret i1 false
convert:
  %x = call double @strtod(ptr %start, ptr %end)
  %stopped = load ptr, ptr %end
  %whole = icmp eq ptr %stopped, %wanted
  br i1 %whole, label %fits, label %bad
fits:
  %size = call double @llvm.fabs.f64(double %x)
  %endless = fcmp oeq double %size, 0x7FF0000000000000
  br i1 %endless, label %huge, label %finite
huge:
  call void @bs.fail(ptr %error, ptr @bs.say.huge, ptr %name, i64 %human, i64 0)
  ret i1 false
finite:
  store ptr %wanted, ptr %reader
  br i1 %gap, label %extra, label %store.or.same
extra:
  call void @bs.fail(ptr %error, ptr @bs.say.extra, ptr %name, i64 %human, i64 0)
  ret i1 false
store.or.same:
  %most.at = getelementptr %bs.row, ptr %row, i64 0, i32 6
  %most = load double, ptr %most.at
  %large = fcmp ogt double %x, %most
  br i1 %large, label %above, label %in.range
above:
  call void @bs.differ(ptr %error, ptr @bs.say.large, ptr %name, i64 %human, double %x, double %most)
  ret i1 false
in.range:
  %fixed = icmp slt i64 %goes, 0
  br i1 %fixed, label %compare, label %store
store:
  store double %x, ptr %slot
  br label %done
compare:
  %same = fcmp oeq double %x, %was
  br i1 %same, label %done, label %differs
differs:
  call void @bs.differ(ptr %error, ptr @bs.say.differs, ptr %name, i64 %human, double %x, double %was)
  ret i1 false
done:
  ret i1 true
}

; Reads an array, from some dimension on.
define internal i1 @bs.array(ptr %reader, ptr %row, i64 %depth, ptr %count, ptr %to, ptr %error) {
entry:
  %name = load ptr, ptr %row
  %rank.at = getelementptr %bs.row, ptr %row, i64 0, i32 1
  %rank = load i64, ptr %rank.at
  %inside = icmp slt i64 %depth, %rank
  br i1 %inside, label %list, label %element
element:
  %fine = call i1 @bs.element(ptr %reader, ptr %row, ptr %count, ptr %to, ptr %error)
  ret i1 %fine
list:
  %sizes.at = getelementptr %bs.row, ptr %row, i64 0, i32 2
  %sizes = load ptr, ptr %sizes.at
  %size.at = getelementptr i64, ptr %sizes, i64 %depth
  %size = load i64, ptr %size.at
  %deeper = add i64 %depth, 1
  %opens = call i1 @bs.take(ptr %reader, i8 91)
  br i1 %opens, label %items, label %flat
flat:
  call void @bs.fail(ptr %error, ptr @bs.say.rank, ptr %name, i64 %rank, i64 0)
  ret i1 false
items:
  %i = phi i64 [ 0, %list ], [ %n, %next ]
  %more = icmp slt i64 %i, %size
  br i1 %more, label %comma, label %close
comma:
  %first = icmp eq i64 %i, 0
  br i1 %first, label %item, label %separate
separate:
  %goes.on = call i1 @bs.take(ptr %reader, i8 44)
  br i1 %goes.on, label %item, label %wrong
item:
  %c = call i8 @bs.next(ptr %reader)
  %short = icmp eq i8 %c, 93
  br i1 %short, label %wrong, label %read
read:
  %ok = call i1 @bs.array(ptr %reader, ptr %row, i64 %deeper, ptr %count, ptr %to, ptr %error)
  %n = add i64 %i, 1
  br i1 %ok, label %next, label %failed
next:
  br label %items
close:
  %closes = call i1 @bs.take(ptr %reader, i8 93)
  br i1 %closes, label %done, label %wrong
wrong:
  call void @bs.fail(ptr %error, ptr @bs.say.size, ptr %name, i64 %deeper, i64 %size)
  ret i1 false
failed:
  ret i1 false
done:
  ret i1 true
}

; Reads the value of a row. One element may stand in brackets or not.
define internal i1 @bs.value(ptr %reader, ptr %row, ptr %to, ptr %error) {
entry:
  %count = alloca i64
  store i64 0, ptr %count
  %n.at = getelementptr %bs.row, ptr %row, i64 0, i32 3
  %n = load i64, ptr %n.at
  %one = icmp eq i64 %n, 1
  br i1 %one, label %open, label %array
array:
  %ok = call i1 @bs.array(ptr %reader, ptr %row, i64 0, ptr %count, ptr %to, ptr %error)
  ret i1 %ok
open:
  %depth = phi i64 [ 0, %entry ], [ %deeper, %bracket ]
  %opens = call i1 @bs.take(ptr %reader, i8 91)
  br i1 %opens, label %bracket, label %single
bracket:
  %deeper = add i64 %depth, 1
  br label %open
single:
  %read = call i1 @bs.element(ptr %reader, ptr %row, ptr %count, ptr %to, ptr %error)
  br i1 %read, label %close, label %failed
close:
  %left = phi i64 [ %depth, %single ], [ %less, %closed ]
  %all = icmp eq i64 %left, 0
  br i1 %all, label %done, label %end
end:
  %closes = call i1 @bs.take(ptr %reader, i8 93)
  %less = sub i64 %left, 1
  br i1 %closes, label %closed, label %wrong
closed:
  br label %close
wrong:
  %name = load ptr, ptr %row
  call void @bs.fail(ptr %error, ptr @bs.say.size, ptr %name, i64 1, i64 1)
  ret i1 false
failed:
  ret i1 false
done:
  ret i1 true
}

; The row of a name, or null.
define internal ptr @bs.find(ptr %table, i64 %rows, ptr %name, i64 %len) {
entry:
  br label %look
look:
  %i = phi i64 [ 0, %entry ], [ %n, %other ]
  %more = icmp slt i64 %i, %rows
  br i1 %more, label %compare, label %none
compare:
  %row = getelementptr %bs.row, ptr %table, i64 %i
  %its = load ptr, ptr %row
  %its.len = call i64 @strlen(ptr %its)
  %as.long = icmp eq i64 %its.len, %len
  br i1 %as.long, label %letters, label %other
letters:
  %order = call i32 @strncmp(ptr %its, ptr %name, i64 %len)
  %same = icmp eq i32 %order, 0
  br i1 %same, label %found, label %other
other:
  %n = add i64 %i, 1
  br label %look
found:
  ret ptr %row
none:
  ret ptr null
}

; Reads an object of names and values. Names without a row are left out; each row has to be there. A row that was read is
; marked in %seen.
define internal i1 @bs.object(ptr %text, ptr %table, i64 %rows, ptr %to, ptr %seen, ptr %error) {
entry:
  %reader = alloca ptr
  store ptr %text, ptr %reader
  %opens = call i1 @bs.take(ptr %reader, i8 123)
  br i1 %opens, label %begin, label %syntax
begin:
  %empty = call i1 @bs.take(ptr %reader, i8 125)
  br i1 %empty, label %end, label %member
member:
  %quote = call i1 @bs.take(ptr %reader, i8 34)
  br i1 %quote, label %name, label %syntax
name:
  %name.at = load ptr, ptr %reader
  %len = call i64 @bs.rest(ptr %reader)
  %ends = icmp sge i64 %len, 0
  br i1 %ends, label %colon, label %syntax
colon:
  %has = call i1 @bs.take(ptr %reader, i8 58)
  br i1 %has, label %value, label %syntax
value:
  %row = call ptr @bs.find(ptr %table, i64 %rows, ptr %name.at, i64 %len)
  %unknown = icmp eq ptr %row, null
  br i1 %unknown, label %skip, label %read
skip:
  %past = call i1 @bs.skip(ptr %reader)
  br i1 %past, label %more, label %syntax
read:
  %ok = call i1 @bs.value(ptr %reader, ptr %row, ptr %to, ptr %error)
  br i1 %ok, label %mark, label %failed
mark:
  %row.n = ptrtoint ptr %row to i64
  %table.n = ptrtoint ptr %table to i64
  %bytes = sub i64 %row.n, %table.n
  %i = sdiv i64 %bytes, 56
  %mark.at = getelementptr i8, ptr %seen, i64 %i
  store i8 1, ptr %mark.at
  br label %more
more:
  %comma = call i1 @bs.take(ptr %reader, i8 44)
  br i1 %comma, label %member, label %close
close:
  %closes = call i1 @bs.take(ptr %reader, i8 125)
  br i1 %closes, label %end, label %syntax
end:
  %rest = call i8 @bs.next(ptr %reader)
  %over = icmp eq i8 %rest, 0
  br i1 %over, label %all, label %syntax
all:
  %k = phi i64 [ 0, %end ], [ %k1, %there ]
  %left = icmp slt i64 %k, %rows
  br i1 %left, label %look, label %done
look:
  %k1 = add i64 %k, 1
  %seen.at = getelementptr i8, ptr %seen, i64 %k
  %was = load i8, ptr %seen.at
  %is = icmp ne i8 %was, 0
  br i1 %is, label %there, label %absent
there:
  br label %all
absent:
  %lost = getelementptr %bs.row, ptr %table, i64 %k
  %its = load ptr, ptr %lost
  call void @bs.fail(ptr %error, ptr @bs.say.absent, ptr %its, i64 0, i64 0)
  ret i1 false
syntax:
  %here = load ptr, ptr %reader
  %here.n = ptrtoint ptr %here to i64
  %text.n = ptrtoint ptr %text to i64
  %before = sub i64 %here.n, %text.n
  %place = add i64 %before, 1
  call void @bs.fail(ptr %error, ptr @bs.say.syntax, ptr @bs.name, i64 %place, i64 0)
  ret i1 false
failed:
  ret i1 false
done:
  ret i1 true
}
