import { afterEach } from 'vitest';
import type { ConnectOptions, Session } from 'rolezero';
import { type ChatWords, type RoleZeroChat } from 'rolezero/element';
import { say, scripted, until, useComponents } from '../client/component-sessions.js';
import { write } from '../client/scripted-session.js';

const chats = new Set<RoleZeroChat>();
const sessions = new Set<Session>();

/** After each test, removes its chats and sessions. */
export function useChats(): void {
  useComponents(() => {
    for (const chat of chats) chat.remove();
    chats.clear();
  });
  afterEach(async () => {
    for (const session of sessions) await session.close();
    sessions.clear();
  });
}

/** Adds a chat to the page. */
export function place(session: Session | Promise<Session> | null, words: Partial<ChatWords> = {}) {
  const chat = document.createElement('rolezero-chat');
  Object.assign(chat, { session, words });
  chat.style.blockSize = '30rem';
  document.body.append(chat);
  chats.add(chat);
  return using(chat);
}

/** Uses a chat as a user does. */
export function using(chat: RoleZeroChat) {
  const all = <Found extends HTMLElement>(selector: string) => [
    ...chat.renderRoot.querySelectorAll<Found>(selector),
  ];
  const texts = (part: string) =>
    all(`[part~="${part}"]`).map((each) =>
      each.innerText
        .replaceAll(/\s+/g, ' ')
        .trim()
        // WebKit has no space beside an element that is out of the flow.
        .replace(/^You(?=\S)/, 'You ')
        .replaceAll(' :', ':'),
    );
  const press = async (part: string, text = '') => {
    const button = () => all(`[part~="${part}"]`).find((each) => each.innerText.includes(text));
    await until(() => button()?.matches(':enabled') === true);
    button()?.click();
  };
  /** Types a request and presses Enter. */
  const type = (text: string) => {
    const [field] = all<HTMLTextAreaElement>('textarea');
    if (field !== undefined) field.value = text;
    field?.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  };
  /** The same once the field is ready for the next one. */
  const request = async (text: string) => {
    await until(() => all('[part="send"]:enabled').length === 1 && all('[part="stop"]').length === 0);
    type(text);
  };
  return { chat, all, texts, press, type, request };
}

export async function opened(
  name: string,
  config: Parameters<typeof scripted>[0],
  options: Partial<ConnectOptions> = {},
): Promise<Session> {
  const session = await scripted(config, options).open(name);
  sessions.add(session);
  return session;
}

/** Replies that write a file and report it, with HTML and a link. */
export const work = [
  `I write the note.\n${write('/note.txt', 'one')}`,
  say('**Done.** <img src=x onerror="document.title = 1"> [bank](https://evil.test)'),
];
