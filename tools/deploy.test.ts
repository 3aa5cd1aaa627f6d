import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EnvSettings } from '#server/env-settings.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as { scripts: { start: string } };
const startArguments = scripts.start.replace(/^node /, '');

type Compose = {
  services: Record<string, { environment?: Record<string, string>; volumes?: string[] }>;
  volumes: Record<string, unknown>;
};
const { services, volumes } = parse(read('deploy/compose.yaml')) as Compose;
const settings = Object.keys(EnvSettings.shape);
/** Of compose itself, not of the server. */
const OTHERS = ['DOMAIN'];

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );

  it('copies what exists, and what .dockerignore lets in', () => {
    const allowed = [...read('.dockerignore').matchAll(/^!(.+)$/gm)].map(([, name]) => name);
    expect(copied.filter((name) => !existsSync(join(root, name)))).toEqual([]);
    for (const name of copied) expect(allowed).toContain(name.split('/')[0]);
  });

  it('has all code that the server imports', () => {
    const { imports } = JSON.parse(read('package.json')) as { imports: Record<string, string> };
    for (const folder of Object.values(imports)) expect(copied).toContain(folder.split('/')[1]);
  });

  it('starts as npm start does, as a user without rights', () => {
    const [, command = '[]'] = /^CMD (\[.+\])$/m.exec(dockerfile) ?? [];
    expect((JSON.parse(command) as string[]).join(' ')).toBe(scripts.start);
    expect(dockerfile.indexOf('\nUSER weekender')).toBeGreaterThan(0);
    expect(dockerfile.lastIndexOf('\nRUN ')).toBeLessThan(dockerfile.indexOf('\nUSER '));
  });

  it('sets only settings that exist', () => {
    const [, pairs = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
    const names = pairs.split(' ').map((pair) => pair.split('=')[0]);
    expect(names.filter((name) => name !== 'PATH' && !settings.includes(name ?? ''))).toEqual([]);
  });
});

describe('compose.yaml', () => {
  it('gives the server only settings that exist, with a proxy in front that it trusts', () => {
    const { environment = {} } = services.app ?? {};
    expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(environment.TRUST_PROXY).toBe('1');
  });

  it('explains each of its variables in env.example', () => {
    const example = read('deploy/env.example');
    const used = [...read('deploy/compose.yaml').matchAll(/\$\{(\w+)/g)].map(([, name]) => name);
    const explained = [...example.matchAll(/^(\w+)=/gm)].map(([, name = '']) => name);
    for (const name of used) expect(explained).toContain(name);
    for (const name of explained) expect([...settings, ...OTHERS]).toContain(name);
  });

  it('keeps everything that must survive in volumes', () => {
    const used = Object.values(services).flatMap((service) => service.volumes ?? []);
    for (const name of Object.keys(volumes))
      expect(used.filter((volume) => volume.startsWith(`${name}:`))).toHaveLength(1);
    expect(services.app?.volumes).toEqual(['data:/data']);
  });
});

describe('the systemd unit', () => {
  const unit = read('deploy/weekender.service');

  it('starts as npm start does', () => {
    expect(unit).toContain(`ExecStart=/opt/weekender/node_modules/.bin/node ${startArguments}\n`);
  });

  it('is valid, as far as this machine can tell', () => {
    if (!existsSync('/usr/bin/systemd-analyze')) return;
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    const file = join(folder, 'weekender.service');
    writeFileSync(file, unit.replace('/opt/weekender/node_modules/.bin/node', process.execPath));
    // It exits with an error, or names what it doesn't understand.
    const output = execFileSync('systemd-analyze', ['verify', file], { encoding: 'utf8' });
    expect(output).toBe('');
    rmSync(folder, { recursive: true });
  });
});
