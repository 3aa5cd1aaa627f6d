import { describe, expect, test } from 'vitest';
import { checkImport } from './check-import.ts';

const check = (file: string, specifier: string, isTypeOnly = false) =>
  checkImport({ file, specifier, isTypeOnly });

describe('allowed imports', () => {
  test.each([
    ['contract/accounts.ts', 'zod'],
    ['contract/accounts.ts', './route.ts'],
    ['server/db/connect.ts', '../config.ts'],
    ['server/db/connect.ts', 'node:sqlite'],
    ['server/ports/mail/smtp.ts', '#contract/system.ts'],
    ['server/ports/mail/outbox.ts', '../../db/connect.ts'],
    ['server/features/system/routes.ts', '../../../package.json'],
    ['server/jobs/queue.ts', '../db/tables.ts'],
    ['server/jobs/worker.ts', '../ports/mail/mail.ts'],
    ['server/http/session.ts', '../db/tables.ts'],
    ['server/features/accounts/routes.ts', '../../http/guards.ts'],
    ['server/features/accounts/routes.ts', './service.ts'],
    ['server/features/accounts/service.ts', './queries.ts'],
    ['server/features/accounts/service.ts', '../../jobs/queue.ts'],
    ['server/features/accounts/service.ts', '../mail/service.ts'],
    // A large feature has a folder for each subject, each with its own service.
    ['server/features/accounts/service.ts', '../billing/ledger/service.ts'],
    ['server/features/billing/checkout/checkout.ts', '../coupons/coupon-uses.ts'],
    ['demo/accounts.ts', '#server/features/billing/ledger/service.ts'],
    ['server/features/billing/checkout/service.ts', '../ledger/ledger-entries.ts'],
    ['server/app.ts', './features/accounts/routes.ts'],
    ['server/job-list.ts', './features/accounts/jobs.ts'],
    ['server/main.ts', './app.ts'],
    ['server/main.ts', '#demo/seed.ts'],
    ['server/features/accounts/accounts.test.ts', '../mail/queries.ts'],
    ['server/db/connect.test.ts', '../testing/test-app.ts'],
    ['server/testing/test-app.ts', '../app.ts'],
    ['demo/accounts.ts', '#server/features/accounts/service.ts'],
    ['demo/accounts.ts', '#contract/accounts.ts'],
    ['demo/accounts.ts', '#server/db/types/tables.ts'],
    ['web/pages/account/login.tsx', '../../features/accounts/account-form.tsx'],
    ['web/boot/main.tsx', '../styles/tokens.css'],
    ['web/features/accounts/api.ts', '../../lib/api-client.ts'],
    ['web/features/accounts/account-form.tsx', './api.ts'],
    ['web/features/accounts/account-form.tsx', '../billing/api.ts'],
    ['web/features/tracks/track-menu.tsx', '../playlists/share-dialog.tsx'],
    ['web/pages/account/login-form.tsx', '#web/ui/button.tsx'],
    ['web/ui/button.tsx', '../lib/class-names.ts'],
    ['web/player/engine.ts', '#contract/rules/access.ts'],
    ['web/player/view/locked-rest.tsx', '#web/features/billing/api.ts'],
    ['e2e/accounts/accounts.spec.ts', '#tools/find-chromium.ts'],
    ['tools/start.ts', '#server/main.ts'],
    ['playwright.config.ts', './tools/find-chromium.ts'],
  ])('%s imports %s', (file, specifier) => {
    expect(check(file, specifier)).toBeUndefined();
  });

  test.each([
    ['server/features/accounts/service.ts', '#server/deps.ts'],
    ['server/http/route/guards.ts', '../../deps.ts'],
    ['server/jobs/define-job.ts', '../deps.ts'],
    ['demo/accounts.ts', '#server/deps.ts'],
  ])('%s imports the types of %s', (file, specifier) => {
    expect(check(file, specifier, true)).toBeUndefined();
    expect(check(file, specifier)).toMatch(/must not import server app/);
  });
});

describe('rejected imports', () => {
  test.each([
    ['contract/accounts.ts', 'fastify', /imports only zod/],
    ['contract/accounts.ts', 'node:crypto', /imports only zod/],
    ['contract/accounts.ts', '../server/ids.ts', /contract must not import server base/],
    ['contract/accounts.ts', '#web/lib/format/format.ts', /contract must not import web lib/],
    ['contract/accounts.ts', '#tools/source-hash.ts', /contract must not import tool/],
    ['server/config.ts', './db/connect.ts', /server base must not import server db/],
    ['server/db/connect.ts', '../jobs/queue.ts', /server db must not import server jobs/],
    ['server/db/connect.ts', '../ports/mail/mail.ts', /server db must not import server port/],
    [
      'server/ports/mail/smtp.ts',
      '../../features/mail/service.ts',
      /must not import server feature/,
    ],
    [
      'server/jobs/worker.ts',
      '../features/mail/jobs.ts',
      /server jobs must not import server feature/,
    ],
    ['server/jobs/worker.ts', '../http/session.ts', /server jobs must not import server http/],
    ['server/http/session.ts', '../jobs/queue.ts', /server http must not import server jobs/],
    ['server/http/session.ts', '../features/accounts/service.ts', /must not import server feature/],
    ['server/features/accounts/service.ts', '../../app.ts', /must not import server app/],
    ['server/features/accounts/service.ts', '../mail/queries.ts', /import only the service\.ts/],
    [
      'server/features/accounts/service.ts',
      '../billing/ledger/paid-through.ts',
      /import only the service\.ts/,
    ],
    ['server/features/accounts/service.ts', '#demo/seed.ts', /must not import demo/],
    ['server/features/accounts/service.ts', '../../testing/test-app.ts', /must not import test/],
    ['server/app.ts', './main.ts', /server app must not import server main/],
    ['server/app.ts', '#web/boot/main.tsx', /must not import web app/],
    ['server/app.ts', '#tools/source-hash.ts', /must not import tool/],
    ['server/nowhere/x.ts', './y.ts', /in no layer/],
    ['demo/accounts.ts', '#server/features/accounts/queries.ts', /import only the service\.ts/],
    ['demo/accounts.ts', '#server/http/session.ts', /demo must not import server http/],
    ['web/lib/api-client.ts', '../ui/button.tsx', /web lib must not import web ui/],
    ['web/lib/api-client.ts', '../../package.json', /web lib must not import package/],
    ['web/lib/api-client.ts', '#server/config.ts', /must not import server base/],
    ['web/ui/button.tsx', '../features/accounts/api.ts', /web ui must not import web feature/],
    ['web/ui/forms/slider.tsx', '../../player/engine.ts', /web ui must not import web player/],
    ['web/player/engine.ts', '../ui/slider.tsx', /web player must not import web ui/],
    ['web/features/accounts/api.ts', '../playlists/collage.tsx', /imports only the api\.ts/],
    ['web/player/view/seek-bar.tsx', '../../features/billing/plans/plan-offer.tsx', /only the api/],
    ['web/features/accounts/api.ts', '../../router/routes.ts', /must not import web app/],
    ['web/pages/home/home.tsx', '../top-20/top-20.tsx', /A page doesn’t import another one/],
    ['web/boot/main.tsx', '../nowhere/x.ts', /in no layer/],
    ['web/boot/main.tsx', '../lib/api-client.test.ts', /must not import test/],
  ])('%s does not import %s', (file, specifier, reason) => {
    expect(check(file, specifier)).toMatch(reason);
    expect(check(file, specifier, true)).toMatch(reason);
  });
});
