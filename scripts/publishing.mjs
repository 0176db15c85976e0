// @ts-check
/** Explains why nothing is published from a developer's machine. */
export const PUBLISHING =
  'Not published. Only the workflow "Release" publishes: npm then shows from which commit and by which run the package was built (provenance), ' +
  'all checks have passed on that commit, and no machine stores a token. Make a tag with `npm run release -- 0.2.0`, and push it: git push --follow-tags';
