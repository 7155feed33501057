// Which of the two languages an element speaks.
const LANGUAGES = ['zh', 'en'];

/** 'zh' or 'en' of a BCP 47 tag, '' for any other. */
export function languageOf(tag) {
  const primary = (tag ?? '').toLowerCase().split('-')[0];
  return LANGUAGES.includes(primary) ? primary : '';
}

/** The nearest [lang] of an element or of what holds it, shadow roots included. */
export function inheritedLanguage(element) {
  for (let node = element; node; node = node.parentNode ?? node.host) {
    const language = languageOf(node.getAttribute?.('lang'));
    if (language) return language;
  }
  return languageOf(navigator.language) || 'en';
}
