import { generateAriaTree, renderAriaTree } from 'ivya/aria';

/** Returns Playwright's aria snapshot of this page. */
addEventListener('message', (event) => {
  if (event.data !== 'aria') return;
  event.stopImmediatePropagation();
  parent.postMessage({ aria: renderAriaTree(generateAriaTree(document.body)) }, '*');
});
