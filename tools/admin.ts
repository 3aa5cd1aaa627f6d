import { createInterface } from 'node:readline/promises';
import { Writable } from 'node:stream';
import { runAdminCommand } from '#server/features/console/service.ts';
import { runCommand } from './run-command.ts';

await runCommand((deps, args) =>
  runAdminCommand(deps, args, { askPassword: createPasswordPrompt() }),
);

/** Asks twice without echoing the input; null without a terminal. */
export function createPasswordPrompt(): (() => Promise<string>) | null {
  if (!process.stdin.isTTY) return null;
  return async () => {
    const silent = new Writable({ write: (_chunk, _encoding, done) => done() });
    const lines = createInterface({ input: process.stdin, output: silent, terminal: true });
    const ask = async (question: string) => {
      process.stdout.write(question);
      const answer = await lines.question('');
      process.stdout.write('\n');
      return answer;
    };
    try {
      const password = await ask('Password: ');
      if ((await ask('Repeat the password: ')) !== password)
        throw new Error('The passwords don’t match. Nothing was changed.');
      return password;
    } finally {
      lines.close();
    }
  };
}
