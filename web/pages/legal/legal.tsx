import { useQuery } from '@tanstack/react-query';
import { Link, useLocation } from 'wouter';
import type { LegalPage } from '#contract/legal.ts';
import { formatDate } from '#contract/rules/format.ts';
import { LEGAL_PAGES, legalTitles } from '#contract/legal-pages.ts';
import { apiQuery } from '#web/lib/api/api-query.ts';
import { LegalText } from '#web/features/legal/legal-text.tsx';
import { boot } from '#web/lib/store/boot.ts';
import { useQueryParam } from '#web/lib/location/use-query-param.ts';
import { Loaded } from '#web/ui/loaded.tsx';
import { PageHead } from '#web/ui/page-head.tsx';
import { TextSkeleton } from '#web/ui/skeleton.tsx';
import type { Seller } from '#contract/paying/invoices.ts';

const day = (at: number): string => formatDate(at, boot.timeZone);

/** The page of this path, in its current version or, with `?version=2`, in an earlier one. */
export function Page() {
  const [location] = useLocation();
  const page = LEGAL_PAGES.find((name) => location === `/${name}`) ?? 'terms';
  const wanted = Number(useQueryParam('version'));
  const version = Number.isInteger(wanted) && wanted > 0 ? wanted : null;
  const query = useQuery(
    apiQuery('GET /api/legal/:page', {
      params: { page },
      query: { ...(version !== null && { version }) },
    }),
  );
  const { data } = query;
  return (
    <>
      <PageHead title={legalTitles[page]} lead={data && <VersionLine {...data} />} />
      <div className="px-gutter pt-8">
        <Loaded
          query={query}
          look="section"
          failed="Couldn’t load this page"
          text="Check your connection and try again."
          skeleton={
            <div role="status" aria-label="Loading">
              <TextSkeleton />
            </div>
          }
        >
          {(loaded) => (
            <>
              {page === 'contact' && <SellerIdentity seller={loaded.seller} />}
              <LegalText html={loaded.html} />
              <Versions {...loaded} />
            </>
          )}
        </Loaded>
      </div>
    </>
  );
}

function VersionLine({ page, version, at, versions }: LegalPage) {
  const isCurrent = version === versions[0]?.version;
  return (
    <p>
      Version of {day(at)}
      {!isCurrent && (
        <>
          , no longer in force.{' '}
          <Link href={`/${page}`} className="text-text underline underline-offset-4">
            Read the current version
          </Link>
        </>
      )}
    </p>
  );
}

function Versions({ page, version, versions }: LegalPage) {
  const others = versions.filter((one) => one.version !== version);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="versions" className="mt-12 max-w-[68ch] border-t border-line pt-5">
      <h2 id="versions" className="type-label">
        Other versions
      </h2>
      <ul className="mt-1 flex flex-wrap gap-x-6">
        {others.map((one) => (
          <li key={one.version}>
            <Link
              href={`/${page}?version=${one.version}`}
              className="inline-flex min-h-11 items-center text-text-2 underline underline-offset-4 hover:text-text"
            >
              {day(one.at)}
              {versions.some((other) => other !== one && day(other.at) === day(one.at)) &&
                ` (${one.version})`}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Who sells here, as the law wants it on the site. */
export function SellerIdentity({ seller }: { seller: Seller }) {
  const rows: [label: string, value: string, href?: string][] = [
    ['Name', seller.name],
    ['Legal status', seller.status],
    ['Registration number', seller.registration],
    ['VAT number', seller.vatNumber],
    ['Address', seller.address],
    ['Phone', seller.phone, `tel:${seller.phone.replaceAll(/[^+\d]/g, '')}`],
    ['E-mail', seller.email, `mailto:${seller.email}`],
  ];
  return (
    <dl className="mb-8 grid max-w-[68ch] gap-x-8 border-b border-line text-16 @lg/content:grid-cols-[max-content_minmax(0,1fr)] @2xl/content:gap-x-14">
      {rows
        .filter(([, value]) => value !== '')
        .map(([label, value, href]) => (
          <div
            key={label}
            className="col-span-full grid grid-cols-subgrid border-t border-line py-3"
          >
            <dt className="text-13 text-text-3 @lg/content:text-16">{label}</dt>
            <dd className="text-16 break-words whitespace-pre-line">
              {href ? (
                <a className="text-text underline underline-offset-4" href={href}>
                  {value}
                </a>
              ) : (
                value
              )}
            </dd>
          </div>
        ))}
    </dl>
  );
}
