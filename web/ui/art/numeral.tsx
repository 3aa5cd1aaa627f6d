import type { CSSProperties } from 'react';

type NumeralProps = {
  /** A week number, a rank or a price. */
  value: number | string;
  /** Font size in CSS: `clamp(15rem, 34vw, 31rem)`. */
  size: string;
  /** Hides it from screen readers where the number is also in the text nearby. */
  isDecorative?: boolean;
  /** Something stands beside it, which must not move when the font comes. */
  hasNeighbor?: boolean;
  className?: string;
};

/** How wide the digits from 0 to 9 are in the display type. */
const DIGIT_EMS = [0.289, 0.253, 0.288, 0.283, 0.312, 0.284, 0.283, 0.251, 0.283, 0.283];

const measureEms = (value: number | string): number =>
  Array.from(String(value), (digit) => DIGIT_EMS[Number(digit)] ?? 0).reduce((a, b) => a + b, 0);

/** The large number of a screen. Trimmed to its visible edges, so that it aligns. */
export function Numeral({ value, size, isDecorative, hasNeighbor, className = '' }: NumeralProps) {
  const style: CSSProperties = {
    fontSize: size,
    ...(hasNeighbor && { boxSizing: 'content-box', width: `${measureEms(value).toFixed(3)}em` }),
  };
  return (
    <span
      className={`type-numeral block ${className}`}
      style={style}
      {...(isDecorative && { 'aria-hidden': true })}
    >
      {value}
    </span>
  );
}
