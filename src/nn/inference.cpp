#include "nn/inference.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

#include "kernels/elementwise.h"
#include "kernels/feed_forward.h"
#include "kernels/layer_norm.h"

namespace attn::nn {
namespace {

using core::ConstMatrix;
using core::Matrix;
using kernels::HeadLayout;
using kernels::VisibleKeys;

/// The first `count` floats of memory that only grows.
std::span<float> take(std::vector<float>& memory, std::size_t count) {
  if (memory.size() < count) memory.resize(count);
  return std::span(memory).first(count);
}

Matrix take_rows(std::vector<float>& memory, int rows, int columns) {
  return {take(memory, static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)).data(), rows,
          columns, columns};
}

ConstMatrix rows_of(ConstMatrix matrix, int first, int count) {
  return {matrix.row(first), count, matrix.columns, matrix.stride};
}

Matrix rows_of(Matrix matrix, int first, int count) {
  return {matrix.row(first), count, matrix.columns, matrix.stride};
}

int sum_of(std::span<const int> counts) {
  int sum = 0;
  for (const int count : counts) sum += count;
  return sum;
}

// ---- Masks.

/// What queries [first_query, first_query + count) of a sequence see of its `keys` keys.
void see(const Mask& mask, int batch, int heads, int first_query, int count, int keys,
         SequenceVisibility& result) {
  const int mask_heads = mask.differs_by_head() ? heads : 1;
  result.head_step = mask_heads > 1 ? count : 0;
  result.keys = keys;
  result.visible.clear();
  result.flags.clear();
  for (int h = 0; h < mask_heads; ++h)
    for (int i = 0; i < count; ++i) {
      const Mask::Reach reach = mask.reach(batch, h, first_query + i, keys);
      result.visible.push_back({reach.first, reach.end, nullptr});
      if (reach.whole) continue;
      for (int j = reach.first; j < reach.end; ++j)
        result.flags.push_back(mask.may_see(batch, h, first_query + i, j) ? 1.0f : 0.0f);
    }
  if (result.flags.empty()) return;
  // Now that the flags stay where they are: every row that has some.
  const float* flags = result.flags.data();
  VisibleKeys* visible = result.visible.data();
  for (int h = 0; h < mask_heads; ++h)
    for (int i = 0; i < count; ++i, ++visible) {
      if (mask.reach(batch, h, first_query + i, keys).whole) continue;
      visible->flags = flags;
      flags += visible->end - visible->first;
    }
}

// ---- Blocks. A block reads the current input and leaves its output in workspace.result.

/// Which third of in_proj.
enum Part { query_part, key_part, value_part };

void project(const MultiHeadAttention& parameters, Part part, ConstMatrix x, Matrix out) {
  const kernels::PackedMatrix& packed = part == query_part ? parameters.packed_query
                                        : part == key_part ? parameters.packed_key
                                                           : parameters.packed_value;
  const std::span<const float> bias = parameters.in_proj_bias.flat();
  const auto width = static_cast<std::size_t>(packed.columns);
  kernels::linear(x, packed, bias.subspan(static_cast<std::size_t>(part) * width, width), out);
}

/// What the functions below share.
class Pass {
 public:
  Pass(const Transformer& model, ConstMatrix x, std::span<const int> counts, Workspace& workspace, Matrix out)
      : config_(model.config),
        heads_{config_.n_heads, config_.d_model / config_.n_heads},
        counts_(counts),
        workspace_(workspace),
        x_(out),
        result_(take_rows(workspace.result, x.rows, x.columns)) {
    ATTN_CHECK(x.columns == config_.d_model && x.rows == sum_of(counts));
    ATTN_CHECK(out.rows == x.rows && out.columns == x.columns);
    if (out.values != x.values)
      for (int i = 0; i < x.rows; ++i) std::copy_n(x.row(i), x.columns, out.row(i));
    input_ = config_.norm_first ? take_rows(workspace.input, x.rows, x.columns) : x_;
  }

