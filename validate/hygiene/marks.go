package hygiene

import (
	"bytes"
	"fmt"
	"strings"
	"sync"

	"github.com/hfpub/hfpub/schemas/lazyregexp"
	"github.com/hfpub/hfpub/validate/hygiene/secrets"
)

// The kinds of marks, beside secrets, that are looked for in every text.
type markKind uint8

const (
	homePath markKind = iota
	mountPath
	mailAddress
	phoneNumber
)

// markers are the words that may begin a mark, or that stand in its middle, each with its kind.
var markers = []struct {
	word string
	kind markKind
	near func(text []byte, start, end int) bool
}{
	{"/home/", homePath, beginsPath},
	{"/users/", homePath, beginsPath},
	{`:\users\`, homePath, nil},
	{`:\\users\\`, homePath, nil}, // as JSON writes it
	{"/mnt/", mountPath, beginsPath},
	{"/scratch/", mountPath, beginsPath},
	{"/gpfs/", mountPath, beginsPath},
	{"/lustre/", mountPath, beginsPath},
	{"/beegfs/", mountPath, beginsPath},
	{"/nfs/", mountPath, beginsPath},
	{"/fsx/", mountPath, beginsPath},
	{"/volumes/", mountPath, beginsPath},
	{"/private/var/", mountPath, beginsPath},
	{"@", mailAddress, isInMail},
	{"+", phoneNumber, beginsNumber},
}

// around is what stands around the markers that are in many texts, as isInMail and beginsNumber want it.
var around = map[string]secrets.Around{
	"@": {Before: nameBytes, After: []string{nameBytes}},
	"+": {After: []string{digits, digits + " -.("}},
}

const (
	digits    = "0123456789"
	nameBytes = digits + "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
)

// set is the rules for secrets with the markers, made once.
var set = sync.OnceValue(func() *secrets.Set {
	words := make([]secrets.Marker, len(markers))
	for i, m := range markers {
		words[i] = secrets.Marker{Word: m.word, Near: m.near, Around: around[m.word]}
	}
	return secrets.NewSet(words...)
})

// Prepare makes what texts are looked through with. That takes some milliseconds, which a program can spend beside others; what needs it
// makes it, or waits for it.
func Prepare() { set() }

// beginsPath says whether a path from the root of a machine begins at a word, and goes on behind it. Part of a relative path or
// of a URL is none.
func beginsPath(text []byte, start, end int) bool {
	if end == len(text) || !isPathByte(text[end]) || text[end] == '/' {
		return false
	}
	if start == 0 || bytes.HasSuffix(text[:start], []byte("file://")) {
		return true
	}
	if isBehindEscape(text, start) {
		return true
	}
	before := text[start-1]
	return !isPathByte(before) && before != '~' && before != '}' && before != '>' && before != ')' && before != '*' && before != '?'
}

// isBehindEscape says whether an escape for white space ends at a place of a JSON text.
func isBehindEscape(text []byte, at int) bool {
	return at > 1 && text[at-2] == '\\' && (text[at-1] == 'n' || text[at-1] == 't' || text[at-1] == 'r')
}

func isPathByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_' || b == '.' || b == '-' || b == '/' || b == '+' || b == '%' || b == '@' || b >= 0x80
}

// isInMail says whether an at sign stands between what may be a name and a domain.
func isInMail(text []byte, start, end int) bool {
	if start == 0 || end == len(text) || !isNameByte(text[start-1]) || !isNameByte(text[end]) {
		return false
	}
	for at := end; at < len(text) && at < end+64 && (isNameByte(text[at]) || text[at] == '.' || text[at] == '-'); at++ {
		if text[at] == '.' {
			return true
		}
	}
	return false
}

func isNameByte(b byte) bool {
	return 'a' <= b && b <= 'z' || 'A' <= b && b <= 'Z' || '0' <= b && b <= '9' || b == '_'
}

// beginsNumber says whether a plus sign may begin a phone number: a few digits with a separator behind the first of them.
func beginsNumber(text []byte, start, end int) bool {
	if start > 0 && (isNameByte(text[start-1]) || text[start-1] == '+') && !isBehindEscape(text, start) {
		return false
	}
	digits := 0
	for ; end < len(text) && digits < 4 && '0' <= text[end] && text[end] <= '9'; end++ {
		digits++
	}
	return digits > 0 && digits < 4 && end+1 < len(text) && (text[end] == ' ' || text[end] == '-' || text[end] == '.' || text[end] == '(')
}

// mark is a place in a text that should not be there, or that somebody may want to know of.
type mark struct {
	kind markKind
	// shown is how it is called in a finding; path is the whole of a path.
	shown, path string
	start, end  int
}

// readMark reads what stands at a marker; ok is false for what is none of its kind.
func readMark(text []byte, m secrets.Mark) (mark, bool) {
	switch kind := markers[m.Marker].kind; kind {
	case homePath, mountPath:
		return readPath(text, m.Start, m.End, kind)
	case mailAddress:
		return readMail(text, m.Start, m.End)
	default:
		return readNumber(text, m.Start)
	}
}

// commonNames are names of homes that are those of nobody: what images, services and examples use.
var commonNames = sync.OnceValue(func() map[string]bool {
	set := map[string]bool{}
	for name := range strings.FieldsSeq(`user users username user1 ubuntu debian fedora centos ec2-user root admin administrator runner runneradmin
		app apps node vscode jovyan docker vagrant travis circleci codespace coder gitpod git www www-data nginx linuxbrew conda builder build
		ci test tester guest demo student default public shared you your yourname your_name your-username name me myuser foo bar baz alice bob
		john jane johndoe janedoe john.doe example someone somebody person dev developer sandbox agent nonroot model pi oai swe-bench swe xxx all`) {
		set[name] = true
	}
	return set
})

// readPath reads the path at a marker. Homes of nobody are none.
func readPath(text []byte, start, end int, kind markKind) (mark, bool) {
	separator := byte('/')
	if text[end-1] == '\\' {
		separator = '\\'
		for start > 0 && start > end-12 && isNameByte(text[start-1]) {
			start--
		}
	} else if kind == homePath && bytes.HasPrefix(text[start:], []byte("/users/")) {
		return mark{}, false // macOS writes /Users; addresses of the web write /users
	}
	first := end
	for first < len(text) && isPathByte(text[first]) && text[first] != separator && text[first] != '/' {
		first++
	}
	name := strings.TrimRight(string(text[end:first]), ".,")
	if name == "" || kind == homePath && commonNames()[strings.ToLower(name)] {
		return mark{}, false
	}
	last := first
	for last < len(text) && (isPathByte(text[last]) || text[last] == separator) {
		last++
	}
	return mark{kind, strings.ToValidUTF8(string(text[start:end])+name, "\ufffd"), string(text[start:last]), start, last}, true
}

// mail matches an address around an at sign: what is before it, and the domain.
var (
	mailName   = lazyregexp.New(`(?:^|[^A-Za-z0-9._%+:/-])([A-Za-z0-9][A-Za-z0-9._%+-]{0,63})$`)
	mailDomain = lazyregexp.New(`^(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,62})\.){1,5}([A-Za-z]{2,24})\b`)
)

// noMail are endings of domains that belong to nobody (RFC 2606 and what is alike), and of names of files.
var noMail = lazyregexp.New(`(?i)(?:^|\.)(?:example\.(?:com|org|net)|example|test|invalid|localhost|local|internal|users\.noreply\.github\.com|domain\.com|email\.com|xyz\.com|png|jpe?g|gif|svg|webp|js|ts|css|py|md|json|html|java|go|rs|sh|txt|ya?ml|service)$`)

// noPerson are names before an at sign that are those of a machine.
var noPerson = lazyregexp.New(`(?i)^(?:git|hg|svn|no-?reply|donotreply|root|user|username|your\.?(?:name|email)|name|email|me|you|foo|bar|test|example|v?\d+)$`)

func readMail(text []byte, start, end int) (mark, bool) {
	from := max(0, start-66)
	name := mailName.FindSubmatch(text[from:start])
	domain := mailDomain.Find(text[end:min(len(text), end+300)])
	if name == nil || domain == nil || noPerson.Match(name[1]) || noMail.Match(domain) {
		return mark{}, false
	}
	return mark{kind: mailAddress, shown: fmt.Sprintf("%c…@%s", name[1][0], domain), start: start - len(name[1]), end: end + len(domain)}, true
}

// number matches a phone number in the international form, with separators.
var number = lazyregexp.New(`^\+\d{1,3}[ .-]?(?:\(\d{1,4}\)[ .-]?)?\d{1,4}(?:[ .-]\d{2,8}){1,4}(?:\D|$)`)

func readNumber(text []byte, start int) (mark, bool) {
	found := number.Find(text[start:min(len(text), start+32)])
	digits := 0
	for _, b := range found {
		if '0' <= b && b <= '9' {
			digits++
		}
	}
	if digits < 9 || digits > 15 {
		return mark{}, false
	}
	return mark{kind: phoneNumber, shown: string(found[:3]) + "…", start: start, end: start + len(found)}, true
}
