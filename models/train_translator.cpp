// Trains the translator and writes its file: attn_train_translator models/translator.safetensors. Everything
// is fixed by training/translator.h, so the file has the same bits wherever it is made.
#include <cstdio>

#include "training/forward.h"
#include "training/translator.h"

using namespace attn;

int main(int count, char** arguments) {
  if (count != 2) {
    std::fprintf(stderr, "attn_train_translator FILE\n");
    return 2;
  }
  const auto task =
      std::make_shared<const training::Task>(training::make_task(training::TaskKind::translate));
  core::Result<training::Trainer> started = training::Trainer::start(task, training::translator_options());
  if (!started.ok()) {
    std::fprintf(stderr, "%s\n", started.error().c_str());
    return 1;
  }
  training::Trainer& trainer = started.value();
  std::printf("%zu pairs to train on, %zu held out; %d English words, %d Chinese characters; %d parameters\n",
              task->training.size(), task->held_out.size(),
              task->source_vocabulary.size() - io::Vocabulary::kSpecials,
              task->target_vocabulary.size() - io::Vocabulary::kSpecials,
              nn::parameter_count(trainer.model()));
  while (!trainer.finished()) {
    trainer.step();
    const int done = trainer.steps_done();
    if (done % 500 == 0)
      std::printf("step %d of %d, loss %.4f\n", done, trainer.options().steps,
                  static_cast<double>(trainer.history().back().loss));
  }
  const std::vector<std::uint8_t> file = training::save_translator(trainer.model(), *task);
  std::FILE* out = std::fopen(arguments[1], "wb");
  if (out == nullptr || std::fwrite(file.data(), 1, file.size(), out) != file.size() ||
      std::fclose(out) != 0) {
    std::fprintf(stderr, "can't write %s\n", arguments[1]);
    return 1;
  }
  const core::Result<training::Translator> translator = training::read_translator(file);
  if (!translator.ok()) {
    std::fprintf(stderr, "%s\n", translator.error().c_str());
    return 1;
  }
  std::printf("%s: %zu bytes; %d of %zu held-out sentences exact\n", arguments[1], file.size(),
              training::count_exact(translator.value().model, task->held_out), task->held_out.size());
  return 0;
}
