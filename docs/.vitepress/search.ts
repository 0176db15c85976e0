/**
 * The search of the site. Guides come before the reference, whose many short entries are named after single words: a search for "next.js"
 * is about the framework, not about `next()`. The words of the changelog and of the lists for contributors count less, too.
 */
export const search = {
  provider: 'local' as const,
  options: {
    miniSearch: {
      searchOptions: {
        // VitePress passes the text of this function to the page, so it uses nothing outside of itself.
        boostDocument: (address: string): number => {
          if (address.includes('/reference/')) return 0.1;
          return /\/(changelog|contributing|coverage|durability-tests|benchmarks)\./.test(address) ? 0.3 : 1;
        },
      },
    },
  },
};
