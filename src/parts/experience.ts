import type { ExperienceSource } from '../core/experience.js';
import { messageFromRecord } from '../core/message.js';
import type { PartFactory } from '../agent/runtime/part.js';

/** Stores replies that worked in a pool, and uses them again for the same step; see the option `experiencePool`. */
export function experience(source: ExperienceSource): PartFactory {
  return (agent) => {
    const steps = source.follow(
      () => (agent.turn().experience ??= { current: null, reused: false, all: [] }),
      (message, error) => agent.warn(message, error),
    );
    return {
      name: 'experience',
      needsAllMessages: true,
      restore: ({ messages }) => steps.restart(messages.map(({ value }) => messageFromRecord(value))),
      onRemember(message) {
        if (!agent.memory.has(message)) steps.remember(message);
      },
      async recall(situation) {
        const past = await steps.recall(situation);
        return { ...past, markTaken: () => steps.taken(past) };
      },
      // A reply after untrusted content is no example for other work.
      onStepResult: ({ reply, failure }) =>
        steps.settle(agent.state.untrusted === undefined ? reply : null, failure),
      onExhausted: () => steps.unfinished(),
    };
  };
}
