#include "io/fields.h"

#include "io/json_scanner.h"

namespace attn::io {

double FieldReader::read(std::string_view name) {
  if (!error_.empty()) return 0.0;
  const std::string full = prefix_ + std::string(name);
  const StoredTensor* tensor = file_.find(full);
  if (tensor == nullptr)
    error_ = core::error_at("the file has no %s", quoted(full).c_str()).message;
  else if (tensor->element_count() != 1)
    error_ = core::error_at("%s has shape %s; it must be one number", quoted(full).c_str(),
                            to_string(tensor->extents).c_str())
                 .message;
  return error_.empty() ? to_double(*tensor)[0] : 0.0;
}

bool FieldReader::is_whole(std::string_view name, double number, double minimum, double maximum) {
  if (number >= minimum && number <= maximum && number == std::floor(number)) return true;
  error_ = core::error_at("%s is %g; it must be a whole number in [%g, %g]",
                          quoted(prefix_ + std::string(name)).c_str(), number, minimum, maximum)
               .message;
  return false;
}

}  // namespace attn::io
