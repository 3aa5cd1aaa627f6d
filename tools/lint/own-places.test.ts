import { join } from 'node:path';
import { RuleTester } from 'oxlint/plugins-dev';
import { describe, test } from 'vitest';
import { ownPlaces } from './own-places.ts';

RuleTester.describe = describe;
RuleTester.it = test;

const at = (path: string): string => join(import.meta.dirname, '../..', path);
const parserOptions = { lang: 'tsx' } as const;
const found = (code: string, file: string, message: RegExp) => ({
  code,
  filename: at(file),
  errors: [{ message }],
});

new RuleTester({ languageOptions: { parserOptions } }).run('own-places', ownPlaces, {
  valid: [
    { code: "const name = 'Weekender'", filename: at('server/env-settings.ts') },
    { code: "const tested = 'Weekender'", filename: at('server/config.test.ts') },
    { code: 'const { staleTime } = query', filename: at('web/features/x/api.ts') },
    { code: 'const query = { staleTime: 5 }', filename: at('web/features/search/api.ts') },
    { code: "route('/', () => import('./x.tsx'))", filename: at('web/router/routes.ts') },
    { code: "lazyOverlay('menu', () => import('./x.tsx'), 'X')", filename: at('web/ui/x.tsx') },
    { code: "lazyPanel(() => import('./x.tsx'), 'X')", filename: at('web/ui/x.tsx') },
    { code: "const load = () => import('./x.ts')", filename: at('server/x.ts') },
    { code: 'const here = import.meta.url', filename: at('tools/x.ts') },
  ],
  invalid: [
    found("const name = 'Weekender'", 'web/lib/x.ts', /SITE_NAME/),
    found('const name = `At Weekender ${x}`', 'server/x.ts', /SITE_NAME/),
    found('const page = <p>Welcome to Weekender</p>', 'web/ui/x.tsx', /SITE_NAME/),
    found("const text = 'Hear twenty seconds'", 'web/lib/x.ts', /PREVIEW_TEXT/),
    found("send({ type: 'text/csv; charset=utf-8' })", 'server/x.ts', /sendCsv/),
    found('const query = { staleTime: 5 }', 'web/lib/x.ts', /036-retries/),
    found('const query = { refetchInterval: 5 }', 'web/lib/x.ts', /036-retries/),
    found("const load = () => import('./x.tsx')", 'web/pages/x.tsx', /lazyOverlay/),
    found("lazyComponent(() => import('./x.tsx'), 'X')", 'web/pages/x.tsx', /lazyOverlay/),
    found("const run = async () => (await import('./x.ts')).x()", 'web/lib/x.ts', /lazyOverlay/),
    found('if (import.meta.main) run()', 'tools/x.ts', /Node 24\.0/),
  ],
});
