package release

import (
	"cmp"
	"path"
	"slices"
	"strings"
	"sync"
)

// builders maps the extensions of data files to the loader's builders. The image extensions are those of Pillow, the
// audio ones those of libsndfile, as the loader lists them; media extensions count in upper case too.
var builders = sync.OnceValue(buildersByExtension)

func buildersByExtension() map[string]string {
	all := map[string]string{}
	for builder, extensions := range map[string]string{
		"csv":        ".csv .tsv",
		"json":       ".json .jsonl .ndjson",
		"parquet":    ".parquet .geoparquet .gpq",
		"arrow":      ".arrow",
		"text":       ".txt",
		"conll":      ".conll .conllu",
		"webdataset": ".tar",
		"xml":        ".xml",
		"hdf5":       ".hdf5 .h5",
		"eval":       ".eval",
		"lance":      ".lance",
		"tsfile":     ".tsfile",
	} {
		for _, ext := range strings.Fields(extensions) {
			all[ext] = builder
		}
	}
	// Later builders take an extension over, as in the loader's own table.
	for _, media := range []struct{ builder, extensions string }{
		{"imagefolder", ".blp .bmp .dib .bufr .cur .pcx .dcx .dds .ps .eps .fit .fits .fli .flc .ftc .ftu .gbr .gif .grib .png .apng " +
			".jp2 .j2k .jpc .jpf .jpx .j2c .icns .ico .im .iim .tif .tiff .jfif .jpe .jpg .jpeg .mpg .mpeg .msp .pcd .pxr .pbm .pgm .ppm " +
			".pnm .psd .bw .rgb .rgba .sgi .ras .tga .icb .vda .vst .webp .wmf .emf .xbm .xpm"},
		{"audiofolder", ".aiff .au .avr .caf .flac .htk .svx .mat4 .mat5 .mpc2k .ogg .paf .pvf .raw .rf64 .sd2 .sds .ircam .voc .w64 " +
			".wav .nist .wavex .wve .xi .mp3 .opus"},
		{"videofolder", ".mkv .mp4 .avi .mpeg .mov"},
		{"pdffolder", ".pdf"},
		{"niftifolder", ".nii"},
		{"meshfolder", ".glb .ply .stl"},
	} {
		for _, ext := range strings.Fields(media.extensions) {
			all[ext], all[strings.ToUpper(ext)] = media.builder, media.builder
		}
	}
	return all
}

// archive is the one extension whose builder the loader finds out by looking inside.
const archive = ".zip"

// suffixes are all the dot-parts of a file's name: .json and .gz of data.json.gz.
func suffixes(file string) []string {
	parts := strings.Split(path.Base(file), ".")[1:]
	for i, part := range parts {
		parts[i] = "." + part
	}
	return parts
}

// isData reports whether the loader takes a file by its name: one of its suffixes is a known extension, in its case.
func isData(file string) bool {
	return slices.ContainsFunc(suffixes(file), func(ext string) bool { return builders()[ext] != "" || ext == archive })
}

// Builder is the loader's builder for the files of a split (csv, json, parquet, text, imagefolder, …): that of the most
// frequent suffix among the first 200 files, case aside, and of equally frequent ones .parquet, .lance, .arrow, .jsonl,
// .json, .csv, then the last in the alphabet. Metadata files of media folders count only when there is nothing else. It is
// "" when no suffix is known, and when the loader would look inside zip archives.
func Builder(files []string) string {
	type suffix struct {
		ext      string
		metadata bool
	}
	counts := map[suffix]int{}
	for _, file := range files[:min(len(files), 200)] {
		for _, ext := range suffixes(file) {
			counts[suffix{strings.ToLower(ext), isMediaMetadata(path.Base(file))}]++
		}
	}
	favourites := []string{".csv", ".json", ".jsonl", ".arrow", ".lance", ".parquet"}
	order := make([]suffix, 0, len(counts))
	for s := range counts {
		order = append(order, s)
	}
	slices.SortFunc(order, func(a, b suffix) int {
		return -cmp.Or(
			-cmp.Compare(btoi(a.metadata), btoi(b.metadata)),
			cmp.Compare(counts[a], counts[b]),
			cmp.Compare(slices.Index(favourites, a.ext), slices.Index(favourites, b.ext)),
			cmp.Compare(a.ext, b.ext),
		)
	})
	for _, s := range order {
		if s.ext == archive {
			return ""
		}
		if builder := builders()[s.ext]; builder != "" {
			return builder
		}
	}
	return ""
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

func isMediaMetadata(name string) bool {
	return name == "metadata.csv" || name == "metadata.jsonl" || name == "metadata.parquet"
}

func isMedia(builder string) bool { return strings.HasSuffix(builder, "folder") }

// readBy keeps the files that a builder reads: those with one of its extensions, zip archives, and the metadata files of
// media folders. An unknown builder keeps them all.
func readBy(builder string, files []string) []string {
	if builder == "" {
		return files
	}
	var kept []string
	for _, file := range files {
		reads := func(ext string) bool { return builders()[ext] == builder || ext == archive }
		if slices.ContainsFunc(suffixes(file), reads) || isMedia(builder) && isMediaMetadata(path.Base(file)) {
			kept = append(kept, file)
		}
	}
	return kept
}
