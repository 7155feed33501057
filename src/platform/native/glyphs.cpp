// Glyphs from installed font files, rasterised by stb_truetype.
//
// Faces are looked up by file name in the folders where systems keep fonts. Text uses IBM Plex where it is
// installed, else the Latin of Noto Sans CJK; mathematical signs that a text face draws full-width or lacks
// (√ ᵀ ₖ ≠) come from DejaVu Sans; Chinese comes from Noto Sans CJK SC.
#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "platform/glyph_source.h"

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wconversion"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wsign-conversion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wold-style-cast"
#endif
#define STBTT_STATIC
#define STB_TRUETYPE_IMPLEMENTATION
#include "imstb_truetype.h"
#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

namespace attn::platform {
namespace {

namespace fs = std::filesystem;

struct FontFile {
  std::vector<unsigned char> bytes;
  stbtt_fontinfo font{};
};

/// File name and, in a collection, the number of the face.
struct Candidate {
  const char* file_name;
  int number;
};

// The collections hold JP, KR, SC, TC, HK, then the same five monospaced.
constexpr int kCjkSimplified = 2;
constexpr int kCjkSimplifiedMono = 7;

std::vector<fs::path> font_folders() {
  std::vector<fs::path> folders = {"/usr/share/fonts", "/usr/local/share/fonts", "/System/Library/Fonts",
                                   "/Library/Fonts", "C:/Windows/Fonts"};
  if (const char* home = std::getenv("HOME")) {
    folders.push_back(fs::path(home) / ".local/share/fonts");
    folders.push_back(fs::path(home) / ".fonts");
    folders.push_back(fs::path(home) / "Library/Fonts");
  }
  return folders;
}

std::map<std::string, fs::path> installed_fonts() {
  std::map<std::string, fs::path> found;
  for (const fs::path& folder : font_folders()) {
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, fs::directory_options::skip_permission_denied, error);
    while (!error && entry != fs::recursive_directory_iterator()) {
      found.emplace(entry->path().filename().string(), entry->path());
      entry.increment(error);
    }
  }
  return found;
}

std::vector<unsigned char> read_file(const fs::path& path) {
  std::vector<unsigned char> bytes;
  std::FILE* file = std::fopen(path.string().c_str(), "rb");
  if (file == nullptr) return bytes;
  std::fseek(file, 0, SEEK_END);
  const long size = std::ftell(file);
  std::fseek(file, 0, SEEK_SET);
  if (size > 0) bytes.resize(static_cast<std::size_t>(size));
  if (std::fread(bytes.data(), 1, bytes.size(), file) != bytes.size()) bytes.clear();
  std::fclose(file);
  return bytes;
}

/// The first candidate that is installed and readable, or null.
std::shared_ptr<FontFile> open_first(const std::map<std::string, fs::path>& installed,
                                     std::initializer_list<Candidate> candidates) {
  for (const Candidate& candidate : candidates) {
    const auto found = installed.find(candidate.file_name);
    if (found == installed.end()) continue;
    auto file = std::make_shared<FontFile>();
    file->bytes = read_file(found->second);
    if (file->bytes.empty()) continue;
    const int offset = stbtt_GetFontOffsetForIndex(file->bytes.data(), candidate.number);
    if (offset >= 0 && stbtt_InitFont(&file->font, file->bytes.data(), offset) != 0) return file;
  }
  return nullptr;
}

/// Signs that proportional text faces lack or Chinese faces draw full-width.
bool is_mathematical(unsigned codepoint) {
  return (codepoint >= 0x1D00 && codepoint < 0x1DC0) || (codepoint >= 0x2032 && codepoint < 0x2038) ||
         (codepoint >= 0x2070 && codepoint < 0x20A0) || (codepoint >= 0x2190 && codepoint < 0x2300) ||
         codepoint == 0x00B7 || codepoint == 0x00D7;
}

}  // namespace

/// The files of one weight of one kind, in the order they are asked.
struct FaceFiles {
  std::shared_ptr<FontFile> text, signs, chinese;
};

struct GlyphSource::Files {
  std::array<FaceFiles, 6> faces;

  static std::size_t index(const Face& face) {
    const std::size_t weight = face.weight >= 600 ? 2 : face.weight >= 500 ? 1 : 0;
    return weight + (face.mono ? 3 : 0);
  }

  /// The file that draws a code point, or null.
  const FontFile* file_for(const Face& face, unsigned codepoint) const {
    const FaceFiles& files = faces[index(face)];
    const std::array<const FontFile*, 3> order =
        is_mathematical(codepoint) && !face.mono
            ? std::array<const FontFile*, 3>{files.signs.get(), files.text.get(), files.chinese.get()}
            : std::array<const FontFile*, 3>{files.text.get(), files.chinese.get(), files.signs.get()};
    for (const FontFile* file : order) {
      if (file != nullptr && stbtt_FindGlyphIndex(&file->font, static_cast<int>(codepoint)) != 0) return file;
    }
    return nullptr;
  }
};

