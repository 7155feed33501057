// The controls: each draws itself and adds its region. Ink only; the states (hover, pressed, disabled) come
// from the view state.
#pragma once

#include <span>
#include <string>

#include "ui/context.h"
#include "ui/icons.h"

namespace attn::ui {

/// Whether the pointer is over a region, or holds it.
bool is_hovered(const Context& context, RegionId id);
bool is_pressed(const Context& context, RegionId id);

/// The touch margin: 44 px with a finger or on a phone, 28 px with a mouse.
Rect hit_area(const Context& context, const Rect& visual);

struct ButtonStyle {
  bool primary = false;
  bool enabled = true;
  bool selected = false;
  bool frameless = false;
};

/// Round button with an icon.
void icon_button(Context& context, const Rect& rect, Icon icon, RegionId id, Word label, const Intent& intent,
                 const ButtonStyle& style = {});

/// What the picture under the mouse stands for, over everything else.
void view_hint(Context& context);

/// Pill button with a text and, before it, an icon.
void text_button(Context& context, const Rect& rect, const std::string& text, const Icon* icon, RegionId id,
                 const Intent& intent, const ButtonStyle& style = {});

/// 32x18 switch at `at`; its name is only read aloud (the drawn label is the view's).
void toggle_switch(Context& context, Point at, bool on, RegionId id, const std::string& label,
                   const Intent& intent);

struct Option {
  std::string text;
  Intent intent = {};
  bool selected = false;
};

/// One option a choice of the parameter.
std::vector<Option> options_of(const Subject& subject, int parameter, lessons::Language language);

/// Segmented control in `rect`; the options share its width equally. `label` names the whole.
void segmented(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
               const std::string& label, Font font = Font::ui400, float size = 13.0f);

/// The width at which every option's text keeps its margin.
float segmented_width(const TextMeasure& measure, std::span<const Option> options);

/// The same, each option as wide as its text asks. `first` is the place of the first option in the group.
void segmented_by_text(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
                       const std::string& label, int first = 0);

/// The chosen option between a button to the one before and one to the next: for options that have no room
/// side by side. A click on the option itself goes on, and around.
void picker(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
            const std::string& label);

/// The width at which every option's text fits a picker of this height.
float picker_width(const TextMeasure& measure, std::span<const Option> options, float height);

/// A choice in the room there is: options of one width, options as wide as their texts, or a picker.
void choice(Context& context, const Rect& rect, std::span<const Option> options, GroupId group,
            const std::string& label);

/// Number with a button on either side; takes typed digits.
void number_stepper(Context& context, const Rect& rect, int parameter, int value, int minimum, int maximum,
                    GroupId group, const std::string& label);

enum class ChipState : std::uint8_t { written, current, not_yet };

/// A token as a chip.
void token_chip(Context& context, const Rect& rect, const std::string& text, ChipState state, bool poked);

}  // namespace attn::ui
