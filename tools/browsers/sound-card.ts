import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { findProgram } from '../testing/find-program.ts';
import { until } from './visit.ts';

export type SoundCard = { env: NodeJS.ProcessEnv; close: () => Promise<void> };

/**
 * A sound card that nobody hears: Firefox and WebKit play nothing without one. If the machine has no
 * PulseAudio to make it, they use the card that the machine has.
 */
export async function startSoundCard(folder: string): Promise<SoundCard> {
  const program = findProgram('pulseaudio');
  if (!program) return { env: {}, close: async () => undefined };
  const socket = join(folder, 'sound');
  const server = spawn(
    program,
    [
      '-n',
      '--daemonize=no',
      '--use-pid-file=no',
      '--exit-idle-time=-1',
      '--load=module-null-sink',
      `--load=module-native-protocol-unix socket=${socket} auth-anonymous=1`,
    ],
    { stdio: 'ignore', env: { ...process.env, PULSE_RUNTIME_PATH: join(folder, 'pulse') } },
  );
  await until('PulseAudio is ready', async () => {
    if (server.exitCode !== null) throw new Error('PulseAudio ended.');
    return existsSync(socket);
  });
  return {
    env: { PULSE_SERVER: `unix:${socket}` },
    close: async () => {
      const exited = once(server, 'exit');
      server.kill();
      await exited;
    },
  };
}
