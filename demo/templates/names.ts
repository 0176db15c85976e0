/** Small pages to begin with, by name. The first view shows their pictures; `scripts/template-pictures.mjs` takes them. */
export const TEMPLATE_NAMES = [
  'game',
  'quiz',
  'pomodoro',
  'kanban',
  'habits',
  'budget',
  'tip-calculator',
  'drawing',
  'converter',
  'bakery',
] as const;
export type TemplateName = (typeof TEMPLATE_NAMES)[number];
