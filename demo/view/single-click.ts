/** A listener for which the second click of a double click does nothing. The first one may have put another button under the pointer. */
export function singleClick(run: (event: MouseEvent) => void): (event: MouseEvent) => void {
  return (event) => {
    if (event.detail < 2) run(event);
  };
}
