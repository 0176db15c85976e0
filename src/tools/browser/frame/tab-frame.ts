/** Frame in which a tab shows a page. */
export interface TabFrame {
  readonly element: HTMLElement;
  close(why?: string): void;
}

/** Fills the container with a frame, visible or hidden. A hidden frame retains its size, so that its page can still be read. */
export function fillContainer(element: HTMLElement, shown: boolean): void {
  element.style.cssText = `position:absolute;inset:0;width:100%;height:100%;border:0;background:#fff;visibility:${shown ? 'visible' : 'hidden'}`;
}
