import type { LegalDraft, LegalPage } from '#contract/legal.ts';
import { legalTitles, type LegalPageName } from '#contract/legal-pages.ts';

import type { Deps } from '../../deps.ts';
import { AppError } from '../../http/route/app-error.ts';
import type { Viewer } from '../../http/route/guards.ts';
import { recordAction } from '../audit/service.ts';
import { forgetLegalChanges } from './acceptances.ts';
import { defaultTexts } from './default-texts.ts';
import { findVersion, getCurrentVersion, insertVersion, listVersions } from './queries.ts';
import { readSiteFacts, renderText } from './site-facts.ts';

export {
  anonymiseAuthor,
  exportAcceptances,
  findLegalChange,
  recordAcceptance,
} from './acceptances.ts';
export { findLegalPage } from './web-pages.ts';

/** The current version, or an earlier one. */
export async function getLegalPage(
  deps: Deps,
  page: LegalPageName,
  version?: number,
): Promise<LegalPage> {
  const { db } = deps.database;
  const current = await getCurrentVersion(db, page, deps.clock.now());
  const row = version === undefined ? current : await findVersion(db, page, version);
  if (!row) throw new AppError('not_found');
  const { facts, seller } = await readSiteFacts(deps);
  const versions = await listVersions(db, page);
  return {
    page,
    version: row.version,
    at: row.created_at,
    html: await renderText(row.text, facts),
    seller,
    versions: versions.map(({ version: number, at }) => ({ version: number, at })),
  };
}

export async function getLegalDraft(deps: Deps, page: LegalPageName): Promise<LegalDraft> {
  const { db } = deps.database;
  const row = await getCurrentVersion(db, page, deps.clock.now());
  const { facts } = await readSiteFacts(deps);
  return {
    page,
    version: row.version,
    at: row.created_at,
    text: row.text,
    defaultText: defaultTexts[page],
    facts: Object.entries(facts).map(([name, value]) => ({ name, value })),
    versions: await listVersions(db, page),
  };
}

/** For several texts: what they can name in braces is read once. */
export async function openSiteTexts(deps: Deps) {
  const { facts } = await readSiteFacts(deps);
  return { facts, render: (text: string): Promise<string> => renderText(text, facts) };
}

/** An operator’s Markdown as safe HTML, with the facts of the site where it names them in braces. */
export async function renderSiteText(deps: Deps, text: string): Promise<string> {
  const { render } = await openSiteTexts(deps);
  return render(text);
}

/** Every save is a new version; the earlier ones stay. */
export async function publishLegalPage(
  deps: Deps,
  viewer: Viewer,
  page: LegalPageName,
  { version, text }: { version: number; text: string },
): Promise<LegalDraft> {
  const { database, clock } = deps;
  const now = clock.now();
  const current = await getCurrentVersion(database.db, page, now);
  if (current.version !== version) throw new AppError('legal_changed');
  if (current.text !== text)
    await database.db.transaction().execute(async (tx) => {
      const next = version + 1;
      const row = { page, version: next, text, created_by: viewer.user.id, created_at: now };
      if (!(await insertVersion(tx, row))) throw new AppError('legal_changed');
      await recordAction(
        tx,
        {
          actor: viewer,
          action: 'legal.published',
          subject: { kind: 'site' },
          before: { page: legalTitles[page], version },
          after: { page: legalTitles[page], version: next },
        },
        now,
      );
    });
  forgetLegalChanges(database.db);
  return getLegalDraft(deps, page);
}
