import { generateAriaTree, renderAriaTree } from 'ivya/aria';

/** Playwright's aria snapshot of this page, for whoever asks. */
addEventListener('message', (event) => {
  if (event.data !== 'aria') return;
  event.stopImmediatePropagation();
  parent.postMessage({ aria: renderAriaTree(generateAriaTree(document.body)) }, '*');
});
