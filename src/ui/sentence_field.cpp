#include "ui/sentence_field.h"

#include <algorithm>

#include "ui/controls.h"
#include "ui/rich_text.h"
#include "ui/text_editor.h"

namespace attn::ui {
namespace {

constexpr float kTextSize = 15.0f;
constexpr float kMargin = 10.0f;  // of the text in the box
constexpr float kName = 22.0f;    // height of the name over the box
constexpr float kGap = 8.0f;      // between the box, the notes and the suggestions
constexpr float kNoteLine = 19.0f;
constexpr float kOffer = 32.0f;  // height of a suggestion
constexpr RegionId kBoxId = region_id(group_of(Group::sentence));

bool refused(const ViewState& view) { return !view.sentence.refusal.message.empty(); }

void give_up(SentenceDraft& draft) {
  draft.text.reset();
  draft.refusal = {};
}

/// What the box shows.
std::string text_of(const SentenceDraft& draft, const std::string& sentence) {
  return draft.text ? *draft.text : sentence;
}

std::string sentence_of(const Context& context) { return lessons::joined(context.subject.run.source_words); }

/// The reason why the draft isn't taken; while it is written, what may be written.
std::vector<RichLine> notes(const Context& context, float width) {
  const SentenceDraft& draft = context.view.sentence;
  const lessons::Language language = context.language();
  if (!refused(context.view) && !draft.typing) return {};
  const std::string text =
      refused(context.view)
          ? lessons::kSentenceRefused.in(language) + lessons::said_in(draft.refusal, language)
          : lessons::hint_of(context.subject.lesson.sentence).in(language);
  std::vector<RichLine> lines =
      wrap(context.sketch, {{text, lessons::Role::plain}}, width, refused(context.view) ? 13.0f : 12.0f);
  for (RichLine& line : lines)
    for (Piece& piece : line) piece.colour = refused(context.view) ? Colour::different : Colour::ink3;
  return lines;
}

float height(const Context& context, float width) {
  const auto lines = static_cast<float>(notes(context, width).size());
  const auto offers = static_cast<float>(context.view.sentence.refusal.suggestions.size());
  return kName + kSentenceBox + (lines > 0.0f ? kGap + lines * kNoteLine : 0.0f) + offers * (kGap + kOffer);
}

void draw_box(Context& context, const Rect& box) {
  Sketch& sketch = context.sketch;
  const SentenceDraft& draft = context.view.sentence;
  if (draft.typing)
    sketch.outline(grown(box, 3.0f), Colour::focus, 2.0f, 11.0f, {.mark = Mark::focus_ring});
  else if (is_hovered(context, kBoxId))
    sketch.outline(grown(box, 2.0f), Colour::ink3, 1.5f, 10.0f);
  sketch.framed(box, Colour::surface, refused(context.view) ? Colour::different : Colour::control, 8.0f);
  const std::string text = text_of(draft, sentence_of(context));
  if (!draft.typing) {  // else the editor shows it
    const bool empty = text.empty();
    const TextStyle style{
        .size = kTextSize, .colour = empty ? Colour::ink3 : Colour::ink, .tag = {.mark = Mark::sentence}};
    const std::string own = lessons::joined(lessons::own_words(context.subject.lesson.sentence));
    sketch.text(box.x + kMargin, baseline_at(box.centre().y, kTextSize),
                sketch.fitted(empty ? own : text, box.width - 2.0f * kMargin, style), style);
  }
  sketch.region({.id = kBoxId,
                 .group = group_of(Group::sentence),
                 .role = RegionRole::text,
                 .rect = hit_area(context, box),
                 .visual = box,
                 .radius = 8.0f,
                 .label = std::string(lessons::kSentenceName.in(context.language())) + ": " + text,
                 .intent = {.kind = IntentKind::edit_sentence}});
}

void view(Context& context, const Rect& area) {
  if (area.height <= kSentenceBox) return draw_box(context, area);
  Sketch& sketch = context.sketch;
  sketch.text(area.x, area.y + 12.0f, lessons::kSentenceName.in(context.language()),
              {.size = 12.0f, .colour = Colour::ink3});
  const Rect box{area.x, area.y + kName, area.width, kSentenceBox};
  draw_box(context, box);
  float y = box.bottom();
  const std::vector<RichLine> lines = notes(context, area.width);
  if (!lines.empty()) y += kGap;
  const float size = refused(context.view) ? 13.0f : 12.0f;
  for (const RichLine& line : lines) {
    sketch.runs(area.x, baseline_at(y + kNoteLine / 2.0f, size), line, size);
    y += kNoteLine;
  }
  int index = 0;
  for (const std::string& suggestion : context.view.sentence.refusal.suggestions) {
    y += kGap;
    text_button(context, {area.x, y, area.width, kOffer},
                lessons::shown_of(suggestion, text_of(context.view.sentence, sentence_of(context))), nullptr,
                region_id(group_of(Group::sentence), index + 1),
                {.kind = IntentKind::take_suggestion, .value = index});
    ++index;
    y += kOffer;
  }
}

bool key(const KeyPress& press, ViewState& view, Response& response) {
  SentenceDraft& draft = view.sentence;
  switch (press.key) {
    case Key::enter:
      if (draft.text) response.intents.push_back({.kind = IntentKind::write_sentence});
      return true;
    case Key::escape:
      draft.typing = draft.text.has_value();
      give_up(draft);
      return true;
    case Key::tab:
      kSentenceField.leave(view, response);
      return false;
    default:
      return true;  // the editor's
  }
}

void leave(ViewState& view, Response& response) {
  view.sentence.typing = false;
  if (view.sentence.text && !refused(view)) response.intents.push_back({.kind = IntentKind::write_sentence});
}

void carry_out(const Intent& intent, lessons::Session& session, ViewState& view) {
  SentenceDraft& draft = view.sentence;
  const auto index = static_cast<std::size_t>(intent.value);
  if (intent.kind == IntentKind::take_suggestion && index < draft.refusal.suggestions.size())
    draft.text = draft.refusal.suggestions[index];
  if (!draft.text) return;
  const core::Status taken = session.set_sentence(*draft.text);
  if (taken.ok())
    give_up(draft);
  else
    draft.refusal = taken.failure();
}

void follow(const lessons::Session& session, ViewState& view) {
  SentenceDraft& draft = view.sentence;
  std::string sentence = lessons::joined(session.words());
  if (&session.lesson() != draft.lesson) {
    give_up(draft);
    draft.typing = false;
  } else if (sentence != draft.sentence && !draft.typing) {
    give_up(draft);
  }
  draft.lesson = &session.lesson();
  draft.sentence = std::move(sentence);
}

void edit(const Scene& scene, const lessons::Session& session, const FontSet& fonts, gfx::Theme theme,
          ViewState& view) {
  const Region* box = scene.find(kBoxId);
  SentenceDraft& draft = view.sentence;
  if (!draft.typing || box == nullptr) return;
  std::string text = text_of(draft, lessons::joined(session.words()));
  if (!edit_text({box->visual, kMargin, kTextSize}, fonts, theme, text)) return;
  draft.text = std::move(text);
  draft.refusal = {};
}

}  // namespace

const SentenceField kSentenceField{height, view, key, leave, carry_out, follow, edit};

}  // namespace attn::ui
