import { AIMessage, MESSAGE_TO_SELF, type Message } from '../../core/message.js';
import type { AgentRuntime } from './agent-runtime.js';
import { deadLetterWarning, type Delivery } from './context.js';

/**
 * Sends a message with the next commit. Without an environment, only messages to the agent itself arrive.
 *
 * @returns Names of the roles that receive it.
 */
export function publishMessage(agent: AgentRuntime, message: Message | null): string[] {
  if (message === null) return [];
  const { name, fixed } = agent;
  const { kind: self } = fixed;
  if (message.sendTo.has(MESSAGE_TO_SELF))
    message.sendTo = [...message.sendTo].map((address) => (address === MESSAGE_TO_SELF ? self : address));
  if (message.sentFrom === '' || message.sentFrom === MESSAGE_TO_SELF) message.sentFrom = self;
  if ([...message.sendTo].every((address) => address === self || address === name)) {
    agent.putMessage(message);
    return [name];
  }
  return routeMessage(agent, message)?.recipients ?? [];
}

/** Routes a message through the environment, to be delivered with the next commit; null without an environment. */
export function routeMessage(agent: AgentRuntime, message: Message): Delivery | null {
  const { bus } = agent.context;
  if (bus === null) return null;
  if (agent.state.private !== undefined) message.addMetadata('private', true); // its readers know private data too
  if (message instanceof AIMessage && message.agent === '')
    message.withAgent(`${agent.name}(${agent.fixed.profile})`);
  const delivery = bus.route(message);
  agent.journal.add(delivery.writes);
  agent.journal.then(() => delivery.deliver());
  if (delivery.undeliverable.length > 0) agent.journal.tell(deadLetterWarning(agent.name, delivery));
  return delivery;
}

/**
 * Addresses a message to this role, if the role observes all messages. Other roles still decide by what they watch for and by the
 * recipients.
 */
export function addressedTo(
  { fixed, name }: Pick<AgentRuntime, 'fixed' | 'name'>,
  message: Message,
): Message {
  if (fixed.observeAllMessages && !message.sendTo.has(name)) message.sendTo = [...message.sendTo, name];
  return message;
}

/** Returns whether a message names a role, or the role watches for its cause. */
export function isConcerned(
  { fixed, name }: Pick<AgentRuntime, 'fixed' | 'name'>,
  { causeBy, sendTo }: Message,
): boolean {
  return fixed.watch.has(causeBy) || sendTo.has(name);
}

/** Reads the inbox. Messages that concern the agent and are not in memory yet become its `news`, which are returned. */
export function observe(agent: AgentRuntime): Message[] {
  const { inbox, fixed, memory } = agent;
  agent.news = [];
  if (inbox.empty) return [];
  const messages = inbox.takeAll((key) => agent.journal.remove('inbox', key));
  agent.context.bus?.read(agent.name, messages);
  const unknown = fixed.enableMemory ? memory.findNews(messages) : messages;
  agent.news = unknown.filter((message) => agent.behavior.concerns(message));
  for (const message of fixed.observeAllMessages ? unknown : agent.news) agent.remember(message);
  return agent.news;
}
