import type { Seller } from '#contract/paying/invoices.ts';

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
