// Peers that `npm run bench:files` installs: see the group `file-systems` of scripts/extra-packages.mjs.
import { promises } from '@zenfs/core';
import { memfs as createMemfs } from 'memfs';

export const zenPromises = promises;
export const memfs = () => createMemfs().fs.promises;
