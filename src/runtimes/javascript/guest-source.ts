/** The library of the interpreter as the text of a script. This is a placeholder: the build, and Vite, insert the bundled `guest/` here. */
export const guestSource: string = '';
