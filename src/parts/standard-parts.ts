import type { PartFactory } from '../agent/runtime/part.js';
import type { RoleZeroOptions } from '../agent/runtime/role-zero-options.js';
import { experience } from './experience.js';
import { fileChanges } from './file-news.js';
import { images } from './images.js';
import { summaries } from './summaries.js';
import { toolViews } from './tool-views.js';
import { typedAnswer } from './typed-answer.js';

/**
 * Returns the parts of a role, in the order of their sections in a prompt. A user who plays a role writes no notes, and the replies are no
 * experience of a model.
 */
export function partsOf(options: RoleZeroOptions): PartFactory[] {
  const notes = options.playedByUser ? undefined : options.notes;
  const past =
    options.playedByUser || options.experiencePool === undefined
      ? undefined
      : experience(options.experiencePool);
  const before = [options.longTermMemory, notes, past].filter((part) => part !== undefined);
  return [...before, fileChanges, toolViews, images, typedAnswer, ...(options.parts ?? []), summaries];
}
