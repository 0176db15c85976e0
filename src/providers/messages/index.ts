export { compressMessages, type CompressOptions, type CompressType } from './compress-messages.js';
export { toChatMessages, type Sayable } from './to-chat-messages.js';
