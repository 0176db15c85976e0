/** The colors of the page in light and dark. An image knows nothing of the variables of its page. */
const COLORS =
  '<style>svg { --bg: #fff !important; --fg: #1c1c22 !important; }' +
  '@media (prefers-color-scheme: dark) { svg { --bg: #17171d !important; --fg: #e9e9ef !important; } }</style>';

// The layout engine takes over the messages of a worker, unless it finds a document, and then assigns `self`, which is only a getter here.
Reflect.set(globalThis, 'document', {});
Object.defineProperty(globalThis, 'self', { value: globalThis, writable: true });
const library = import('beautiful-mermaid');

addEventListener('message', ({ data }: MessageEvent<string>) => {
  draw(data).then(
    (picture) => postMessage({ picture }),
    (error: unknown) => postMessage({ error: error instanceof Error ? error.message : String(error) }),
  );
});

async function draw(text: string): Promise<string> {
  const { renderMermaidSVG } = await library;
  const picture = renderMermaidSVG(text).replace(/@import url\([^)]*\);/g, '');
  return picture.replace(/<\/svg>\s*$/, `${COLORS}</svg>`);
}
