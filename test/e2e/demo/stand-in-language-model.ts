/** Behavior and replies of the stand-in. */
export interface StandIn {
  availability: 'available' | 'downloadable';
  /** Replies to prompts with a schema, in order; the last is repeated. */
  steps: string[];
  /** The reply to any other prompt. */
  words: string;
  contextWindow: number;
}

/**
 * Adds a stand-in for Chrome's `LanguageModel` to a page, as no test machine has the built-in model: the documented
 * interface, scripted replies, and no download without a click. Runs in the page, so it uses nothing from outside.
 */
export function putLanguageModel({ availability, steps, words, contextWindow }: StandIn): void {
  interface Options {
    signal?: AbortSignal;
    responseConstraint?: object;
    monitor?: (monitor: EventTarget) => void;
    initialPrompts?: { role: string; content: string }[];
  }
  interface Prompt {
    role: string;
    content: string;
  }
  let isHere = availability === 'available';
  const size = (prompts: Prompt[]): number =>
    Math.ceil(prompts.reduce((sum, { content }) => sum + content.length, 0) / 4);
  const create = async (options: Options = {}) => {
    if (!isHere && !navigator.userActivation.isActive)
      throw new DOMException('A download needs a click.', 'NotAllowedError');
    const monitor = new EventTarget();
    options.monitor?.(monitor);
    if (!isHere)
      for (const loaded of [0, 0.5, 1])
        monitor.dispatchEvent(Object.assign(new Event('downloadprogress'), { loaded, total: 1 }));
    isHere = true;
    const said: Prompt[] = [...(options.initialPrompts ?? [])];
    return {
      get contextUsage() {
        return size(said);
      },
      contextWindow,
      measureContextUsage: (prompts: Prompt[]) => Promise.resolve(size(prompts)),
      append: (prompts: Prompt[]) => Promise.resolve(void said.push(...prompts)),
      promptStreaming: (prompts: Prompt[], { responseConstraint }: Options = {}) => {
        // The step follows from the conversation alone, so it is right after every reload.
        const step = said.filter(
          ({ role, content }) => role === 'assistant' && steps.includes(content),
        ).length;
        const reply = responseConstraint === undefined ? words : (steps[step] ?? steps.at(-1) ?? '');
        said.push(...prompts, { role: 'assistant', content: reply });
        return new ReadableStream<string>({
          start(controller) {
            for (let at = 0; at < reply.length; at += 40) controller.enqueue(reply.slice(at, at + 40));
            controller.close();
          },
        });
      },
      destroy: () => undefined,
    };
  };
  Object.assign(globalThis, {
    LanguageModel: { create, availability: () => Promise.resolve(isHere ? 'available' : availability) },
  });
}
