package density

import (
	"context"
	"time"

	"github.com/irc-lang/irc/ir/target"
)

// A Pool evaluates batches of points beside each other, on as many of the target's cores as pay. Each is in a
// process of its own that has the code and the data. What a batch gives is the same whoever evaluates it; the
// caller puts batches in order. A Pool is for one goroutine.
type Pool struct {
	p      *Program
	ctx    context.Context
	cancel context.CancelFunc

	workers   int // that there are, the first among them
	most      int
	free      []*worker
	more      []*worker     // all but the first
	pay       time.Duration // that one more costs
	spent     time.Duration // on batches since the last came
	asked     bool          // for one more
	batchSize int           // points of a batch
	busy      int           // goroutines
	news      chan news
}

// news is a batch that was run, a worker that came, or neither for one that did not.
type news struct {
	batch  *Batch
	took   time.Duration
	worker *worker
}

// Pool begins with the process that the program has. Another is started when points wait
// and batches have taken as long as it took to make the program ready: nobody knows how
// many points will come, and so no more than that time is lost by what turns out wrong.
func (p *Program) Pool() *Pool {
	t := p.opts.Target
	if t == nil {
		t = target.Interp()
	}
	q := &Pool{p: p, workers: 1, most: max(1, t.Cores), batchSize: p.BatchLimit(), free: []*worker{p.first}, pay: p.start, news: make(chan news)}
	if bytes := p.fixed(); t.Memory > 0 && bytes > 0 { // each has its own data
		q.most = int(max(1, min(int64(q.most), t.Memory/bytes)))
	}
	if p.opts.Replicate == nil {
		q.most = 1
	}
	q.ctx, q.cancel = context.WithCancel(p.context())
	return q
}

// fixed is how many bytes the data have.
func (p *Program) fixed() (bytes int64) {
	for _, a := range p.args {
		if a.Fixed {
			bytes += 8 * int64(len(a.Data))
		}
	}
	return bytes
}

// Free says whether a batch would be run at once.
func (q *Pool) Free() bool { return len(q.free) > 0 }

// Most is how many processes there may be.
func (q *Pool) Most() int { return q.most }

// BatchSize is how many points a batch should have: it takes no longer than to make the
// program ready, since nobody helps with it.
func (q *Pool) BatchSize() int { return q.batchSize }

// Start evaluates at points, at most BatchSize. There must be a process free.
func (q *Pool) Start(points []Point) *Batch {
	w := q.free[len(q.free)-1]
	q.free = q.free[:len(q.free)-1]
	b := &Batch{Points: points, w: w}
	calls := b.calls(q.ctx)
	q.run(func() news {
		start := time.Now()
		b.run(q.ctx, calls)
		return news{batch: b, took: time.Since(start)}
	})
	return b
}

func (q *Pool) run(f func() news) {
	q.busy++
	go func() { q.news <- f() }()
}

// Waiting says that there are points for one more process, which is started if it pays.
func (q *Pool) Waiting() {
	if q.asked || q.workers == q.most || q.spent < q.pay {
		return
	}
	q.asked = true
	q.run(func() news { return news{worker: q.again()} })
}

// again makes the program ready in another process; nil if it cannot be, which changes
// nothing but the time that the points take.
func (q *Pool) again() *worker {
	code, err := q.p.opts.Replicate(q.ctx, q.p.first.code)
	if err != nil || code == nil {
		return nil
	}
	w := &worker{p: q.p, code: code}
	if w.bind(q.ctx) != nil {
		_ = w.close(context.Background()) // it is of no use
		return nil
	}
	return w
}

// News tells when Take has something to do.
func (q *Pool) News() <-chan news { return q.news }

// Take makes the results of a batch, which then is Done, or takes a process in.
func (q *Pool) Take(n news) {
	q.busy--
	switch {
	case n.batch != nil:
		n.batch.finish()
		q.spent += n.took
		if k := int64(len(n.batch.Points)); k > 0 {
			q.batchSize = int(max(1, min(int64(q.p.BatchLimit()), k*int64(q.pay)/max(1, int64(n.took)))))
		}
		q.free = append(q.free, n.batch.w)
		n.batch.w, n.batch.out = nil, nil
	case n.worker != nil:
		q.workers++
		q.more, q.free = append(q.more, n.worker), append(q.free, n.worker)
		q.asked, q.spent = false, 0
	default:
		q.most, q.asked = q.workers, false
	}
}

// Done says whether the results of a batch are there.
func (b *Batch) Done() bool { return b.w == nil }

// Close ends what is under way, and all processes but the program's own.
func (q *Pool) Close() {
	q.cancel()
	for ; q.busy > 0; q.busy-- {
		if n := <-q.news; n.worker != nil {
			q.more = append(q.more, n.worker)
		}
	}
	for _, w := range q.more {
		_ = w.close(context.Background()) // its results are there
	}
}
