/** The operating systems with instructions. */
export const SYSTEMS = ['mac', 'windows', 'linux'] as const;
export type System = (typeof SYSTEMS)[number];

/** How to start a server: the commands, in order. */
export interface ServerStart {
  id: 'ollama' | 'lm-studio' | 'llama-cpp';
  label: string;
  commands: string[];
}

export function isSystem(value: string): value is System {
  return SYSTEMS.some((system) => system === value);
}

/** The system of this machine; Linux where it is unknown. */
export function systemHere(): System {
  const { userAgent } = globalThis.navigator;
  if (/Mac|iPhone|iPad/.test(userAgent)) return 'mac';
  return userAgent.includes('Windows') ? 'windows' : 'linux';
}

/** Tokens of the context window: the default of Ollama is too small for an agent. */
const WINDOW = 16_384;

/** Returns how to start each server on a system so that pages of `origin` may use it. */
export function serverStarts(system: System, origin: string): ServerStart[] {
  const ollama: Record<System, string[]> = {
    mac: [
      `launchctl setenv OLLAMA_ORIGINS "${origin}"`,
      `launchctl setenv OLLAMA_CONTEXT_LENGTH ${WINDOW}`,
      'ollama pull qwen3:8b',
    ],
    windows: [
      `setx OLLAMA_ORIGINS "${origin}"`,
      `setx OLLAMA_CONTEXT_LENGTH ${WINDOW}`,
      'ollama pull qwen3:8b',
    ],
    linux: [
      `OLLAMA_ORIGINS="${origin}" OLLAMA_CONTEXT_LENGTH=${WINDOW} ollama serve &`,
      'ollama pull qwen3:8b',
    ],
  };
  const install = system === 'windows' ? 'winget install llama.cpp' : 'brew install llama.cpp';
  return [
    { id: 'ollama', label: 'Ollama', commands: ollama[system] },
    { id: 'lm-studio', label: 'LM Studio', commands: ['lms get qwen/qwen3-8b', 'lms server start --cors'] },
    {
      id: 'llama-cpp',
      label: 'llama.cpp',
      commands: [install, `llama-server -hf Qwen/Qwen3-8B-GGUF:Q4_K_M -c ${WINDOW} --jinja`],
    },
  ];
}
