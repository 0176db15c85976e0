export { compressMessages } from './compress-messages.js';
export { toChatMessages } from './to-chat-messages.js';
