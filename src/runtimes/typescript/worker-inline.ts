/** The worker of the TypeScript runtime as text. This is a placeholder: the build inserts the bundled worker here. */
export const source = '';
