import katex from 'katex';
import type { Renderers } from 'rolezero/element/markdown';

/** Shows a formula as MathML, which needs no fonts. Commands that load or link anything are not run. */
export const formula: Renderers['math'] = (text, isBlock) => {
  const place = document.createElement('span');
  try {
    katex.render(text, place, { output: 'mathml', displayMode: isBlock, maxExpand: 200, maxSize: 20 });
  } catch (error) {
    if (error instanceof katex.ParseError) return null;
    throw error;
  }
  return place;
};
