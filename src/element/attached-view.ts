import { html, nothing, type TemplateResult } from 'lit';
import { isolated } from './isolated.js';

/** The files of a request in its bubble: images small, others by name. `urlOf` returns the address of an image, once it is known. */
export function attachedView(
  files: readonly string[],
  urlOf: (path: string) => string | undefined,
): TemplateResult | typeof nothing {
  if (files.length === 0) return nothing;
  return html`<div class="row attached" part="attached">
    ${files.map((path) => {
      const url = urlOf(path);
      const name = path.split('/').at(-1) ?? path;
      return url === undefined
        ? html`<span class="chip" title=${path}>${isolated(name)}</span>`
        : html`<img class="thumbnail" src=${url} alt=${name} title=${path} />`;
    })}
  </div>`;
}
