import { readFileSync } from 'node:fs';
import { root } from './pages.js';

/** A figure of one contender. */
interface Figure {
  /** Contender: a line of its own. */
  series: string;
  /** Library of the contender: a color of its own. */
  library: string;
  /** What distinguishes lines of a library; empty for the usual one. */
  variant: string;
  x: number;
  y: number;
}

/** A plot with a line for each contender, on logarithmic scales. */
export interface Plot {
  title: string;
  /** Labels of the axes. */
  x: string;
  y: string;
  figures: Figure[];
}

interface Loop {
  name: string;
  version: string;
  variant: string;
  times: { reached: number; perStep: { median: number } }[];
}

interface Search {
  what: string;
  size: number;
  /** In ms; null where it was not measured. */
  p50: number | null;
}

function figuresOf(name: string): unknown {
  return JSON.parse(readFileSync(`${root}docs/benchmarks/${name}.json`, 'utf8'));
}

/** The plots of the benchmark page, from the stored figures. A Markdown comment such as `<!-- plot: steps -->` shows one on the site. */
export function plots(): Record<string, Plot> {
  const { loops } = figuresOf('run') as { loops: Loop[] };
  const memory = figuresOf('memory') as Record<'longTerm' | 'vectors' | 'lexical', Search[]>;
  const searches = (title: string, rows: readonly Search[]): Plot => ({
    title,
    x: 'memories',
    y: 'milliseconds of a query, median',
    figures: rows.flatMap(({ what, size, p50 }) =>
      p50 === null ? [] : [{ series: what, library: what, variant: '', x: size, y: p50 }],
    ),
  });
  return {
    steps: {
      title: 'A step of the loop',
      x: 'steps of a run',
      y: 'microseconds a step, median',
      figures: loops.flatMap(({ name, version, variant: storage, times }) => {
        const library = `${name} ${version}`.trim();
        const variant = storage === 'not stored' ? '' : storage;
        const series = variant === '' ? library : `${library}, ${variant}`;
        return times.map(({ reached, perStep }) => ({
          series,
          library,
          variant,
          x: reached,
          y: perStep.median,
        }));
      }),
    },
    recall: searches('Recall from long-term memory', memory.longTerm),
    vectors: searches('Search by meaning', memory.vectors),
    words: searches('Search by words', memory.lexical),
  };
}
