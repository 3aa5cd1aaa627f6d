import { generate } from 'lean-qr';

/** Scanners expect dark on light with a margin, in either theme. */
const MARGIN = 4;

/** Import it lazily: it comes with the library that computes the code. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const cells = Array.from({ length: code.size * code.size }, (_, n) => ({
    x: n % code.size,
    y: Math.floor(n / code.size),
  }));
  const path = cells
    .filter(({ x, y }) => code.get(x, y))
    .map(({ x, y }) => `M${x} ${y}h1v1h-1z`)
    .join('');
  const side = code.size + 2 * MARGIN;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-MARGIN} ${-MARGIN} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-panel"
    >
      <rect x={-MARGIN} y={-MARGIN} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
