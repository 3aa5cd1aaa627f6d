import { generate } from 'lean-qr';

/** Dark on light with a quiet edge, whatever the theme: that is what scanners look for. */
const EDGE = 4;

export function QrPicture({ text, label }: { text: string; label: string }) {
  const code = generate(text);
  const cells = Array.from({ length: code.size * code.size }, (_, n) => ({
    x: n % code.size,
    y: Math.floor(n / code.size),
  }));
  const path = cells
    .filter(({ x, y }) => code.get(x, y))
    .map(({ x, y }) => `M${x} ${y}h1v1h-1z`)
    .join('');
  const side = code.size + 2 * EDGE;
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`${-EDGE} ${-EDGE} ${side} ${side}`}
      shapeRendering="crispEdges"
      className="size-52 rounded-panel"
    >
      <rect x={-EDGE} y={-EDGE} width={side} height={side} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}
