import type { PartFactory } from '../agent/runtime/part.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { fileChanges } from './file-news.js';
import { images } from './images.js';
import { toolViews } from './tool-views.js';

/** Returns the parts of a role, in the order of their sections in a prompt. A user who plays a role writes no notes. */
export function partsOf(options: RoleZeroOptions): PartFactory[] {
  const { longTermMemory, notes, parts = [], isHuman } = options;
  return [longTermMemory, isHuman ? undefined : notes, fileChanges, toolViews, images, ...parts].filter(
    (part) => part !== undefined,
  );
}
