#include "tape/label.h"

#include "support/catch.h"

using namespace attn::tape;

TEST_CASE("every label survives to_string and parse") {
  for (const Stack stack : {Stack::model, Stack::encoder, Stack::decoder})
    for (const int layer : {-1, 0, 5, 11})
      for (const Block block :
           {Block::none, Block::self_attention, Block::cross_attention, Block::feed_forward})
        for (int site = 0; site < kSiteCount; ++site) {
          const Label label{stack, layer, block, static_cast<Site>(site)};
          const auto parsed = parse_label(to_string(label));
          INFO(to_string(label));
          REQUIRE(parsed.ok());
          CHECK(parsed.value() == label);
        }
}

TEST_CASE("a label reads like a path") {
  CHECK(to_string({Stack::decoder, 0, Block::self_attention, Site::scores}) ==
        "decoder.0.self_attention.scores");
  CHECK(to_string({Stack::encoder, -1, Block::none, Site::memory}) == "encoder.memory");
}

TEST_CASE("a name that is no label is refused with a reason") {
  for (const char* text :
       {"", "decoder", "decoders.0.self_attention.scores", "decoder.-1.self_attention.scores",
        "decoder.0.selfattention.scores", "decoder.0.self_attention", "decoder.0.a.b.c",
        "decoder.99999999999.self_attention.scores", "decoder..scores", "decoder.0x.scores"}) {
    const auto parsed = parse_label(text);
    INFO(text);
    REQUIRE_FALSE(parsed.ok());
    CHECK(parsed.error().find(text) != std::string::npos);
  }
}

TEST_CASE("axes say whose positions they count") {
  const auto axes = [](Stack stack, Block block, Site site) {
    const auto span = axes_of({stack, 0, block, site});
    return std::vector<Axis>(span.begin(), span.end());
  };
  using enum Axis;
  CHECK(axes(Stack::decoder, Block::cross_attention, Site::weights) == std::vector{head, target, source});
  CHECK(axes(Stack::decoder, Block::self_attention, Site::weights) == std::vector{head, target, target});
  CHECK(axes(Stack::encoder, Block::self_attention, Site::weights) == std::vector{head, source, source});
  CHECK(axes(Stack::decoder, Block::cross_attention, Site::key) == std::vector{head, source, feature});
  CHECK(axes(Stack::decoder, Block::self_attention, Site::key) == std::vector{head, target, feature});
  CHECK(axes(Stack::decoder, Block::cross_attention, Site::mask) == std::vector{target, source});
  CHECK(axes(Stack::encoder, Block::none, Site::memory) == std::vector{source, feature});
  CHECK(axes(Stack::decoder, Block::none, Site::embedding_table) == std::vector{vocabulary, feature});
  CHECK(axes(Stack::encoder, Block::self_attention, Site::query_columns) == std::vector{feature, source});
  CHECK(axes(Stack::decoder, Block::self_attention, Site::query_columns) == std::vector{feature, target});
  CHECK(row_axis({Stack::decoder, 0, Block::self_attention, Site::weights}) == 1);
  CHECK(row_axis({Stack::decoder, 0, Block::self_attention, Site::norm}) == 0);
  CHECK(row_axis({Stack::decoder, 0, Block::self_attention, Site::query_weight}) == -1);
}
