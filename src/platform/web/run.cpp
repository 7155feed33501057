// The canvas in a page. GLFW makes the WebGL2 context; everything else comes from the page's own modules
// (web/app.js for frames and size, web/input.js for pointer and keys) through the functions exported below,
// whose first parameter is the Page they got from `Module.attn.started`. Lengths are UI pixels (CSS pixels).
#include <GLFW/glfw3.h>
#include <emscripten.h>

#include <memory>

#include "imgui.h"
#include "platform/screen.h"
#include "platform/web/keys.h"

// clang-format off
// GLFW listens on window and document for every key, and on the canvas for pointer and wheel, and prevents their
// default. This hides addEventListener from it while it starts, so none of its listeners is ever installed.
EM_JS(void, attn_hide_listeners, (int hide), {
  const attn = Module['attn'];
  const targets = [window, document, Module['canvas']];
  if (hide) attn['listening'] = targets.map((target) => Object.getOwnPropertyDescriptor(target, 'addEventListener'));
  targets.forEach((target, index) => {
    const own = attn['listening'][index];  // a page's own patch comes back as it was
    if (hide) Object.defineProperty(target, 'addEventListener', ({ 'value': () => {}, 'configurable': true }));
    else if (own) Object.defineProperty(target, 'addEventListener', own);
    else delete target.addEventListener;
  });
});
EM_JS(void, attn_started, (void* page), { Module['attn']['started'](page); });
EM_JS(void, attn_frame_drawn, (int narration, int veiled, double x, double y, double width, double height, int cursor,
                               double minimum_height, unsigned revision, int by_itself, int lit_words, int field,
                               double number, const float* rects, int count), {
  const rect = (at) => Array.from(HEAPF32.subarray(rects / 4 + 4 * at, rects / 4 + 4 * at + 4));
  Module['attn']['drawn']({
    'narration': narration, 'veiled': veiled !== 0, 'x': x, 'y': y, 'width': width, 'height': height, 'cursor': cursor,
    'minimumHeight': minimum_height, 'revision': revision >>> 0, 'byItself': by_itself !== 0,
    'litWords': lit_words, 'field': ({ 'kind': field, 'number': number, 'rect': rect(0) }),
    'holds': Array.from({ 'length': count }, (_, at) => rect(at + 1))
  });
});
EM_JS(void, attn_open_in_page, (const char* lesson), { Module['attn']['open'](UTF8ToString(lesson)); });
EM_JS(int, attn_page_model, (unsigned char* to), {
  const bytes = Module['attn']['model'];
  if (bytes && to) HEAPU8.set(bytes, to);
  return bytes ? bytes.length : 0;
});
// clang-format on

namespace attn::platform {
namespace {

struct Page {
  Application application;
  Fonts fonts;
  FrameClock clock;
  FrameSchedule schedule;
  FrameInput input;
  bool context_lost = false;
  bool key_used = false;
  bool wheel_used = false;
};

bool open_context(const WindowOptions& options) {
  attn_hide_listeners(1);
  bool opened = glfwInit() != GLFW_FALSE;
  if (opened) {
    glfwWindowHint(GLFW_DEPTH_BITS, 0);
    glfwWindowHint(GLFW_STENCIL_BITS, 0);
    glfwWindowHint(GLFW_ALPHA_BITS, 0);
    GLFWwindow* window = glfwCreateWindow(options.width, options.height, options.title, nullptr, nullptr);
    opened = window != nullptr;
    if (opened) glfwMakeContextCurrent(window);
  }
  attn_hide_listeners(0);
  return opened;
}

}  // namespace

bool page_opens(const char* lesson) {
  attn_open_in_page(lesson);
  return true;
}

core::Result<std::vector<std::uint8_t>> read_file(std::span<const std::string>, const char*) {
  std::vector<std::uint8_t> bytes(static_cast<std::size_t>(attn_page_model(nullptr)));
  attn_page_model(bytes.data());
  return bytes;
}

core::Status run(const WindowOptions& options, const Application& application) {
  if (!open_context(options)) return core::error_at("no WebGL 2 context");
  const core::Result<GlyphSource*> glyphs = GlyphSource::create();
  auto page = std::make_unique<Page>();
  page->application = application;
  page->fonts = create_imgui(*glyphs.value());
  page->input.page_narration = true;
  const core::Status created = create_gpu(application);
  if (!created.ok()) return created;
  attn_started(page.release());  // the page's for the life of the module
  return core::ok_status();
}

}  // namespace attn::platform

