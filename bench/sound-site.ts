import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { weekOf } from '#contract/rules/weeks.ts';
import { parseConfig } from '#server/config.ts';
import { migrate } from '#server/db/schema/migrate.ts';
import { closeDeps, createDeps } from '#server/deps.ts';
import { seedTrack } from '#server/testing/seed-track.ts';
import { WEEK } from '#contract/rules/time.ts';

/** Creates the tracks that `click-to-sound.ts` plays. Usage: node bench/sound-site.ts <folder> */
const TRACKS = 8;
const MIX_SECONDS = 300;
const run = promisify(execFile);

async function makeMp3(folder: string, seconds: number): Promise<Buffer> {
  const file = join(folder, `${seconds}.mp3`);
  const noise = `anoisesrc=d=${seconds}:c=pink:a=0.4:seed=1`;
  const input = ['-f', 'lavfi', '-i', noise, '-ac', '2', '-ar', '44100'];
  await run('ffmpeg', ['-v', 'error', ...input, '-c:a', 'libmp3lame', '-b:a', '192k', file]);
  return readFile(file);
}

async function seed(dataDir: string): Promise<string[]> {
  const deps = await createDeps(parseConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error' }));
  const { db } = deps.database;
  const now = deps.clock.now();
  await migrate(deps.database, now);
  const files = {
    stream: await makeMp3(dataDir, MIX_SECONDS),
    preview: await makeMp3(dataDir, 20),
  };
  const ids: string[] = [];
  for (let age = 0; age < TRACKS; age += 1) {
    const { year, week } = weekOf(now - age * WEEK, deps.config.timeZone);
    const change = { year, week, title: `Mix ${age}`, duration_ms: MIX_SECONDS * 1000 };
    const publish_at = now - age * WEEK - 1000;
    const { id } = await seedTrack({ db, storage: deps.storage, now }, { ...change, publish_at });
    for (const [name, bytes] of Object.entries(files)) {
      const key = `tracks/${id}-${name}.mp3`;
      await deps.storage.put(key, bytes);
      await db
        .updateTable('renditions')
        .set({ key, size: bytes.length })
        .where('track_id', '=', id)
        .where('name', '=', name as 'stream' | 'preview')
        .execute();
    }
    ids.push(id);
  }
  await closeDeps(deps);
  return ids;
}

const [dataDir] = process.argv.slice(2);
if (!dataDir) throw new Error('Say which data folder: node bench/sound-site.ts <folder>');
console.log(JSON.stringify(await seed(dataDir)));
