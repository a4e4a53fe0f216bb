package gitwire

import (
	"errors"
	"fmt"
	"strings"
	"time"
	"unicode"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/object"
)

// Commit is a commit to be made. The same values give the same hash, which git itself gives them too.
type Commit struct {
	Tree plumbing.Hash
	// Parent is zero for the first commit of a branch.
	Parent plumbing.Hash
	// Name and Email are those of the author and committer.
	Name, Email string
	// Message gets exactly one line break at its end, as git gives it.
	Message string
	// When is written in UTC and whole seconds.
	When time.Time
}

// Encode makes the commit object.
func (c Commit) Encode() (Object, error) {
	if err := errors.Join(checkPerson("name", c.Name), checkPerson("email", c.Email)); err != nil {
		return Object{}, err
	}
	message := strings.TrimRight(strings.ReplaceAll(c.Message, "\r\n", "\n"), " \t\r\n")
	if message == "" || strings.ContainsFunc(message, isForeign) {
		return Object{}, errors.New("commit: the message is empty, or holds control characters")
	}
	who := object.Signature{Name: strings.TrimSpace(c.Name), Email: strings.TrimSpace(c.Email),
		When: c.When.UTC().Truncate(time.Second)}
	commit := object.Commit{Author: who, Committer: who, Message: message + "\n", TreeHash: c.Tree}
	if !c.Parent.IsZero() {
		commit.ParentHashes = []plumbing.Hash{c.Parent}
	}
	var o plumbing.MemoryObject
	if err := commit.Encode(&o); err != nil {
		return Object{}, fmt.Errorf("write commit: %w", err)
	}
	return encoded(&o), nil
}

// checkPerson refuses what git does not allow in the name or email of an author.
func checkPerson(what, text string) error {
	if strings.TrimSpace(text) == "" {
		return fmt.Errorf("commit: the author's %s is empty", what)
	}
	if strings.ContainsAny(text, "<>") || strings.ContainsFunc(text, unicode.IsControl) {
		return fmt.Errorf("commit: the author's %s %q holds < or > or a control character", what, text)
	}
	return nil
}

// isForeign tells the characters that a terminal would obey when it shows the message.
func isForeign(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// Tag is an annotated tag to be made. The same values give the same hash, which git itself gives them too.
type Tag struct {
	// Name is that of the tag, without refs/tags/.
	Name string
	// Commit is what is tagged.
	Commit plumbing.Hash
	// TaggerName, TaggerEmail, Message and When are written as those of a [Commit].
	TaggerName, TaggerEmail string
	Message                 string
	When                    time.Time
}

// Encode makes the tag object.
func (t Tag) Encode() (Object, error) {
	if err := errors.Join(checkPerson("name", t.TaggerName), checkPerson("email", t.TaggerEmail)); err != nil {
		return Object{}, err
	}
	message := strings.TrimRight(strings.ReplaceAll(t.Message, "\r\n", "\n"), " \t\r\n")
	if message == "" || strings.ContainsFunc(message, isForeign) {
		return Object{}, errors.New("tag: the message is empty, or holds control characters")
	}
	who := object.Signature{Name: strings.TrimSpace(t.TaggerName), Email: strings.TrimSpace(t.TaggerEmail),
		When: t.When.UTC().Truncate(time.Second)}
	tag := object.Tag{Name: t.Name, Tagger: who, Message: message + "\n", TargetType: plumbing.CommitObject, Target: t.Commit}
	var o plumbing.MemoryObject
	if err := tag.Encode(&o); err != nil {
		return Object{}, fmt.Errorf("write tag: %w", err)
	}
	return encoded(&o), nil
}
