// What the element says when something went wrong: a line over the stage that the reader can close where the page asked
// for something that was not accepted, a box in its place where the stage can't run.

const CLOSE = { zh: '关闭', en: 'Close' };

/** Shows `message` with what exactly is wrong in the element's root; it takes the place of an earlier one. */
export function showNotice(root, message, detail, lang) {
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = '×';
  close.setAttribute('aria-label', CLOSE[lang]);
  const cause = document.createElement('span');
  cause.textContent = detail;
  const notice = document.createElement('div');
  notice.className = 'notice';
  notice.part = 'notice';
  notice.setAttribute('role', 'status');
  notice.append(`${message} `, cause, close);
  close.addEventListener('click', () => notice.remove());
  root.querySelector('.notice')?.remove();
  root.append(notice);
}

/** Shows, in place of a stage that can't run, what keeps it and what can be done, over the element's own content. */
export function showProblem(root, message, hint, detail) {
  const box = document.createElement('div');
  box.className = 'problem';
  box.part = 'problem';
  box.setAttribute('role', 'alert');
  for (const text of [message, hint].filter(Boolean)) {
    const line = document.createElement('p');
    line.textContent = text;
    box.append(line);
  }
  if (detail) {
    const code = document.createElement('code');
    code.textContent = detail;
    box.append(code);
  }
  root.querySelector('.problem')?.remove();
  root.querySelector('.fallback').prepend(box);
}
