package column

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/hfpub/hfpub/validate/rows/parquet"
)

// FromParquet returns the features that load_dataset gives the columns of a Parquet file: for each column the one that datasets
// has kept in the file, if it is stored as that feature is, else the one of its Arrow type. (Features.from_arrow_schema.) A
// column of a type that has no feature gets the one that hfpub reads it as; see [Unloadable].
func FromParquet(s parquet.Schema) Features {
	kept := keptFeatures(s.Huggingface)
	out := Features{}
	for _, f := range s.Fields {
		t, ok := fromKept(kept[f.Name], f.Type)
		if !ok {
			t = fromArrow(f.Type)
		}
		out = append(out, Feature{f.Name, t})
	}
	return out
}

// keptFeatures reads the features that datasets keeps in a file's metadata.
func keptFeatures(text string) map[string]any {
	var kept struct {
		Info struct {
			Features map[string]any `json:"features"`
		} `json:"info"`
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&kept) != nil {
		return nil
	}
	return kept.Info.Features
}

// Unloadable lists the columns of a file for whose types load_dataset has no feature, with the types.
func Unloadable(s parquet.Schema) []Feature {
	var out []Feature
	for _, f := range s.Fields {
		if t, ok := withoutFeature(f.Type); ok {
			out = append(out, Feature{f.Name, Type{Dtype: t.String()}})
		}
	}
	return out
}

// withoutFeature finds a type that has no feature in a type.
func withoutFeature(t parquet.Type) (parquet.Type, bool) {
	if t.Name == "map" || strings.HasPrefix(t.Name, "fixed_size_binary[") {
		return t, true
	}
	for _, f := range t.Fields {
		if inner, ok := withoutFeature(f.Type); ok {
			return inner, true
		}
	}
	return parquet.Type{}, false
}

// jsonExtension is the name of the Arrow extension type for texts that are JSON.
const jsonExtension = "arrow.json"

// fromArrow is the feature of an Arrow type.
func fromArrow(t parquet.Type) Type {
	switch {
	case t.Extension == jsonExtension:
		return Type{Dtype: dtypeJSON}
	case t.Name == "struct":
		out := Type{Struct: []Feature{}}
		for _, f := range t.Fields {
			out.Struct = append(out.Struct, Feature{f.Name, fromArrow(f.Type)})
		}
		return out
	case t.Name == "list", t.Name == "large_list", t.Name == "fixed_size_list":
		element := fromArrow(t.Fields[0].Type)
		return Type{List: &element, Length: t.Length, Large: t.Name == "large_list"}
	case t.Name == "map":
		element := fromArrow(parquet.Type{Name: "struct", Fields: t.Fields})
		return Type{List: &element}
	case strings.HasPrefix(t.Name, "fixed_size_binary["):
		return Type{Dtype: "binary"}
	}
	return Type{Dtype: t.Name}
}

// fromKept reads a feature as datasets keeps it; ok is false when columns of it are stored as another type than t.
func fromKept(feature any, t parquet.Type) (out Type, ok bool) {
	if list, is := feature.([]any); is && len(list) == 1 { // the form of a list in old versions
		feature = map[string]any{"_type": "List", "feature": list[0]}
	}
	kept, _ := feature.(map[string]any)
	kind, typed := kept["_type"].(string)
	switch {
	case kept == nil:
		return Type{}, false
	case !typed:
		return structFromKept(kept, t)
	}
	switch kind {
	case "Value":
		dtype, _ := kept["dtype"].(string)
		return Type{Dtype: t.Name}, dtype == t.Name || alias(dtype) == t.Name
	case "ClassLabel":
		names, all := textsOf(kept["names"])
		return Type{ClassLabel: names}, all && t.Name == dtypeInt64
	case "Json":
		return Type{Dtype: dtypeJSON}, t.Name == dtypeString
	case "List", "LargeList", "Sequence":
		return listFromKept(kind, kept, t)
	case "Image", "Audio", "Video", "Pdf", "Nifti", "Mesh":
		return Type{Dtype: strings.ToLower(kind), Params: paramsOf(kept)}, isMediaStruct(t)
	case "Translation":
		return Type{Dtype: "translation", Params: paramsOf(kept)}, t.Name == "struct"
	case "TranslationVariableLanguages":
		return Type{Dtype: "translation_variable_languages", Params: paramsOf(kept)}, t.Name == "struct"
	case "Array2D", "Array3D", "Array4D", "Array5D":
		dtype := fmt.Sprintf("array%c_d", kind[len("Array")])
		return Type{Dtype: dtype, Params: paramsOf(kept)}, t.Extension != ""
	}
	return Type{}, false
}

// alias is the full name of a dtype that has a short one.
func alias(dtype string) string {
	switch dtype {
	case "float":
		return "float32"
	case "double":
		return "float64"
	}
	return dtype
}

func textsOf(v any) (texts []string, ok bool) {
	list, _ := v.([]any)
	for _, item := range list {
		text, is := item.(string)
		if !is {
			return nil, false
		}
		texts = append(texts, text)
	}
	return texts, len(texts) > 0
}

// paramsOf is the JSON text of what a feature has beside its kind; "" for nothing.
func paramsOf(kept map[string]any) string {
	rest := maps.Clone(kept)
	for _, key := range []string{"_type", "id"} {
		delete(rest, key)
	}
	if len(rest) == 0 {
		return ""
	}
	text, err := json.Marshal(rest)
	if err != nil {
		return ""
	}
	return string(text)
}

// isMediaStruct says that a type is that in which media are stored: their bytes and their path.
func isMediaStruct(t parquet.Type) bool {
	names := map[string]string{}
	for _, f := range t.Fields {
		names[f.Name] = f.Type.Name
	}
	return t.Name == "struct" && len(names) == 2 && strings.HasSuffix(names["bytes"], "binary") && strings.HasSuffix(names["path"], "string")
}

// structFromKept reads a struct, whose members are in the order of the file.
func structFromKept(kept map[string]any, t parquet.Type) (Type, bool) {
	if t.Name != "struct" || len(kept) != len(t.Fields) {
		return Type{}, false
	}
	out := Type{Struct: []Feature{}}
	for _, f := range t.Fields {
		inner, ok := fromKept(kept[f.Name], f.Type)
		if !ok {
			return Type{}, false
		}
		out.Struct = append(out.Struct, Feature{f.Name, inner})
	}
	return out, true
}

// listFromKept reads a list. A sequence of fields is a struct of lists.
func listFromKept(kind string, kept map[string]any, t parquet.Type) (Type, bool) {
	if fields, is := kept["feature"].(map[string]any); is && kind == "Sequence" && fields["_type"] == nil && t.Name == "struct" {
		lists := map[string]any{}
		for name, feature := range fields {
			lists[name] = map[string]any{"_type": "List", "feature": feature}
		}
		return structFromKept(lists, t)
	}
	isList := []string{"list", "fixed_size_list"}
	if kind == "LargeList" {
		isList = []string{"large_list"}
	}
	if !slices.Contains(isList, t.Name) {
		return Type{}, false
	}
	element, ok := fromKept(kept["feature"], t.Fields[0].Type)
	return Type{List: &element, Length: t.Length, Large: kind == "LargeList"}, ok
}
