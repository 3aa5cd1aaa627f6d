import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isSafeHtml, renderMarkdown } from './render-markdown.ts';
import { escapeMarkdown } from './site-facts.ts';

describe('Markdown of a legal page', () => {
  it('becomes headings from h2 down, paragraphs, lists, emphasis and links', () => {
    const html = renderMarkdown(
      '# One\n\nA **strong** word\nand *another*.\n\n###### Six\n\n- a\n- b\n\n3. c\n\n> quoted\n\n[us](https://example.com) [mail](mailto:a@example.com) [page](/refunds)',
    );
    expect(html).toBe(
      `<h2>One</h2>
<p>A <strong>strong</strong> word
and <em>another</em>.</p>
<h4>Six</h4>
<ul>
<li>a</li>
<li>b</li>
</ul>
<ol start="3">
<li>c</li>
</ol>
<blockquote>
<p>quoted</p>
</blockquote>
<p><a href="https://example.com" rel="noopener noreferrer nofollow">us</a> <a href="mailto:a@example.com">mail</a> <a href="/refunds">page</a></p>
`,
    );
  });

  it.each([
    '<script>alert(1)</script>',
    'text <script src="//evil.example/x.js"></script> more',
    '<img src=x onerror=alert(1)>',
    '<svg/onload=alert(1)>',
    '<iframe src="javascript:alert(1)"></iframe>',
    '<!-- <script> --><style>*{}</style>',
    '<a href="javascript:alert(1)" onclick="alert(2)">x</a>',
    '```\n<script>alert(1)</script>\n```',
    '    <script>alert(1)</script>',
    '`<script>alert(1)</script>`',
    '``` "><script>alert(1)</script>\ncode\n```',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '&#60;script&#62;alert(1)&#60;/script&#62;',
    '# <script>alert(1)</script>\n\n- <b onclick=alert(1)>b</b>',
  ])('shows markup as text: %j', (text) => {
    const html = renderMarkdown(text);
    expect(isSafeHtml(html)).toBe(true);
    expect(html).not.toMatch(/<(?:script|img|svg|iframe|style|b|!)/i);
    expect(html).not.toMatch(/<[^>]*\son\w+=/i);
  });

  it.each([
    '[x](javascript:alert(1))',
    '[x](JaVaScRiPt:alert(1))',
    '[x](<javascript:alert(1)>)',
    '[x]( javascript:alert(1) )',
    '[x](java\tscript:alert(1))',
    '[x](&#106;avascript:alert(1))',
    '[x](&#x6A;avascript&colon;alert(1))',
    '[x](javascript&#58;alert(1))',
    '[x](\u0001javascript:alert(1))',
    '[x](%6Aavascript:alert(1))',
    '[x](vbscript:msgbox)',
    '[x](data:text/html;base64,PHNjcmlwdD4=)',
    '[x](data:image/svg+xml,<svg/onload=alert(1)>)',
    '[x](file:///etc/passwd)',
    '[x](blob:https://example.com/1)',
    '[x](//evil.example)',
    '[x](/\\evil.example)',
    '[x](\\\\evil.example)',
    '[x](https:evil)',
    '<javascript:alert(1)>',
    '[x][1]\n\n[1]: javascript:alert(1)',
    '[x](relative/page)',
    '[x](#hash)',
  ])('makes no link of %j', (text) => {
    expect(renderMarkdown(text)).not.toContain('<a ');
  });

  it('never turns text into an attribute', () => {
    const html = renderMarkdown(
      '[x](https://example.com/"onmouseover="alert(1) "a \\" onclick=alert(1)")\n\n[y](https://example.com/?q=%22%3E%3Cscript%3E \'t\')',
    );
    expect(isSafeHtml(html)).toBe(true);
    expect(html).not.toMatch(/<[^>]*\s(?:on\w+|title)=/);
  });

  it('shows no images, which would report readers to other sites', () => {
    for (const text of ['![x](https://example.com/x.png)', '![x](x" onerror="alert(1))'])
      expect(renderMarkdown(text)).not.toContain('<img');
  });

  it('takes nested brackets, deep quotes and huge texts in bounded time', () => {
    const long = 50_000;
    for (const piece of ['[', '![', '](', '> ', '- ', '*', '_a', '`', '<', '[a](', '&#', '**a ']) {
      const text = piece.repeat(Math.floor(long / piece.length));
      expect(isSafeHtml(renderMarkdown(text))).toBe(true);
    }
    expect(isSafeHtml(renderMarkdown(`${'['.repeat(2000)}x${'](/a)'.repeat(2000)}`))).toBe(true);
  });

  it('is safe for every text', () => {
    const pieces = fc.constantFrom(
      ...'<script> </script> <img onerror= javascript: data: [ ]( ) " \' > ` ``` \n # - * _ & &#106; \\ https:// mailto: / 1. {siteName}'.split(
        ' ',
      ),
    );
    const text = fc.array(fc.oneof(pieces, fc.string())).map((parts) => parts.join(''));
    fc.assert(
      fc.property(text, (source) => {
        const html = renderMarkdown(source);
        expect(isSafeHtml(html)).toBe(true);
        expect(html).not.toMatch(/href="\s*(?:javascript|data|vbscript)/i);
      }),
    );
  });
});

it('the second look refuses tags and attributes that we don’t produce', () => {
  for (const html of ['<script>', '<a href="/" onclick="x">', '<p class="x">', '<p><', '<IMG>'])
    expect(isSafeHtml(html)).toBe(false);
});

it('a fact that looks like Markdown stays text', () => {
  const name = '*Deep* [House](javascript:x) <b>&amp; `Sons` # 1. {x}';
  const html = renderMarkdown(escapeMarkdown(name));
  expect(html).toBe('<p>*Deep* [House](javascript:x) &lt;b&gt;&amp;amp; `Sons` # 1. {x}</p>\n');
});