using attn::platform::Page;

extern "C" {

/// Draws a frame at `now_ms` on the page's clock, which stands still while the page is hidden. Returns the
/// seconds until the next one is due, negative when none is.
EMSCRIPTEN_KEEPALIVE double attn_page_frame(Page* page, double now_ms) {
  if (page->context_lost || page->input.width < 1.0f || page->input.height < 1.0f) return -1.0;
  page->input.now_s = now_ms / 1000.0;
  page->input.delta_s = page->clock.advance(page->input.now_s);
  const attn::platform::FrameOutput output = draw_frame(page->application, page->input, page->fonts);
  page->input.focus_entry = attn::platform::FocusEntry::none;
  page->input.was_hidden = false;
  page->input.typed = 0;
  page->key_used = page->key_used || output.key_used;
  page->wheel_used = page->wheel_used || output.wheel_used;
  const attn::platform::Rect& rect = output.narration_rect;
  std::vector<attn::platform::Rect> rects{output.field_rect};
  rects.insert(rects.end(), output.holds.begin(), output.holds.end());
  attn_frame_drawn(
      static_cast<int>(output.narration), output.narration_veiled ? 1 : 0, static_cast<double>(rect.x),
      static_cast<double>(rect.y), static_cast<double>(rect.width), static_cast<double>(rect.height),
      static_cast<int>(output.cursor), static_cast<double>(output.minimum_height), output.state_revision,
      output.by_itself ? 1 : 0, output.lit_words, output.field, static_cast<double>(output.field_number),
      &rects[0].x, static_cast<int>(output.holds.size()));
  page->schedule.drawn(page->input.now_s, output.next_frame_s);
  if (attn::platform::input_waiting()) page->schedule.event();
  return page->schedule.wait_s(page->input.now_s);
}

static void draw_all_input(Page* page, double now_ms) {
  page->key_used = false;
  page->wheel_used = false;
  constexpr int kMostFrames = 8;
  for (int i = 0; i == 0 || (i < kMostFrames && attn::platform::input_waiting()); ++i)
    attn_page_frame(page, now_ms);
}

/// Carries out what has come in at once, for a page that must know what came of it inside its own event.
EMSCRIPTEN_KEEPALIVE void attn_page_flush(Page* page, double now_ms) { draw_all_input(page, now_ms); }

/// What became of the number that the page let the reader type: 1 is `number`, 2 given up.
EMSCRIPTEN_KEEPALIVE void attn_page_typed(Page* page, int typed, double number) {
  page->input.typed = typed;
  page->input.typed_number = static_cast<float>(number);
}

/// The canvas is seen again.
EMSCRIPTEN_KEEPALIVE void attn_page_shown(Page* page) { page->input.was_hidden = true; }

/// Something happened: frames are due.
EMSCRIPTEN_KEEPALIVE void attn_page_event(Page* page) { page->schedule.event(); }

EMSCRIPTEN_KEEPALIVE void attn_page_resize(Page* page, double width, double height, double pixel_ratio) {
  page->input.width = static_cast<float>(width);
  page->input.height = static_cast<float>(height);
  page->input.pixel_ratio = static_cast<float>(pixel_ratio);
}

/// The reader's system settings.
EMSCRIPTEN_KEEPALIVE void attn_page_preferences(Page* page, int reduced_motion, int prefers_dark) {
  page->input.reduced_motion = reduced_motion != 0;
  page->input.prefers_dark = prefers_dark != 0;
}

/// The pointer is over a word of the page's narration with this topic (lessons::code_of), or over none (0).
EMSCRIPTEN_KEEPALIVE void attn_page_word(Page* page, int topic) { page->input.word = topic; }

/// Moves the pointer; a position before a button, as touch needs it.
EMSCRIPTEN_KEEPALIVE void attn_page_pointer_move(Page* page, double x, double y, int touch) {
  page->input.touch = touch != 0;
  ImGuiIO& io = ImGui::GetIO();
  io.AddMouseSourceEvent(touch != 0 ? ImGuiMouseSource_TouchScreen : ImGuiMouseSource_Mouse);
  io.AddMousePosEvent(static_cast<float>(x), static_cast<float>(y));
}

/// `button` as in ImGui: 0 left, 1 right, 2 middle.
EMSCRIPTEN_KEEPALIVE void attn_page_pointer_button(Page*, int button, int down) {
  if (button < 0 || button >= ImGuiMouseButton_COUNT) return;
  ImGui::GetIO().AddMouseButtonEvent(button, down != 0);
}

/// The pointer is gone: over nothing.
EMSCRIPTEN_KEEPALIVE void attn_page_pointer_leave(Page*) {
  ImGui::GetIO().AddMousePosEvent(-FLT_MAX, -FLT_MAX);
}

/// Wheel in notches, as ImGui counts them. Draws at once and returns whether the UI used it.
EMSCRIPTEN_KEEPALIVE int attn_page_wheel(Page* page, double dx, double dy, double now_ms) {
  ImGui::GetIO().AddMouseWheelEvent(static_cast<float>(dx), static_cast<float>(dy));
  draw_all_input(page, now_ms);
  return page->wheel_used ? 1 : 0;
}

/// `modifiers`: 1 Ctrl, 2 Shift, 4 Alt, 8 Meta.
EMSCRIPTEN_KEEPALIVE void attn_page_modifiers(Page*, int modifiers) {
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Ctrl, (modifiers & 1) != 0);
  io.AddKeyEvent(ImGuiMod_Shift, (modifiers & 2) != 0);
  io.AddKeyEvent(ImGuiMod_Alt, (modifiers & 4) != 0);
  io.AddKeyEvent(ImGuiMod_Super, (modifiers & 8) != 0);
}

