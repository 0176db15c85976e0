import type { ComponentType } from 'react';
import * as library from 'rolezero';
import { opened } from './connect.js';

type Exports = Record<string, unknown>;

const logged: unknown[][] = [];
const print = console.log;
console.log = (...values: unknown[]) => {
  logged.push(values);
  print(...values);
};

let load: (() => Promise<Exports>) | null = null;

const page = {
  library,
  opened,
  /** Arguments of each `console.log` call. */
  logged,
  /** Exports of the snippet. */
  exports: {} as Exports,
  /** Runs the snippet to its end, including top-level `await`. */
  async run(): Promise<void> {
    if (load === null) throw new Error('The page has no snippet.');
    page.exports = await load();
  },
  /** Renders a component that the snippet exports. */
  async render(name: string): Promise<void> {
    const { createElement } = await import('react');
    const { createRoot } = await import('react-dom/client');
    const root = createRoot(document.body.appendChild(document.createElement('main')));
    root.render(createElement(page.exports[name] as ComponentType));
  },
};

/** Called by each page with the function that imports its snippet. */
export function offer(snippet: () => Promise<Exports>): void {
  load = snippet;
  window.page = page;
}

declare global {
  interface Window {
    page: typeof page;
  }
}
