/** Limits of reply parsing, beside those of its JSON. They bound the work that a reply can cause, whatever the model sends. */
export const LIMITS = {
  commands: 64, // in a reply; the others are not run
  blocks: 64, // of a reply that are tried as JSON
  checkboxes: 1000, // besides them: `[ ]` in a line with other text
  unclosed: 16, // of them without an end: each costs a pass over the rest of the reply
} as const;
