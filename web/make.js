/** An element with its class and its children, elements or text. */
export function make(tag, className = '', children = []) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}
