/** A request that was sent while a run was in progress, and that no role has read yet. It can be withdrawn and revised until then. */
export interface QueuedRequest {
  messageId: string;
  /** The words of the user, without the note that names attached files. */
  content: string;
  /** Paths of its files, and the names of those that are not stored; absent without any. */
  files?: readonly string[];
  /** Name of the role that it is for. */
  role: string;
}

export function isSameQueue(
  one: readonly QueuedRequest[],
  other: readonly QueuedRequest[] | undefined,
): boolean {
  return (
    one.length === other?.length &&
    one.every(({ messageId, content }, index) => {
      return messageId === other[index]?.messageId && content === other[index].content;
    })
  );
}
