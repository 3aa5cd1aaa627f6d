import { join, relative, sep } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';

type Rule = Parameters<RuleTester['run']>[1];

/** Something that only some files may say, so that a change of it has one place. */
type Place = {
  /** A text, the name of an option, `import.meta.` with this name, or `import()` of this module. */
  text?: RegExp;
  option?: RegExp;
  meta?: RegExp;
  lateImport?: RegExp;
  /** Where the rule applies, and the files there that may say it. */
  within: RegExp;
  allowed: readonly string[];
  why: string;
};

const PLACES: readonly Place[] = [
  {
    text: /\bWeekender\b/,
    within: /^(?:contract|server|web|demo)\//,
    allowed: ['server/env-settings.ts'],
    why: 'The name of the site is a setting, SITE_NAME.',
  },
  {
    text: /\b(?:20|twenty)[ -]seconds?\b/i,
    within: /^(?:contract|server|web|demo|tools|bench)\//,
    allowed: ['contract/rules/preview.ts', 'tools/lint/own-places.ts'],
    why: 'The length of a preview is in contract/rules/preview.ts: build the text with PREVIEW_TEXT.',
  },
  {
    text: /^text\/csv; charset/,
    within: /^server\//,
    allowed: ['server/http/send/csv.ts'],
    why: 'A spreadsheet must not run what people typed: send the table with sendCsv.',
  },
  {
    option: /^(?:staleTime|refetchInterval|refetchOnWindowFocus)$/,
    within: /^web\//,
    allowed: [
      'web/admin/uploads/upload-preview.tsx',
      'web/pages/home/demo-music.tsx',
      'web/pages/gift/bought-gift.tsx',
      'web/admin/artists/api.ts',
      'web/admin/letters/api.ts',
      'web/features/billing/api.ts',
      'web/features/billing/checkout/payment-result.tsx',
      'web/features/billing/checkout/use-checkout-status.ts',
      'web/features/favorites/other-tabs.ts',
      'web/features/history/api.ts',
      'web/admin/site/legal/legal-editor.tsx',
      'web/player/view/expanded-player.tsx',
      'web/features/search/api.ts',
      'web/admin/site/settings/api.ts',
      'web/features/tracks/api.ts',
      'web/features/tracks/track-pages.ts',
      'web/lib/api/query-client.ts',
    ],
    why: 'Queries are stale at once and never poll. An exception belongs into docs/decisions/036-retries.md and into this list.',
  },
  {
    lateImport: /./,
    within: /^web\//,
    allowed: [
      'web/router/routes.ts',
      'web/admin/admin-routes.tsx',
      // What follows the first page, or plays no part until something has happened.
      'web/boot/app.tsx',
      'web/boot/main.tsx',
      'web/boot/site-player.ts',
      'web/pages/home/next-release-note.tsx',
      'web/boot/start-offline.ts',
      'web/boot/watch-access.ts',
      'web/features/analytics/start-analytics.ts',
      'web/player/create-player.ts',
      'web/player/view/use-track-playback.ts',
      'web/shell/connection-notice.tsx',
      'web/shell/lazy-player.tsx',
      'web/shell/search-box.tsx',
      'web/shell/toast-host.tsx',
      'web/shell/use-logout.ts',
      'web/lib/store/toasts.ts',
      // What a mix uses in data, and what was used: a rendered page already says the first.
      'web/player/view/data-line.tsx',
      // Libraries that few need: zod in public forms, long lists, casting, passkeys, uploads, sleeves.
      'web/admin/tracks/editor/tracklist-field.tsx',
      'web/admin/rights/file-dialog.tsx',
      'web/admin/uploads/upload-queue.ts',
      'web/features/accounts/api.ts',
      'web/features/accounts/settings-api.ts',
      'web/features/moments/moments.tsx',
      'web/features/tracks/track-rows.tsx',
      'web/pages/account/login-form.tsx',
      'web/pages/account/forgot-password.tsx',
      'web/pages/account/reset-password.tsx',
      'web/pages/account/register-form.tsx',
      'web/pages/gift/give-form.tsx',
      'web/shell/player.tsx',
      'web/ui/art/sleeve.tsx',
    ],
    why: 'A page’s code loads with its route, an overlay’s with lazyOverlay or lazyPanel. Import everything else statically.',
  },
  {
    meta: /^main$/,
    within: /^/,
    allowed: [],
    why: 'import.meta.main is undefined in Node 24.0, which the Mac package has.',
  },
];

const root = join(import.meta.dirname, '..', '..');
const IS_TEST = /\.(?:test|spec)\.tsx?$|\/testing\//;

type Node = { type: string; parent?: unknown; callee?: unknown };

/** Whether this is the function of `lazyOverlay('menu', () => import('./x.tsx'), 'X')`. */
function isOverlay({ type, parent }: Node): boolean {
  const { callee } = (type === 'ArrowFunctionExpression' ? parent : {}) as Node;
  return /^lazy(?:Overlay|Panel)$/.test((callee as { name?: string } | undefined)?.name ?? '');
}

/** Reports what belongs into another file. */
export const ownPlaces: Rule = {
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const places = PLACES.filter(
      ({ within, allowed }) => within.test(file) && !allowed.includes(file),
    );
    if (IS_TEST.test(file) || places.length === 0) return {};
    const check = (
      kind: 'text' | 'option' | 'meta' | 'lateImport',
      value: unknown,
      node: { range: [number, number] },
    ) => {
      if (typeof value !== 'string') return;
      for (const place of places)
        if (place[kind]?.test(value)) context.report({ message: place.why, node });
    };
    return {
      Literal: (node) => check('text', node.value, node),
      TemplateElement: (node) => check('text', node.value.cooked, node),
      JSXText: (node) => check('text', node.value, node),
      Property: (node) => {
        if (node.key.type === 'Identifier' && node.parent.type === 'ObjectExpression')
          check('option', node.key.name, node.key);
      },
      ImportExpression: (node) => {
        if (node.source.type === 'Literal' && !isOverlay(node.parent))
          check('lateImport', node.source.value, node);
      },
      MemberExpression: (node) => {
        if (node.object.type === 'MetaProperty' && node.property.type === 'Identifier')
          check('meta', node.property.name, node.property);
      },
    };
  },
};
