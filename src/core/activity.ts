import type { AgentEvent, Phase } from './events.js';

/** Maximum number of characters of an argument that are shown. */
const MAX_SHOWN = 80;

/**
 * Returns what the agent is doing, in a few words for users: "Writing /index.html", "Running ls -l", "Thinking".
 *
 * @param current the activity so far, which most events do not change
 * @returns null when the agent does nothing
 * @example
 * let activity: string | null = null;
 * session.on((event) => {
 *   activity = activityOf(event, activity);
 * });
 */
export function activityOf(event: AgentEvent, current: string | null = null): string | null {
  switch (event.type) {
    case 'run-start':
      return 'Starting';
    case 'phase':
      // The phase before a command is less specific than the command, but an answered question is over.
      if (event.phase === 'acting') return current?.startsWith(WAITING) === true ? 'Working' : current;
      return PHASES[event.phase] ?? current;
    case 'command-start':
      return commandWords(event.name, event.args);
    case 'human-question':
    case 'approval-request':
      return waitingFor(event.question.kind);
    case 'model-progress':
      return loading(event.loaded, event.total);
    case 'reply-delta':
    case 'reasoning-delta':
      return current?.startsWith(LOADING) === true ? 'Thinking' : current;
    case 'run-end':
      return event.status === 'waiting' ? current : null;
    default:
      return current;
  }
}

/** Returns what the agent waits for while a question of that kind is open. */
export function waitingFor(kind: 'question' | 'approval'): string {
  return `${WAITING} ${kind === 'approval' ? 'approval' : 'answer'}`;
}

const WAITING = 'Waiting for your';

const LOADING = 'Loading the model';

function loading(loaded: number, total: number): string {
  const isKnown = total > 0 && loaded >= 0 && loaded <= total;
  return isKnown ? `${LOADING}, ${Math.floor((loaded / total) * 100)} %` : LOADING;
}

const PHASES: Partial<Record<Phase, string>> = {
  classifying: 'Reading the request',
  thinking: 'Thinking',
};

/** The verb shown for a command, and the argument shown after it. */
const COMMANDS: Partial<Record<string, readonly [verb: string, argument?: string]>> = {
  'Editor.write': ['Writing', 'path'],
  'Editor.create_file': ['Creating', 'path'],
  'Editor.read': ['Reading', 'path'],
  'Editor.open_file': ['Opening', 'path'],
  'Editor.goto_line': ['Reading a file'],
  'Editor.scroll_down': ['Reading a file'],
  'Editor.scroll_up': ['Reading a file'],
  'Editor.edit_file_by_replace': ['Editing', 'path'],
  'Editor.insert_content_at_line': ['Editing', 'path'],
  'Editor.replace_text': ['Editing', 'path'],
  'Editor.append_file': ['Editing', 'path'],
  'Editor.undo_edit': ['Undoing a change of', 'path'],
  'Editor.find_file': ['Looking for', 'file_name'],
  'Editor.search_dir': ['Searching the files for', 'search_term'],
  'Editor.search_file': ['Searching a file for', 'search_term'],
  'Editor.similarity_search': ['Searching the files for', 'query'],
  'Terminal.run_command': ['Running', 'cmd'],
  'Terminal.get_stdout_output': ['Reading the output of the terminal'],
  'Terminal.stop_job': ['Stopping a background job'],
  'Browser.goto': ['Opening', 'url'],
  'Browser.go_back': ['Going back a page'],
  'Browser.go_forward': ['Going forward a page'],
  'Browser.tab_focus': ['Switching to another tab'],
  'Browser.close_tab': ['Closing a tab'],
  'Browser.view': ['Looking at the page'],
  'Browser.screenshot': ['Taking a screenshot'],
  'Browser.console': ['Reading the console of the page'],
  'Browser.click': ['Clicking on the page'],
  'Browser.check': ['Clicking on the page'],
  'Browser.hover': ['Pointing at the page'],
  'Browser.drag': ['Dragging on the page'],
  'Browser.scroll': ['Scrolling the page'],
  'Browser.type': ['Typing on the page'], // not what: it may be a password
  'Browser.press': ['Pressing', 'key_comb'],
  'Browser.select': ['Choosing an option on the page'],
  'Browser.select_text': ['Selecting text on the page'],
  'Browser.upload': ['Uploading a file to the page'],
  'Browser.answer_dialogs': ['Preparing the answer to a dialog'],
  'Browser.wait_for_text': ['Waiting for the page'],
  'Browser.wait': ['Watching the page'],
  'SearchEnhancedQA.run': ['Searching the web for', 'query'],
  'Plan.append_task': ['Adding to the plan:', 'instruction'],
  'Plan.replace_task': ['Changing the plan:', 'new_instruction'],
  'Plan.reset_task': ['Changing the plan'],
  'Plan.finish_current_task': ['Finishing a task'],
  'RoleZero.ask_human': ['Asking you'],
  'RoleZero.reply_to_human': ['Replying'],
  'TeamLeader.publish_team_message': ['Writing to', 'send_to'],
  publish_message: ['Writing to', 'send_to'],
  pass: ['Thinking'],
  end: ['Finishing'],
};

/** Returns what a command does, such as "Writing /index.html"; "Using" and its name for a command without words. */
function commandWords(name: string, args: Readonly<Record<string, unknown>>): string {
  const [verb, argument] = Object.hasOwn(COMMANDS, name) ? (COMMANDS[name] ?? []) : [];
  if (verb === undefined) return `Using ${shortened(name)}`;
  if (argument === undefined) return verb;
  const value = args[argument];
  const shown = Array.isArray(value) ? value.filter((each) => typeof each === 'string').join(', ') : value;
  return typeof shown === 'string' && shown.trim() !== ''
    ? `${verb} ${shortened(shown)}`
    : withoutArgument(verb);
}

/** Returns what a command does without its argument, such as "Writing"; undefined for a command without words. */
export function commandVerb(name: string): string | undefined {
  const [verb] = Object.hasOwn(COMMANDS, name) ? (COMMANDS[name] ?? []) : [];
  return verb === undefined ? undefined : withoutArgument(verb);
}

/** Removes the last words before an argument: "Searching the web for" becomes "Searching the web". */
function withoutArgument(verb: string): string {
  return verb.replace(/(?: (?:for|to|of)|:)$/, '');
}

function shortened(text: string): string {
  const line = text
    .slice(0, MAX_SHOWN * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= MAX_SHOWN) return line;
  const head = line.slice(0, MAX_SHOWN - 1).replace(/[\ud800-\udbff]$/, ''); // not half of a surrogate pair
  return `${head}…`;
}
