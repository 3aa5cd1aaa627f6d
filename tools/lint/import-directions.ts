import { join, relative, sep } from 'node:path';
import type { RuleTester } from 'oxlint/plugins-dev';
import { checkImport } from './check-import.ts';
import { ownPlaces } from './own-places.ts';

type Rule = Parameters<RuleTester['run']>[1];

const root = join(import.meta.dirname, '..', '..');

/** Reports every import, re-export, `import()` and type import that tools/lint/layers.ts doesn't allow. */
export const importDirections: Rule = {
  create(context) {
    const file = relative(root, context.filename).split(sep).join('/');
    const report = (source: { value?: unknown; range: [number, number] }, isTypeOnly: boolean) => {
      if (typeof source.value !== 'string') return;
      const message = checkImport({ file, specifier: source.value, isTypeOnly });
      if (message) context.report({ message, node: source });
    };
    return {
      ImportDeclaration: (node) => report(node.source, node.importKind === 'type'),
      ExportAllDeclaration: (node) => report(node.source, node.exportKind === 'type'),
      ExportNamedDeclaration: (node) => {
        if (node.source) report(node.source, node.exportKind === 'type');
      },
      ImportExpression: (node) => {
        if (node.source.type === 'Literal') report(node.source, false);
      },
      TSImportType: (node) => report(node.source, true),
    };
  },
};

// The linter loads a plugin from the default export.
export default {
  meta: { name: 'house' },
  rules: { 'import-directions': importDirections, 'own-places': ownPlaces },
};
