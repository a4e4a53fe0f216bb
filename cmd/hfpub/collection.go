package main

import (
	"context"
	"errors"
	"fmt"

	"github.com/hfpub/hfpub/publish"
	"github.com/hfpub/hfpub/publish/hubapi"
	"github.com/hfpub/hfpub/schemas/release"
)

// checkCollection says what does not go with --collection.
func (d *destination) checkCollection(name string, repos []*release.Repo) error {
	if name == "" {
		return nil
	}
	for _, repo := range repos {
		if _, onHub, err := d.onHub(repo); err != nil || !onHub {
			return errors.Join(err, errors.New("--collection is for repos on the Hub"))
		}
	}
	return nil
}

// findNamed looks for a collection that is named by its slug, before anything is sent: it may be gone, or the slug misspelt.
func (d *destination) findNamed(ctx context.Context, name string) error {
	if hubapi.CheckSlug(name) != nil {
		return nil
	}
	_, err := d.hub().Collection(ctx, name)
	return err
}

// collect puts the pushed repos into a collection, which is named by its slug, or by its title in the namespace of the first
// repo; one that is not there is made. It returns the address of the collection's page.
func (d *destination) collect(ctx context.Context, name string, repos []*release.Repo, results []*publish.Result) (string, error) {
	hub := d.hub()
	var slug string
	var there hubapi.Collection
	for i, repo := range repos {
		if results[i].Skipped != "" {
			continue
		}
		named, _, err := d.onHub(repo)
		if err != nil {
			return "", err
		}
		if slug == "" {
			if there, err = findCollection(ctx, hub, name, named.Namespace()); err != nil {
				return "", err
			}
			slug = there.Slug
		}
		if there.Holds(named) {
			continue
		}
		if err := hub.AddToCollection(ctx, slug, named); err != nil {
			return "", err
		}
	}
	if slug == "" {
		return "", fmt.Errorf("collection %s: no repo was pushed that could be in it", name)
	}
	return d.endpoint.CollectionURL(slug), nil
}

func findCollection(ctx context.Context, hub *hubapi.Client, name, namespace string) (hubapi.Collection, error) {
	if hubapi.CheckSlug(name) == nil {
		return hub.Collection(ctx, name)
	}
	return hub.CreateCollection(ctx, namespace, name)
}
