import * as s from '../../../core/schema.js';
import { defined } from '../../../core/defined.js';
import { RoleZeroError } from '../../../core/error.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { AT, AT_NAMES, elementId, ELEMENT_ALIASES, pixels, pointAt } from '../arguments.js';
import { MESSAGE_LIMITS } from '../limits.js';
import { ACTS, type Pages } from '../pages.js';

/** Keys to hold during a click: a list, or one text. */
const heldKeys = s.converted<string[]>(s.either(s.string(), s.list(s.string(), { maxItems: 4 })), (value) =>
  typeof value === 'string' ? value.split(/[+, ]+/) : value,
);

export function clickCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.click',
    hints: {
      small: { description: 'Click an element by its number, or a text.', place: 22 },
      readFirst: true, // a small model wrote a price before it saw the page that the click opened
    },
    approval: () => 'click on the open page',
    activity: { verb: 'Clicking on the page' },
    description: 'Click an element, or a text that has no number.',
    input: s.args({
      element_id: s.optional(elementId),
      text: s.optional(
        s.string({
          maxLength: 1_000,
          description: 'A text to click: in the element, or anywhere without one.',
        }),
      ),
      count: s.withDefault(
        s.integer({ minimum: 1, maximum: 3, description: '2 for a double click. Default: 1.' }),
        1,
      ),
      button: s.withDefault(s.oneOf(['left', 'middle', 'right'], { description: 'Default: left.' }), 'left'),
      ...AT,
      hold: s.described(s.optional(heldKeys), 'Keys held down meanwhile: ["Control"] or ["Shift"].'),
      seconds: s.withDefault(
        s.number({ minimum: 0, maximum: 5, description: 'How long the button stays down. Default: 0.' }),
        0,
      ),
    }),
    aliases: { ...AT_NAMES, clicks: 'count', modifiers: 'hold', keys: 'hold' },
    ...ACTS,
    run: ({ element_id, text, count, button, at_x, at_y, hold, seconds }, context) => {
      if (element_id === undefined && !text)
        throw new RoleZeroError('invalid', 'Nothing is named to click: give element_id or text.');
      return pages.act(
        {
          kind: 'click',
          ...(count === 1 ? {} : { count: count === 2 ? 2 : 3 }),
          ...(button === 'left' ? {} : { button }),
          ...defined({ element: element_id, text: text || undefined, at: pointAt(at_x, at_y), hold }),
          ...(seconds === 0 ? {} : { holdFor: seconds * 1000 }),
        },
        context,
      );
    },
  });
}

export function hoverCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.hover',
    approval: () => 'move the pointer on the open page',
    activity: { verb: 'Pointing at the page' },
    description: 'Move the mouse over an element, to open a menu or show a tip.',
    input: s.args({ element_id: elementId, ...AT }),
    aliases: AT_NAMES,
    ...ACTS,
    run: ({ element_id, at_x, at_y }, context) =>
      pages.act({ kind: 'hover', element: element_id, ...defined({ at: pointAt(at_x, at_y) }) }, context),
  });
}

export function dragCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.drag',
    approval: () => 'drag something on the open page',
    activity: { verb: 'Dragging on the page' },
    description:
      'Drag an element onto another one, or by so many pixels; from_x and from_y take hold of a point of it, at_x and at_y aim at a point of the other. text and to_text name what has no number; without any of these, the points are those of the screenshot. With path, draw in the element: [[10, 10], [60, 90]].',
    input: s.args({
      element_id: s.optional(elementId),
      text: s.optional(s.string({ maxLength: 1_000 })),
      to_element_id: s.optional(elementId),
      to_text: s.optional(s.string({ maxLength: 1_000 })),
      by_x: s.optional(pixels),
      by_y: s.optional(pixels),
      from_x: s.optional(pixels),
      from_y: s.optional(pixels),
      at_x: s.optional(pixels),
      at_y: s.optional(pixels),
      path: s.optional(
        s.list(s.list(pixels, { minItems: 2, maxItems: 2 }), {
          minItems: 2,
          maxItems: MESSAGE_LIMITS.path,
          description: 'Points of the element, as [x, y], to draw a line through.',
        }),
      ),
    }),
    aliases: { ...ELEMENT_ALIASES, points: 'path', from: 'element_id', to: 'to_element_id' },
    ...ACTS,
    run: (input, context) => {
      const { element_id, to_element_id, by_x, by_y, path } = input;
      const [from, at] = [pointAt(input.from_x, input.from_y), pointAt(input.at_x, input.at_y)];
      const [text, toText] = [input.text || undefined, input.to_text || undefined];
      if (element_id === undefined && text === undefined && (from === undefined || path !== undefined))
        throw new RoleZeroError(
          'invalid',
          'Nothing is named to drag: give element_id, text, or from_x and from_y.',
        );
      const hasTarget = to_element_id !== undefined || toText !== undefined;
      const isToPoint = !hasTarget && at !== undefined && by_x === undefined && by_y === undefined;
      return pages.act(
        {
          kind: 'drag',
          ...(hasTarget || isToPoint ? {} : { by: { x: by_x ?? 0, y: by_y ?? 0 } }),
          ...defined({
            element: element_id,
            text,
            to: to_element_id,
            toText,
            from,
            at,
            path: path?.map(([x = 0, y = 0]) => ({ x, y })),
          }),
        },
        context,
      );
    },
  });
}

export function scrollCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.scroll',
    activity: { verb: 'Scrolling the page' },
    description:
      'Scroll by one height of the window, or of an element that scrolls; "into" brings the element into view.',
    input: s.args({
      direction: s.oneOf(['down', 'up', 'left', 'right', 'into']),
      element_id: s.optional(elementId),
    }),
    aliases: ELEMENT_ALIASES,
    ...ACTS,
    effect: 'session', // a direction is no content
    run: ({ direction, element_id }, context) =>
      pages.act({ kind: 'scroll', direction, ...defined({ element: element_id }) }, context),
  });
}

export function selectTextCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.select_text',
    approval: () => 'select text on the open page',
    activity: { verb: 'Selecting text on the page' },
    description:
      'Select text on the page as with the mouse: the text within the element, all of the element without a text, the text anywhere without an element. Control+c then copies it.',
    input: s.args({
      element_id: s.optional(elementId),
      text: s.optional(s.string({ minLength: 1, maxLength: 20_000 })),
    }),
    aliases: ELEMENT_ALIASES,
    ...ACTS,
    run: ({ element_id, text }, context) =>
      pages.act(
        {
          kind: 'selectText',
          ...defined({ element: element_id, text }),
        },
        context,
      ),
  });
}
