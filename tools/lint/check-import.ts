import { posix } from 'node:path';
import {
  layers,
  SERVER_FEATURE_ENTRY,
  typeOnlyExceptions,
  WEB_FEATURE_ENTRY,
  WEB_TRACKS,
  type Layer,
} from './layers.ts';

export type Import = {
  /** The path of the importing file relative to the project root, with forward slashes. */
  file: string;
  specifier: string;
  isTypeOnly: boolean;
};

function toRegExp(pattern: string): RegExp {
  const source = pattern
    .split(/(\*\*\/|\*\*|\*)/)
    .map((part) => {
      if (part === '**/') return '(?:.*/)?';
      if (part === '**') return '.*';
      if (part === '*') return '[^/]*';
      return part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&');
    })
    .join('');
  return new RegExp(`^${source}$`);
}

const matchers = layers.map((layer) => ({ layer, patterns: layer.files.map(toRegExp) }));

function layerOf(path: string): Layer | undefined {
  return matchers.find(({ patterns }) => patterns.some((pattern) => pattern.test(path)))?.layer;
}

/** The imported file's path from the root, or undefined for a package. */
function resolveImport(file: string, specifier: string): string | undefined {
  const bare = specifier.replace(/[?].*$/, '');
  if (bare.startsWith('#')) return bare.slice(1);
  if (bare.startsWith('.')) return posix.join(posix.dirname(file), bare);
  return undefined;
}

const featureOf = (path: string): string | undefined =>
  /^(?:server|web)\/features\/([^/]+)/.exec(path)?.[1];

function packageName(specifier: string): string {
  const parts = specifier.split('/');
  return parts.slice(0, specifier.startsWith('@') ? 2 : 1).join('/');
}

function checkPackage(layer: Layer, specifier: string): string | undefined {
  if (!layer.packages || layer.packages.includes(packageName(specifier))) return undefined;
  return `${layer.name} imports only ${layer.packages.join(', ')}, not ${specifier}.`;
}

function checkFeature(from: Layer, to: Layer, file: string, target: string): string | undefined {
  if (to.name === 'server feature' && (from === to || from.name === 'demo')) {
    if (featureOf(file) === featureOf(target) && from === to) return undefined;
    if (posix.basename(target) === SERVER_FEATURE_ENTRY) return undefined;
    return `Other features import only the ${SERVER_FEATURE_ENTRY} of a server feature, not ${target}.`;
  }
  const isWebFeature = from === to || from.name === 'web player view';
  if (to.name === 'web feature' && isWebFeature && featureOf(file) !== featureOf(target)) {
    if (posix.basename(target) === WEB_FEATURE_ENTRY || featureOf(file) === WEB_TRACKS)
      return undefined;
    return `A web feature imports only the ${WEB_FEATURE_ENTRY} of another one, not ${target}: pages compose them.`;
  }
  return undefined;
}

function isExcepted(from: Layer, target: string, isTypeOnly: boolean): boolean {
  return (
    isTypeOnly &&
    typeOnlyExceptions.some(({ from: names, to }) => to === target && names.includes(from.name))
  );
}

const pageOf = (path: string): string | undefined => /^web\/pages\/([^/]+)\//.exec(path)?.[1];

function checkPage(file: string, target: string): string | undefined {
  const [page, other] = [pageOf(file), pageOf(target)];
  if (!page || !other || page === other) return undefined;
  return `A page doesn’t import another one (${target}): what two pages use belongs in web/features.`;
}

/** The problem with an import, if there is one. */
export function checkImport({ file, specifier, isTypeOnly }: Import): string | undefined {
  const from = layerOf(file);
  if (!from) return `${file} is in no layer: add its folder to tools/lint/layers.ts.`;
  const target = resolveImport(file, specifier);
  if (target === undefined) return checkPackage(from, specifier);
  if (from.may.includes('*') || isExcepted(from, target, isTypeOnly)) return undefined;
  const to = layerOf(target);
  if (!to) return `${target} is in no layer: add its folder to tools/lint/layers.ts.`;
  if (to !== from && !from.may.includes(to.name)) {
    return `${from.name} must not import ${to.name} (${target}). The directions are in tools/lint/layers.ts.`;
  }
  return checkPage(file, target) ?? checkFeature(from, to, file, target);
}
