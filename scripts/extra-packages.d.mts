/** A group of packages that long tests or benchmarks install with their first use. */
export type ExtraGroup =
  | 'are-the-types-wrong'
  | 'assemblyscript'
  | 'file-systems'
  | 'sentence-encoder'
  | 'transformers'
  | 'ai-sdk-7'
  | 'vite-7'
  | 'vite-6'
  | 'rspack'
  | 'rollup'
  | 'parcel'
  | 'next'
  | 'app-templates';
export function extraFolder(group: ExtraGroup): string;
export function extraPackages(group: ExtraGroup): string;
