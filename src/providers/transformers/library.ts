/** The part of `@huggingface/transformers` that is used: `import * as library` matches it. */
export interface TransformersLibrary {
  pipeline(task: 'text-generation', model: string, options: object): Promise<TextGeneration>;
  TextStreamer: new (
    tokenizer: never,
    options: {
      skip_prompt: boolean;
      callback_function: (text: string) => void;
      token_callback_function: (tokens: bigint[]) => void;
    },
  ) => object;
  InterruptableStoppingCriteria: new () => { interrupt(): void };
}

/** A loaded model with its tokenizer. */
export interface TextGeneration {
  (prompt: string, options: Record<string, unknown>): Promise<unknown>;
  readonly tokenizer: {
    apply_chat_template(messages: { role: string; content: string }[], options: object): unknown;
    encode(text: string, options: { add_special_tokens: boolean }): number[];
  };
  readonly model: { readonly generation_config: unknown };
  dispose(): Promise<unknown>;
}
