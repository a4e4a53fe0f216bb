package hubapi_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

func TestFindEndpoint(t *testing.T) {
	tests := []struct {
		name      string
		env       map[string]string
		want, bad string
	}{
		{"the Hub", nil, "https://huggingface.co", ""},
		{"staging", map[string]string{"HUGGINGFACE_CO_STAGING": "On"}, "https://hub-ci.huggingface.co", ""},
		{"staging off", map[string]string{"HUGGINGFACE_CO_STAGING": "no"}, "https://huggingface.co", ""},
		{"HF_ENDPOINT wins", map[string]string{"HF_ENDPOINT": "https://hub.example.org/", "HUGGINGFACE_CO_STAGING": "1"},
			"https://hub.example.org", ""},
		{"with a path", map[string]string{"HF_ENDPOINT": " http://10.0.0.1:8080/hf// "}, "http://10.0.0.1:8080/hf", ""},
		{"no scheme", map[string]string{"HF_ENDPOINT": "hub.example.org"}, "", "https://"},
		{"another scheme", map[string]string{"HF_ENDPOINT": "ftp://hub.example.org"}, "", "https://"},
		{"no host", map[string]string{"HF_ENDPOINT": "https://"}, "", "https://"},
		{"no URL", map[string]string{"HF_ENDPOINT": "https://x:y:z/ " + secret}, "", "no URL"},
		{"a token", map[string]string{"HF_ENDPOINT": "https://u:" + secret + "@hub.example.org"}, "", "put the token into HF_TOKEN"},
		{"a query", map[string]string{"HF_ENDPOINT": "https://hub.example.org?t=" + secret}, "", "query"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := hubapi.FindEndpoint(environment(tt.env))
			if tt.bad == "" && (err != nil || got.String() != tt.want) {
				t.Errorf("%v (%v), want %s", got, err, tt.want)
			}
			if tt.bad == "" {
				return
			}
			var bad *hubapi.EndpointError
			if !errors.As(err, &bad) || !strings.Contains(err.Error(), tt.bad) || strings.Contains(err.Error(), secret) {
				t.Errorf("%v, want an EndpointError with %q and without the token", err, tt.bad)
			}
		})
	}
}

func TestEndpointURLs(t *testing.T) {
	e, err := hubapi.NewEndpoint("http://127.0.0.1:80/hf/")
	if err != nil {
		t.Fatal(err)
	}
	dataset, model := hubapi.Repo{Type: release.Dataset, ID: "acme/rows"}, hubapi.Repo{Type: release.Model, ID: "acme/lora"}
	for _, tt := range []struct{ got, want string }{
		{e.WebURL(dataset), "http://127.0.0.1:80/hf/datasets/acme/rows"},
		{e.GitURL(model), "http://127.0.0.1:80/hf/acme/lora"},
		{e.LFSURL(dataset), "http://127.0.0.1:80/hf/datasets/acme/rows.git/info/lfs"},
		{hubapi.Endpoint{}.WebURL(model), "https://huggingface.co/acme/lora"},
		{e.Local("https://huggingface.co/acme/lora?x=1"), "http://127.0.0.1:80/hf/acme/lora?x=1"},
		{e.Local("https://huggingface.co"), "http://127.0.0.1:80/hf"},
		{e.Local("https://huggingface.com/acme"), "https://huggingface.com/acme"},
		{e.Local("https://huggingface.co.evil.org/acme"), "https://huggingface.co.evil.org/acme"},
		{e.Local("https://huggingface.co@evil.org/acme"), "https://huggingface.co@evil.org/acme"},
		{e.Local("/acme"), "/acme"},
	} {
		if tt.got != tt.want {
			t.Errorf("%s, want %s", tt.got, tt.want)
		}
	}
}

func TestOffline(t *testing.T) {
	for value, want := range map[string]bool{"1": true, "on": true, "Yes": true, "TRUE": true, "": false, "0": false, "2": false} {
		for _, name := range []string{"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE"} {
			if got := hubapi.Offline(environment(map[string]string{name: value})); got != want {
				t.Errorf("%s=%q: offline %v, want %v", name, value, got, want)
			}
		}
	}
}
