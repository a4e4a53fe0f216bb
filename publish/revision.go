package publish

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"maps"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/filemode"

	"github.com/hfpub/hfpub/validate/hygiene/lfspointer"
)

// Files lists the files of the remote's branch, or of a commit by its 40 hex digits, in the order of their paths: each with its
// size and the hash of its content. Of a file in LFS the pointer says both; plain files are read. Symbolic links are left out.
// It returns the commit that was looked at. Status gates do not apply: nothing is sent.
func (p *Publisher) Files(ctx context.Context, commit string) (files []Locked, at string, err error) {
	snapshot, err := p.snapshot(ctx, commit)
	if err != nil {
		return nil, "", p.advise(err)
	}
	paths := map[plumbing.Hash][]string{}
	for path, entry := range snapshot.Files {
		if entry.Mode == filemode.Regular || entry.Mode == filemode.Executable {
			paths[entry.Hash] = append(paths[entry.Hash], path)
		}
	}
	hashes := slices.Collect(maps.Keys(paths))
	plumbing.HashesSort(hashes)
	err = snapshot.Blobs(ctx, hashes, func(h plumbing.Hash, content []byte) error {
		sum := sha256.Sum256(content)
		file := Locked{Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
		if pointer, inLFS := lfspointer.Parse(content); inLFS {
			file.Bytes, file.SHA256 = pointer.Size, pointer.OID
		}
		for _, path := range paths[h] {
			file.Path = path
			files = append(files, file)
		}
		return nil
	})
	if err != nil {
		return nil, "", p.advise(err)
	}
	slices.SortFunc(files, func(a, b Locked) int { return cmp.Compare(a.Path, b.Path) })
	return files, snapshot.Commit.String(), nil
}
