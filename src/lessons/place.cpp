#include "lessons/place.h"

#include <array>

namespace attn::lessons {
namespace {

constexpr std::array<Text, 3> kStacks{{{"模型", "model"}, {"编码器", "encoder"}, {"解码器", "decoder"}}};
constexpr std::array<Text, 4> kBlocks{{{"", ""},
                                       {"自注意力", "self-attention"},
                                       {"交叉注意力", "cross-attention"},
                                       {"前馈网络", "feed-forward"}}};

}  // namespace

RunText place_of(const tape::Label& label) {
  const Text& stack = kStacks[static_cast<std::size_t>(label.stack)];
  const Text& block = kBlocks[static_cast<std::size_t>(label.block)];
  RunText place{stack.zh, stack.en};
  if (label.layer >= 0) {
    const std::string number = std::to_string(label.layer + 1);
    place.zh += "第 " + number + " 层";
    place.en += " layer " + number;
  }
  if (label.block != tape::Block::none) {
    place.zh += std::string(" · ") + block.zh;
    place.en += std::string(" · ") + block.en;
  }
  const std::string site(tape::name_of(label.site));
  place.zh += " · " + site;
  place.en += " · " + site;
  return place;
}

}  // namespace attn::lessons
