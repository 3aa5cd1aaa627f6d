import decodeQr from 'qr/decode.js';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, it } from 'vitest';
import { QrCode } from './qr-code.tsx';

const SCALE = 6;

/** The drawing as a camera sees it: dark cells on a light ground. */
function paint(svg: string) {
  const [, , from, , side] = /viewBox="((-?\d+) (-?\d+) (\d+)) \d+"/.exec(svg) ?? [];
  const [, fill] = /<rect [^>]*fill="(#\w+)"/.exec(svg) ?? [];
  const width = Number(side) * SCALE;
  const data = new Uint8Array(width * width * 4).fill(fill === '#fff' ? 255 : 0);
  for (const [, x, y] of svg.matchAll(/M(\d+) (\d+)h1v1h-1z/g))
    for (let dy = 0; dy < SCALE; dy++)
      for (let dx = 0; dx < SCALE; dx++) {
        const left = (Number(x) - Number(from)) * SCALE + dx;
        const top = (Number(y) - Number(from)) * SCALE + dy;
        data.fill(0, (top * width + left) * 4, (top * width + left) * 4 + 3);
      }
  return { margin: -Number(from), image: { width, height: width, data } };
}

it.each([
  'https://mixes.example/track/golden-hour?t=754',
  `https://mixes.example/shared/${'x'.repeat(43)}`,
  'otpauth://totp/Weekender:Thandi%20%26%20Sipho?secret=JBSWY3DPEHPK3PXP&issuer=Weekender',
])('a camera reads %s', (text) => {
  const { margin, image } = paint(renderToStaticMarkup(<QrCode text={text} label="Code" />));
  expect(decodeQr(image)).toBe(text);
  // The standard’s quiet zone.
  expect(margin).toBe(4);
});
