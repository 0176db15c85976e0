/** One line of a view and what is below it. */
export interface TreeNode {
  /** The same in each view as long as the element or text lives. */
  key: string;
  /** The whole line of an element; the bare words of a text. */
  text: string;
  kind: 'element' | 'text' | 'note';
  inView: boolean;
  children: TreeNode[];
}

export function note(text: string): TreeNode {
  return { key: text, text, kind: 'note', inView: true, children: [] };
}

/** Holds nothing but one thing that is clicked anyway: the click on that reaches both. */
export function holdsOneControl({ children }: TreeNode): boolean {
  const [only, ...others] = children;
  if (!only || others.length > 0) return false;
  return /^\[[\d.]+\] (link|button|checkbox|radio|menuitem|option|tab)\b/.test(only.text);
}

/** What holds nothing but a picture with a name has that name. */
export function namedByPicture(children: TreeNode[]): [name: string, children: TreeNode[]] {
  const [only, ...others] = children;
  const [, name] = /^\[[\d.]+\] img '([^'\\]*)'$/.exec(only?.text ?? '') ?? [];
  return name === undefined || others.length > 0 || only?.kind !== 'element' ? ['', children] : [name, []];
}

export function remove(nodes: TreeNode[], fits: (node: TreeNode) => boolean): void {
  nodes.splice(0, nodes.length, ...nodes.filter((node) => !fits(node)));
}
