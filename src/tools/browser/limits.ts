/** Limits for messages through the port, in characters, bytes, or items. The driver truncates; the host rejects longer values. */
export const MESSAGE_LIMITS = {
  title: 200,
  url: 4_000,
  message: 2_000,
  view: 200_000,
  words: 1_000_000,
  body: 16_000_000,
  files: 20,
  fields: 1_000,
  notes: 20,
  image: 8_000_000,
  watch: 30_000, // ms
  path: 500,
} as const;
