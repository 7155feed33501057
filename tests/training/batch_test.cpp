#include "training/batch.h"

#include "support/catch.h"

using namespace attn::training;

TEST_CASE("a batch is padded on the right, fed is the target moved on, asked is what comes next") {
  const Example examples[] = {{{5, 6, 7}, {8, 9}}, {{4}, {3, 3, 3, 3}}};
  Batch batch;
  fill_batch(examples, Target::shifted, batch);
  CHECK(batch.size == 2);
  CHECK(batch.source_length == 3);
  CHECK(batch.target_length == 5);
  CHECK(batch.source == std::vector<int>{5, 6, 7, 4, kPad, kPad});
  CHECK(batch.fed == std::vector<int>{kBos, 8, 9, kPad, kPad, kBos, 3, 3, 3, 3});
  CHECK(batch.asked == std::vector<int>{8, 9, kEos, kPad, kPad, 3, 3, 3, 3, kEos});
  CHECK(batch.source_lengths == std::vector<int>{3, 1});
  CHECK(batch.target_lengths == std::vector<int>{3, 5});
  CHECK(batch.asked_count() == 8);

  fill_batch(examples, Target::unshifted, batch);  // what is fed is asked
  CHECK(batch.asked == batch.fed);
  fill_batch(std::span(examples).first(1), Target::shifted, batch);  // nothing of the other is left
  CHECK(batch.source == std::vector<int>{5, 6, 7});
}
