package hubtest

import (
	"strings"

	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/hygiene/gitattributes"
)

// The patterns of the Hub's default .gitattributes, as public repositories show them. *.jsonl, *.json, *.csv and *.txt
// are not among them.
const (
	modelPatterns = `*.7z *.arrow *.bin *.bz2 *.ckpt *.ftz *.gz *.h5 *.joblib *.lfs.* *.mlmodel *.model *.msgpack *.npy
		*.npz *.onnx *.ot *.parquet *.pb *.pickle *.pkl *.pt *.pth *.rar *.safetensors saved_model/**/* *.tar.* *.tar
		*.tflite *.tgz *.wasm *.xz *.zip *.zst *tfevents*`
	datasetPatterns = `*.7z *.arrow *.avro *.bin *.bz2 *.ckpt *.ftz *.gz *.h5 *.joblib *.lfs.* *.lz4 *.mds *.mlmodel *.model
		*.msgpack *.npy *.npz *.onnx *.ot *.parquet *.pb *.pickle *.pkl *.pt *.pth *.rar *.safetensors saved_model/**/*
		*.tar.* *.tar *.tflite *.tgz *.wasm *.xz *.zip *.zst *tfevents*`
)

// defaultAttributes is the .gitattributes of a new repo.
func defaultAttributes(kind release.Type) string {
	if kind == release.Model {
		return lfsRules(modelPatterns)
	}
	return lfsRules(datasetPatterns) +
		"# Audio files - uncompressed\n" + lfsRules("*.pcm *.sam *.raw") +
		"# Audio files - compressed\n" + lfsRules("*.aac *.flac *.mp3 *.ogg *.wav") +
		"# Image files - uncompressed\n" + lfsRules("*.bmp *.gif *.png *.tiff") +
		"# Image files - compressed\n" + lfsRules("*.jpg *.jpeg *.webp") +
		"# Video files - compressed\n" + lfsRules("*.mp4 *.webm")
}

// lfsRules is one line for each pattern.
func lfsRules(patterns string) string {
	var b strings.Builder
	for _, p := range strings.Fields(patterns) {
		b.WriteString(p + " " + gitattributes.LFS + "\n")
	}
	return b.String()
}
