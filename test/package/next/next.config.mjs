import { dirname } from 'node:path';

// The application lies in the folder that has Next installed.
export default { output: 'export', turbopack: { root: dirname(import.meta.dirname) } };
