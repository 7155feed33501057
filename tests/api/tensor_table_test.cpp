#include "api/tensor_table.h"

#include "lessons/loops_to_matrices/experiment.h"
#include "lessons/session.h"
#include "support/catch.h"

using attn::api::table_of;
using attn::lessons::Language;
using attn::lessons::Session;

TEST_CASE("a table shows as much of a large tensor as fits and says so") {
  attn::lessons::Run run;
  run.twin.emplace();
  run.twin->training.title = {"训练", "Training"};
  const std::vector<float> values(40 * 33, -1e-7f);
  run.twin->training.tape.leaf({values.data(), attn::core::Shape{40, 33}},
                               {.site = attn::tape::Site::embedding});
  const attn::api::TensorTable table =
      table_of(run, 0, {.tensor = {.site = attn::tape::Site::embedding}}, Language::en);
  CHECK(table.columns.size() == 32);
  CHECK(table.rows.size() == 32);
  CHECK(table.rows[31].cells[31] == "−1e−07");
  CHECK(table.caption ==
        "model · embedding, Training; rows: source positions, columns: features, first 32 of 40 rows, "
        "first 32 of 33 columns");
}

TEST_CASE("a table of a board's tensor is captioned as the block that shows it, not by its label's layer") {
  const auto caption = [](const char* slug, int step, const char* tensor) {
    Session session = Session::open(slug).value();
    REQUIRE(session.go_to_step(step).ok());
    return table_of(session.run(), step, {attn::tape::parse_label(tensor).value()}, Language::en).caption;
  };
  CHECK(caption("mask-lab", 2, "decoder.3.self_attention.weights") ==
        "× 0 after softmax, Masks; rows: target positions, columns: target positions");
  CHECK(caption("mask-lab", 2, "decoder.5.self_attention.weights")
            .starts_with("−∞, by the formula, Masks"));  // on another step's sheet
  CHECK(caption("mask-lab", 2, "decoder.self_attention.query")
            .starts_with("decoder · self-attention · query, Masks"));  // on none
  const std::string loops = attn::tape::to_string(attn::lessons::loops_to_matrices::loops_output());
  CHECK(caption("loops-to-matrices", 1, loops.c_str())
            .ends_with("; computed by the loops, product by product"));
  CHECK(caption("multi-head", 3, "encoder.0.self_attention.weights")
            .starts_with("This head's weights, Multi-head attention, head 1 of 2"));
}
