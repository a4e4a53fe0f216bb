package fingerprint

// source gives the records of a sorted piece, one after another; false behind the last.
type source interface {
	next() (Record, bool, error)
}

// inMemory is a sorted piece in memory.
type inMemory struct{ records []Record }

func (s *inMemory) next() (Record, bool, error) {
	if len(s.records) == 0 {
		return Record{}, false, nil
	}
	r := s.records[0]
	s.records = s.records[1:]
	return r, true, nil
}

// head is the next record of a source.
type head struct {
	record Record
	log    int
	source source
}

func (h *head) before(other *head) bool {
	if c := h.record.Key.compare(other.record.Key); c != 0 {
		return c < 0
	}
	if h.log != other.log {
		return h.log < other.log
	}
	return h.record.compare(other.record) < 0
}

// merger merges sorted sources: heads is a heap, the least record first.
type merger struct{ heads []head }

func (m *merger) add(log int, s source) error {
	r, ok, err := s.next()
	if err != nil || !ok {
		return err
	}
	m.heads = append(m.heads, head{r, log, s})
	for i := len(m.heads) - 1; i > 0; {
		parent := (i - 1) / 2
		if !m.heads[i].before(&m.heads[parent]) {
			break
		}
		m.heads[i], m.heads[parent] = m.heads[parent], m.heads[i]
		i = parent
	}
	return nil
}

// next goes on behind the least record.
func (m *merger) next() error {
	r, ok, err := m.heads[0].source.next()
	if err != nil {
		return err
	}
	if ok {
		m.heads[0].record = r
	} else {
		last := len(m.heads) - 1
		m.heads[0] = m.heads[last]
		m.heads = m.heads[:last]
	}
	for i := 0; ; {
		least := i
		for _, child := range [2]int{2*i + 1, 2*i + 2} {
			if child < len(m.heads) && m.heads[child].before(&m.heads[least]) {
				least = child
			}
		}
		if least == i {
			return nil
		}
		m.heads[i], m.heads[least] = m.heads[least], m.heads[i]
		i = least
	}
}
