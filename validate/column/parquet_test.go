package column

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/hfpub/hfpub/validate/rows/parquet"
)

func arrowList(kind string, t parquet.Type) parquet.Type {
	return parquet.Type{Name: kind, Fields: []parquet.Field{{Name: "element", Type: t}}}
}

func structType(fields ...parquet.Field) parquet.Type {
	return parquet.Type{Name: "struct", Fields: fields}
}

func TestFromParquet(t *testing.T) {
	text, number := parquet.Type{Name: "string"}, parquet.Type{Name: "int64"}
	media := structType(parquet.Field{Name: "bytes", Type: parquet.Type{Name: "binary"}}, parquet.Field{Name: "path", Type: text})
	fixed := arrowList("fixed_size_list", number)
	fixed.Length = 3
	array := arrowList("list", arrowList("list", number))
	array.Extension = "datasets.features.features.Array2DExtensionType"
	tests := []struct {
		name string
		typ  parquet.Type
		kept string
		want string
	}{
		{"scalar", parquet.Type{Name: "timestamp[us, tz=UTC]"}, "", `{"name":"c","dtype":"timestamp[us, tz=UTC]"}`},
		{"list", arrowList("list", text), "", `{"name":"c","list":"string"}`},
		{"large list", arrowList("large_list", number), "", `{"name":"c","large_list":"int64"}`},
		{"list of a fixed length", fixed, "", `{"name":"c","list":"int64","length":3}`},
		{"struct", structType(parquet.Field{Name: "b", Type: number}, parquet.Field{Name: "a", Type: text}), "",
			`{"name":"c","struct":[{"name":"b","dtype":"int64"},{"name":"a","dtype":"string"}]}`},
		{"map as hfpub reads it", parquet.Type{Name: "map", Fields: []parquet.Field{{Name: "key", Type: text}, {Name: "value", Type: number}}}, "",
			`{"name":"c","list":[{"name":"key","dtype":"string"},{"name":"value","dtype":"int64"}]}`},
		{"JSON extension", parquet.Type{Name: "string", Extension: "arrow.json"}, "", `{"name":"c","dtype":"json"}`},
		{"label", number, `{"names": ["neg", "pos"], "_type": "ClassLabel"}`, `{"name":"c","dtype":{"class_label":{"names":{"0":"neg","1":"pos"}}}}`},
		{"label stored as another type", parquet.Type{Name: "int32"}, `{"names": ["neg", "pos"], "_type": "ClassLabel"}`, `{"name":"c","dtype":"int32"}`},
		{"value", number, `{"dtype": "int64", "_type": "Value"}`, `{"name":"c","dtype":"int64"}`},
		{"value of another type", number, `{"dtype": "string", "_type": "Value"}`, `{"name":"c","dtype":"int64"}`},
		{"image", media, `{"_type": "Image"}`, `{"name":"c","dtype":"image"}`},
		{"image with parameters", media, `{"mode": "RGB", "_type": "Image"}`, `{"name":"c","dtype":{"image":{"mode":"RGB"}}}`},
		{"image as a text", text, `{"_type": "Image"}`, `{"name":"c","dtype":"string"}`},
		{"audio", media, `{"sampling_rate": 16000, "_type": "Audio"}`, `{"name":"c","dtype":{"audio":{"sampling_rate":16000}}}`},
		{"Json", text, `{"_type": "Json"}`, `{"name":"c","dtype":"json"}`},
		{"list of labels", arrowList("list", number), `{"feature": {"names": ["a"], "_type": "ClassLabel"}, "_type": "List"}`,
			`{"name":"c","list":{"class_label":{"names":{"0":"a"}}}}`},
		{"list in the old form", arrowList("list", number), `[{"dtype": "int64", "_type": "Value"}]`, `{"name":"c","list":"int64"}`},
		{"sequence of fields", structType(parquet.Field{Name: "x", Type: arrowList("list", number)}),
			`{"feature": {"x": {"names": ["a"], "_type": "ClassLabel"}}, "_type": "Sequence"}`,
			`{"name":"c","struct":[{"name":"x","list":{"class_label":{"names":{"0":"a"}}}}]}`},
		{"array", array, `{"shape": [2, 3], "dtype": "int64", "_type": "Array2D"}`, `{"name":"c","dtype":{"array2_d":{"dtype":"int64","shape":[2,3]}}}`},
		{"unknown kind", text, `{"_type": "Tea"}`, `{"name":"c","dtype":"string"}`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			s := parquet.Schema{Fields: []parquet.Field{{Name: "c", Type: tt.typ}}}
			if tt.kept != "" {
				s.Huggingface = `{"info": {"features": {"c": ` + tt.kept + `}}}`
			}
			got, err := json.Marshal(FromParquet(s))
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff("["+tt.want+"]", string(got)); diff != "" {
				t.Errorf("features (-want +got):\n%s", diff)
			}
		})
	}
}

func TestUnloadable(t *testing.T) {
	inner := structType(parquet.Field{Name: "h", Type: parquet.Type{Name: "fixed_size_binary[4]"}})
	s := parquet.Schema{Fields: []parquet.Field{
		{Name: "ok", Type: arrowList("list", parquet.Type{Name: "string"})},
		{Name: "deep", Type: arrowList("list", inner)},
	}}
	want := []Feature{{"deep", Type{Dtype: "fixed_size_binary[4]"}}}
	if diff := cmp.Diff(want, Unloadable(s)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
