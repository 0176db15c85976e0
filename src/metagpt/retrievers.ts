import type { ExperienceRetriever } from '../core/experience.js';

/** Returns no examples. */
export class DummyExpRetriever implements ExperienceRetriever {
  retrieve(): string {
    return '';
  }
}

/** Always returns the same examples; by default, those of a team leader. */
export class SimpleExpRetriever implements ExperienceRetriever {
  readonly #examples: string;

  constructor(examples = LEAD_A_TEAM) {
    this.#examples = examples;
  }

  retrieve(): string {
    return this.#examples;
  }
}

/** Returns the example for the first keyword in the context, ignoring case: deploy, issue, then URLs and searches. */
export class KeywordExpRetriever implements ExperienceRetriever {
  retrieve(context: string): string {
    const text = context.toLowerCase();
    const holds = (word: string): boolean => text.includes(word);
    if (holds('deploy')) return DEPLOY;
    if (holds('issue')) return FIX_ISSUE;
    if (!holds('https:') && !holds('http:') && !holds('search')) return '';
    return holds('search') || holds('click') ? SCRAPE_PAGES : READ_A_PAGE;
  }
}

/**
 * Worked examples for prompts. They are short, because the model must process every token of them. Each shows one situation and a suitable
 * reply.
 */

/** For a team leader: plan, delegate, inform the user. */
const LEAD_A_TEAM = `Example 1: a user asks for a small game.
The requirement is clear and takes two trades. I plan it, delegate the first task, and tell the user.
\`\`\`json
[
    {"command_name": "Plan.append_task", "args": {"task_id": "1", "dependent_task_ids": [], "instruction": "Write down what the snake game must do, in /docs/game.md", "assignee": "Alice"}},
    {"command_name": "Plan.append_task", "args": {"task_id": "2", "dependent_task_ids": ["1"], "instruction": "Write the snake game to /docs/game.md in /game/index.html", "assignee": "Alex"}},
    {"command_name": "TeamLeader.publish_message", "args": {"content": "Write down what the snake game must do, in /docs/game.md", "send_to": "Alice"}},
    {"command_name": "RoleZero.reply_to_human", "args": {"content": "Alice is working out what the game must do; Alex writes it next."}}
]
\`\`\`
Example 2: Alice reports that /docs/game.md is written.
The first task is fulfilled. I finish it and delegate the next one.
\`\`\`json
[
    {"command_name": "Plan.finish_current_task", "args": {}},
    {"command_name": "TeamLeader.publish_message", "args": {"content": "Write the snake game to /docs/game.md in /game/index.html", "send_to": "Alex"}}
]
\`\`\``;

const DEPLOY = `Example: a user asks to deploy the site in /site.
First I make sure that it can be built; the user chooses the target.
\`\`\`json
[
    {"command_name": "Plan.append_task", "args": {"task_id": "1", "dependent_task_ids": [], "instruction": "Build /site and check the result", "assignee": "Zero"}},
    {"command_name": "Plan.append_task", "args": {"task_id": "2", "dependent_task_ids": ["1"], "instruction": "Deploy the result and tell its address", "assignee": "Zero"}},
    {"command_name": "Terminal.run_command", "args": {"cmd": "ls -l /site"}}
]
\`\`\`
When the build is checked and no target was named:
\`\`\`json
[
    {"command_name": "Plan.finish_current_task", "args": {}},
    {"command_name": "RoleZero.ask_human", "args": {"question": "The site is built. Where shall I deploy it to?"}}
]
\`\`\``;

const FIX_ISSUE = `Example: a user asks to fix an issue: "parse_date fails on 31 December".
I find the cause before I change anything.
\`\`\`json
[
    {"command_name": "Plan.append_task", "args": {"task_id": "1", "dependent_task_ids": [], "instruction": "Find the cause in the code", "assignee": "Zero"}},
    {"command_name": "Plan.append_task", "args": {"task_id": "2", "dependent_task_ids": ["1"], "instruction": "Fix it and check the fix", "assignee": "Zero"}},
    {"command_name": "Editor.search_dir", "args": {"search_term": "parse_date", "dir_path": "/"}}
]
\`\`\`
When the cause is found: open the file, change only the wrong lines, check the result.
\`\`\`json
[
    {"command_name": "Editor.open_file", "args": {"path": "/src/dates.py", "line_number": 40}}
]
\`\`\``;

const READ_A_PAGE = `Example: a user asks what a page says.
I open it; its content comes with the next message.
\`\`\`json
[
    {"command_name": "Browser.goto", "args": {"url": "https://example.com/prices"}}
]
\`\`\`
When the page answers the question:
\`\`\`json
[
    {"command_name": "RoleZero.reply_to_human", "args": {"content": "The basic plan costs 5 euros a month (https://example.com/prices)."}},
    {"command_name": "end", "args": {}}
]
\`\`\``;

const SCRAPE_PAGES = `Example: a user asks to search a site for "lamps" and to save what it finds.
I open the site, use its search field, and read the result before I write.
\`\`\`json
[
    {"command_name": "Plan.append_task", "args": {"task_id": "1", "dependent_task_ids": [], "instruction": "Search the site for lamps", "assignee": "Zero"}},
    {"command_name": "Plan.append_task", "args": {"task_id": "2", "dependent_task_ids": ["1"], "instruction": "Write names and prices to /lamps.csv", "assignee": "Zero"}},
    {"command_name": "Browser.goto", "args": {"url": "https://shop.example.com"}}
]
\`\`\`
When the page shows the search field as element 12 and its button as element 13:
\`\`\`json
[
    {"command_name": "Browser.type", "args": {"element_id": 12, "content": "lamps"}},
    {"command_name": "Browser.click", "args": {"element_id": 13}}
]
\`\`\`
Then only what the page really says is written to the file.`;
