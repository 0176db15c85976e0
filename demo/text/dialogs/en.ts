export const en = {
  requestWaits: 'Your request is saved. It is sent as soon as a model is connected.',
  cards: {
    here: { title: 'This computer', about: 'Private and free. Smaller models, no server.' },
    server: { title: 'A local server', about: 'Ollama, LM Studio or llama.cpp on this machine.' },
    key: { title: 'An API key', about: 'A hosted service. The most capable models.' },
  },
  looking: 'Looking…',
  noneFound: 'None found',
  serversFound: (names: string) => `Found: ${names}`,
  storedCount: (count: number) => (count === 1 ? '1 model downloaded' : `${count} models downloaded`),
  readyToUse: 'Ready to use',
  needsDownload: 'Needs a download',
  keyState: 'OpenRouter, OpenAI and others',
  tourInstead: 'Watch a tour instead',
  disconnect: 'Disconnect',
  cancel: 'Cancel',
  use: 'Use',

  hereAbout: 'These models run in this tab. No data leaves this computer, and they work offline.',
  free: (size: string) => `${size} are free for this site.`,
  recommended: 'Recommended',
  stored: 'Downloaded',
  lacksSpace: 'There is not enough free space for this model.',
  needsMemory: (gigabytes: string) => `needs ${gigabytes} GB of GPU memory`,
  onGpu: 'GPU',
  onProcessor: 'Processor',
  chromeAbout: 'Part of the browser · for small tasks',
  speeds: {
    fast: 'fast',
    medium: 'medium speed',
    slow: 'slow',
    'very-slow': 'very slow, an answer takes minutes',
  },
  qualities: {
    tiny: 'for single small edits',
    small: 'for simple pages, loses track in longer tasks',
    medium: 'for small applications, makes mistakes',
    large: 'the most capable here, but below hosted models',
    unknown: 'quality unknown',
  },
  download: 'Download',
  downloadProgress: 'Download of the model',
  starting: 'Starting…',
  testing: 'Downloaded. Loading it once as a test…',
  bytesOf: (loaded: string, total: string) => `${loaded} of ${total}`,
  rate: (megabytes: string) => `${megabytes} MB/s`,
  timeLeft: (seconds: number) => (seconds < 60 ? `${seconds} s left` : `${Math.ceil(seconds / 60)} min left`),
  storedTitle: (size: string) => `Other downloaded models, ${size}`,
  storedSize: (size: string, isComplete: boolean) =>
    isComplete ? `Uses ${size} of this device.` : `${size} of it are already downloaded.`,
  deleteModel: (name: string) => `Delete ${name}`,
  notFound: 'Not available here',
  ownFile: 'Your own GGUF file, on the processor',
  fileAddress: 'URL of the file',
  fileHint:
    'Any model that llama.cpp runs, up to 2 GB, on a server that allows this page (CORS). Its size is checked before the download.',
  fileWindow: 'Window size, tokens',
  checkFile: 'Check the file',

  noServer: 'No server answers at the usual ports: Ollama 11434, LM Studio 1234, llama.cpp 8080.',
  lookAgain: 'Look again',
  howToStart: 'How to start a server',
  otherAddress: 'A server at another address',
  system: 'System',
  systems: { mac: 'macOS', windows: 'Windows', linux: 'Linux' },
  starts: {
    ollama:
      'OLLAMA_ORIGINS permits this page. Quit Ollama first, and start it again after changing the settings.',
    'lm-studio': 'The option --cors permits this page. In the application: Developer, Settings, Enable CORS.',
    'llama-cpp': 'Permits every page; no setting is needed.',
  },
  commands: 'commands',
  copy: 'Copy',
  copied: 'Copied.',

  service: 'Service',
  anyService: 'Another service with the OpenAI API',
  serviceNote: 'Your requests and files are sent to this service.',
  createKey: 'Create a key',
  baseURL: 'Base URL',
  modelName: 'Model',
  modelHint: 'empty: choose from the list after the test',
  apiKey: 'API key',
  keyPlaceholder: 'paste your key',
  keyHint: 'none for most local servers',
  rememberKey: 'Remember the key on this device',
  keyNote:
    'The key is sent to this server only. It is held in memory until a reload. If remembered, it is stored in this browser as plain text, readable by anyone who uses this browser profile.',
  placeholderKey: 'This is not a key but a placeholder. Paste the key of your account.',
  keyNeeded: 'This service needs a key.',
  modelNeeded: 'Enter the name of a model.',
  advanced: 'Advanced',
  contextWindow: 'Context window, tokens',
  connect: 'Connect',
  test: 'Test connection',
  connectAnyway: 'Connect without a test',
  useAddress: (address: string) => `Use ${address}`,
  checking: 'Testing the connection…',
  checkOk: (count: number) =>
    count === 0
      ? 'The server answers, and lists no models. Enter a name.'
      : `The server answers: ${count === 1 ? '1 model' : `${count} models`}. Choose one and connect.`,
  unlisted: (model: string) =>
    `The server answers, but does not list “${model}”. Choose one of its models above and connect.`,
  useUnlisted: (model: string) => `Use ${model} anyway`,
  faults: {
    key: (status: number) =>
      `The server rejects the key (status ${status}). Check the key and its permissions.`,
    path: 'The server answers, but there is no list of models at this URL. Check the path; it usually ends in /v1.',
    pathBetter: 'The server answers, but the path of this URL is wrong.',
    refused: (status: number) => `The server answers with status ${status}.`,
    cors: (origin: string) =>
      `A server answers, but it does not permit this page to read it (CORS). Allow the origin ${origin} in its settings.`,
    silent: 'Nothing answers at this address. Start the server, or correct the URL.',
    blocked:
      'The browser sends no requests from a secure page to an http:// address of another machine. Use https://, or localhost.',
  },

  /** What is deleted for good, and the button that does it. */
  deletions: {
    session: {
      title: 'Delete this session?',
      text: 'Its conversation, files, memories and notes are deleted from this browser. What sessions share stays. This cannot be undone.',
      action: 'Delete session',
    },
    note: {
      title: 'Delete this note?',
      text: 'Its earlier versions are deleted, too. This cannot be undone.',
      action: 'Delete note',
    },
    memory: {
      title: 'Forget this memory?',
      text: 'The agents can no longer recall it. This cannot be undone.',
      action: 'Forget',
    },
    shared: {
      title: 'Delete all shared memories and notes?',
      text: 'They are deleted for every session that shares them. This cannot be undone.',
      action: 'Delete',
    },
    model: {
      title: 'Delete this model?',
      text: 'It is deleted from this browser. You can download it again.',
      action: 'Delete model',
    },
    archived: {
      title: 'Is the file saved?',
      text: 'This file has the older half of the memories. Once you confirm that it is saved, they are deleted here.',
      action: 'Saved: delete them here',
    },
  },

  palette: 'Commands',
  paletteHint: 'Search commands and sessions',
  noCommand: 'No command matches.',
  moreCommands: (count: number) => `${count} more: type to find them.`,
  groups: { actions: 'Action', sessions: 'Session', view: 'View', tours: 'Tour' },
  renameSession: 'Rename this session',
  searchSessions: 'Search sessions',
  undoLast: 'Undo the last file changes',
  openPage: 'Open the page',
  shareFile: 'Share as one HTML file',
  useTheme: (theme: string) => `Theme: ${theme}`,
  useLanguage: (language: string) => `Language: ${language}`,
  show: (part: string) => `Show ${part}`,
  watch: (tour: string) => `Watch the tour “${tour}”`,
  open: (session: string) => `Open “${session}”`,
};

/** The texts of the dialogs in one language. */
export type DialogTexts = typeof en;