  /// Before the first block: its norm, when norms come first.
  void begin(const LayerNorm& norm) {
    if (!config_.norm_first) return;
    kernels::layer_norm(x_, norm.scale.flat(), norm.shift.flat(), config_.layer_norm_epsilon, input_);
  }

  /// After a block: the residual sum and this block's norm, or the norm of what comes next (null: nothing).
  void end_block(const LayerNorm& norm, const LayerNorm* next) {
    if (!config_.norm_first) {
      add_norm(norm, x_);
    } else if (next != nullptr) {
      add_norm(*next, input_);
    } else {
      for (int i = 0; i < x_.rows; ++i) {
        const auto width = static_cast<std::size_t>(x_.columns);
        kernels::add({x_.row(i), width}, {result_.row(i), width}, {x_.row(i), width});
      }
    }
  }

  /// The final norm, null where a model has none. It is done already when norms come first.
  void finish(const LayerNorm* norm) {
    if (norm == nullptr) return;
    if (!config_.norm_first)
      return kernels::layer_norm(x_, norm->scale.flat(), norm->shift.flat(), config_.layer_norm_epsilon, x_);
    for (int i = 0; i < x_.rows; ++i) std::copy_n(input_.row(i), x_.columns, x_.row(i));
  }

  /// Self-attention whose keys and values nobody needs afterwards.
  void self_attention(const MultiHeadAttention& parameters) {
    const Matrix query = take_rows(workspace_.query, x_.rows, x_.columns);
    const Matrix key = take_rows(workspace_.key, x_.rows, x_.columns);
    const Matrix value = take_rows(workspace_.value, x_.rows, x_.columns);
    project(parameters, query_part, input_, query);
    project(parameters, key_part, input_, key);
    project(parameters, value_part, input_, value);
    int first = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      const int count = counts_[b];
      const std::span<float> keys = take(workspace_.keys, kernels::attention_store_size(heads_, count));
      kernels::store_keys(heads_, rows_of(ConstMatrix(key), first, count), 0, keys);
      attend(rows_of(query, first, count), keys,
             {value.row(first), static_cast<std::size_t>(count) * static_cast<std::size_t>(x_.columns)},
             workspace_.self[b]);
      first += count;
    }
    project_out(parameters, query);
  }