/// A key goes down or up; `key` as in platform/web/keys.h, `character` what it types, 0 for none. A key that
/// goes down draws at once, and the result says whether the UI used it: the page must know before its own
/// default happens.
EMSCRIPTEN_KEEPALIVE int attn_page_key(Page* page, int key, int down, int character, double now_ms) {
  const int imgui_key = attn::platform::imgui_key(key);
  ImGuiIO& io = ImGui::GetIO();
  if (imgui_key != ImGuiKey_None) io.AddKeyEvent(static_cast<ImGuiKey>(imgui_key), down != 0);
  if (down == 0) return 0;
  if (character > 0) io.AddInputCharacter(static_cast<unsigned>(character));
  draw_all_input(page, now_ms);
  return page->key_used ? 1 : 0;
}

/// Keyboard focus of the canvas: `entry` as platform::FocusEntry.
EMSCRIPTEN_KEEPALIVE void attn_page_focus(Page* page, int focused, int entry) {
  page->input.keyboard_focus = focused != 0;
  page->input.focus_entry = static_cast<attn::platform::FocusEntry>(entry);
  ImGui::GetIO().AddFocusEvent(focused != 0);
}

/// The GL context was lost (1) or is back (0); after it is back all GL objects are made again. Returns 0 when
/// that failed.
EMSCRIPTEN_KEEPALIVE int attn_page_context(Page* page, int lost) {
  if (lost != 0 && !page->context_lost) {
    page->context_lost = true;
    destroy_gpu(page->application, true);
  } else if (lost == 0 && page->context_lost) {
    if (!create_gpu(page->application).ok()) return 0;
    page->context_lost = false;
  }
  return 1;
}

}  // extern "C"
