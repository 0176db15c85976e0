import { decodePageText, type Fetched } from '../sources.js';

/** Converts a fetched resource to an HTML document. HTML stays unchanged; images and text are wrapped in a page that shows them. */
export function asHtml({ type, bytes, url }: Fetched): string {
  if (/html/.test(type)) return decodePageText(bytes);
  const name = document.implementation.createHTMLDocument(
    decodeURIComponent(new URL(url).pathname.split('/').at(-1) ?? ''),
  );
  if (type.startsWith('image/')) {
    const image = name.createElement('img');
    image.setAttribute('src', url);
    image.setAttribute('alt', name.title);
    name.body.append(image);
  } else {
    const text = name.createElement('pre');
    text.textContent = /^text\/|json|xml|javascript/.test(type)
      ? decodePageText(bytes)
      : `${bytes.length} bytes of ${type}`;
    name.body.append(text);
  }
  return `<!doctype html>${name.documentElement.outerHTML}`;
}
