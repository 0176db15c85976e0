/** The worker of the SQLite runtime as text. This is a placeholder: the build inserts the bundled worker here. */
export const source = '';
