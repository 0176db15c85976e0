import { recommendModel, type Adapter, type WebLLMModel } from 'rolezero/providers/web-llm/choose';

/** A model that can run in this tab. */
export interface Offer {
  id: string;
  /** Megabytes of GPU memory; null where it is not known. */
  memoryMB: number | null;
  contextWindow: number;
}

/** Megabytes that models of different sizes are looked for with. */
const SIZES = [4_400, 2_700, 1_900, 1_150];

/** The ablest models for a GPU, one for each size of its memory that nobody can ask for, the largest first. */
export function offersFor(adapter: Adapter | null): Offer[] {
  const found = SIZES.map((memoryMB) => recommendModel(adapter, { memoryMB }).model).filter(
    (model): model is WebLLMModel => model !== null,
  );
  const distinct = new Map(found.map((model) => [model.id, model]));
  return [...distinct.values()].map(({ id, vramMB, contextWindow }) => ({
    id,
    memoryMB: vramMB,
    contextWindow,
  }));
}

interface Gpu {
  requestAdapter(): Promise<Adapter | null>;
}

/** The same for the GPU of this machine; none when there is none. */
export async function offersHere(): Promise<Offer[]> {
  try {
    const gpu = (navigator as { gpu?: Gpu }).gpu;
    return offersFor((await gpu?.requestAdapter()) ?? null);
  } catch {
    return []; // a browser that only knows the word
  }
}
