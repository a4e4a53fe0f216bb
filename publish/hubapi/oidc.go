package hubapi

import (
	"context"
	"errors"
	"net/http"
	"net/url"
)

// TrustedPublisher asks the Hub for a token of its own for this run of a CI job, when HF_OIDC_RESOURCE is set. The Hub
// wants the id token of the CI service in return: HF_OIDC_ID_TOKEN, or what GitHub Actions gives to a job with the
// permission id-token: write. The token lives for an hour.
func TrustedPublisher(ctx context.Context, endpoint Endpoint, getenv func(string) string, opts Options) (Token, error) {
	id, err := idToken(ctx, endpoint, getenv, opts)
	if err != nil {
		return Token{}, err
	}
	hub := NewClient(endpoint, Token{source: "HF_OIDC_RESOURCE"}, opts)
	q := call{
		op: "exchange the CI job's id token", method: http.MethodPost, url: endpoint.String() + "/oauth/token",
		body: map[string]string{
			"grant_type":         "urn:ietf:params:oauth:grant-type:token-exchange",
			"subject_token_type": "urn:ietf:params:oauth:token-type:id_token",
			"subject_token":      id.reveal(),
			"resource":           getenv("HF_OIDC_RESOURCE"),
		},
	}
	var a struct {
		AccessToken string `json:"access_token"`
	}
	if err := hub.ask(ctx, q, &a); err != nil {
		return Token{}, refusedPublisher(id, err)
	}
	if a.AccessToken == "" {
		return Token{}, unexpected(q, http.StatusOK, nil)
	}
	return checkedToken(a.AccessToken, "HF_OIDC_RESOURCE")
}

// refusedPublisher gives an error of the exchange its advice, and takes the id token out in case the Hub repeats it.
func refusedPublisher(id Token, err error) error {
	var e *Error
	if !errors.As(err, &e) {
		return err
	}
	plain := *e
	plain.Message, plain.err = id.Redact(e.Message), nil
	if e.Status/100 == 4 {
		plain.Advice = "check the trusted publishers in the settings of what HF_OIDC_RESOURCE names"
	}
	return &plain
}

// idToken finds the CI service's word for who this job is.
func idToken(ctx context.Context, endpoint Endpoint, getenv func(string) string, opts Options) (Token, error) {
	if secret := cleanToken(getenv("HF_OIDC_ID_TOKEN")); secret != "" {
		return checkedToken(secret, "HF_OIDC_ID_TOKEN")
	}
	address, secret := getenv("ACTIONS_ID_TOKEN_REQUEST_URL"), getenv("ACTIONS_ID_TOKEN_REQUEST_TOKEN")
	u, err := url.Parse(address)
	if address == "" || secret == "" || err != nil {
		return Token{}, &TokenError{"HF_OIDC_RESOURCE", errors.New(
			"there is no id token: set HF_OIDC_ID_TOKEN, or give the GitHub Actions job the permission id-token: write")}
	}
	query := u.Query()
	query.Set("audience", endpoint.String())
	u.RawQuery = query.Encode()
	ci := NewClient(endpoint, NewToken(secret, "ACTIONS_ID_TOKEN_REQUEST_TOKEN"), opts)
	q := call{op: "ask GitHub Actions for an id token", method: http.MethodGet, url: u.String()}
	var a struct {
		Value string `json:"value"`
	}
	if err := ci.ask(ctx, q, &a); err != nil {
		return Token{}, err
	}
	if a.Value == "" {
		return Token{}, unexpected(q, http.StatusOK, nil)
	}
	return checkedToken(a.Value, "GitHub Actions")
}
