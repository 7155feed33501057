#include "lessons/glossary.h"

#include <algorithm>
#include <array>

namespace attn::lessons {
namespace {

constexpr std::array<Term, 46> kTerms{{
    {{"查询 query", "query"},
     {"一个词拿来提问的向量：它在找什么。", "The vector a word asks with: what it is looking for."},
     "query|queries|查询",
     Role::query,
     "q"},
    {{"键 key", "key"},
     {"一个词拿来回答的向量，每个查询都与它做内积。",
      "The vector a word answers with, for queries to be compared with."},
     "key|keys|个<键",
     Role::key,
     "键|k"},
    {{"值 value", "value"},
     {"一个词交出去的内容，按权重加进输出。", "What a word hands over; outputs add it up by weight."},
     "",
     Role::value,
     "值|value|values|v"},
    {{"分数 score", "score"},
     {"查询与键的内积除以 √dₖ：两者有多合。", "How well a query fits a key: their dot product over √dₖ."},
     "score|scores|分数"},
    {{"权重 weight", "weight"},
     {"分数经过 softmax 变成的份额，一行的和为 1；有时也指学来的参数。",
      "A score after softmax: its share of a row, which sums to 1. Elsewhere a learned parameter."},
     "weight|weights|权重"},
    {{"softmax", "softmax"},
     {"把一行数变成和为 1 的正数：数越大，份额越大。",
      "Turns a row of numbers into positive shares that sum to 1."},
     "softmax"},
    {{"注意力 attention", "attention"},
     {"每个词按权重从别的词取内容，合成自己的新向量。",
      "Each word takes content from others, by weight, into a new vector."},
     "attention|self-attention|cross-attention|multi-head attention|注意力|自注意力|交叉注意力|多头注意力"},
    {{"头 head", "head"},
     {"一套自己的查询、键、值和权重；几个头并排，各看各的。",
      "One set of queries, keys, values and weights; several work side by side."},
     "head|heads|multi-head|多头|注意力头|个<头|每<头|各<头"},
    {{"掩码 mask", "mask"},
     {"规定谁可以看谁；被挡住的格子，权重恰好是 0。",
      "Says who may look at whom; a hidden cell has weight exactly 0."},
     "mask|masks|masked|掩码"},
    {{"因果掩码 causal mask", "causal mask"},
     {"只许看自己和前面的词，后面的全挡住。", "Lets a word see itself and earlier words, nothing later."},
     "causal mask|causal masks|因果掩码"},
    {{"填充 padding", "padding"},
     {"把句子补成一样长的空位，谁也不该看它。",
      "Fillers that make sentences equally long; nothing should look at them."},
     "padding|填充"},
    {{"位置编码 position encoding", "position encoding"},
     {"告诉向量它在第几位；没有它，注意力分不出先后。",
      "Tells a vector where it stands; without it attention sees no order."},
     "position encoding|position encodings|positional encoding|positional encodings|位置编码"},
    {{"嵌入 embedding", "embedding"},
     {"代表一个词的一行数，从表里查来。", "The row of numbers that stands for a word, looked up in a table."},
     "embedding|embeddings|嵌入|词嵌入"},
    {{"d_model", "d_model"},
     {"模型里一个词的向量有多少个数。", "How many numbers the vector of a word has in the model."},
     "d_model"},
    {{"dₖ", "dₖ"},
     {"一个头里，查询和键各有多少个数。", "How many numbers a query or a key has in one head."},
     "d_k|dₖ"},
    {{"编码器 encoder", "encoder"},
     {"读源句的一半：每个词都看得见全句。",
      "The half that reads the source; every word sees the whole sentence."},
     "encoder|编码器"},
    {{"解码器 decoder", "decoder"},
     {"写目标句的一半：看已经写出的词，也看 memory。",
      "The half that writes the target, from the words so far and from memory."},
     "decoder|解码器"},
    {{"memory", "memory"},
     {"编码器的输出，交叉注意力从中取键和值。",
      "The encoder's output; cross-attention takes its keys and values from it."},
     "",
     Role::memory,
     "memory"},
    {{"上下文 context", "context"},
     {"各个值按权重相加的结果。", "The values of the words, added up by weight."},
     "",
     Role::output,
     "context|contexts|上下文"},
    {{"残差 residual", "residual"},
     {"把一层的输入原样加到它的输出上。", "The input of a layer, added unchanged to its output."},
     "residual|residuals|残差"},
    {{"层归一化 layer norm", "layer norm"},
     {"把一个词的向量调到均值 0、方差 1，再缩放、平移。",
      "Brings the vector of a word to mean 0 and variance 1, then scales and shifts it."},
     "layer norm|layernorm|layer normalisation|layer normalization|层归一化"},
    {{"logits", "logits"},
     {"softmax 之前的分数，词表里每个词一个。", "Scores before softmax, one a word of the vocabulary."},
     "logit|logits"},
    {{"交叉熵 cross-entropy", "cross-entropy"},
     {"损失 −log p，p 是给正确词的概率：越没料到，越大。",
      "The loss −log p for the right word's probability p: the less expected, the larger."},
     "cross-entropy|cross entropy|交叉熵"},
    {{"教师强制 teacher forcing", "teacher forcing"},
     {"训练时，前文用正确的词，不用模型自己猜的词。",
      "In training, the words so far are the right ones, not the model's guesses."},
     "teacher forcing|教师强制"},
    {{"KV 缓存 KV cache", "KV cache"},
     {"存下前面各词的键和值，以后不必重算。",
      "Keeps the keys and values of earlier words, so they aren't computed again."},
     "kv cache|cache|kv 缓存|缓存"},
    {{"ULP", "ULP"},
     {"两个浮点数隔几步，每步走到相邻的数；0 就是每个比特都相同。",
      "How far apart two floats are, counted in neighbouring floats; 0: the same bits."},
     "ulp|ulps"},
    {{"词元 token", "token"},
     {"模型读写的单位：一个词，或词的一部分。", "What a model reads and writes: a word or a piece of one."},
     "token|tokens|词元"},
    {{"独热 one-hot", "one-hot"},
     {"只有一个 1、其余全是 0 的向量，1 的位置就是编号。",
      "A vector of zeros with a single 1, whose place is the index."},
     "one-hot|独热"},
    {{"张量 tensor", "tensor"},
     {"排成行和列（或更多个方向）的一组数。", "Numbers arranged in rows and columns, or along more axes."},
     "tensor|tensors|张量"},
    {{"内积 dot product", "dot product"},
     {"两个向量对应的数相乘，再全加起来。",
      "Two vectors multiplied number by number, and all of it added up."},
     "dot product|dot products|inner product|inner products|内积"},
    {{"特征 feature", "feature"},
     {"一个词的向量里的一个数。", "One of the numbers in a word's vector."},
     "feature|features|特征"},
    {{"转置 transpose", "transpose"},
     {"行变成列，列变成行。", "Rows become columns, and columns rows."},
     "transpose|transposed|转置"},
    {{"批 batch", "batch"},
     {"放在一起同时算的几句话。", "Several sentences computed together."},
     "batch|batches|批量"},
    {{"反向传播 backpropagation", "backpropagation"},
     {"从结果往回，一步一步算出每个数的梯度。",
      "Going back from the result, step by step, to the gradient of every number."},
     "backpropagation|反向传播"},
    {{"标准差 standard deviation", "standard deviation"},
     {"一组数通常偏离平均值多远；它的平方是方差。",
      "How far numbers usually lie from their mean; its square is the variance."},
     "std|stds|standard deviation|标准差"},
    {{"梯度 gradient", "gradient"},
     {"一个数动一点，结果动多少；训练照它改参数。",
      "How much a result moves with a number; training changes the parameters by it."},
     "gradient|gradients|梯度"},
    {{"float32、float64", "float32, float64"},
     {"用 32 或 64 个比特存的小数，约 7 位或 16 位有效数字。",
      "Numbers kept in 32 or 64 bits: about 7 or 16 significant digits."},
     "float32|float64"},
    {{"tril、triu", "tril, triu"},
     {"PyTorch 的函数：只留下矩阵的下三角或上三角。",
      "PyTorch functions that keep the lower or the upper triangle of a matrix."},
     "tril|triu"},
    {{"src_mask", "src_mask"},
     {"PyTorch 的参数：源句里每一对词，谁可以看谁。",
      "An argument of PyTorch's: for each pair of source words, who may look at whom."},
     "src_mask"},
    {{"key_padding_mask", "key_padding_mask"},
     {"PyTorch 的参数：每个键是不是填充。", "An argument of PyTorch's: which keys are padding."},
     "key_padding_mask"},
    {{"masked_fill", "masked_fill"},
     {"PyTorch 的函数：把掩码选中的格子换成一个数。",
      "A PyTorch function that writes one number into the cells a mask selects."},
     "masked_fill"},
    {{"MultiheadAttention (MHA)", "MultiheadAttention (MHA)"},
     {"PyTorch 的多头注意力层，简称 MHA。", "PyTorch's layer of multi-head attention, MHA for short."},
     "mha|multiheadattention"},
    {{"scaled_dot_product_attention (SDPA)", "scaled_dot_product_attention (SDPA)"},
     {"PyTorch 的函数：一次调用算完注意力。", "A PyTorch function that computes attention in one call."},
     "sdpa|scaled_dot_product_attention"},
    {{"ONNX", "ONNX"},
     {"存放和交换模型的一种格式，注意力是它的一个算子。",
      "A format models are exchanged in; attention is one of its operators."},
     "onnx"},
    {{"is_causal", "is_causal"},
     {"SDPA 的开关：不必给掩码，按因果掩码算。",
      "A switch of SDPA: use a causal mask, without being given one."},
     "is_causal"},
    {{"FlashAttention", "FlashAttention"},
     {"一个算注意力的库，快，也省内存。", "A library that computes attention fast and in little memory."},
     "flashattention"},
}};

static_assert(kTerms.size() <= TermsSeen{}.size());

bool is_in_word(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
}

char small(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

bool stands_at(std::string_view text, std::size_t at, std::string_view spelling) {
  if (const std::size_t cut = spelling.find('<'); cut != std::string_view::npos) {
    if (at < cut || text.substr(at - cut, cut) != spelling.substr(0, cut)) return false;
    spelling.remove_prefix(cut + 1);
  }
  const std::string_view here = text.substr(at, spelling.size());
  if (!std::equal(here.begin(), here.end(), spelling.begin(), spelling.end(),
                  [](char a, char b) { return small(a) == b; }))
    return false;
  const std::size_t end = at + spelling.size();
  const bool begins_inside = at > 0 && is_in_word(text[at - 1]) && is_in_word(here.front());
  return !begins_inside && !(end < text.size() && is_in_word(text[end]) && is_in_word(here.back()));
}

// Bytes of the longest of the spellings that stands at text[at]; 0 for none.
std::size_t longest_at(std::string_view text, std::size_t at, std::string_view spellings) {
  std::size_t longest = 0;
  while (!spellings.empty()) {
    const std::string_view spelling = spellings.substr(0, spellings.find('|'));
    spellings.remove_prefix(std::min(spelling.size() + 1, spellings.size()));
    const std::size_t before = spelling.find('<') + 1;  // 0 without one
    if (stands_at(text, at, spelling)) longest = std::max(longest, spelling.size() - before);
  }
  return longest;
}

// The longest term that stands at run.text[at].
TermPlace term_at(const TextRun& run, std::size_t at) {
  TermPlace found{nullptr, at, 0};
  for (const Term& term : kTerms) {
    std::size_t size = longest_at(run.text, at, term.spellings);
    if (run.role == term.role) size = std::max(size, longest_at(run.text, at, term.role_spellings));
    if (size > found.size) found = {&term, at, size};
  }
  return found;
}

}  // namespace

std::span<const Term> glossary() { return kTerms; }

TermPlace next_term(const TextRun& run, std::size_t from, TermsSeen& seen) {
  while (from < run.text.size()) {
    const TermPlace found = term_at(run, from);
    if (found.term != nullptr) {
      const auto index = static_cast<std::size_t>(found.term - kTerms.data());
      if (!seen[index]) {
        seen[index] = true;
        return found;
      }
    }
    from += std::max<std::size_t>(found.size, 1);
  }
  return {nullptr, run.text.size(), 0};
}

Paragraph with_terms(const Paragraph& paragraph, TermsSeen& seen) {
  Paragraph split;
  for (const TextRun& run : paragraph) {
    const auto add = [&](std::size_t begin, std::size_t end, const Term* term) {
      if (begin < end) split.push_back({run.text.substr(begin, end - begin), run.role, run.topic, term});
    };
    for (std::size_t done = 0; done < run.text.size();) {
      const TermPlace place = next_term(run, done, seen);
      add(done, place.begin, nullptr);
      done = place.begin + place.size;
      add(place.begin, done, place.term);
    }
  }
  return split;
}

}  // namespace attn::lessons
