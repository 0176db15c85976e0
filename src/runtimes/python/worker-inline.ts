/** The worker of the Python runtime as text. This is a placeholder: the build inserts the bundled worker here. */
export const source = '';