  /// Self-attention over cached keys and values, to which those of the new rows are added.
  void cached_self_attention(const MultiHeadAttention& parameters, std::span<KvCache* const> caches,
                             int layer) {
    const Matrix query = take_rows(workspace_.query, x_.rows, x_.columns);
    const Matrix key = take_rows(workspace_.key, x_.rows, x_.columns);
    project(parameters, query_part, input_, query);
    project(parameters, key_part, input_, key);
    // Values are stored as projected: those of a single sequence go straight to their place.
    Matrix value;
    if (counts_.size() > 1) {
      value = take_rows(workspace_.value, x_.rows, x_.columns);
      project(parameters, value_part, input_, value);
    }
    int first = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      const int count = counts_[b];
      const int length = caches[b]->length();
      KeysAndValues& store = caches[b]->self_attention(layer);
      kernels::store_keys(heads_, rows_of(ConstMatrix(key), first, count), length, store.keys);
      const Matrix place = kernels::stored_values(heads_, length, count, store.values);
      if (counts_.size() > 1) {
        for (int i = 0; i < count; ++i) std::copy_n(value.row(first + i), x_.columns, place.row(i));
      } else {
        project(parameters, value_part, input_, place);
      }
      attend(rows_of(query, first, count), store.keys, store.values, workspace_.self[b]);
      first += count;
    }
    project_out(parameters, query);
  }

  void cross_attention(const MultiHeadAttention& parameters, std::span<KvCache* const> caches, int layer) {
    const Matrix query = take_rows(workspace_.query, x_.rows, x_.columns);
    project(parameters, query_part, input_, query);
    int first = 0;
    for (std::size_t b = 0; b < counts_.size(); ++b) {
      const KeysAndValues& store = caches[b]->cross_attention(layer);
      attend(rows_of(query, first, counts_[b]), store.keys, store.values, workspace_.cross[b]);
      first += counts_[b];
    }
    project_out(parameters, query);
  }

  void feed_forward(const FeedForward& parameters) {
    const kernels::FeedForwardFactors factors{parameters.linear1.packed, parameters.linear1.bias.flat(),
                                              parameters.linear2.packed, parameters.linear2.bias.flat()};
    kernels::feed_forward(input_, factors, hidden_activation(),
                          take(workspace_.feed_forward, kernels::feed_forward_scratch(x_.rows)), result_);
  }

 private:
  kernels::HiddenActivation hidden_activation() const {
    switch (config_.activation) {
      case Activation::relu:
        return kernels::HiddenActivation::relu;
      case Activation::gelu:
        return kernels::HiddenActivation::gelu;
    }
    return kernels::HiddenActivation::relu;
  }

  void add_norm(const LayerNorm& norm, Matrix out) {
    kernels::add_layer_norm(x_, result_, norm.scale.flat(), norm.shift.flat(), config_.layer_norm_epsilon, x_,
                            out);
  }

  /// Of one sequence; the context takes the query's place.
  void attend(Matrix query, std::span<const float> keys, std::span<const float> values,
              const SequenceVisibility& seen) {
    const std::span<float> scratch =
        take(workspace_.attention, kernels::attend_scratch(heads_, query.rows, seen.keys));
    kernels::attend(heads_, query, std::sqrt(static_cast<float>(heads_.width)), keys, values,
                    {seen.visible.data(), seen.head_step}, scratch, query);
  }

  void project_out(const MultiHeadAttention& parameters, Matrix concatenated) {
    kernels::linear(concatenated, parameters.out_proj.packed, parameters.out_proj.bias.flat(), result_);
  }

  const TransformerConfig& config_;
  HeadLayout heads_;
  std::span<const int> counts_;
  Workspace& workspace_;
  Matrix x_;       // the residual stream
  Matrix input_;   // of the next block
  Matrix result_;  // of the block before
};

const LayerNorm* final_norm(const Transformer& model, const LayerNorm& norm) {
  return model.config.final_norm ? &norm : nullptr;
}

}  // namespace

void embed(const Transformer& model, tape::Stack stack, std::span<const int> tokens, int first_position,
           Matrix out) {
  const TransformerConfig& config = model.config;
  const core::Tensor& table = stack == tape::Stack::encoder ? model.embedding_of_source() : model.embedding;
  ATTN_CHECK(out.rows == static_cast<int>(tokens.size()) && out.columns == config.d_model);
  const ConstMatrix vectors = core::as_matrix(table.view());
  const auto width = static_cast<std::size_t>(config.d_model);
  const float scale = config.scale_embedding ? std::sqrt(static_cast<float>(config.d_model)) : 1.0f;
  for (int t = 0; t < out.rows; ++t) {
    const int token = tokens[static_cast<std::size_t>(t)];
    ATTN_CHECK(token >= 0 && token < vectors.rows);
    const std::span<float> row(out.row(t), width);
    std::copy_n(vectors.row(token), width, row.begin());
    if (config.scale_embedding)
      for (float& value : row) value *= scale;
    if (config.positions == Positions::none) continue;
    const int position = first_position + t;
    ATTN_CHECK(position >= 0 && position < config.max_positions);
    kernels::add(row, model.position_table.flat().subspan(static_cast<std::size_t>(position) * width, width),
                 row);
  }
}

void project_to_vocabulary(const Transformer& model, ConstMatrix output, Matrix logits) {
  const bool tied = model.config.output_projection == OutputProjection::tied;
  ATTN_CHECK(tied || model.config.output_projection == OutputProjection::separate);
  kernels::linear(output, model.output.packed, tied ? std::span<const float>() : model.output.bias.flat(),
                  logits);
}

