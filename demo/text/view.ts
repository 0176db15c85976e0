/** The texts around a page in a tab of its own, by language. */
export const viewTexts = {
  en: {
    ownPage: 'A page of your session. It has no network, and what it stores is lost with this tab.',
    sentPage: 'Somebody made this page and put it into the link. It has no network. Enter no passwords.',
    gone: 'This page is no longer here. Open it from its session again.',
    damaged: 'This link is incomplete or damaged. Ask for it again.',
    openDemo: 'Open RoleZero',
    page: 'The page',
  },
  zh: {
    ownPage: '你的会话中的页面。它没有网络，它存储的内容随此标签页一起消失。',
    sentPage: '有人制作了这个页面并放进链接。它没有网络。请勿输入密码。',
    gone: '这个页面已不在这里。请从它的会话中重新打开。',
    damaged: '这个链接不完整或已损坏。请让对方重新发送。',
    openDemo: '打开 RoleZero',
    page: '页面',
  },
};
