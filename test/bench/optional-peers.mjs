// Peers that `npm run bench:files` installs: see the group `file-systems` of scripts/extra-packages.mjs.
import { promises } from '@zenfs/core';
import { memfs as createMemfs } from 'memfs';

/**
 * The common part of peers with the interface of Node.
 * @typedef {object} NodeLike
 * @property {(path: string) => Promise<unknown>} mkdir
 * @property {(path: string, text: string) => Promise<unknown>} writeFile
 * @property {(path: string, encoding: 'utf8') => Promise<unknown>} readFile
 * @property {(path: string) => Promise<unknown>} readdir
 * @property {(path: string) => Promise<{ isDirectory(): boolean }>} stat
 */

/** @type {NodeLike & { rm(path: string, options: { recursive: boolean, force: boolean }): Promise<void> }} */
export const zenPromises = promises;

/** @returns {NodeLike} */
export const memfs = () => createMemfs().fs.promises;
