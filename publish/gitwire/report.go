package gitwire

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing/format/pktline"
	"github.com/go-git/go-git/v5/plumbing/protocol/packp"

	"github.com/hfpub/hfpub/publish/exchange"
)

// Limits on what is kept of an answer to a push: the bytes of the report and of what the server says beside it, and how
// many lines that may be.
const (
	maxReport = 1 << 20
	maxLines  = 1000
)

// The bands of a side-band answer: https://git-scm.com/docs/protocol-capabilities#_side_band_side_band_64k.
const (
	bandReport   = 1
	bandMessages = 2
	bandFatal    = 3
)

// readReport reads the whole answer to a push. Messages may follow the report: what hooks say after the push is among
// them.
func readReport(answer io.Reader, banded bool, said *messages) (*packp.ReportStatus, error) {
	report := answer
	if banded {
		var collected bytes.Buffer
		if err := readBands(answer, &collected, said); err != nil {
			return nil, err
		}
		report = &collected
	}
	head := bufio.NewReader(report)
	if _, err := head.Peek(1); err == io.EOF {
		return nil, exchange.Transient(errNoReport) // of a proxy, maybe: the push may have happened
	}
	status := packp.NewReportStatus()
	if err := status.Decode(io.LimitReader(head, maxReport)); err != nil {
		return nil, fmt.Errorf("read the report: %w", exchange.Foreign(err))
	}
	return status, nil
}

// readBands takes the bands of an answer apart, up to the answer's end.
func readBands(answer io.Reader, report *bytes.Buffer, said *messages) error {
	packets := pktline.NewScanner(answer)
	for packets.Scan() {
		packet := packets.Bytes()
		if len(packet) == 0 {
			continue // a flush ends the report; messages may follow
		}
		switch packet[0] {
		case bandReport:
			if report.Len()+len(packet) > maxReport {
				return exchange.Permanent(fmt.Errorf("the report is longer than %d bytes", maxReport))
			}
			report.Write(packet[1:])
		case bandMessages:
			said.add(packet[1:])
		case bandFatal:
			said.end()
			return fmt.Errorf("the server says: %s", exchange.Clean(string(packet[1:])))
		default:
			return fmt.Errorf("the answer has a band %d that git does not know", packet[0])
		}
	}
	said.end()
	if err := packets.Err(); err != nil {
		return exchange.Foreign(exchange.Plain("read the answer", nil, err))
	}
	return nil
}

// messages collects what a server says to people. Lines that the server itself overwrites, such as counters, are left
// out.
type messages struct {
	told  func(line string)
	lines []string
	part  []byte
	// back is set after a carriage return: what follows starts the line anew, unless it is the line's end.
	back bool
	size int
}

func (m *messages) add(text []byte) {
	for _, c := range text {
		switch {
		case c == '\n':
			m.end()
			continue
		case m.back:
			m.part = m.part[:0]
		}
		if m.back = c == '\r'; !m.back && m.size < maxReport {
			m.part = append(m.part, c)
			m.size++
		}
	}
}

// end closes the line under way.
func (m *messages) end() {
	part := m.part
	m.part, m.back = m.part[:0], false
	if len(part) == 0 || len(m.lines) == maxLines {
		return
	}
	line := exchange.Clean(string(part))
	if line == "" {
		return
	}
	m.lines = append(m.lines, line)
	if m.told != nil {
		m.told(line)
	}
}
