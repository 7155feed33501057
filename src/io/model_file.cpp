#include "io/model_file.h"

#include <algorithm>
#include <cmath>

#include "io/fields.h"
#include "io/json_scanner.h"
#include "nn/config_fields.h"

namespace attn::io {
namespace {

constexpr const char* kConfig = "config.";
constexpr double kMostParameters = 1 << 26;  // 268 MB: a small file cannot ask for more

/// An upper bound of what make_transformer would allocate.
double size_of(const nn::TransformerConfig& config) {
  const double d_model = config.d_model;
  const double layers = config.n_encoder_layers + 2.0 * config.n_decoder_layers;
  return layers * d_model * (4.0 * d_model + 2.0 * config.d_ff) +
         d_model * (2.0 * config.vocabulary + config.source_vocabulary + config.max_positions);
}

}  // namespace

void add_model(SafetensorsWriter& file, const nn::Transformer& model, Dtype dtype) {
  nn::for_each_field(model.config, FieldWriter{file, kConfig});
  nn::for_each_parameter(model, [&](std::string_view name, const core::Tensor& parameter) {
    file.add(name, parameter.view(), dtype);
  });
}

core::Status read_tensor(const SafetensorsFile& file, const std::string& name, core::Tensor& values) {
  const StoredTensor* stored = file.find(name);
  if (stored == nullptr) return core::error_at("the file has no tensor %s", quoted(name).c_str());
  core::Result<core::Tensor> read = to_float(*stored);
  if (!read.ok()) return core::Error{read.error()};
  if (!(read.value().shape() == values.shape()))
    return core::error_at("tensor %s has shape %s, must be %s", quoted(name).c_str(),
                          to_string(stored->extents).c_str(), core::to_string(values.shape()).c_str());
  for (const float value : read.value().flat())
    if (!std::isfinite(value))
      return core::error_at("tensor %s holds a number that isn't finite", quoted(name).c_str());
  std::copy(read.value().flat().begin(), read.value().flat().end(), values.values());
  return core::ok_status();
}

core::Result<nn::TransformerConfig> read_config(const SafetensorsFile& file) {
  nn::TransformerConfig config;
  FieldReader fields(file, kConfig);
  nn::for_each_field(config, fields);
  if (core::Status read = fields.status(); !read.ok()) return core::Error{read.error()};
  if (core::Status valid = nn::validate(config); !valid.ok()) return core::Error{valid.error()};
  if (size_of(config) > kMostParameters) return core::Error{"the model of this config is too large"};
  return config;
}

core::Status read_parameters(const SafetensorsFile& file, nn::Transformer& model) {
  core::Status status = core::ok_status();
  nn::for_each_parameter(model, [&](std::string_view name, core::Tensor& parameter) {
    if (status.ok()) status = read_tensor(file, std::string(name), parameter);
  });
  nn::pack_weights(model);
  return status;
}

core::Result<nn::Transformer> read_model(const SafetensorsFile& file) {
  const core::Result<nn::TransformerConfig> config = read_config(file);
  if (!config.ok()) return core::Error{config.error()};
  nn::Transformer model = nn::make_transformer(config.value());
  if (core::Status read = read_parameters(file, model); !read.ok()) return core::Error{read.error()};
  return model;
}

}  // namespace attn::io
