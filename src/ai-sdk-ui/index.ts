/** Chat interfaces of the AI SDK over a session: `useChat` for React, `Chat` for Vue and Svelte, assistant-ui. */
export { SessionChatTransport, uiMessages } from './session-chat-transport.js';
export type { SessionUIMessage } from './ui-message.js';
