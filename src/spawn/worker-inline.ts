/**
 * The ready-made worker as text, for pages which cannot load it as a file. This is a stand-in: the build puts the bundled worker here.
 * Started from source, where every bundler and dev server finds the file, it is never needed.
 */
export const source = '';
