export { keyVault } from './key-vault.js';
