// A line over the stage that the reader can close: something that the page asked for was not accepted.

const CLOSE = { zh: '关闭', en: 'Close' };

/** Shows `message` with its technical `detail` in the element's root; it takes the place of an earlier one. */
export function showNotice(root, message, detail, lang) {
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = '×';
  close.setAttribute('aria-label', CLOSE[lang]);
  const code = document.createElement('code');
  code.textContent = detail;
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.part = 'notice';
  notice.setAttribute('role', 'status');
  notice.append(`${message} `, code, close);
  close.addEventListener('click', () => notice.remove());
  root.querySelector('.notice')?.remove();
  root.append(notice);
}
