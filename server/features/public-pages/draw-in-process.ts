import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer, text } from 'node:stream/consumers';
import { buildScriptCommand, startInBackground } from '../../background/background-process.ts';
import { fetchToDisk, type Storage } from '../../ports/storage/storage.ts';
import { lookKeyOf } from '../look/service.ts';
import type { Card } from './card-pictures.ts';

const SCRIPT = new URL('draw-process.ts', import.meta.url);
const TIMEOUT_MS = 30_000;

/** Files on this machine. */
type Pictures = { cover: string | null; logo: string | null };

async function runProcess(card: Card, pictures: Pictures): Promise<Buffer> {
  const input = JSON.stringify({ card, ...pictures });
  const { command, args, env } = buildScriptCommand(SCRIPT, input);
  const { stdout, stderr, ended, stop } = startInBackground(command, args, env);
  const timer = setTimeout(stop, TIMEOUT_MS);
  try {
    const [picture, problem, { code }] = await Promise.all([buffer(stdout), text(stderr), ended]);
    if (code !== 0 || picture.length === 0)
      throw new Error(`Drawing a card failed: ${problem.slice(-500)}`);
    return picture;
  } finally {
    clearTimeout(timer);
  }
}

/** Draws a card in a process that ends: the memory that drawing takes goes back to the system. */
export async function drawInProcess(card: Card, storage: Storage): Promise<Buffer> {
  const coverKey = 'coverKey' in card ? card.coverKey : null;
  const folder = await mkdtemp(join(tmpdir(), 'card-'));
  const fetchIfThere = async (key: string | null, name: string) =>
    key !== null && (await storage.stat(key))
      ? fetchToDisk(storage, key, join(folder, name))
      : null;
  try {
    return await runProcess(card, {
      cover: await fetchIfThere(coverKey, 'cover'),
      logo: await fetchIfThere(card.look.logo && lookKeyOf(card.look.logo.name), 'logo'),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
