import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { choosePlace, listPlaces, type Box } from './toast-place.ts';

const box = (left: number, top: number, width: number, height: number): Box => ({
  left,
  top,
  right: left + width,
  bottom: top + height,
});

const overlaps = (a: Box, b: Box): boolean =>
  a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;

const place = (usual: Box, leftEdge: number, controls: Box[]): Box => {
  const [first, ...others] = listPlaces(usual, leftEdge);
  if (!first) throw new Error('There is no place.');
  return choosePlace(
    [first, ...others],
    (one) => controls.filter((control) => overlaps(one, control)).length,
  );
};

describe('the place of a toast', () => {
  const onPhone = box(16, 680, 358, 72);
  const onDesktop = box(1016, 808, 392, 72);

  it('is above the bars at the bottom', () => {
    expect(place(onPhone, 16, [box(16, 400, 358, 44)])).toEqual(onPhone);
  });

  it('is above a button at the bottom', () => {
    expect(place(onPhone, 16, [box(16, 730, 358, 44)])).toEqual(box(16, 648, 358, 72));
  });

  it('is below the header when the bottom is full of buttons', () => {
    expect(place(onPhone, 16, [box(16, 500, 358, 250)])).toEqual(box(16, 76, 358, 72));
  });

  it('is at the top when buttons are there as well', () => {
    const controls = [box(16, 500, 358, 250), box(330, 90, 44, 44)];
    expect(place(onPhone, 16, controls)).toEqual(box(16, 12, 358, 72));
  });

  it('is to the left of controls on the right, such as those of the queue', () => {
    const queue = [box(1040, 700, 200, 140)];
    expect(place(onDesktop, 280, queue)).toEqual(box(648, 808, 392, 72));
  });

  it('covers no control if there is a place without one, and the fewest otherwise', () => {
    const control = fc
      .tuple(fc.nat(1440), fc.nat(900), fc.integer({ min: 1, max: 400 }), fc.nat(60))
      .map((parts) => box(...parts));
    fc.assert(
      fc.property(fc.array(control, { maxLength: 30 }), (controls) => {
        const count = (one: Box) => controls.filter((other) => overlaps(one, other)).length;
        const counts = listPlaces(onDesktop, 280).map(count);
        expect(count(place(onDesktop, 280, controls))).toBe(Math.min(...counts));
      }),
    );
  });
});
