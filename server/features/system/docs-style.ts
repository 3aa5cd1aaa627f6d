/** The product's colours and shapes; the page cannot link its style sheet, whose name changes. */
export const docsStyle = `
:root{color-scheme:dark;--bg:oklch(0.158 0.008 62);--surface:oklch(0.187 0.009 62);--line:oklch(0.292 0.012 62);--text:oklch(0.955 0.014 85);--text-2:oklch(0.815 0.014 80);--text-3:oklch(0.695 0.014 75)}
*{box-sizing:border-box}
body{margin:0 auto;max-width:56rem;padding:24px 16px 96px;background:var(--bg);color:var(--text);font:16px/1.5 "Instrument Sans Variable",system-ui,sans-serif}
h1{font-size:2.5rem;line-height:1.1;margin:16px 0}
h2{font-size:1.125rem;margin:0 0 8px;overflow-wrap:anywhere}
h3{font-size:.8125rem;font-weight:600;color:var(--text-3);margin:16px 0 4px}
p{margin:0 0 8px;color:var(--text-2)}
a{color:var(--text)}
a:focus-visible{outline:2px solid var(--text);outline-offset:3px}
code{font-family:ui-monospace,monospace;font-size:.9em;overflow-wrap:anywhere}
nav ul{list-style:none;margin:24px 0;padding:0}
nav a{display:block;padding:10px 0;border-bottom:1px solid var(--line)}
section{margin:24px 0;padding:16px;background:var(--surface);border:1px solid var(--line);border-radius:6px;scroll-margin-top:16px}
.method{display:inline-block;min-width:4em;color:var(--text-3);font-weight:600}
table{width:100%;border-collapse:collapse;font-size:.875rem}
th,td{text-align:left;vertical-align:top;padding:6px 12px 6px 0;border-top:1px solid var(--line)}
th{width:40%;font-weight:400}
td,em{color:var(--text-2)}
.codes{display:flex;flex-wrap:wrap;gap:4px 16px;list-style:none;margin:0;padding:0;font-size:.875rem;color:var(--text-2)}
`;
