import { isToolPart, type ToolPart } from './tool-calls.js';
import type { SessionChunk, SessionUIMessage } from './ui-message.js';

/** Returns the chunks that write the parts of a stored response again. Its last step stays open. */
export function replayed({ parts }: SessionUIMessage): SessionChunk[] {
  return parts.flatMap((part, index): SessionChunk[] => {
    const id = `stored-${index}`;
    if (isToolPart(part)) return toolChunks(part);
    switch (part.type) {
      case 'step-start':
        return [{ type: 'start-step' }];
      case 'text':
      case 'reasoning':
        return [
          { type: `${part.type}-start`, id },
          { type: `${part.type}-delta`, id, delta: part.text },
          { type: `${part.type}-end`, id },
        ];
      default:
        return [];
    }
  });
}

function toolChunks(part: ToolPart): SessionChunk[] {
  const { toolCallId, toolName, input, providerExecuted } = part;
  const by = providerExecuted === undefined ? {} : { providerExecuted };
  const begin: SessionChunk = {
    type: 'tool-input-available',
    dynamic: true,
    toolCallId,
    toolName,
    input,
    ...by,
  };
  if (part.state === 'output-available')
    return [begin, { type: 'tool-output-available', toolCallId, output: part.output, ...by }];
  if (part.state === 'output-error')
    return [begin, { type: 'tool-output-error', toolCallId, errorText: part.errorText, ...by }];
  return [begin];
}
