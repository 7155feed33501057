#include "ui/role_light.h"

namespace attn::ui {
namespace {

using lessons::Role;

constexpr int kWordsOfRole = 256;  // regions of words are numbered role by role

Role role_of_block(const Subject& subject, int index) {
  if (!subject.run.board || subject.step_now() == nullptr) return Role::plain;
  const std::vector<lessons::Block>& blocks = subject.run.sheet_at(subject.step).blocks;
  return static_cast<std::size_t>(index) < blocks.size() ? blocks[static_cast<std::size_t>(index)].role
                                                         : Role::plain;
}

Role shared(Role role) { return lights(role) ? role : Role::plain; }

}  // namespace

bool lights(Role role) { return role >= Role::query && role <= Role::memory; }

RoleLight role_light(const Subject& subject, const ViewState& view) {
  const int group = static_cast<int>(view.hover.region >> 16);
  const int index = static_cast<int>(view.hover.region & 0xFFFF);
  Role word = view.word_role;
  if (group == static_cast<int>(Group::narration)) word = static_cast<Role>(index / kWordsOfRole);
  if (lights(word)) return {word, word};
  const int block = group - static_cast<int>(Group::blocks);
  return {Role::plain, block < 0 ? Role::plain : shared(role_of_block(subject, block))};
}

Region word_region(const Piece& word, int index, const Rect& rect) {
  const int number = static_cast<int>(word.role) * kWordsOfRole + index % kWordsOfRole;
  return {.id = region_id(group_of(Group::narration), number),
          .group = group_of(Group::narration),
          .role = RegionRole::grid,
          .rect = rect,
          .visual = rect,
          .label = word.text,
          .enabled = false,
          .pointer_only = true};
}

}  // namespace attn::ui
