import { join } from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { importDirections } from './import-directions.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const at = (path: string): string => join(import.meta.dirname, '../..', path);
const message =
  'web lib must not import web ui (web/ui/button.tsx). The directions are in tools/lint/layers.ts.';
const parserOptions = { lang: 'ts' } as const;

new RuleTester({ languageOptions: { parserOptions } }).run('import-directions', importDirections, {
  valid: [
    { code: "import { Button } from '../ui/button.tsx'", filename: at('web/boot/app.tsx') },
    { code: "import type { Deps } from '#server/deps.ts'", filename: at('server/http/x.ts') },
    { code: 'const page = import(name)', filename: at('web/lib/x.ts') },
  ],
  invalid: [
    "import { Button } from '../ui/button.tsx'",
    "import '#web/ui/button.tsx'",
    "import type { Button } from '../ui/button.tsx'",
    "export { Button } from '../ui/button.tsx'",
    "export * from '../ui/button.tsx'",
    "const load = () => import('../ui/button.tsx')",
    "type Props = import('../ui/button.tsx').Props",
  ].map((code) => ({ code, filename: at('web/lib/x.ts'), errors: [{ message }] })),
});
