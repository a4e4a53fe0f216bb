package sha256pair

import (
	"bytes"
	"crypto/sha256"
	"fmt"
	"math/rand/v2"
	"testing"
)

// both runs a test with the processor's instructions, where it has them, those for many texts at once too, and without.
func both(t *testing.T, test func(t *testing.T)) {
	t.Run("portable", func(t *testing.T) {
		defer setFast(setFast(false))
		test(t)
	})
	t.Run("fast", func(t *testing.T) {
		if !fast {
			t.Skip("this processor has no instructions for SHA-256")
		}
		test(t)
	})
	t.Run("two by two", func(t *testing.T) {
		defer setWide(setWide(false))
		test(t)
	})
}

func randomText(random *rand.Rand, length int) []byte {
	text := make([]byte, length)
	for i := range text {
		text[i] = byte(random.Uint32())
	}
	return text
}

func add(b *Batch, text []byte) { b.End(append(b.Begin(), text...)) }

// checkSums compares the sums of a batch with those of crypto/sha256.
func checkSums(t *testing.T, b *Batch, texts [][]byte) {
	t.Helper()
	if b.Len() != len(texts) || len(b.Sums()) != len(texts)*sha256.Size {
		t.Fatalf("%d texts and %d bytes of sums, want %d texts", b.Len(), len(b.Sums()), len(texts))
	}
	for i, text := range texts {
		want := sha256.Sum256(text)
		if got := b.Sums()[i*sha256.Size:][:sha256.Size]; !bytes.Equal(got, want[:]) {
			t.Fatalf("text %d of %d bytes: sum %x, want %x", i, len(text), got, want)
		}
	}
}

func TestTextsOfAllLengths(t *testing.T) {
	both(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(1, 2))
		var b Batch
		var texts [][]byte
		for length := range 4 * blockSize {
			texts = append(texts, randomText(random, length))
			add(&b, texts[length])
		}
		b.Hash()
		checkSums(t, &b, texts)
	})
}

// TestBesideAStream hashes texts beside a stream that comes in pieces of all sizes, some texts known before, and sometimes a second stream.
func TestBesideAStream(t *testing.T) {
	both(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(3, 4))
		for round := range 200 {
			stream, whole := NewStream(), sha256.New()
			along, wholeAlong := NewStream(), sha256.New()
			var b Batch
			for range random.IntN(6) {
				b.Reset(1 << 20)
				var texts [][]byte
				for range random.IntN(5) {
					text := randomText(random, random.IntN(400))
					texts = append(texts, text)
					if random.IntN(4) == 0 {
						b.Add(sha256.Sum256(text))
					} else {
						add(&b, text)
					}
				}
				if random.IntN(2) == 0 {
					second := randomText(random, random.IntN(1500))
					wholeAlong.Write(second)
					b.Along(along, second)
				}
				piece := randomText(random, random.IntN(1500))
				if random.IntN(4) == 0 {
					b.Hash()
				} else {
					whole.Write(piece)
					stream.WriteBeside(piece, &b)
				}
				checkSums(t, &b, texts)
				if got := stream.Sum(); !bytes.Equal(got[:], whole.Sum(nil)) {
					t.Fatalf("round %d: the sum of the stream is %x, want %x", round, got, whole.Sum(nil))
				}
				if got := along.Sum(); !bytes.Equal(got[:], wholeAlong.Sum(nil)) {
					t.Fatalf("round %d: the sum of the second stream is %x, want %x", round, got, wholeAlong.Sum(nil))
				}
			}
		}
	})
}

// TestManyTexts hashes texts whose lengths differ less or more, some known before, alone and beside streams.
func TestManyTexts(t *testing.T) {
	both(t, func(t *testing.T) {
		random := rand.New(rand.NewPCG(9, 1))
		for round := range 100 {
			var b Batch
			var texts [][]byte
			shortest, spread := random.IntN(500), 1+random.IntN(200)
			for range random.IntN(200) {
				text := randomText(random, shortest+random.IntN(spread))
				switch random.IntN(100) {
				case 0:
					text = randomText(random, longestWide+random.IntN(1000))
					add(&b, text)
				case 1:
					b.Add(sha256.Sum256(text))
				default:
					add(&b, text)
				}
				texts = append(texts, text)
			}
			first, second := NewStream(), NewStream()
			piece := randomText(random, random.IntN(5000))
			b.Along(second, piece)
			first.WriteBeside(piece[:random.IntN(len(piece)+1)], &b)
			checkSums(t, &b, texts)
			if got, want := second.Sum(), sha256.Sum256(piece); got != want {
				t.Fatalf("round %d: the sum of the second stream is %x, want %x", round, got, want)
			}
		}
	})
}

func TestHashingGoesOnWhereItEnded(t *testing.T) {
	both(t, func(t *testing.T) {
		var b Batch
		texts := [][]byte{[]byte("green"), []byte("black"), nil}
		add(&b, texts[0])
		b.Hash()
		add(&b, texts[1])
		add(&b, texts[2])
		b.Hash()
		checkSums(t, &b, texts)
	})
}

func FuzzSums(f *testing.F) {
	f.Add([]byte("the leaves are steamed"), uint16(3), uint16(9))
	f.Fuzz(func(t *testing.T, data []byte, first, second uint16) {
		a := min(int(first), len(data))
		c := min(a+int(second), len(data))
		texts := [][]byte{data[:a], data[a:c], data[c:]}
		stream := NewStream()
		var b Batch
		for _, text := range texts {
			add(&b, text)
		}
		stream.WriteBeside(data[:c], &b)
		checkSums(t, &b, texts)
		stream.Write(data[c:])
		if got, want := stream.Sum(), sha256.Sum256(data); got != want {
			t.Fatalf("sum of the stream %x, want %x", got, want)
		}
	})
}

// BenchmarkPair hashes a stream and as many bytes of texts: beside each other, and one behind the other with crypto/sha256.
func BenchmarkPair(b *testing.B) {
	const size = 1 << 20
	random := rand.New(rand.NewPCG(5, 6))
	stream := randomText(random, size)
	for _, length := range []int{100, 1000, 30_000} {
		text := randomText(random, length)
		b.Run(fmt.Sprintf("texts=%d/pair", length), func(b *testing.B) {
			b.SetBytes(2 * size)
			s := NewStream()
			var batch Batch
			for b.Loop() {
				batch.Reset(4 * size)
				for range size / length {
					add(&batch, text)
				}
				s.WriteBeside(stream, &batch)
			}
		})
		b.Run(fmt.Sprintf("texts=%d/single", length), func(b *testing.B) {
			b.SetBytes(2 * size)
			s := sha256.New()
			for b.Loop() {
				s.Write(stream)
				for range size / length {
					sha256.Sum256(text)
				}
			}
		})
	}
}

// BenchmarkShort hashes texts of two or three blocks that no stream goes along with.
func BenchmarkShort(b *testing.B) {
	random := rand.New(rand.NewPCG(7, 6))
	var batch Batch
	for range 4096 {
		add(&batch, randomText(random, 100+random.IntN(60)))
	}
	for name, use := range map[string]bool{"two by two": false, "sixteen at once": wide} {
		b.Run(name, func(b *testing.B) {
			defer setWide(setWide(use))
			b.SetBytes(int64(batch.Size()))
			for b.Loop() {
				batch.hashed = 0
				batch.Hash()
			}
		})
	}
}
