/** Limits of reply parsing. They bound the work and the memory that a reply can cause, whatever the model sends. */
export const LIMITS = {
  commands: 64, // in a reply; the others are not run
  depth: 64, // levels of nested brackets
  values: 10_000, // objects, lists, and what they contain
  blocks: 64, // of a reply that are tried as JSON
  checkboxes: 1000, // besides them: `[ ]` in a line with other text
  unclosed: 16, // of them without an end: each costs a pass over the rest of the reply
  missingQuotes: 8, // to look for: each costs another pass over the rest of the reply
  comment: 200, // characters, between a quote that may end a string and what follows
} as const;
