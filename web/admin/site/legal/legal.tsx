import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { LegalEditor, legalDraftQuery } from './legal-editor.tsx';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { Notice } from '#web/ui/notice.tsx';
import { AdminFrame } from '#web/admin/admin-frame.tsx';
import { FormPageSkeleton } from '#web/admin/admin-skeletons.tsx';

export function Page() {
  const wanted = useQueryParam('page');
  const page = LEGAL_PAGES.find((name) => name === wanted) ?? 'terms';
  return (
    <AdminFrame
      title="Seller, VAT and legal"
      lead="Your terms, privacy, refunds and contact pages."
    >
      <Notice tone="warning" title="Have a lawyer read this">
        The default texts are a careful start for a South African seller, not legal advice. Your
        name, address and phone number come from{' '}
        <Link href="/admin/settings/seller">Seller and VAT</Link>.
      </Notice>
      <nav aria-label="Legal page" className="flex flex-wrap gap-2">
        {LEGAL_PAGES.map((name) => (
          <Link
            key={name}
            href={`/admin/legal?page=${name}`}
            aria-current={name === page ? 'page' : undefined}
            className={`inline-flex min-h-11 items-center rounded-pill border px-4 ${name === page ? 'border-text font-semibold' : 'border-line-strong text-text-2 hover:text-text'}`}
          >
            {legalTitles[name]}
          </Link>
        ))}
      </nav>
      <Loaded
        query={useQuery(legalDraftQuery(page))}
        failed="Couldn’t load the text."
        skeleton={<FormPageSkeleton />}
      >
        {(draft) => <LegalEditor key={`${page} ${draft.version}`} draft={draft} />}
      </Loaded>
    </AdminFrame>
  );
}
