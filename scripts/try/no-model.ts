import { TOUR_NAMES } from '../../demo/tour/names.js';
import { quoted } from './go-on.js';

/** Explains how to get a model, as commands that continue with the same request. */
export function noModel(request: string | null): string {
  const words = quoted(request ?? 'a request');
  return `No model was found on this machine. Use one of these:

Ollama (https://ollama.com):
  ollama pull qwen3:8b
  npm run try -- ${words} --base-url http://localhost:11434/v1 --model qwen3:8b

llama.cpp (https://github.com/ggml-org/llama.cpp):
  llama-server -hf Qwen/Qwen3-8B-GGUF:Q4_K_M
  npm run try -- ${words} --base-url http://localhost:8080/v1 --model qwen3

LM Studio (https://lmstudio.ai), with a model loaded:
  lms server start --cors
  npm run try -- ${words} --base-url http://localhost:1234/v1 --model the-name-it-shows

A hosted service with an API key:
  ROLEZERO_API_KEY=your-key npm run try -- ${words} --base-url https://api.openai.com/v1 --model gpt-5-mini

A small model on the processor (1.1 GB, slow):
  npm run try -- ${words} --download

Without a model, see a recorded run:
  npm run try -- --tour ${TOUR_NAMES[0]}
`;
}