core::Result<GlyphSource*> GlyphSource::create() {
  const std::map<std::string, fs::path> installed = installed_fonts();
  const auto cjk = open_first(installed, {{"NotoSansCJK-Regular.ttc", kCjkSimplified},
                                          {"NotoSansCJKsc-Regular.otf", 0},
                                          {"PingFang.ttc", kCjkSimplified},
                                          {"msyh.ttc", 0}});
  if (cjk == nullptr) {
    return core::error_at(
        "no font with Chinese glyphs is installed: install Noto Sans CJK (Debian and Ubuntu: apt install "
        "fonts-noto-cjk)");
  }
  const auto signs =
      open_first(installed, {{"DejaVuSans.ttf", 0}, {"seguisym.ttf", 0}, {"Apple Symbols.ttf", 0}});
  const auto mono = open_first(installed, {{"IBMPlexMono-Regular.ttf", 0},
                                           {"IBMPlexMono-Regular.otf", 0},
                                           {"DejaVuSansMono.ttf", 0},
                                           {"Menlo.ttc", 0},
                                           {"consola.ttf", 0},
                                           {"NotoSansCJK-Regular.ttc", kCjkSimplifiedMono}});
  if (signs == nullptr || mono == nullptr) {
    return core::error_at(
        "no font with mathematical signs is installed: install DejaVu (Debian and Ubuntu: apt install "
        "fonts-dejavu-core)");
  }
  const auto or_else = [](std::shared_ptr<FontFile> first, const std::shared_ptr<FontFile>& second) {
    return first != nullptr ? first : second;
  };
  const auto cjk_bold =
      or_else(open_first(installed, {{"NotoSansCJK-Bold.ttc", kCjkSimplified}, {"msyhbd.ttc", 0}}), cjk);
  const auto cjk_medium = or_else(open_first(installed, {{"NotoSansCJK-Medium.ttc", kCjkSimplified}}), cjk);
  const auto signs_bold = or_else(open_first(installed, {{"DejaVuSans-Bold.ttf", 0}}), signs);
  const auto text =
      or_else(open_first(installed, {{"IBMPlexSans-Regular.ttf", 0}, {"IBMPlexSans-Regular.otf", 0}}), cjk);
  const auto text_medium =
      or_else(open_first(installed, {{"IBMPlexSans-Medium.ttf", 0}, {"IBMPlexSans-Medium.otf", 0}}),
              text == cjk ? cjk_medium : text);
  const auto text_bold =
      or_else(open_first(installed, {{"IBMPlexSans-SemiBold.ttf", 0}, {"IBMPlexSans-SemiBold.otf", 0}}),
              text == cjk ? cjk_bold : text);
  const auto mono_medium =
      or_else(open_first(installed, {{"IBMPlexMono-Medium.ttf", 0}, {"IBMPlexMono-Medium.otf", 0}}), mono);
  const auto mono_bold = or_else(open_first(installed, {{"IBMPlexMono-SemiBold.ttf", 0},
                                                        {"IBMPlexMono-SemiBold.otf", 0},
                                                        {"DejaVuSansMono-Bold.ttf", 0},
                                                        {"consolab.ttf", 0}}),
                                 mono);
  auto files = std::make_unique<Files>();
  files->faces = {FaceFiles{text, signs, cjk},
                  FaceFiles{text_medium, signs, cjk_medium},
                  FaceFiles{text_bold, signs_bold, cjk_bold},
                  FaceFiles{mono, signs, cjk},
                  FaceFiles{mono_medium, signs, cjk_medium},
                  FaceFiles{mono_bold, signs_bold, cjk_bold}};
  return new GlyphSource(files.release());
}

void GlyphSource::destroy(GlyphSource* source) {
  if (source == nullptr) return;
  delete source->files_;
  delete source;
}

bool GlyphSource::has_glyph(const Face& face, unsigned codepoint) const {
  return files_->file_for(face, codepoint) != nullptr;
}

GlyphBox GlyphSource::measure(const Face& face, unsigned codepoint, float em_px) const {
  const FontFile* file = files_->file_for(face, codepoint);
  if (file == nullptr) return {};
  const float scale = stbtt_ScaleForMappingEmToPixels(&file->font, em_px);
  const int glyph = stbtt_FindGlyphIndex(&file->font, static_cast<int>(codepoint));
  int left = 0, top = 0, right = 0, bottom = 0;
  stbtt_GetGlyphBitmapBox(&file->font, glyph, scale, scale, &left, &top, &right, &bottom);
  int advance = 0, bearing = 0;
  stbtt_GetGlyphHMetrics(&file->font, glyph, &advance, &bearing);
  return {left, top, right - left, bottom - top, static_cast<float>(advance) * scale};
}

void GlyphSource::draw(const Face& face, unsigned codepoint, float em_px, const GlyphBox& box,
                       unsigned char* coverage) const {
  const FontFile* file = files_->file_for(face, codepoint);
  if (file == nullptr) return;
  const float scale = stbtt_ScaleForMappingEmToPixels(&file->font, em_px);
  const int glyph = stbtt_FindGlyphIndex(&file->font, static_cast<int>(codepoint));
  stbtt_MakeGlyphBitmap(&file->font, coverage, box.width, box.height, box.width, scale, scale, glyph);
}

}  // namespace attn::platform
