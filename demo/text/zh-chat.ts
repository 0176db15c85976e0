import type { ChatWords } from 'rolezero/element';
import type { ChatTexts, OwnParts } from './chat-words.js';

const changes = { created: '创建了', changed: '修改了', removed: '删除了' };

/** The texts of the conversation in Chinese. */
export const zhChat: Omit<ChatWords, keyof ChatTexts | OwnParts> = {
  conversation: '对话',
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
  approveRun: '本次运行中允许',
  approveSession: '本会话中允许',
  deny: '拒绝',
  denyReason: '如果拒绝：希望怎么做',
};
