/** Roles and tags that the view treats alike. */

export const HIDDEN_TAGS = wordSet(
  'script style template noscript head link meta title base datalist colgroup defs clipPath mask marker symbol pattern linearGradient radialGradient filter desc metadata',
);

/** Containers that are omitted without a name or a state; their content moves up. */
export const DROPPED = wordSet(
  'img list listitem strong emphasis paragraph banner navigation region contentinfo main complementary article group document term definition insertion deletion form caption mark search rowgroup figure code time subscript superscript blockquote separator note legend cell gridcell columnheader rowheader feed math',
);

/** Roles whose text is their name. */
export const NAMED_BY_CONTENT = wordSet(
  'button link heading tab option menuitem menuitemcheckbox menuitemradio checkbox radio switch treeitem tooltip summary',
);

/** Roles that are known to be clickable. */
export const MEANT_FOR_CLICKS = wordSet(
  'button link checkbox radio switch textbox searchbox combobox listbox option tab menuitem menuitemcheckbox menuitemradio treeitem slider spinbutton summary iframe video audio',
);

/** Roles that often occur in groups of alternatives. */
export const ENTRIES = wordSet('listitem option cell gridcell tab treeitem link button');

export const CELLS = wordSet('cell gridcell columnheader rowheader');

/** Roles whose content is their value. */
export const LEAVES = wordSet('textbox searchbox slider progressbar canvas video audio spinbutton');

function wordSet(list: string): ReadonlySet<string> {
  return new Set(list.split(' '));
}
