import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig, minifySync, type Plugin } from 'vite';
import { slimMixpanel } from './tools/mixpanel-plugin.ts';
import { findIneffectiveImports } from './tools/built-files.ts';
import { nameScriptFiles } from './tools/script-files.ts';
import { icons } from './tools/icons-plugin.ts';

const API_ORIGIN = process.env.API_ORIGIN ?? 'http://127.0.0.1:3000';

/** Without changing the host, because the server rejects requests from other origins. */
const toServer = { target: API_ORIGIN, changeOrigin: false };

/** In development the page comes from Vite, so it gets its boot data from the running server. */
const bootFromServer = (): Plugin => ({
  name: 'boot-from-server',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await fetch(API_ORIGIN, { headers: { accept: 'text/html' } }).then((r) =>
      r.text(),
    );
    const title = /<title>([^<]*)<\/title>/.exec(page)?.[1] ?? '';
    const boot = /id="boot">([^<]*)</.exec(page)?.[1] ?? 'null';
    const root = /<html[^>]*>/.exec(page)?.[0] ?? '<html lang="en">';
    return html
      .replace(/<html[^>]*>/, root)
      .replace('__SITE_NAME__', title)
      .replace('__BOOT__', boot);
  },
});

/** Vite leaves the scripts in the page's head as they are, and every page has them. */
const shortenHead = (): Plugin => ({
  name: 'shorten-head',
  apply: 'build',
  transformIndexHtml: (html) =>
    html
      .replaceAll(/(?<=<script>)[^<]*(?=<\/script>)/g, (script) =>
        minifySync('head.js', script, { module: false }).code.trim(),
      )
      .replaceAll(/\n\s+/g, '\n'),
});

/** Such an `import()` loads nothing, and costs a fallback for code that is there. */
const refuseIneffectiveImports = (): Plugin => ({
  name: 'refuse-ineffective-imports',
  apply: 'build',
  generateBundle(_options, bundle) {
    const scripts = Object.values(bundle).filter((file) => file.type === 'chunk');
    const found = findIneffectiveImports(scripts, (id) => this.getModuleInfo(id));
    if (found.length > 0) this.error(found.join('\n'));
  },
});

export default defineConfig({
  root: 'web',
  cacheDir: '../.cache/vite',
  plugins: [
    react(),
    tailwindcss(),
    icons(),
    slimMixpanel(),
    bootFromServer(),
    shortenHead(),
    refuseIneffectiveImports(),
  ],
  resolve: {
    // The router imports a shim for a hook that React has had since version 18.
    alias: { 'use-sync-external-store/shim/index.js': 'react' },
  },
  server: {
    host: '127.0.0.1',
    proxy: {
      '/api': toServer,
      // The sandbox's payment page uses the stylesheet of the last build.
      '/assets': toServer,
      '/embed': toServer,
      '/feed': toServer,
      '/healthz': toServer,
      '/manifest.webmanifest': toServer,
      '/media': toServer,
      '/oembed': toServer,
      '/sandbox': toServer,
    },
  },
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    // Tailwind's own minimum. The colours of the weeks need oklch() anyway, so nothing falls back from it.
    cssTarget: ['chrome111', 'firefox128', 'safari16.4'],
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every browser that supports the target preloads modules natively.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // On a slow machine it would say which plugin took long.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          includeDependenciesRecursively: false,
          groups: [{ name: nameScriptFiles(), debugName: 'script files' }],
        },
      },
    },
  },
});
