/**
 * The shell's worker as text, for builds that do not know workers. This is a stand-in: the build puts the bundled worker here. Started
 * from source, where every dev server finds the file, it is never needed.
 */
export const source = '';
