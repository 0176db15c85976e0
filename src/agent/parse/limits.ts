/** Limits of reply parsing. They bound the work and the memory that a reply can cause, whatever the model sends. */
export const LIMITS = {
  commands: 64, // in a reply
  depth: 64, // levels of nested brackets
  values: 10_000, // objects, lists, and what they contain
  places: 16, // of a reply that are tried as JSON; fences and others separately
  missingQuotes: 8, // to look for: each costs another pass over the rest of the reply
  comment: 200, // characters, between a quote that may end a string and what follows
} as const;
