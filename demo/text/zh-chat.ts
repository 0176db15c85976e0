import type { Question } from 'rolezero';
import type { ChatWords } from 'rolezero/element';
import type { ChatTexts, OwnParts } from './chat-words.js';

const changes = { created: '创建了', changed: '修改了', removed: '删除了' };

type Facts = NonNullable<Question['facts']>;

/** Why the user is asked. */
const WHY: Record<Facts['why'], (role: string, facts: Facts) => string> = {
  connect: () => '这个页面打开后，可以自己通过互联网把内容发到这里没有列出的地方。',
  unnamed: () => '你没有提到过这个地址。',
  further: (role, { reads = 0 }) =>
    `你没有提到过这个网站的这个页面，之前已打开 ${reads} 个这样的页面。通过选择打开哪些页面、打开多少，${role} 可能把读到的内容透露给网站。`,
  query: (role) => `这是 ${role} 自己写的。`,
  composed: (role, { action }) =>
    action.do === 'open' ? `这个网址是 ${role} 自己编出来的。` : `这是 ${role} 自己写的。`,
  outside: (role) => `这会影响对话之外，而且 ${role} 无法撤回。`,
  sender: () => '这个请求不是你发出的。',
  file: (role) => `这会改变你交给 ${role} 的文件。`,
  rule: (role) => `在本应用中，${role} 要得到你的许可才能这样做。`,
};

function listOf(names: readonly string[]): string {
  return names.length > 3 ? `${names.slice(0, 3).join('、')} 等 ${names.length} 项` : names.join('、');
}

function reasonIn({ role, facts, reason }: Question): string | undefined {
  if (facts === undefined) return reason;
  const why = WHY[facts.why](role, facts);
  if (facts.sources.length === 0) return why;
  return `${why}${role} 读过 ${listOf(facts.sources)} 的内容：它可能让 ${role} 这样做，而你并不想要。`;
}

function disclosureIn({ role, facts, disclosure }: Question): string | undefined {
  if (facts?.receiver === undefined) return disclosure;
  const way = facts.receiver === '' ? '由此传出去' : `传到 ${facts.receiver}`;
  if (facts.quoted !== undefined) return `其中有你写的话“${facts.quoted}”，会${way}。`;
  const known = facts.secrets.length === 0 ? '你的私人数据' : listOf(facts.secrets);
  return `${role} 读过 ${known}；其中的内容可能${way}。`;
}

function coverageIn({ facts, coverage }: Question): string | undefined {
  if (facts === undefined) return coverage;
  const { lasts, covers } = facts;
  if (lasts === 'once') return undefined;
  const until = lasts === 'run' ? '到这个请求完成为止' : '整个对话';
  const duration = `除非只允许一次，否则你的许可有效期为：${until}。`;
  if (covers === undefined) return `${duration}在此期间允许完全相同的操作。`;
  if ('service' in covers) return `${duration}在此期间允许所有只从 ${covers.service} 读取的操作。`;
  const { tool, target, at, links = false } = covers;
  const on = target === undefined ? '' : '（同一目标）';
  const where = at === '' ? '' : `，地点：${at}`;
  return `${duration}在此期间允许每次 ${tool}${on}${where}${links ? '（仅限你或某个页面提到过的地址）' : ''}。`;
}

