import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DAY } from '#contract/rules/time.ts';
import { hasOpenssl, makeCertificate, startTlsServer } from '../../testing/tls-server.ts';
import { createCertificateCheck } from './check-certificate.ts';
import { listAlarms, lookAround, readChecks } from './site-checks.ts';
import { startWatchedSite, type WatchedSite } from '../../testing/watched-site.ts';

let site: WatchedSite;
beforeEach(async () => {
  site = await startWatchedSite();
});
afterEach(() => site.close());

describe('the certificate of the site', () => {
  it('is read where visitors get it, and named two weeks before it ends', async (ctx) => {
    if (!(await hasOpenssl())) ctx.skip('openssl is not installed');
    // Certificates begin today, so the test’s clock has to be today’s too.
    site.clock.advance(Date.now() - site.clock.now());
    const soon = await makeCertificate(10);
    const server = await startTlsServer(soon);
    const lookAgain = (authorities?: string) =>
      lookAround({ ...site.deps, config: { ...site.deps.config, appOrigin: server.origin } }, [
        createCertificateCheck(authorities),
      ]);
    await lookAgain(soon.cert);
    expect(await site.textOf('certificate')).toMatch(
      /^The certificate ends .*, and nothing has renewed it\./,
    );
    const renewed = await makeCertificate(90);
    server.renew(renewed);
    site.clock.advance(DAY);
    await lookAgain(renewed.cert);
    expect(await site.textOf('certificate')).toBeUndefined();
    expect((await site.checkOf('certificate'))?.lookedAt).toBe(site.clock.now());
    // Browsers don’t know who signed it.
    site.clock.advance(DAY);
    await lookAgain();
    expect(await site.textOf('certificate')).toBe(
      'Browsers refuse the site’s certificate: it is signed by itself.',
    );
    site.clock.advance(100 * DAY);
    await lookAgain(renewed.cert);
    const [alarm] = await listAlarms(site.deps.database.db);
    expect(alarm?.text).toMatch(/^The certificate ended .*: browsers refuse/);
    await server.close();
    site.clock.advance(DAY);
    await lookAgain(renewed.cert);
    const checks = await readChecks(site.deps);
    expect(checks.find(({ kind }) => kind === 'certificate')?.trouble).toMatch(
      /^Not checked since .*ECONNREFUSED/,
    );
  });
});
