export { keyVault, type KeyVault, type KeyVaultOptions } from './key-vault.js';
