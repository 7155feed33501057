// An encoder-decoder written to be read, for any scalar type: one sequence at a time, one loop a formula,
// from parameters by their names. What the trained model's loss and, by complex step, its gradient are held
// against.
#pragma once

#include <cmath>
#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "kernels/reference.h"
#include "kernels/reference_attention.h"
#include "kernels/reference_loss.h"
#include "nn/parameters.h"
#include "training/batch.h"

namespace attn::test {

namespace reference = kernels::reference;

template <class Scalar>
struct ReferenceModel {
  using Rows = std::vector<std::vector<Scalar>>;  // (T, D)

  nn::TransformerConfig config;
  std::map<std::string, std::vector<Scalar>> parameters;
  std::vector<Scalar> position_table;

  explicit ReferenceModel(const nn::Transformer& model) : config(model.config) {
    nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
      parameters[std::string(name)] = {parameter.flat().begin(), parameter.flat().end()};
    });
    position_table = {model.position_table.flat().begin(), model.position_table.flat().end()};
  }

  /// x·Wᵀ + b with rows [first, first + count) of W and b; all of them when count is 0.
  Rows linear(const Rows& x, const std::string& weight, const std::string& bias, std::size_t first = 0,
              std::size_t count = 0) const {
    const std::vector<Scalar>& w = parameters.at(weight);
    const std::vector<Scalar>& b = parameters.at(bias);
    const std::size_t outputs = count == 0 ? b.size() : count;
    const std::size_t inputs = w.size() / b.size();
    Rows result(x.size(), std::vector<Scalar>(outputs));
    for (std::size_t t = 0; t < x.size(); ++t)
      for (std::size_t j = 0; j < outputs; ++j) {
        Scalar sum = 0;
        for (std::size_t k = 0; k < inputs; ++k) sum += x[t][k] * w[(first + j) * inputs + k];
        result[t][j] = sum + b[first + j];
      }
    return result;
  }

  Rows norm(const Rows& x, const std::string& name) const {
    Rows result = x;
    for (std::size_t t = 0; t < x.size(); ++t)
      reference::layer_norm<Scalar>(x[t], parameters.at(name + ".weight"), parameters.at(name + ".bias"),
                                    Scalar(config.layer_norm_epsilon), result[t]);
    return result;
  }

  /// Row t sees the first visible(t) keys.
  template <class Visible>
  Rows attention(const Rows& queries, const Rows& memory, const std::string& name, Visible visible) const {
    const auto d_model = static_cast<std::size_t>(config.d_model);
    const auto n_heads = static_cast<std::size_t>(config.n_heads);
    const std::size_t d = d_model / n_heads;
    const auto project = [&](const Rows& x, std::size_t part) {
      return linear(x, name + ".in_proj_weight", name + ".in_proj_bias", part * d_model, d_model);
    };
    const Rows q = project(queries, 0);
    const Rows k = project(memory, 1);
    const Rows v = project(memory, 2);
    Rows merged(q.size(), std::vector<Scalar>(d_model));
    for (std::size_t h = 0; h < n_heads; ++h)
      for (std::size_t t = 0; t < q.size(); ++t) {
        const std::size_t count = visible(t);
        std::vector<Scalar> keys, values;
        for (std::size_t s = 0; s < count; ++s)
          for (std::size_t f = 0; f < d; ++f) {
            keys.push_back(k[s][h * d + f]);
            values.push_back(v[s][h * d + f]);
          }
        reference::attend<Scalar>(std::span<const Scalar>(q[t]).subspan(h * d, d),
                                  Scalar(std::sqrt(static_cast<float>(d))), keys, values, {},
                                  std::span<Scalar>(merged[t]).subspan(h * d, d));
      }
    return linear(merged, name + ".out_proj.weight", name + ".out_proj.bias");
  }

  Rows feed_forward(const Rows& x, const std::string& layer) const {
    Rows hidden = linear(x, layer + ".linear1.weight", layer + ".linear1.bias");
    for (std::vector<Scalar>& row : hidden)
      for (Scalar& value : row)
        if (reference::real_part(value) <= 0) value = 0;
    return linear(hidden, layer + ".linear2.weight", layer + ".linear2.bias");
  }

  template <class Function>
  void residual(Rows& x, const std::string& norm_name, Function function) const {
    const Rows change = function(config.norm_first ? norm(x, norm_name) : x);
    for (std::size_t t = 0; t < x.size(); ++t)
      for (std::size_t j = 0; j < x[t].size(); ++j) x[t][j] += change[t][j];
    if (!config.norm_first) x = norm(x, norm_name);
  }

  Rows embed(std::span<const int> tokens, const std::string& table) const {
    const auto d_model = static_cast<std::size_t>(config.d_model);
    const Scalar factor(config.scale_embedding ? std::sqrt(static_cast<float>(config.d_model)) : 1.0f);
    Rows rows(tokens.size(), std::vector<Scalar>(d_model));
    for (std::size_t t = 0; t < tokens.size(); ++t)
      for (std::size_t j = 0; j < d_model; ++j)
        rows[t][j] = parameters.at(table)[static_cast<std::size_t>(tokens[t]) * d_model + j] * factor +
                     (position_table.empty() ? Scalar(0) : position_table[t * d_model + j]);
    return rows;
  }

  Rows logits(std::span<const int> source, std::span<const int> fed, bool causal_mask) const {
    Rows memory = embed(source, "source_embedding.weight");
    const auto all_source = [&](std::size_t) { return source.size(); };
    for (int i = 0; i < config.n_encoder_layers; ++i) {
      const std::string layer = "encoder.layers." + std::to_string(i);
      residual(memory, layer + ".norm1",
               [&](const Rows& x) { return attention(x, x, layer + ".self_attn", all_source); });
      residual(memory, layer + ".norm2", [&](const Rows& x) { return feed_forward(x, layer); });
    }
    memory = norm(memory, "encoder.norm");
    Rows y = embed(fed, "embedding.weight");
    for (int i = 0; i < config.n_decoder_layers; ++i) {
      const std::string layer = "decoder.layers." + std::to_string(i);
      residual(y, layer + ".norm1", [&](const Rows& x) {
        return attention(x, x, layer + ".self_attn",
                         [&](std::size_t t) { return causal_mask ? t + 1 : fed.size(); });
      });
      residual(y, layer + ".norm2",
               [&](const Rows& x) { return attention(x, memory, layer + ".multihead_attn", all_source); });
      residual(y, layer + ".norm3", [&](const Rows& x) { return feed_forward(x, layer); });
    }
    return linear(norm(y, "decoder.norm"), "output.weight", "output.bias");
  }

  /// The mean loss of the tokens asked in all sequences of the batch, each without its padding.
  Scalar loss(const training::Batch& batch, bool causal_mask, float label_smoothing) const {
    Scalar sum = 0;
    for (int b = 0; b < batch.size; ++b) {
      const auto at = static_cast<std::size_t>(b);
      const auto part = [&](const std::vector<int>& ids, int length, const std::vector<int>& lengths) {
        return std::span<const int>(ids).subspan(at * static_cast<std::size_t>(length),
                                                 static_cast<std::size_t>(lengths[at]));
      };
      const std::span<const int> asked = part(batch.asked, batch.target_length, batch.target_lengths);
      const Rows rows = logits(part(batch.source, batch.source_length, batch.source_lengths),
                               part(batch.fed, batch.target_length, batch.target_lengths), causal_mask);
      for (std::size_t t = 0; t < rows.size(); ++t)
        sum += reference::cross_entropy<Scalar>(rows[t], static_cast<std::size_t>(asked[t]),
                                                Scalar(label_smoothing), {});
    }
    return sum / Scalar(static_cast<double>(batch.asked_count()));
  }
};

}  // namespace attn::test
