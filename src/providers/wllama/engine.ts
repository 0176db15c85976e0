/** The part of the class `Wllama` from `@wllama/wllama` that is used. */
export interface WllamaEngine {
  loadModel(files: Blob[], options?: EngineLoadOptions): Promise<void>;
  /** Returns data about the loaded model. `n_vocab` is not positive when the file was not a valid model. */
  getLoadedContextInfo(): { n_vocab: number };
  createChatCompletion(call: CompletionCall): Promise<void>;
  readonly modelManager: {
    getModels(): Promise<readonly StoredFile[]>;
    downloadModel(source: { url: string }, options?: DownloadOptions): Promise<StoredFile>;
  };
  exit(): Promise<void>;
}

/** A model file in the browser's cache, with its parts. */
interface StoredFile {
  readonly url: string;
  open(): Promise<Blob[]>;
}

interface EngineLoadOptions {
  n_ctx?: number;
  n_parallel?: number;
  n_threads?: number;
  n_batch?: number;
  n_ubatch?: number;
}

interface DownloadOptions {
  progressCallback?: (progress: { loaded: number; total: number }) => void;
  signal?: AbortSignal;
}

/** Request in the format of llama.cpp's server. */
export interface CompletionCall {
  messages: { role: 'system' | 'user' | 'assistant'; content: string }[];
  stream: true;
  onData: (chunk: CompletionChunk) => void;
  abortSignal?: AbortSignal;
  max_tokens?: number;
  temperature?: number;
  seed?: number;
  response_format?: { type: 'json_schema'; json_schema: { name: string; schema: unknown } };
  chat_template_kwargs?: Record<string, unknown>;
  return_progress?: boolean;
}

export interface CompletionChunk {
  choices: { delta: { content?: string | null }; finish_reason: string | null }[];
  usage?: {
    prompt_tokens: number;
    completion_tokens: number;
    prompt_tokens_details?: { cached_tokens: number };
  } | null;
  timings?: { prompt_per_second: number; predicted_per_second: number };
  prompt_progress?: { total: number; cache: number; processed: number };
}
