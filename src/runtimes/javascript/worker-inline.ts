/** The worker of the JavaScript runtime as text. This is a placeholder: the build inserts the bundled worker here. */
export const source = '';