/** The texts of the conversation in Chinese. */
export const zhChat: Omit<ChatWords, keyof ChatTexts | OwnParts> = {
  conversation: '对话',
  requestActions: '更改这个请求',
  edit: '编辑',
  editHint: '文件和计划会回到这个请求之前的样子。现在的内容可以再找回来。',
  cancel: '取消',
  waiting: (isRunning) => (isRunning ? '等待中：当前步骤结束后读取' : '等待中：继续运行时读取'),
  withdraw: '撤回',
  save: '保存',
  readMeanwhile: '智能体已经读了这个请求：现在发送的是另一个请求。',
  regenerate: '重新回答',
  copy: '复制',
  copied: '已复制',
  diagramAlt: '图表',
  version: (shown, count) => `第 ${shown} 个版本，共 ${count} 个`,
  versionBefore: '上一个版本',
  versionAfter: '下一个版本',
  search: '在对话中搜索',
  found: (shown, count) => (count === 0 ? '没有找到' : `第 ${shown} 个，共 ${count} 个`),
  searchOlder: '更早的结果',
  searchNewer: '更晚的结果',
  searchClose: '关闭搜索',
  changedFiles: (count) => `更改了 ${count} 个文件`,
  changedLines: (added, removed) => `增加 ${added} 行，删除 ${removed} 行`,
  moreLines: (count) => `……还有 ${count} 行`,
  noLines: '无法逐行比较这个文件。',
  undo: '撤销',
  redo: '重做',
  undone: '已撤销',
  allFiles: '这个请求的所有文件',
  conflict: (paths) => `你后来改动过：${paths.join('、')}`,
  keepNow: '保留我的版本',
  takeRestored: '放弃我的改动',
  keepBoth: '两者都保留并标记',
  effectsRemain: (commands) => `以下操作发生在会话之外，未撤回：${commands.join('、')}。`,
  attach: '添加文件',
  remove: (name) => `移除 ${name}`,
  step: '步骤',
  thought: '思考',
  beingWritten: '正在书写',
  noCommands: '这条回复没有给出命令；已告知模型。',
  asked: (role) => `${role} 提问`,
  finished: '完成',
  finishedWithFailures: (commands) => `已结束，但有 ${commands} 条命令失败`,
  roleDone: (role) => `${role} 已完成。`,
  summingUp: '正在总结……',
  output: '输出',
  to: (from, to) => `${from} 致 ${to}`,
  moreCharacters: (count) => `……还有 ${count} 个字符`,
  lines: (count) => `${count} 行`,
  states: { waiting: '尚无结果', running: '运行中', ok: '完成', failed: '失败' },
  asides: {
    classify: '正在判断这是什么样的请求……',
    language: '正在确定用哪种语言回答……',
    summary: '正在总结……',
    report: '正在写结束语……',
    repair: '正在重新读取回复……',
  },
  facts: ({ files, fileCount, pages, commands, failures }) =>
    [
      ...files.slice(0, 8).map(({ path, change }) => `${changes[change]} ${path}。`),
      ...(fileCount > 8 ? [`另外更改了 ${fileCount - 8} 个文件。`] : []),
      ...(fileCount === 0 ? ['没有更改任何文件。'] : []),
      ...(pages.length === 0 ? [] : [`打开了 ${pages.length} 个页面。`]),
      ...(failures === 0 ? [] : [`${commands} 个命令中有 ${failures} 个失败。`]),
    ].join(''),
  recalled: (count) => `想起了 ${count} 条记忆。`,
  asks: (role) => `${role} 提问`,
  asksApproval: (role) => `${role} 请求许可`,
  yourAnswer: '你的回答',
  ownAnswer: '或者用自己的话',
  ifEmpty: (answer: string) => `留空则为：${answer}`,
  answer: '回答',
  details: '将要做的事',
  linesToRead: (count) => `共 ${count} 行，全部在此：滚动阅读。`,
  approve: '允许',
  approveOnce: '允许一次',
  approveRun: '在这个请求完成之前都允许',
  approveSession: '在整个对话中都允许',
  deny: '拒绝',
  denyReason: '如果拒绝：希望怎么做',
  reason: reasonIn,
  disclosure: disclosureIn,
  coverage: coverageIn,
  changeArguments: '修改后再允许',
  approveChanged: '按修改后的内容允许一次',
  notJson: '请用与原来相同的形式填写：数字、true 或 false，或者 JSON。',
  allowed: (count) => `你已允许 ${count} 项`,
  allowedTo: ({ role, text }) => `${role}：${text}`,
  untilRunEnds: '到这个请求完成为止',
  untilSessionEnds: '整个对话',
  revoke: '撤销',
};
