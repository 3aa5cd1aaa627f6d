import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { SellerIdentity } from './legal.tsx';

const seller = {
  name: 'Deep Sunday (Pty) Ltd',
  status: 'Private company',
  address: '1 Long Street\nCape Town',
  registration: '',
  vatNumber: '4123456789',
  phone: '+27 21 555-0100',
  email: 'hello@example.com',
};

it('shows what the law wants of a seller, and leaves out what is empty', () => {
  const html = renderToStaticMarkup(<SellerIdentity seller={seller} />);
  for (const text of [...Object.values(seller), 'href="tel:+27215550100"', 'href="mailto:hello@'])
    expect(html).toContain(text);
  expect(html).not.toContain('Registration');
});
