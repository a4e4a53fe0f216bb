package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/exchange"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/regularfile"
	"github.com/hfpub/hfpub/schemas/release"
	"github.com/hfpub/hfpub/validate/finding"
)

// preflight asks the Hub, before hours of upload, what it would say at the end of them: whether it takes the cards, and, where
// something is to be sent, whether the token may write. What it says of a card is a finding.
func (p *pusher) preflight(ctx context.Context, repos []*release.Repo, plans []*publish.Plan, bars *progress) ([]finding.Finding, error) {
	var found []finding.Finding
	for i, repo := range repos {
		named, onHub, err := p.dest.onHub(repo)
		if err != nil {
			return nil, err
		}
		if !onHub || plans[i].Skipped != "" || plans[i].NoChange {
			continue
		}
		list, err := p.judgedCard(ctx, repo, plans[i], bars)
		if err != nil {
			return nil, err
		}
		found = append(found, list...)
		if p.flags.dryRun || p.flags.pull || plans[i].New {
			continue
		}
		if err := p.dest.mayWrite(ctx, named); err != nil {
			return nil, fmt.Errorf("push %s: %w", repo.ID, err)
		}
	}
	return found, nil
}

// mayWrite asks whether the token may write to a repo, and says why not. A server without that call says it at the push.
func (d *destination) mayWrite(ctx context.Context, named hubapi.Repo) error {
	err := d.hub().CheckWrite(ctx, named)
	switch {
	case err == nil || hubapi.NoAPI(err):
		return nil
	case exchange.Code(err) != http.StatusForbidden:
		return err
	}
	me, whoErr := d.hub().WhoAmI(ctx)
	if whoErr != nil {
		return err
	}
	return fmt.Errorf("%w; %s", err, d.whyNot(me, named))
}

// whyNot explains, by what the token's owner may do, why a repo cannot be written to.
func (d *destination) whyNot(me hubapi.Account, named hubapi.Repo) string {
	if me.Auth.AccessToken.Role == "read" {
		return fmt.Sprintf("the token from %s is %s's and can only read: make one with the role write", d.token.Source(), me.Name)
	}
	if me.Auth.AccessToken.Role == "fineGrained" {
		return fmt.Sprintf("the token from %s is a fine-grained one of %s: in its settings, give it write access to the contents of %s, "+
			"or the right to open discussions and pull requests there and push with --pr", d.token.Source(), me.Name, named.ID)
	}
	for _, org := range me.Orgs {
		if org.Name == named.Namespace() {
			return fmt.Sprintf("%s has the role %s in %s: ask for write access, or push with --pr", me.Name, org.Role, org.Name)
		}
	}
	if named.Namespace() == me.Name {
		return "the token is limited to other repos: let it write to this one"
	}
	return fmt.Sprintf("%s is no member of %s: check HF_TOKEN and the repo's id, or push with --pr", me.Name, named.Namespace())
}

// judgedCard lets the Hub judge the card that is to be pushed. When the Hub cannot be asked, the push itself will tell.
func (p *pusher) judgedCard(ctx context.Context, repo *release.Repo, plan *publish.Plan, bars *progress) ([]finding.Finding, error) {
	if !sendsCard(plan) {
		return nil, nil
	}
	root, err := os.OpenRoot(repo.Dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	text, err := regularfile.ReadIn(root, "README.md", maxJudged)
	if err != nil {
		return nil, fmt.Errorf("read the card in %s: %w", repo.Dir, err)
	}
	verdict, err := p.dest.hub().ValidateYAML(ctx, repo.Type, string(text))
	if err != nil {
		if ctx.Err() != nil {
			return nil, err
		}
		var hub *hubapi.Error
		if !errors.As(err, &hub) || !hubapi.NoAPI(err) {
			p.app.log(bars, "%s: the Hub did not judge the card, the push will: %s", repo.ID, err)
		}
		return nil, nil
	}
	var found []finding.Finding
	for _, message := range verdict.Errors {
		found = append(found, cardVerdict(finding.CardHubRefuses, repo, message))
	}
	for _, message := range verdict.Warnings {
		found = append(found, cardVerdict(finding.CardHubWarns, repo, message))
	}
	return found, nil
}

// maxJudged bounds the bytes of a card that are sent to be judged: the Hub takes no larger one.
const maxJudged = 10 << 20

func cardVerdict(code finding.Code, repo *release.Repo, message string) finding.Finding {
	f := finding.New(code, "the Hub says of the card: %s", message).At("README.md", 0)
	f.Repo = repo.ID
	return f.Hinting("hfpub explain %s", code)
}

// sendsCard says that README.md is among what a plan sends.
func sendsCard(plan *publish.Plan) bool {
	for _, file := range plan.Files {
		if file.Path == "README.md" {
			return file.Change == publish.Added || file.Change == publish.Changed
		}
	}
	return false
}