void encode(const Transformer& model, ConstMatrix x, std::span<const int> counts, const Mask& source,
            Workspace& workspace, Matrix memory) {
  ATTN_CHECK(has_encoder(model.config));
  if (x.rows == 0) return;
  if (workspace.self.size() < counts.size()) workspace.self.resize(counts.size());
  for (std::size_t b = 0; b < counts.size(); ++b)
    see(source, static_cast<int>(b), model.config.n_heads, 0, counts[b], counts[b], workspace.self[b]);

  Pass pass(model, x, counts, workspace, memory);
  pass.begin(model.encoder.front().norm1);
  const LayerNorm* last = final_norm(model, model.encoder_norm);
  for (std::size_t i = 0; i < model.encoder.size(); ++i) {
    const EncoderLayer& layer = model.encoder[i];
    pass.self_attention(layer.self_attention);
    pass.end_block(layer.norm1, &layer.norm2);
    pass.feed_forward(layer.feed_forward);
    pass.end_block(layer.norm2, i + 1 < model.encoder.size() ? &model.encoder[i + 1].norm1 : last);
  }
  pass.finish(last);
}

void store_memory(const Transformer& model, ConstMatrix memory, Workspace& workspace, KvCache& cache) {
  ATTN_CHECK(memory.columns == model.config.d_model && has_cross_attention(model.config));
  cache.replace_memory(memory.rows);
  const Matrix key = take_rows(workspace.key, memory.rows, memory.columns);
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const MultiHeadAttention& parameters = model.decoder[i].cross_attention;
    KeysAndValues& store = cache.cross_attention(static_cast<int>(i));
    project(parameters, key_part, memory, key);
    kernels::store_keys(cache.heads(), key, 0, store.keys);
    project(parameters, value_part, memory,
            kernels::stored_values(cache.heads(), 0, memory.rows, store.values));
  }
}

void decode(const Transformer& model, ConstMatrix x, std::span<const int> counts,
            std::span<KvCache* const> caches, const Mask& target, const Mask& memory_mask,
            Workspace& workspace, Matrix output) {
  const TransformerConfig& config = model.config;
  ATTN_CHECK(has_decoder(config) && caches.size() == counts.size());
  if (x.rows == 0) return;
  const bool has_cross = has_cross_attention(config);
  if (workspace.self.size() < counts.size()) workspace.self.resize(counts.size());
  if (workspace.cross.size() < counts.size()) workspace.cross.resize(counts.size());
  for (std::size_t b = 0; b < counts.size(); ++b) {
    KvCache& cache = *caches[b];
    const int batch = static_cast<int>(b);
    const int first = cache.length();
    cache.make_room(counts[b]);
    see(target, batch, config.n_heads, first, counts[b], first + counts[b], workspace.self[b]);
    if (has_cross)
      see(memory_mask, batch, config.n_heads, first, counts[b], cache.memory_length(), workspace.cross[b]);
  }

  Pass pass(model, x, counts, workspace, output);
  pass.begin(model.decoder.front().norm1);
  const LayerNorm* last = final_norm(model, model.decoder_norm);
  for (std::size_t i = 0; i < model.decoder.size(); ++i) {
    const DecoderLayer& layer = model.decoder[i];
    pass.cached_self_attention(layer.self_attention, caches, static_cast<int>(i));
    pass.end_block(layer.norm1, has_cross ? &layer.norm2 : &layer.norm3);
    if (has_cross) {
      pass.cross_attention(layer.cross_attention, caches, static_cast<int>(i));
      pass.end_block(layer.norm2, &layer.norm3);
    }
    pass.feed_forward(layer.feed_forward);
    pass.end_block(layer.norm3, i + 1 < model.decoder.size() ? &model.decoder[i + 1].norm1 : last);
  }
  pass.finish(last);
  for (std::size_t b = 0; b < counts.size(); ++b) caches[b]->advance(counts[b]);
}

}  // namespace attn::nn
