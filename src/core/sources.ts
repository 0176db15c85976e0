/** Maximum number of untrusted sources that are recorded for a role, a message, a result, or a file of an archive. */
export const MAX_SOURCES = 20;
/** Maximum characters of the name of an untrusted source. */
export const MAX_SOURCE = 200;
