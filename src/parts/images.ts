import { attachedTo, withoutNote } from '../core/attached-files.js';
import { toBase64 } from '../core/bytes.js';
import type { Files } from '../core/files.js';
import { imageType } from '../core/image-type.js';
import type { Message } from '../core/message.js';
import type { AgentPart, PartAgent, Section } from '../agent/runtime/part.js';
import { addSources } from '../agent/runtime/state.js';
import { readableFiles } from './readable-files.js';

/** Maximum images of one prompt. The model charges for each image again in every step. */
const MAX_IMAGES = 4;
/** Maximum bytes of one image; most services reject larger ones. */
const MAX_IMAGE_BYTES = 4 * 1024 * 1024;

const IMAGE = /[^\s"'`()[\]{}<>,;]+\.(?:png|jpe?g|gif|webp|avif|PNG|JPE?G|GIF|WEBP|AVIF)(?![\w.])/g;
/** Maximum number of paths that are looked up: lists that a model writes can be long. */
const MAX_LOOKED_UP = 32;

/**
 * Sends the images that unread messages name; none to a model that reads no images. Reading them adds their labels. Images that a rule
 * denies or asks about are skipped.
 */
export function images(agent: PartAgent): AgentPart {
  /** Ids of the requests with images that the model does not see, which were reported. */
  const reported = new Set<string>();
  return {
    name: 'images',
    section() {
      const unread = agent.unread();
      if (unread.length === 0) return null;
      if (agent.model.supports?.images === true) return imageSection(agent, unread);
      reportUnseen(agent, unread, reported);
      return null;
    },
  };
}

async function imageSection(agent: PartAgent, unread: readonly Message[]): Promise<Section> {
  const files = readableFiles(agent);
  const found = await imagesIn(unread, files);
  const { untrusted, private: secret } = files.touched();
  addSources(agent.state, untrusted);
  if (secret) agent.state.private = true;
  return { text: () => '', images: found };
}

/** Reports to the user and the model, once for each request, that the model does not see its images. */
function reportUnseen(agent: PartAgent, unread: readonly Message[], reported: Set<string>): void {
  const paths = unread.flatMap(({ id, role, metadata }) => {
    const attached = role === 'user' ? (attachedTo(metadata)?.images ?? []) : [];
    if (attached.length === 0 || reported.has(id)) return [];
    reported.add(id);
    return attached;
  });
  if (paths.length === 0) return;
  const { id: model } = agent.model;
  const names = paths.join(', ');
  agent.state.notes.push(
    `You cannot see images: you know only the name of ${names}. Do not guess what is in it; say so.`,
  );
  agent.emit({
    type: 'warning',
    code: 'images-unseen',
    message: `The model ${model} does not see images: it knows only the name of ${names}. Choose a model with vision. If this one has it, set the option \`images: true\` of its provider.`,
    detail: { role: agent.name, model, paths },
  });
}

/**
 * Returns the workspace images that user messages name or that are attached to them, as data URLs, and those in `metadata.images`. Assistant
 * messages, missing files, and files of other types than model services read are skipped.
 */
async function imagesIn(
  messages: readonly Message[],
  files: Pick<Files, 'stat' | 'readBytes'>,
): Promise<string[]> {
  const own = messages.filter(({ role }) => role === 'user');
  const brought = own.flatMap(({ metadata }) => {
    const images = metadata['images'];
    return Array.isArray(images) ? images.filter((image): image is string => typeof image === 'string') : [];
  });
  const named = own
    .filter(({ metadata }) => metadata['images'] === undefined)
    .flatMap(({ content, metadata }) => [
      ...(attachedTo(metadata)?.images ?? []),
      ...(withoutNote(content, metadata).match(IMAGE) ?? []),
    ]);
  const urls = new Set(brought);
  for (const path of [...new Set(named)].slice(0, MAX_LOOKED_UP)) {
    if (urls.size >= MAX_IMAGES) break;
    const url = await imageAt(path, files);
    if (url !== null) urls.add(url);
  }
  return [...urls].slice(0, MAX_IMAGES);
}

async function imageAt(path: string, files: Pick<Files, 'stat' | 'readBytes'>): Promise<string | null> {
  try {
    const info = await files.stat(path);
    if (info?.type !== 'file' || info.size > MAX_IMAGE_BYTES) return null;
    const bytes = await files.readBytes(path);
    const type = imageType(bytes);
    return type === null ? null : `data:${type};base64,${toBase64(bytes)}`;
  } catch {
    return null; // not a path of this workspace
  }
}
