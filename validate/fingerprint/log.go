package fingerprint

import (
	"context"
	"math"

	"github.com/hfpub/hfpub/validate/record"
)

// chunkSize is how many records stand in one piece of memory.
const chunkSize = 32 << 10

// Log holds the records of a run of rows. It is not safe for use by several goroutines.
type Log struct {
	store *Store
	// chunks are the records in memory, held their number and counted how many of them the store knows of.
	chunks        [][]Record
	held, counted int
	// runs are the sorted records in the store's file, written their number.
	runs    []run
	written int64
}

// NewLog returns an empty log.
func (s *Store) NewLog() *Log { return &Log{store: s} }

// Add takes in a record.
func (l *Log) Add(r Record) {
	last := len(l.chunks) - 1
	if last < 0 || len(l.chunks[last]) >= chunkSize {
		l.chunks = append(l.chunks, nil)
		last++
	}
	l.chunks[last] = append(l.chunks[last], r)
	l.held++
}

// Len is the number of records.
func (l *Log) Len() int64 { return l.written + int64(l.held) }

// Merge takes over the records of another log of the same store, which is not to be used afterwards.
func (l *Log) Merge(next *Log) {
	for _, chunk := range next.chunks {
		l.appendAll(chunk)
	}
	l.runs = append(l.runs, next.runs...)
	l.written += next.written
	l.store.held.Add(int64(l.held - l.counted - next.counted))
	l.counted = l.held
	next.chunks, next.held, next.counted, next.runs, next.written = nil, 0, 0, nil, 0
	if l.store.held.Load() > l.store.limit && l.held >= l.store.smallest {
		l.spill()
	}
}

func (l *Log) appendAll(records []Record) {
	l.held += len(records)
	for len(records) > 0 {
		last := len(l.chunks) - 1
		if last < 0 || len(l.chunks[last]) >= chunkSize {
			l.chunks = append(l.chunks, nil)
			last++
		}
		n := min(chunkSize-len(l.chunks[last]), len(records))
		l.chunks[last] = append(l.chunks[last], records[:n]...)
		records = records[n:]
	}
}

// spill writes what is in memory to the store's file. What goes wrong is told by the store, when the records are asked for.
func (l *Log) spill() {
	records := l.take()
	r, err := l.store.write(records)
	if err != nil {
		return
	}
	l.runs = append(l.runs, r)
	l.written += int64(len(records))
}

// take takes the records out of memory, sorted.
func (l *Log) take() []Record {
	records := sortRecords(l.chunks, l.held)
	l.store.held.Add(-int64(l.counted))
	l.chunks, l.held, l.counted = nil, 0, 0
	return records
}

// sources are the sorted pieces of the log; what is in memory stays there, sorted.
func (l *Log) sources() []source {
	var all []source
	for _, r := range l.runs {
		all = append(all, l.store.reader(r))
	}
	if l.held > 0 {
		sorted := sortRecords(l.chunks, l.held)
		l.chunks = [][]Record{sorted}
		all = append(all, &inMemory{records: sorted})
	}
	return all
}

// Sorted shows all records of the logs, which are numbered from 0, sorted by key, then by log, then by place. It may be called again.
// The error is that of the temporary file, of the context or of see, as it came.
func Sorted(ctx context.Context, logs []*Log, see func(log int, r Record) error) error {
	var m merger
	for i, l := range logs {
		if err := l.store.failure(); err != nil {
			return err
		}
		for _, s := range l.sources() {
			if err := m.add(i, s); err != nil {
				return err
			}
		}
	}
	for n := 0; len(m.heads) > 0; n++ {
		if n&0xFFFF == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		if err := see(m.heads[0].log, m.heads[0].record); err != nil {
			return err
		}
		if err := m.next(); err != nil {
			return err
		}
	}
	return nil
}

// MarshalBinary writes all records, 32 bytes for each.
func (l *Log) MarshalBinary() ([]byte, error) {
	var w record.Writer
	w.Uint(uint64(l.Len()))
	var buf []byte
	err := Sorted(context.Background(), []*Log{l}, func(_ int, r Record) error {
		buf = r.append(buf[:0])
		w.Raw(buf)
		return nil
	})
	return w.Bytes(), err
}

// Read takes in the records that MarshalBinary wrote. Those of files that the split does not have make the reader fail.
func (l *Log) Read(r *record.Reader, files int) {
	for range r.Count(math.MaxInt) {
		b := r.Raw(recordSize)
		if b == nil {
			return
		}
		one := recordOf(b)
		if one.Place.File() >= files {
			r.Fail()
			return
		}
		l.Add(one)
	}
}
