// Which of the two languages an element speaks, and what of the page it follows.
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

/** Calls `scheme` when the system's theme changes and `language` when the page's language does; returns how to stop. */
export function watchPage(scheme, language) {
  const dark = matchMedia('(prefers-color-scheme: dark)');
  dark.addEventListener('change', scheme);
  const observer = new MutationObserver(language);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['lang'] });
  return () => {
    dark.removeEventListener('change', scheme);
    observer.disconnect();
  };
}
