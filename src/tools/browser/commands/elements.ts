import { defined } from '../../../core/defined.js';
import { RoleZeroError } from '../../../core/error.js';
import * as s from '../../../core/schema.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { AT, AT_NAMES, ELEMENT_ALIASES, elementId, oneOrMore, pixels, pointAt } from '../arguments.js';
import { MESSAGE_LIMITS } from '../limits.js';
import { ACTS, noteRead, success, type Pages } from '../pages.js';

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

export function typeTextCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.type',
    hints: { small: { description: 'Type into a field.', place: 23 } },
    approval: ({ content }) => `type “${content.slice(0, 80)}” into the open page`,
    activity: { verb: 'Typing on the page' }, // not what: it may be a password
    description:
      'Click a field and type into it, after what is there unless it is cleared; with press_enter_after, press Enter at the end. Without element_id: type where the focus is.',
    input: s.args({
      element_id: s.optional(elementId),
      content: s.string({ maxLength: 20_000 }),
      press_enter_after: s.withDefault(s.boolean(), false),
      clear: s.withDefault(s.boolean({ description: 'Empty the field first. Default: false.' }), false),
    }),
    aliases: { ...ELEMENT_ALIASES, text: 'content', value: 'content', enter: 'press_enter_after' },
    ...ACTS,
    run: ({ element_id, content, press_enter_after, clear }, context) =>
      pages.act(
        {
          kind: 'type',
          ...defined({ element: element_id }),
          text: content,
          clear,
          enter: press_enter_after,
        },
        context,
      ),
  });
}

export function pressCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.press',
    approval: ({ key_comb }) => `press ${key_comb} on the open page`,
    activity: { verb: 'Pressing', argument: 'key_comb' },
    description:
      'Press a key or a combination, such as Enter, Tab, Escape, ArrowDown or Control+a; several with blanks between.',
    input: s.args({
      key_comb: s.string({ minLength: 1, maxLength: 200 }),
      element_id: s.described(s.optional(elementId), 'Gets the focus before. Default: what has it.'),
      seconds: s.withDefault(
        s.number({ minimum: 0, maximum: 5, description: 'How long the last key stays down. Default: 0.' }),
        0,
      ),
    }),
    aliases: { ...ELEMENT_ALIASES, keys: 'key_comb', key: 'key_comb', key_combination: 'key_comb' },
    ...ACTS,
    run: ({ key_comb, element_id, seconds }, context) =>
      pages.act(
        {
          kind: 'press',
          keys: key_comb,
          ...defined({ element: element_id }),
          ...(seconds === 0 ? {} : { holdFor: seconds * 1000 }),
        },
        context,
      ),
  });
}

export function selectOptionsCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.select',
    approval: () => 'choose an option on the open page',
    activity: { verb: 'Choosing an option on the page' },
    description: 'Choose options of a list, by their text or value.',
    input: s.args({
      element_id: elementId,
      options: oneOrMore(100),
    }),
    aliases: { ...ELEMENT_ALIASES, option: 'options', values: 'options', value: 'options' },
    ...ACTS,
    run: ({ element_id, options: chosen }, context) =>
      pages.act({ kind: 'select', element: element_id, options: chosen }, context),
  });
}

export function checkBoxCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.check',
    approval: () => 'tick a box on the open page',
    activity: { verb: 'Clicking on the page' },
    description: 'Check or uncheck a checkbox, radio button or switch.',
    input: s.args({ element_id: elementId, checked: s.withDefault(s.boolean(), true) }),
    aliases: ELEMENT_ALIASES,
    ...ACTS,
    run: ({ element_id, checked }, context) =>
      pages.act({ kind: 'check', element: element_id, checked }, context),
  });
}

export function uploadCommand(pages: Pages): Tool {
  return builtInTool({
    name: 'Browser.upload',
    approval: ({ paths }) => `give ${[paths].flat().join(', ')} to the open page`,
    activity: { verb: 'Uploading a file to the page' },
    description: 'Put files of the workspace into a file field.',
    input: s.args({
      element_id: elementId,
      paths: oneOrMore(20),
    }),
    aliases: { ...ELEMENT_ALIASES, path: 'paths', files: 'paths' },
    ...ACTS,
    run: async ({ element_id, paths }, context) => {
      await noteRead(paths, context);
      return success(await pages.call({ do: 'upload', element: element_id, paths }, context));
    },
  });
}
