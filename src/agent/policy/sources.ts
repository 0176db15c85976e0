/** Maximum number of untrusted sources that are recorded for a role, a message, or a result. */
export const MAX_SOURCES = 20;
