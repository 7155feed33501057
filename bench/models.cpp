// Times whole forward passes: nn.Transformer(d_model=8) as PyTorch makes it, source and target of 5 tokens.
// Prints the median and the quartiles in milliseconds, warm, one thread; recorded on a tape that keeps its
// memory.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <vector>

#include "nn/initialize.h"
#include "nn/transformer.h"

namespace {

using namespace attn;

double now_ms() {
  return std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void run_pass(tape::Tape& tape, const nn::Transformer& model, std::span<const int> source,
              std::span<const int> target) {
  tape.clear();
  const tape::Value x = nn::embed(tape, model, tape::Stack::encoder, source);
  const tape::Value y = nn::embed(tape, model, tape::Stack::decoder, target);
  nn::transform(tape, model, x, y, {});
}

void time_pass(const char* name, const nn::TransformerConfig& config, int length) {
  nn::Transformer model = nn::make_transformer(config);
  nn::initialize_like_pytorch(model, 0);
  std::vector<int> tokens;
  for (int i = 0; i < length; ++i) tokens.push_back(i % config.vocabulary);
  tape::Tape tape;
  constexpr int kWarmUp = 300;
  constexpr int kBatches = 101;
  constexpr int kPassesPerBatch = 10;
  for (int i = 0; i < kWarmUp; ++i) run_pass(tape, model, tokens, tokens);
  std::vector<double> times_ms;
  for (int batch = 0; batch < kBatches; ++batch) {
    const double start = now_ms();
    for (int i = 0; i < kPassesPerBatch; ++i) run_pass(tape, model, tokens, tokens);
    times_ms.push_back((now_ms() - start) / kPassesPerBatch);
  }
  std::sort(times_ms.begin(), times_ms.end());
  std::printf("%-36s median %.3f ms   fastest %.3f, quartiles %.3f .. %.3f\n", name, times_ms[50],
              times_ms[0], times_ms[25], times_ms[75]);
}

}  // namespace

int main() {
  time_pass("nn.Transformer(8) 6+6, 5/5 tokens", {}, 5);
  time_pass("d64 h4 2+2 ff256, 16/16 tokens",
            {.d_model = 64, .n_heads = 4, .n_encoder_layers = 2, .n_decoder_layers = 2, .d_ff = 256}, 16);
  return 0;
}
