#include "nn/generate.h"

#include <algorithm>
#include <cstddef>

#include "core/check.h"
#include "core/random.h"

namespace attn::nn {
namespace {

core::Matrix matrix_in(std::vector<float>& memory, int rows, int columns) {
  const std::size_t count = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
  if (memory.size() < count) memory.resize(count);
  return {memory.data(), rows, columns, columns};
}

core::Matrix rows_of(core::Matrix matrix, int first, int count) {
  return {matrix.row(first), count, matrix.columns, matrix.stride};
}

core::Status check_tokens(std::span<const int> tokens, int vocabulary, const char* what, std::size_t prompt) {
  if (tokens.empty()) return core::error_at("%s of prompt %zu is empty", what, prompt);
  for (std::size_t t = 0; t < tokens.size(); ++t)
    if (tokens[t] < 0 || tokens[t] >= vocabulary)
      return core::error_at("%s of prompt %zu: token %d at %zu, must be in [0, %d]", what, prompt, tokens[t],
                            t, vocabulary - 1);
  return core::ok_status();
}

core::Status check_length(const TransformerConfig& config, std::size_t length, const char* what,
                          std::size_t prompt) {
  if (config.positions != Positions::none && length > static_cast<std::size_t>(config.max_positions))
    return core::error_at("%s of prompt %zu has %zu tokens, the model has %d positions", what, prompt, length,
                          config.max_positions);
  return core::ok_status();
}

core::Status check_prompt(const TransformerConfig& config, const Prompt& prompt, std::size_t index) {
  for (const core::Status& status : {check_tokens(prompt.tokens, config.vocabulary, "tokens", index),
                                     check_length(config, prompt.tokens.size(), "tokens", index)})
    if (!status.ok()) return status;
  if (!has_cross_attention(config)) {
    if (prompt.source.empty()) return core::ok_status();
    return core::error_at("prompt %zu has a source, the model has no encoder", index);
  }
  const int source_vocabulary = has_source_table(config) ? config.source_vocabulary : config.vocabulary;
  if (core::Status status = check_tokens(prompt.source, source_vocabulary, "source", index); !status.ok())
    return status;
  return check_length(config, prompt.source.size(), "source", index);
}

core::Status check_options(const TransformerConfig& config, const GenerationOptions& options) {
  if (!has_decoder(config)) return core::error_at("the model has no decoder");
  if (config.output_projection == OutputProjection::none)
    return core::error_at("the model has no output projection, so there are no logits");
  if (options.max_new_tokens < 0)
    return core::error_at("max_new_tokens is %d, must be 0 or more", options.max_new_tokens);
  if (options.eos < -1 || options.eos >= config.vocabulary)
    return core::error_at("eos is %d, must be -1 (none) or in [0, %d]", options.eos, config.vocabulary - 1);
  return validate(options.sampling);
}

}  // namespace

core::Result<Generation> Generation::start(const Transformer& model, std::span<const Prompt> prompts,
                                           const GenerationOptions& options) {
  const TransformerConfig& config = model.config;
  if (const core::Status status = check_options(config, options); !status.ok())
    return core::Error{status.error()};
  if (prompts.empty()) return core::error_at("there is no prompt");
  for (std::size_t i = 0; i < prompts.size(); ++i)
    if (const core::Status status = check_prompt(config, prompts[i], i); !status.ok())
      return core::Error{status.error()};

  Generation run(model, options);
  for (const Prompt& prompt : prompts) {
    Sequence sequence{{prompt.tokens.begin(), prompt.tokens.end()},
                      static_cast<int>(prompt.tokens.size()),
                      prompt.stream,
                      KvCache(config),
                      {},
                      StopReason::running};
    run.sequences_.push_back(std::move(sequence));
    run.judge(run.sequences_.back());
  }
  if (!has_cross_attention(config)) return run;

  int total = 0;
  for (const Prompt& prompt : prompts) {
    run.counts_.push_back(static_cast<int>(prompt.source.size()));
    total += run.counts_.back();
  }
  const core::Matrix memory = matrix_in(run.rows_, total, config.d_model);
  int first = 0;
  for (std::size_t i = 0; i < prompts.size(); first += run.counts_[i++])
    embed(model, tape::Stack::encoder, prompts[i].source, 0, rows_of(memory, first, run.counts_[i]));
  encode(model, memory, run.counts_, Mask::none(), run.workspace_, memory);
  first = 0;
  for (std::size_t i = 0; i < prompts.size(); first += run.counts_[i++])
    store_memory(model, rows_of(memory, first, run.counts_[i]), run.workspace_, run.sequences_[i].cache);
  return run;
}

const Generation::Sequence& Generation::at(int sequence) const {
  ATTN_CHECK(sequence >= 0 && sequence < size());
  return sequences_[static_cast<std::size_t>(sequence)];
}

Generation::Sequence& Generation::at(int sequence) {
  ATTN_CHECK(sequence >= 0 && sequence < size());
  return sequences_[static_cast<std::size_t>(sequence)];
}

bool Generation::finished() const {
  return std::none_of(sequences_.begin(), sequences_.end(),
                      [](const Sequence& one) { return one.reason == StopReason::running; });
}

StopReason Generation::reason(int sequence) const { return at(sequence).reason; }

std::span<const int> Generation::tokens(int sequence) const { return at(sequence).tokens; }

std::span<const int> Generation::new_tokens(int sequence) const {
  return tokens(sequence).subspan(static_cast<std::size_t>(at(sequence).prompt_length));
}

std::span<const float> Generation::logits(int sequence) const { return at(sequence).logits; }

void Generation::candidates(int sequence, std::vector<Candidate>& result) const {
  ATTN_CHECK(at(sequence).logits_belong());
  rank_candidates(at(sequence).logits, options_.sampling, result);
}

void Generation::look() {
  const TransformerConfig& config = model_->config;
  looking_.clear();
  counts_.clear();
  caches_.clear();
  int total = 0;
  for (int i = 0; i < size(); ++i) {
    Sequence& sequence = at(i);
    if (sequence.reason != StopReason::running || sequence.logits_belong()) continue;
    looking_.push_back(i);
    counts_.push_back(static_cast<int>(sequence.tokens.size()) - sequence.cache.length());
    caches_.push_back(&sequence.cache);
    total += counts_.back();
  }
  if (looking_.empty()) return;
  const core::Matrix rows = matrix_in(rows_, total, config.d_model);
  int first = 0;
  for (std::size_t i = 0; i < looking_.size(); first += counts_[i++]) {
    const Sequence& sequence = at(looking_[i]);
    const int length = sequence.cache.length();
    embed(*model_, tape::Stack::decoder, std::span(sequence.tokens).subspan(static_cast<std::size_t>(length)),
          length, rows_of(rows, first, counts_[i]));
  }
  decode(*model_, rows, counts_, caches_, Mask::causal(), Mask::none(), workspace_, rows);
  // Logits are wanted of the last row of each sequence: those rows move to the front.
  int last = -1;
  for (std::size_t i = 0; i < looking_.size(); ++i) {
    last += counts_[i];
    std::copy_n(rows.row(last), rows.columns, rows.row(static_cast<int>(i)));
  }
  const int count = static_cast<int>(looking_.size());
  const core::Matrix logits = matrix_in(logits_, count, config.vocabulary);
  project_to_vocabulary(*model_, rows_of(rows, 0, count), logits);
  for (int i = 0; i < count; ++i)
    at(looking_[static_cast<std::size_t>(i)]).logits.assign(logits.row(i), logits.row(i) + logits.columns);
}

void Generation::step() {
  look();
  const Sampling& sampling = options_.sampling;
  for (Sequence& sequence : sequences_) {
    if (sequence.reason != StopReason::running) continue;
    int token;
    if (sampling.temperature == 0.0f) {
      token = most_probable(sequence.logits);
    } else {
      const std::size_t index = sequence.tokens.size() - static_cast<std::size_t>(sequence.prompt_length);
      rank_candidates(sequence.logits, sampling, ranking_);
      token = draw(ranking_, core::RandomStream{sampling.seed, sequence.stream}.uniform(index));
    }
    append(sequence, token);
  }
}

void Generation::take(int sequence, int token) {
  ATTN_CHECK(reason(sequence) == StopReason::running);
  ATTN_CHECK(token >= 0 && token < model_->config.vocabulary);
  append(at(sequence), token);
}

void Generation::append(Sequence& sequence, int token) {
  sequence.tokens.push_back(token);
  judge(sequence);
}

void Generation::judge(Sequence& sequence) const {
  const TransformerConfig& config = model_->config;
  const int length = static_cast<int>(sequence.tokens.size());
  const int fresh = length - sequence.prompt_length;
  if (fresh > 0 && sequence.tokens.back() == options_.eos) {
    sequence.reason = StopReason::eos;
  } else if (fresh >= options_.max_new_tokens) {
    sequence.reason = StopReason::maximum;
  } else if (config.positions != Positions::none && length > config.max_positions) {
    sequence.reason = StopReason::positions;
  } else {
    sequence.reason = StopReason::running;
  }
}

void Generation::stop(int sequence) {
  if (reason(sequence) == StopReason::running) at(sequence).reason = StopReason::asked;
}

void Generation::roll_back(int sequence, int length) {
  Sequence& one = at(sequence);
  ATTN_CHECK(length >= one.prompt_length && length <= static_cast<int>(one.tokens.size()));
  one.tokens.resize(static_cast<std::size_t>(length));
  // The last token is computed again, because its logits are wanted again.
  one.cache.roll_back(std::min(one.cache.length(), length - 1));
  judge(one);
}

core::Result<std::vector<std::vector<int>>> generate(const Transformer& model,
                                                     std::span<const Prompt> prompts,
                                                     const GenerationOptions& options,
                                                     const std::function<bool(const Generation&)>& go_on) {
  core::Result<Generation> started = Generation::start(model, prompts, options);
  if (!started.ok()) return core::Error{started.error()};
  Generation& run = started.value();
  while (!run.finished() && (!go_on || go_on(run))) run.step();
  std::vector<std::vector<int>> continuations;
  for (int i = 0; i < run.size(); ++i) {
    const std::span<const int> tokens = run.new_tokens(i);
    continuations.emplace_back(tokens.begin(), tokens.end());
  }
  return continuations;
}

}  // namespace attn::nn
