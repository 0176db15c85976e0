import * as s from '../../../core/schema.js';
import { defined } from '../../../core/defined.js';
import { builtInTool, type Tool } from '../../../core/tool.js';
import { elementId, ELEMENT_ALIASES, oneOrMore } from '../arguments.js';
import { success } from '../observation.js';
import { ACTS, noteRead, type Pages } from '../pages.js';

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
