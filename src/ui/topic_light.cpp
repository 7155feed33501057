#include "ui/topic_light.h"

#include "ui/stage_kind.h"

namespace attn::ui {
namespace {

using lessons::Role;
using lessons::Topic;
using tape::Site;

/// A tensor written with a column a position is the tensor.
Site by_rows(Site site) {
  const int columns = static_cast<int>(site) - static_cast<int>(Site::embedding_columns);
  constexpr Site kRows[] = {Site::embedding, Site::query, Site::key, Site::value, Site::context};
  static_assert(static_cast<int>(Site::context_columns) - static_cast<int>(Site::embedding_columns) == 4);
  return columns >= 0 && columns <= 4 ? kRows[columns] : site;
}

/// What a tensor of a twin is in the colours of the narration.
Role role_of(Site site) {
  constexpr struct {
    Site site;
    Role role;
  } kRoles[] = {{Site::query, Role::query},    {Site::key, Role::key},       {Site::value, Role::value},
                {Site::context, Role::output}, {Site::output, Role::output}, {Site::memory, Role::memory}};
  for (const auto& row : kRoles)
    if (row.site == site) return row.role;
  return Role::plain;
}

}  // namespace

TopicLight topic_light(const Subject& subject, const ViewState& view) {
  const int group = static_cast<int>(view.hover.region >> 16);
  const int index = static_cast<int>(view.hover.region & 0xFFFF);
  const bool on_word = group == static_cast<int>(Group::narration);
  const Topic word = on_word ? lessons::topic_of(index & ~kTermWord) : view.word;
  if (word.lights()) return {word, word};
  return {{}, kind_of(subject.run).topic(subject, group, index)};
}

Topic topic_of(const lessons::Block& block) {
  const bool shared = block.role >= Role::query && block.role <= Role::memory;
  return {shared ? block.role : Role::plain, by_rows(block.tensor.site), block.tensor.layer};
}

Topic topic_of(const tape::Label& label) { return {role_of(label.site), label.site, label.layer}; }

Region word_region(const Piece& word, const Rect& rect) {
  return {.id = region_id(group_of(Group::narration), lessons::code_of(word.topic)),
          .group = group_of(Group::narration),
          .role = RegionRole::grid,
          .rect = rect,
          .visual = rect,
          .label = word.text,
          .enabled = false,
          .pointer_only = true};
}

}  // namespace attn::ui
