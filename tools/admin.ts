import { runAdminCommand } from '#server/features/console/service.ts';
import { createPasswordPrompt } from './ask-password.ts';
import { runCommand } from './run-command.ts';

await runCommand((deps, args) =>
  runAdminCommand(deps, args, { askPassword: createPasswordPrompt() }),
);
