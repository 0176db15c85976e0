export { keyVault } from './key-vault.js';
export { passkeySecret } from './passkey.js';
