#include "training/checkpoint.h"

#include <algorithm>
#include <string>

#include "io/fields.h"
#include "io/model_file.h"
#include "training/options_fields.h"

namespace attn::training {
namespace {

constexpr const char* kOptions = "options.";
constexpr const char* kMoments[] = {"adam.first.", "adam.second.", "adam.largest."};

}  // namespace

/// The state of a Trainer that outlives a pause.
struct Checkpoint {
  template <class Moments>
  static auto& moments_of(Moments& moments, int which) {
    return which == 0 ? moments.first : which == 1 ? moments.second : moments.largest;
  }

  static int kinds_of_moments(const Trainer& trainer) { return trainer.options_.adam.amsgrad ? 3 : 2; }

  static void save(const Trainer& trainer, io::SafetensorsWriter& file) {
    io::add_model(file, *trainer.model_);
    for_each_field(trainer.options_, io::FieldWriter{file, kOptions});
    file.add("adam.beta1_power", trainer.adam_.beta1_power);
    file.add("adam.beta2_power", trainer.adam_.beta2_power);
    std::size_t next = 0;
    const nn::AdamState& adam = trainer.adam_;
    nn::for_each_parameter(*trainer.model_, [&](std::string_view name, const core::Tensor& parameter) {
      if (adam.moments.empty()) return;  // no step yet
      for (int which = 0; which < kinds_of_moments(trainer); ++which)
        file.add(kMoments[which] + std::string(name),
                 {moments_of(adam.moments[next], which).data(), parameter.shape()});
      ++next;
    });
    core::Tensor history(core::Shape{trainer.steps_done(), 3});
    float* row = history.values();
    for (const StepRecord& record : trainer.history_)
      for (const float value : {record.loss, record.gradient_norm, record.learning_rate}) *row++ = value;
    file.add("history", history.view());
    core::Tensor evaluations(core::Shape{static_cast<int>(trainer.evaluations_.size()), 3});
    row = evaluations.values();
    for (const Evaluation& evaluation : trainer.evaluations_)
      for (const int value : {evaluation.step, evaluation.examples, evaluation.exact})
        *row++ = static_cast<float>(value);
    file.add("evaluations", evaluations.view());
  }

  /// A tensor (any number of rows, 3), empty when there is none such.
  static core::Result<core::Tensor> rows_of_three(const io::SafetensorsFile& file, const char* name) {
    const io::StoredTensor* stored = file.find(name);
    if (stored == nullptr) return core::error_at("the file has no tensor '%s'", name);
    core::Result<core::Tensor> rows = io::to_float(*stored);
    if (rows.ok() && (rows.value().shape().rank() != 2 || rows.value().shape()[1] != 3))
      return core::error_at("tensor '%s' has shape %s, must be (steps, 3)", name,
                            core::to_string(rows.value().shape()).c_str());
    return rows;
  }

  static core::Status restore_history(const io::SafetensorsFile& file, Trainer& trainer) {
    const core::Result<core::Tensor> history = rows_of_three(file, "history");
    if (!history.ok()) return core::Error{history.error()};
    const core::Result<core::Tensor> evaluations = rows_of_three(file, "evaluations");
    if (!evaluations.ok()) return core::Error{evaluations.error()};
    const int steps = history.value().shape()[0];
    if (steps > trainer.options_.steps)
      return core::error_at("'history' has %d steps, more than options.steps %d", steps,
                            trainer.options_.steps);
    const core::ConstMatrix records = core::as_matrix(history.value().view());
    for (int i = 0; i < steps; ++i)
      trainer.history_.push_back({records.row(i)[0], records.row(i)[1], records.row(i)[2]});
    const core::ConstMatrix counts = core::as_matrix(evaluations.value().view());
    for (int i = 0; i < counts.rows; ++i) {
      const float* row = counts.row(i);
      if (!std::all_of(row, row + 3, [](float count) { return count >= 0.0f && count <= 1e6f; }))
        return core::error_at("'evaluations' row %d holds a number that is no count", i);
      trainer.evaluations_.push_back(
          {static_cast<int>(row[0]), static_cast<int>(row[1]), static_cast<int>(row[2])});
    }
    return core::ok_status();
  }

  static core::Status restore_adam(const io::SafetensorsFile& file, Trainer& trainer) {
    io::FieldReader powers(file, "adam.");
    powers("beta1_power", trainer.adam_.beta1_power);
    powers("beta2_power", trainer.adam_.beta2_power);
    core::Status status = powers.status();
    trainer.adam_.steps = trainer.steps_done();
    if (trainer.adam_.steps == 0) return status;
    nn::for_each_parameter(*trainer.model_, [&](std::string_view name, core::Tensor& parameter) {
      nn::Moments& moments = trainer.adam_.moments.emplace_back();
      for (int which = 0; which < kinds_of_moments(trainer) && status.ok(); ++which) {
        core::Tensor values(parameter.shape());
        status = io::read_tensor(file, kMoments[which] + std::string(name), values);
        moments_of(moments, which).assign(values.flat().begin(), values.flat().end());
      }
    });
    return status;
  }

  static core::Status restore(const io::SafetensorsFile& file, Trainer& trainer) {
    if (core::Status read = io::read_parameters(file, *trainer.model_); !read.ok()) return read;
    if (core::Status read = restore_history(file, trainer); !read.ok()) return read;
    return restore_adam(file, trainer);
  }
};

std::vector<std::uint8_t> save_checkpoint(const Trainer& trainer) {
  io::SafetensorsWriter file;
  Checkpoint::save(trainer, file);
  return file.finish();
}

core::Result<Trainer> load_checkpoint(std::span<const std::uint8_t> bytes, std::shared_ptr<const Task> task) {
  const core::Result<io::SafetensorsFile> file = io::parse_safetensors(bytes);
  if (!file.ok()) return core::Error{file.error()};
  const core::Result<nn::TransformerConfig> config = io::read_config(file.value());
  if (!config.ok()) return core::Error{config.error()};
  TrainerOptions options;
  io::FieldReader fields(file.value(), kOptions);
  for_each_field(options, fields);
  if (core::Status read = fields.status(); !read.ok()) return core::Error{read.error()};
  options.model = config.value();
  core::Result<Trainer> trainer = Trainer::start(task, options);
  if (!trainer.ok()) return trainer;
  const nn::TransformerConfig& own = trainer.value().model().config;
  if (!(own == options.model))
    return core::error_at("the checkpoint's vocabularies have %d and %d symbols; the task's have %d and %d",
                          options.model.source_vocabulary, options.model.vocabulary, own.source_vocabulary,
                          own.vocabulary);
  if (core::Status restored = Checkpoint::restore(file.value(), trainer.value()); !restored.ok())
    return core::Error{restored.error()};
  return trainer;
}

}  // namespace attn::training
