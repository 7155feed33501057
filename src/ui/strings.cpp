#include "ui/strings.h"

#include <array>
#include <cstdarg>
#include <cstddef>
#include <cstdio>

namespace attn::ui {
namespace {

struct Row {
  Word word;
  lessons::Text text;
};

constexpr std::array<Row, kWordCount> kWords{{
    {Word::brand_first, {"Attention", "Attention"}},
    {Word::brand_second, {"Playground", "Playground"}},
    {Word::language_zh, {"中文", "中文"}},
    {Word::language_en, {"EN", "EN"}},
    {Word::language, {"语言", "Language"}},
    {Word::theme, {"深色或浅色", "Dark or light"}},
    {Word::settings, {"设置", "Settings"}},
    {Word::help, {"快捷键", "Keys"}},
    {Word::close, {"关闭", "Close"}},
    {Word::training, {"训练", "Training"}},
    {Word::inference, {"推理", "Inference"}},
    {Word::one_token, {"1 个词", "1 token"}},
    {Word::token_count, {"%d 个词", "%d tokens"}},
    {Word::inference_step, {"已送 %d 个词", "%d fed"}},
    {Word::mask, {"掩码", "Mask"}},
    {Word::equal_ulp, {"0 ULP", "0 ULP"}},
    {Word::differs_by, {"相差 %s", "off by %s"}},
    {Word::ulp_distance, {"%s ULP", "%s ULP"}},
    {Word::not_generated, {"还没算到", "not yet"}},
    {Word::no_visible_key, {"没有可见的键", "no visible key"}},
    {Word::open_block, {"放大", "Enlarge"}},
    {Word::close_block, {"放回原处", "Put back"}},
    {Word::not_compared, {"不比较", "not compared"}},
    {Word::nothing_compared, {"没有共有的格子", "no common cell"}},
    {Word::layer_of_encoder, {"编码器第 %d 层", "Encoder layer %d"}},
    {Word::layer_of_decoder, {"解码器第 %d 层", "Decoder layer %d"}},
    {Word::encoder, {"编码器", "Encoder"}},
    {Word::decoder, {"解码器", "Decoder"}},
    {Word::self_attention, {"自注意力", "self-attention"}},
    {Word::cross_attention, {"交叉注意力", "cross-attention"}},
    {Word::feed_forward, {"前馈网络", "feed-forward"}},
    {Word::head, {"第 %d 头", "head %d"}},
    {Word::heads, {"头", "Head"}},
    {Word::every_tensor, {"各层张量", "Every layer, every tensor"}},
    {Word::tensors, {"各层张量", "All tensors"}},
    {Word::equal_count, {"%d / %d 相等", "%d / %d equal"}},
    {Word::equal_count_short, {"%d / %d", "%d / %d"}},
    {Word::first_different, {"最先不同：", "First to differ: "}},
    {Word::group_encoder_attention, {"编码器 · 自注意力", "Encoder · self"}},
    {Word::group_decoder_self, {"解码器 · 自注意力", "Decoder · self"}},
    {Word::group_decoder_cross, {"解码器 · 交叉", "Decoder · cross"}},
    {Word::group_encoder_feed_forward, {"编码器 · 前馈", "Encoder · FFN"}},
    {Word::group_decoder_feed_forward, {"解码器 · 前馈", "Decoder · FFN"}},
    {Word::group_encoder_short, {"编码器", "Encoder"}},
    {Word::group_self_short, {"自注意力", "Self"}},
    {Word::group_cross_short, {"交叉", "Cross"}},
    {Word::group_encoder_feed_forward_short, {"编码器前馈", "Enc. FFN"}},
    {Word::group_decoder_feed_forward_short, {"解码器前馈", "Dec. FFN"}},
    {Word::every_layer, {"每一层", "Every layer"}},
    {Word::layer, {"第 %d 层", "Layer %d"}},
    {Word::row, {"行 %d", "Row %d"}},
    {Word::pick_a_cell_title, {"还没有选中格子", "No cell selected"}},
    {Word::pick_a_cell, {"点一格，看它怎样算出来。", "Pick a cell to see its sum."}},
    {Word::not_in_inference, {"推理还没算到这一格", "inference has not computed this cell yet"}},
    {Word::masked_cell,
     {"这一行看不到这一列：掩码把它挡住，权重恰好是 0。",
      "This row may not see this column: masked, so its weight is exactly 0."}},
    {Word::merged_cells,
     {"一个像素代表 %d×%d 格，取绝对值最大的一格",
      "One pixel is %d×%d cells and shows the largest magnitude"}},
    {Word::merged_cells_short, {"像素 = %d×%d 格中最大者", "pixel = largest of %d×%d"}},
    {Word::masked_not_drawn, {"；另有 %s 个被遮的格没画出", "; masked, not drawn: %s"}},
    {Word::given_value, {"输入，不是算出来的", "given, not computed"}},
    {Word::measured_value, {"由本课算出", "computed for this lesson"}},
    {Word::may_toggle, {"1 看得见，0 看不见；点一下就换", "1 may be seen, 0 may not; click to switch"}},
    {Word::terms_more, {"… 还有 %s 项 …", "… %s terms …"}},
    {Word::divided_by, {"再除以", "divided by"}},
    {Word::their_sum, {"各项之和", "their sum"}},
    {Word::may_change, {"输入，可以改：键入，或上下拖动", "an input: type, or drag it up and down"}},
    {Word::replaced_value, {"你填的数，代替算出来的", "your number, in place of the computed one"}},
    {Word::may_replace, {"算出来的；填一个数代替它", "computed: a number of yours replaces it"}},
    {Word::change_number, {"改数", "Change"}},
    {Word::own_numbers, {"恢复原来的数", "Back to the original numbers"}},
    {Word::future_terms, {"未来的词", "future tokens"}},
    {Word::because_future, {"分母里多出来的项来自", "The extra terms in the denominator come from "}},
    {Word::so_differs, {"，所以相差 ", ", hence "}},
    {Word::same_as, {"，即 ", ", that is "}},
    {Word::target, {"目标序列", "Target"}},
    {Word::query, {"查询", "Query"}},
    {Word::view, {"看法", "View"}},
    {Word::as_matrix, {"矩阵", "Matrix"}},
    {Word::as_arcs, {"弧线", "Arcs"}},
    {Word::key, {"键", "Key"}},
    {Word::poke, {"扰动一个词", "Poke token"}},
    {Word::poke_pick, {"点一个词…", "Pick a token…"}},
    {Word::poke_undo, {"还原", "Undo poke"}},
    {Word::back, {"上一步", "Previous step"}},
    {Word::play, {"播放", "Play"}},
    {Word::pause, {"暂停", "Pause"}},
    {Word::forward, {"下一步", "Next step"}},
    {Word::speed, {"速度", "Speed"}},
    {Word::train, {"训练", "Train"}},
    {Word::work_step, {"只走一步", "A single step"}},
    {Word::work_restart, {"从头训练", "Train from the start"}},
    {Word::work_left, {"还要 %d 秒", "%d s left"}},
    {Word::work_done, {"训练完了", "finished"}},
    {Word::work_was_hidden, {"标签页不在前面时停着", "paused while out of sight"}},
    {Word::step_of, {"%d / %d", "%d / %d"}},
    {Word::try_it, {"试一试", "Try it"}},
    {Word::reset, {"重新开始", "Start over"}},
    {Word::undo, {"撤销", "Undo"}},
    {Word::redo, {"重做", "Redo"}},
    {Word::lessons, {"全部课程", "All lessons"}},
    {Word::next_lesson, {"下一课：%s", "Next lesson: %s"}},
    {Word::next_short, {"下一课：%s", "Next: %s"}},
    {Word::next_plain, {"下一课", "Next lesson"}},
    {Word::narration, {"讲解", "Narration"}},
    {Word::open_narration, {"展开讲解", "Open the narration"}},
    {Word::text_up, {"上文", "Earlier lines"}},
    {Word::text_down, {"下文", "Later lines"}},
    {Word::decrease, {"减小", "Decrease"}},
    {Word::increase, {"增大", "Increase"}},
    {Word::lens_left, {"前几列", "Earlier columns"}},
    {Word::lens_right, {"后几列", "Later columns"}},
    {Word::help_title, {"快捷键", "Keys"}},
    {Word::help_step, {"上一步，下一步", "Step back, step on"}},
    {Word::help_forward, {"下一步", "Step on"}},
    {Word::help_play, {"播放，暂停", "Play, pause"}},
    {Word::help_ends, {"第一步，最后一步", "First step, last step"}},
    {Word::help_clear, {"取消选中，关闭卡片", "Clear the selection, close a card"}},
    {Word::help_undo, {"撤销，重做", "Undo, redo"}},
    {Word::help_groups, {"下一组控件", "Next group of controls"}},
    {Word::help_cells, {"在矩阵里移动，Enter 放大或放回", "Move in a matrix, Enter enlarges it"}},
    {Word::help_digits, {"改写选中的数", "Write over the chosen number"}},
    {Word::error_title, {"没有采用，保持原样", "Not accepted; nothing was changed"}},
    {Word::retry, {"重新开始", "Start over"}},
}};

constexpr bool complete() {
  for (std::size_t i = 0; i < kWords.size(); ++i)
    if (kWords[i].word != static_cast<Word>(i) || kWords[i].text.zh[0] == '\0' ||
        kWords[i].text.en[0] == '\0')
      return false;
  return true;
}
static_assert(complete(), "one row per Word, in the order of the enum, with text in both languages");

}  // namespace

const char* word(Word word, lessons::Language language) {
  return kWords[static_cast<std::size_t>(word)].text.in(language);
}

std::string phrase(const char* format, ...) {
  char text[256];
  va_list arguments;
  va_start(arguments, format);
  std::vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  return text;
}

}  // namespace attn::ui
