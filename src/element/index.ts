/** `<rolezero-chat>`: the conversation with a session as a web component. Importing it defines the element. */
import { RoleZeroChat } from './rolezero-chat.js';

export type { ConversationView } from './followed-conversation.js';
export { followConversation, noConversation } from './followed-conversation.js';
export { isolated } from './isolated.js';
export { setRenderers } from './markdown-view.js';
export type { ChatWords } from './words.js';
export { commandBeingWritten } from './writing.js';
export { RoleZeroChat };

if (typeof customElements !== 'undefined' && customElements.get('rolezero-chat') === undefined)
  customElements.define('rolezero-chat', RoleZeroChat);
