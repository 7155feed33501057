#include "core/bits.h"
#include "lessons/numbers.h"
#include "lessons/registry.h"
#include "support/catch.h"
#include "ui/inspector_model.h"
#include "ui/scene_support.h"

using namespace attn;
using test::Screen;

namespace {

std::string line_of(const std::vector<ui::Segment>& segments, bool symbols) {
  std::string text;
  for (const ui::Segment& segment : segments) text += symbols ? segment.symbol : segment.number;
  return text;
}

std::string without_spaces(std::string text) {
  std::erase(text, ' ');
  return text;
}

/// What the inspector of a screen says, line after line, without spaces.
std::string inspector_text(const Screen& screen) {
  std::string text;
  for (const ui::TextItem* item : test::items_of<ui::TextItem>(screen.scene))
    if (screen.layout.inspector.contains(item->origin)) text += without_spaces(item->text);
  return text;
}

ui::InspectorModel model_of(Screen& screen, const char* tensor, int row, int column) {
  screen.focus(tensor, 0, row, column);
  const ui::StageModel stage = ui::stage_model(screen.session.run(), screen.session.focus());
  return ui::inspector_model(screen.session.run(), stage, row, column);
}

}  // namespace

TEST_CASE("the inspector prints both values with seven decimals and their bits") {
  Screen screen = test::screen({{"prefix", 3}, {"heads", 2}}, 4);
  for (const tape::TensorDifference& difference : screen.session.run().twin->differences) {
    if (difference.label.layer > 0) continue;
    const ui::InspectorModel model = model_of(screen, tape::to_string(difference.label).c_str(), 2, 1);
    INFO(tape::to_string(difference.label));
    REQUIRE(model.state == ui::InspectorState::sum);
    CHECK(model.equal);
    CHECK(test::has_text(screen.scene, lessons::fixed(model.training.value, 7)));
    CHECK(test::has_text(screen.scene, lessons::bit_pattern(model.training.value)));
    CHECK(core::bits_of(tape::recompute(model.training.explanation)) == core::bits_of(model.training.value));
    CHECK_FALSE(ui::segments_of(model.training, 4, lessons::Language::en).empty());
  }
}

TEST_CASE("a score is written as its products over the root of d_k") {
  Screen screen = test::screen({{"prefix", 3}, {"heads", 2}}, 4);
  const ui::InspectorModel model = model_of(screen, "decoder.0.self_attention.scores", 2, 1);
  const auto line = ui::segments_of(model.training, 4, lessons::Language::en);
  CHECK(model.name == "scores[2,1]");
  CHECK(line_of(line, true) == "( q[2,0]·k[1,0] + q[2,1]·k[1,1] + q[2,2]·k[1,2] + q[2,3]·k[1,3] ) / √4");
  CHECK(line_of(line, false).find(lessons::fixed(model.training.explanation.terms[3].b.value, 3)) !=
        std::string::npos);
}

TEST_CASE("a long sum shows its first three terms, how many are left out, and its last") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  const ui::InspectorModel model = model_of(screen, "decoder.0.feed_forward.feed_forward", 1, 2);
  REQUIRE(model.training.explanation.terms.size() == 2048);
  const std::string line = line_of(ui::segments_of(model.training, 4, lessons::Language::en), true);
  CHECK(line.find("… 2,044 terms …") != std::string::npos);
  CHECK(line.find("activated[1,2]·") != std::string::npos);
  CHECK(line.find("activated[1,2047]·") != std::string::npos);
  CHECK(line.find("activated[1,3]·") == std::string::npos);
}

TEST_CASE("without the mask the future terms of the softmax are marked, and only they") {
  Screen screen = test::screen({{"training_mask", 0}, {"prefix", 3}}, 4);
  const ui::InspectorModel model = model_of(screen, "decoder.0.self_attention.weights", 1, 0);
  REQUIRE(model.training.explanation.terms.size() == 5);
  REQUIRE(model.inference.explanation.terms.size() == 2);
  CHECK_FALSE(model.equal);
  CHECK(model.training.extra == std::vector<bool>{false, false, true, true, true});
  CHECK(test::has_text(screen.scene, lessons::thousands(model.ulp) + " ULP"));
  CHECK(test::has_text(screen.scene, ui::word(ui::Word::future_terms, lessons::Language::en)));
}

TEST_CASE("a masked cell says so and shows no number, a cell inference hasn't reached shows one side") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  CHECK(model_of(screen, "decoder.0.self_attention.weights", 0, 3).state == ui::InspectorState::masked);
  CHECK(test::has_text(screen.scene, ui::word(ui::Word::masked_cell, lessons::Language::en)));
  CHECK_FALSE(test::has_text(screen.scene, "0x"));
  const ui::InspectorModel later = model_of(screen, "decoder.0.self_attention.weights", 4, 0);
  CHECK(later.state == ui::InspectorState::sum);
  CHECK_FALSE(later.in_inference);
  CHECK(test::has_text(screen.scene, ui::word(ui::Word::not_in_inference, lessons::Language::en)));
}

