/** One line of a view, with its children. */
export interface TreeNode {
  /** Stays the same in each view for the lifetime of the element or text. */
  key: string;
  /** Complete line of an element, or the plain text of a text node. */
  text: string;
  kind: 'element' | 'text' | 'note';
  inView: boolean;
  children: TreeNode[];
}

export function noteNode(text: string): TreeNode {
  return { key: text, text, kind: 'note', inView: true, children: [] };
}

/** Returns whether a node's only child is a clickable control: a click on the control also reaches the node. */
export function holdsOneControl({ children }: TreeNode): boolean {
  const [only, ...others] = children;
  if (!only || others.length > 0) return false;
  return /^\[[\d.]+\] (link|button|checkbox|radio|menuitem|option|tab)\b/.test(only.text);
}

/** Returns the name of the only picture in an element as the name of that element. */
export function namedByPicture(children: TreeNode[]): [name: string, children: TreeNode[]] {
  const [only, ...others] = children;
  const [, name] = /^\[[\d.]+\] img '([^'\\]*)'$/.exec(only?.text ?? '') ?? [];
  return name === undefined || others.length > 0 || only?.kind !== 'element' ? ['', children] : [name, []];
}

export function removeNodes(nodes: TreeNode[], fits: (node: TreeNode) => boolean): void {
  nodes.splice(0, nodes.length, ...nodes.filter((node) => !fits(node)));
}
