package memgymtest

// Manifest returns the hfpub.yaml of the release.
func Manifest() string {
	return `version: 1
release: {name: memgym, version: 1.0.0}
repos:
  - id: MemGym/memgym-rm-1p7b
    type: model
    status: public
    root: rm-1p7b
    license: apache-2.0
    card:
      pretty_name: MemGym reward model 1.7B
      language: [en]
      tags: [memory, reward-model]
      sections:
        How to load it: |
          The adapter is in a folder: load it with subfolder="checkpoint-500".
    upstream:
      - {name: Qwen/Qwen3-1.7B-Base, license: apache-2.0, flow: content}
    configs:
      - name: evaluation
        splits:
          - {name: iid, files: [eval_iid.json], artifact: memgym/rm-eval}

  - id: MemGym/memgym-rm-train
    type: dataset
    status: public
    root: rm-train
    license: mit
    card: {pretty_name: MemGym reward model pairs, language: [en], tags: [memory, agents], task_categories: [text-classification]}
    configs:
      - name: default
        splits:
          - {name: train, files: [reward_model_pairs_v2_train.jsonl], artifact: memgym/pairs}
      - name: split
        splits:
          - {name: manifest, files: [reward_model_v2_split.json], artifact: memgym/split-manifest}
    claims:
      - {id: MG-C05, said: {text: "0", where: "rows with other than the 23 fields"}, measure: {count: {in: default/train, where: 'size(row) != 23'}}}
      - {id: MG-C09, said: {text: "0", where: "rows of other than three models"}, measure: {count: {in: default/train, where: '!(row.source_model in ["sonnet45", "haiku45", "gptoss120b"])'}}}
      - {id: MG-C10, said: {text: "0", where: "rows of other than six perturbations"}, measure: {count: {in: default/train, where: '!(row.perturbation in ["aggressive_0.5", "summary_redaction", "truncate_last_10", "random_drop_0.2", "attr_delete_paths", "summary_noise"])'}}}
      - {id: MG-C11, said: {text: "0", where: "rows whose completion does not say the label"}, measure: {count: {in: default/train, where: 'row.completion != (row.label == 1 ? " Y" : " N") || row.target != row.completion'}}}
      - {id: MG-C12, said: {text: "0", where: "rows with absolute paths in provenance"}, measure: {count: {in: default/train, where: 'row.provenance.training_path.startsWith("/") || row.provenance.replay_path.startsWith("/")'}}}

  - id: MemGym/memgym-rm-iid-heldout
    type: dataset
    status: public
    root: rm-iid-heldout
    license: mit
    card: {pretty_name: MemGym held-out pairs, language: [en], tags: [memory, agents], task_categories: [text-classification]}
    configs:
      - name: default
        splits:
          - {name: eval, files: [reward_model_pairs_v2_eval.jsonl], artifact: memgym/pairs}
    claims:
      - {id: MG-C05, said: {text: "0", where: "rows with other than the 23 fields"}, measure: {count: {in: eval, where: 'size(row) != 23'}}}
      - {id: MG-C09, said: {text: "0", where: "rows of other than three models"}, measure: {count: {in: eval, where: '!(row.source_model in ["sonnet45", "haiku45", "gptoss120b"])'}}}
      - {id: MG-C10, said: {text: "0", where: "rows of other than six perturbations"}, measure: {count: {in: eval, where: '!(row.perturbation in ["aggressive_0.5", "summary_redaction", "truncate_last_10", "random_drop_0.2", "attr_delete_paths", "summary_noise"])'}}}
      - {id: MG-C11, said: {text: "0", where: "rows whose completion does not say the label"}, measure: {count: {in: eval, where: 'row.completion != (row.label == 1 ? " Y" : " N") || row.target != row.completion'}}}
      - {id: MG-C12, said: {text: "0", where: "rows with absolute paths in provenance"}, measure: {count: {in: eval, where: 'row.provenance.training_path.startsWith("/") || row.provenance.replay_path.startsWith("/")'}}}

  - id: MemGym/memgym-rm-scenario-ood-webarena
    type: dataset
    status: public
    root: rm-scenario-ood-webarena
    license: mit
    card: {pretty_name: MemGym pairs from WebArena, language: [en], tags: [memory, agents], task_categories: [text-classification]}
    configs:
      - name: paper
        default: true
        splits:
          - {name: eval, files: [pairs_paper_eval.jsonl], artifact: memgym/pairs-webarena}
      - name: union
        splits:
          - {name: eval, files: [pairs_union.jsonl], artifact: memgym/pairs-webarena}

  - id: MemGym/memgym-rm-scenario-ood-extras
    type: dataset
    status: public
    root: rm-scenario-ood-extras
    license: mit
    card: {pretty_name: MemGym pairs of other scenarios, language: [en], tags: [memory, agents], task_categories: [text-classification]}
    configs:
      - name: tau2
        default: true
        splits:
          - {name: eval, files: [reward_model_pairs_tau2.jsonl], artifact: memgym/pairs-tau2}
      - name: webarena_longctx
        splits:
          - {name: eval, files: [reward_model_pairs_webarena_longctx.jsonl], artifact: memgym/pairs-webarena}

  - id: MemGym/memgym-rm-strategy-ood
    type: dataset
    status: public
    root: rm-strategy-ood
    license: mit
    card: {pretty_name: MemGym pairs of other strategies, language: [en], tags: [memory, agents], task_categories: [text-classification]}
    configs:
      - name: default
        splits:
          - {name: eval, files: [data/rm_strategy_ood_pairs.jsonl], artifact: memgym/strategy-ood}
      - name: per_slice
        splits:
          - {name: obs_masking_w100, files: [data/per_slice/heldout_sonnet45_obs_masking_w100__pairs_partial.jsonl], artifact: memgym/strategy-ood-slice}
          - {name: pipeline_mask, files: [data/per_slice/heldout_sonnet45_pipeline_mask__pairs_partial.jsonl], artifact: memgym/strategy-ood-slice}
      - name: bundle
        splits:
          - {name: manifest, files: [manifest.json], artifact: memgym/strategy-ood-manifest}
      - name: reeval
        splits:
          - {name: eval, files: ["reeval/*.json"], artifact: memgym/strategy-ood-reeval}

  - id: MemGym/memgym-dr-instances
    type: dataset
    status: public
    root: dr-instances
    license: mit
    card: {pretty_name: MemGym deep research, language: [en], tags: [memory, agents], task_categories: [question-answering, text-generation]}
    configs:
      - name: 3hop
        default: true
        splits:
          - {name: test, files: [3hop_verified.jsonl], artifact: memgym/dr-instances}
      - name: 4hop
        splits:
          - {name: test, files: [4hop_paper_run.jsonl], artifact: memgym/dr-instances}
      - name: 56hop
        splits:
          - {name: test, files: [56hop_clean.jsonl], artifact: memgym/dr-instances}
    claims:
      - {id: MG-C25, said: {text: "0", where: "rows with other than the 23 fields"}, measure: {count: {in: [3hop/test, 4hop/test, 56hop/test], where: 'size(row) != 23'}}}
      - {id: MG-C26.3hop, said: {text: "0", where: "rows of other than 3 hops"}, measure: {count: {in: 3hop/test, where: 'row.num_hops != 3'}}}
      - {id: MG-C26.4hop, said: {text: "0", where: "rows of other than 4 hops"}, measure: {count: {in: 4hop/test, where: 'row.num_hops != 4'}}}
      - {id: MG-C26.56hop, said: {text: "0", where: "rows of other than 5 or 6 hops"}, measure: {count: {in: 56hop/test, where: 'row.num_hops < 5 || row.num_hops > 6'}}}
      - {id: MG-C27, said: {text: "0", where: "rows from another source than deep_research"}, measure: {count: {in: [3hop/test, 4hop/test, 56hop/test], where: 'row.source_dataset != "deep_research"'}}}

  - id: MemGym/memgym-codeqa-instances
    type: dataset
    status: pending          # the card goes out, the instances may not yet
    root: codeqa-instances
    license: mit
    card: {pretty_name: MemGym code QA, language: [en], tags: [memory, agents], task_categories: [question-answering]}
    configs:
      - name: default
        splits:
          - {name: test, files: [codeqa.jsonl], artifact: memgym/codeqa-instances}

  - id: MemGym/memgym-rm-midtrain-sft
    type: dataset
    status: withheld         # never leaves
    root: rm-midtrain-sft
    license: mit
    configs:
      - name: default
        splits:
          - {name: train, files: [midtrain_v1.jsonl], artifact: memgym/midtrain}
`
}