TEST_CASE("the terms of a mean of heads are named by their heads") {
  const lessons::Session session = test::open_lesson("multi-head", 3);
  const lessons::Focus focus{{.site = tape::Site::weights}, 0, 3, 1};
  const auto line = [&](lessons::Language language) {
    const ui::Names names{session.run().sheet_at(3).blocks, language};
    return line_of(ui::segments_of(ui::cell_model(session.run(), focus, names).training, 4, language), true);
  };
  CHECK(line(lessons::Language::en).starts_with("( head 1[3,1] + head 2[3,1]"));
  CHECK(line(lessons::Language::en).ends_with(" ) / 2"));
  CHECK(line(lessons::Language::zh).starts_with("( 第 1 头[3,1] + 第 2 头[3,1]"));
}

TEST_CASE("queries, keys, values and outputs have their colours with a column a word as well") {
  using tape::Site;
  constexpr Site kTurned[][2] = {{Site::query, Site::query_columns},
                                 {Site::key, Site::key_columns},
                                 {Site::value, Site::value_columns},
                                 {Site::context, Site::context_columns}};
  for (const auto& [rows, columns] : kTurned)
    CHECK(ui::role_colour({.site = rows}) == ui::role_colour({.site = columns}));
}

TEST_CASE("a phone's sum has its bias and a whole divisor without decimals") {
  Screen phone = test::screen({}, 0, 390.0f, 844.0f);
  phone.session = test::open_lesson("kv-cache", 0);
  phone.build();
  CHECK(test::has_text(phone.scene, "+ b_k = "));
  phone.session = test::open_lesson("multi-head", 3);
  phone.focus("model.weights", 0, 3, 1);
  CHECK(test::has_text(phone.scene, " 2"));
  CHECK_FALSE(test::has_text(phone.scene, " 2.000"));
}

TEST_CASE("with no cell chosen the inspector asks for one") {
  Screen screen = test::screen({{"prefix", 3}}, 4);
  screen.session.clear_cell();
  screen.build();
  CHECK(test::has_text(screen.scene, ui::word(ui::Word::pick_a_cell, lessons::Language::en)));
}

TEST_CASE("what is only called by a word has the name of its block, in the sum as well") {
  const lessons::Session session = test::open_lesson("multi-head", 7);
  const lessons::Run& run = session.run();
  const std::vector<lessons::Block>& blocks = run.sheet_at(7).blocks;
  for (const lessons::Block& block : blocks) {
    if (block.kind != lessons::BlockKind::matrix) continue;
    const ui::InspectorModel model =
        ui::cell_model(run, {block.tensor, 0, 0, 0}, {blocks, lessons::Language::zh});
    INFO(tape::to_string(block.tensor) << " " << model.name);
    const bool symbol =
        tape::is_parameter(block.tensor.site) || tape::symbol_of(block.tensor.site).size() <= 2;
    CHECK(model.name.starts_with(symbol ? std::string(tape::symbol_of(block.tensor.site))
                                        : std::string(block.title.zh)));
  }
}

TEST_CASE("a number that no op made says where it comes from, on every screen, in the words of its block") {
  int checked = 0;
  for (const lessons::Lesson* lesson : lessons::all_lessons()) {
    Screen screen = test::screen();
    screen.session = test::open_lesson(lesson->slug, 0);
    for (int step = 0; screen.session.run().board && step < screen.session.step_count(); ++step) {
      REQUIRE(screen.session.go_to_step(step).ok());
      const lessons::Run& run = screen.session.run();
      for (const lessons::Block& block : run.sheet_at(step).blocks) {
        if (block.origin.en[0] == '\0') continue;
        for (const lessons::Language language : {lessons::Language::zh, lessons::Language::en}) {
          const ui::InspectorModel model =
              ui::cell_model(run, {block.tensor, 0, 0, 0}, {run.sheet_at(step).blocks, language});
          if (model.state != ui::InspectorState::given) continue;
          INFO(lesson->slug << " " << step << " " << block.title.en);
          CHECK(model.origin == block.origin.in(language));
          screen.preferences.language = language;
          for (const float width : {1280.0f, 900.0f, 390.0f}) {
            screen.width = width;
            screen.height = width < 640.0f ? 844.0f : 700.0f;
            screen.focus(tape::to_string(block.tensor).c_str(), 0, 0, 0);
            INFO(width);
            CHECK(inspector_text(screen).ends_with(without_spaces(block.origin.in(language))));
            CHECK_FALSE(test::has_text(screen.scene, ui::word(ui::Word::measured_value, language)));
            CHECK_FALSE(test::has_text(screen.scene, ui::word(ui::Word::given_value, language)));
            ++checked;
          }
        }
      }
    }
  }
  CHECK(checked > 0);
}

TEST_CASE("a number that an op made has its sum, whatever its block says of its origin") {
  const lessons::Session session = test::open_lesson("self-attention", 3);
  std::vector<lessons::Block> blocks = session.run().sheet_at(3).blocks;
  for (lessons::Block& block : blocks) block.origin = {"别处", "elsewhere"};
  for (const lessons::Block& block : blocks) {
    const ui::InspectorModel model = ui::cell_model(session.run(), {block.tensor, 0, 0, 0}, {blocks});
    CHECK((model.state == ui::InspectorState::given) == (model.origin == "elsewhere"));
  }
}
