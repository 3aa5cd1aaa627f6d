import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { validate } from 'dockerfile-utils';
import Fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseConfig } from '#server/config.ts';
import { EnvSettings } from '#server/env-settings.ts';
import { findProgram } from './testing/find-program.ts';

const root = join(import.meta.dirname, '..');
const read = (file: string): string => readFileSync(join(root, file), 'utf8');
const { scripts } = JSON.parse(read('package.json')) as {
  scripts: { start: string; worker: string; backup: string };
};
const startArguments = scripts.start.replace(/^node /, '');

type Service = {
  image: string;
  build?: { args?: string[] };
  user?: string;
  restart?: string;
  logging?: { driver: string; options: Record<string, string> };
  read_only?: boolean;
  tmpfs?: string[];
  cap_drop?: string[];
  security_opt?: string[];
  command?: string[];
  env_file?: string;
  environment?: Record<string, string>;
  healthcheck?: {
    test?: string[];
    disable?: boolean;
    interval?: string;
    timeout?: string;
    start_period?: string;
    retries?: number;
  };
  depends_on?: Record<string, { condition: string }>;
  ports?: string[];
  volumes?: string[];
};
type Compose = { services: Record<string, Service>; volumes: Record<string, unknown> };
const readCompose = (file: string) => parse(read(file), { merge: true }) as Compose;
const { services, volumes } = readCompose('deploy/compose.yaml');
const settings = Object.keys(EnvSettings.shape);
/** Of compose itself, not of the server. */
const OTHERS = ['DOMAIN', 'POSTGRES_PASSWORD', 'STORE_RPC_SECRET'];

const readVariables = (file: string) => [
  ...new Set([...read(file).matchAll(/\$\{(\w+)/g)].map(([, name = '']) => name)),
];
/** What an example of an env file sets. */
const readExample = (file: string) =>
  new Map(
    [...read(file).matchAll(/^(\w+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

describe('the image', () => {
  const dockerfile = read('deploy/Dockerfile');
  const copied = [...dockerfile.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, names = '']) =>
    names.split(' '),
  );

  it('is described in a file that a linter accepts', () => {
    expect(validate(dockerfile)).toEqual([]);
    expect(validate(dockerfile.replace('FROM ', 'FRON '))).not.toEqual([]);
  });

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

  it('builds the web app, and leaves behind what only builds it and one of two ffmpegs', () => {
    const steps = [
      'npm ci --no',
      'npm run build',
      'npm prune --omit=dev',
      'rm -rf .cache node_modules/@ffmpeg',
    ];
    const places = steps.map((step) => dockerfile.indexOf(step));
    expect(places).toEqual(places.toSorted((a, b) => a - b));
    expect(places[0]).toBeGreaterThan(0);
    expect(places.at(-1)).toBeLessThan(dockerfile.indexOf('FROM docker.io/library/debian:'));
    expect(dockerfile).toContain(' FFMPEG_PATH=/usr/bin/ffmpeg ');
    const { dependencies } = JSON.parse(read('package.json')) as { dependencies: object };
    const builders = ['vite', '@tailwindcss/vite', '@vitejs/plugin-react'];
    expect(Object.keys(dependencies).filter((name) => builders.includes(name))).toEqual([]);
  });

  it('needs no frontend and no short names, which not every engine finds', () => {
    const [first = ''] = dockerfile.split('\n');
    expect(first).not.toContain('syntax=');
    const bases = [...dockerfile.matchAll(/^FROM (\S+)/gm)].map(([, name]) => name);
    expect(bases).toHaveLength(2);
    for (const base of bases) expect(base).toMatch(/^docker\.io\/library\/\w+:[\w-]+$/);
  });

  it('keeps compiled code in the volume, because nothing else can be written', () => {
    expect(dockerfile).toContain('\nVOLUME /data\n');
    expect(dockerfile).toContain('\nENV NODE_COMPILE_CACHE=/data/');
  });

  it('doesn’t keep freed memory for each thread', () => {
    expect(dockerfile).toContain('\nENV MALLOC_ARENA_MAX=2\n');
    for (const name of ['weekender', 'weekender-backup'])
      expect(read(`deploy/${name}.service`)).toMatch(/^Environment=.* MALLOC_ARENA_MAX=2$/m);
  });

  it('sets only settings that exist', () => {
    const [, pairs = ''] = /^ENV (.+)$/m.exec(dockerfile) ?? [];
    const names = pairs.split(' ').map((pair) => pair.split('=')[0]);
    expect(names.filter((name) => name !== 'PATH' && !settings.includes(name ?? ''))).toEqual([]);
  });
});

describe('the workflow', () => {
  type Step = { uses?: string; run?: string; with?: Record<string, unknown>; env?: object };
  type Workflow = { on: Record<string, unknown>; jobs: Record<string, { steps: Step[] }> };

  it('builds the image on every push, tries it, and has the commit of 1.0.0', () => {
    const { on, jobs } = parse(read('.github/workflows/ci.yml')) as Workflow;
    expect(on).toMatchObject({ push: { branches: ['main'] }, pull_request: null });
    const steps = jobs.image?.steps ?? [];
    // Without a limit: the older version's commit is needed too.
    expect(steps[0]).toMatchObject({ uses: 'actions/checkout@v5', with: { 'fetch-depth': 0 } });
    const { run = '', env } = steps.at(-1) ?? {};
    expect(existsSync(join(root, run))).toBe(true);
    expect(env).toEqual({ OLD: expect.stringMatching(/^[0-9a-f]{12}$/) as string });
  });
});

describe('compose.yaml', () => {
  it('gives the server only settings that exist, with a proxy in front that it trusts', () => {
    const { environment = {} } = services.app ?? {};
    expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
    expect(environment.TRUST_PROXY).toBe('1');
  });

  it('keeps everything that must survive in volumes', () => {
    const used = Object.values(services).flatMap((service) => service.volumes ?? []);
    for (const name of Object.keys(volumes))
      expect(used.filter((volume) => volume.startsWith(`${name}:`))).not.toEqual([]);
    expect(services.app?.volumes).toEqual(['data:/data']);
  });
});

describe.each([
  ['compose.yaml', 'env.example'],
  ['compose.scale.yaml', 'env.scale.example'],
])('%s', (file, example) => {
  const compose = readCompose(`deploy/${file}`);

  it('explains each of its variables in its example, and the example has only settings that exist', () => {
    const explained = [...readExample(`deploy/${example}`).keys()];
    expect(explained).toEqual(expect.arrayContaining(readVariables(`deploy/${file}`)));
    for (const name of explained) expect([...settings, ...OTHERS]).toContain(name);
  });

  it('has the settings of either payment provider in its example', () => {
    const named = [...read(`deploy/${example}`).matchAll(/^#?([A-Z]\w+)=/gm)].map(
      ([, name = '']) => name,
    );
    for (const name of named) expect([...settings, ...OTHERS]).toContain(name);
    const needed = settings.filter((name) => /^(PAYSTACK|STRIPE)_(?!API$)/.test(name));
    expect(named).toEqual(expect.arrayContaining(needed));
  });

  it('has no secret of its own', () => {
    expect(read(`deploy/${file}`)).not.toMatch(/\$\{\w+:?-/);
    for (const [name, value] of readExample(`deploy/${example}`))
      if (/SECRET|PASSWORD|TOKEN|KEY/.test(name)) expect([name, value]).toEqual([name, '']);
  });

  it('names an exact version of every image that isn’t built here, and where it is', () => {
    const images = Object.values(compose.services).filter(({ build }) => !build);
    for (const { image } of images) expect(image).toMatch(/^docker\.io\/\w+\/\w+:v?\d+\.\d+/);
  });

  it('asks the site for its health as the image does, which Podman builds without that', () => {
    const [, options = '', command = ''] =
      /^HEALTHCHECK (.+) \\\n +CMD (.+)$/m.exec(read('deploy/Dockerfile')) ?? [];
    const [, program = ''] = JSON.parse(command) as string[];
    expect(existsSync(join(root, program))).toBe(true);
    const checked = Object.values(compose.services).filter(
      ({ build, healthcheck }) => build && !healthcheck?.disable,
    );
    expect(checked).not.toEqual([]);
    for (const { healthcheck } of checked) {
      const { test = [], ...rest } = healthcheck ?? {};
      expect(test).toEqual(['CMD', 'node', program]);
      const written = Object.entries(rest).map(
        ([name, value]) => `--${name.replace('_', '-')}=${value}`,
      );
      expect(written.join(' ')).toBe(options);
    }
  });

  it('builds an image that knows its commit, if the command says it', () => {
    expect(read('deploy/Dockerfile')).toContain('\nARG COMMIT=\n');
    const built = Object.values(compose.services).filter(({ build }) => build);
    for (const { build } of built) expect(build?.args).toEqual(['COMMIT']);
    const pages = read('docs/guide/start.md') + read('docs/operations.md');
    const [, told = ''] =
      /^alias site='sudo (COMMIT=\S.*) docker compose --file ~\/weekender\//m.exec(
        pages.split('\n').find((line) => line.endsWith(`/${file}'`)) ?? '',
      ) ?? [];
    expect(told).toMatch(/^COMMIT=\$\(git -C ~\/weekender describe .*--dirty=-modified .*\)$/);
  });

  it('keeps at most 100 MB of the log of everything that runs', () => {
    const staying = Object.entries(compose.services).filter(([name]) => name !== 'store-folder');
    for (const [name, { logging }] of staying)
      expect([name, logging]).toEqual([
        name,
        { driver: 'json-file', options: { 'max-size': '20m', 'max-file': '5' } },
      ]);
  });

  it('has no temporary folder with an owner, which Podman refuses', () => {
    const folders = Object.values(compose.services).flatMap(({ tmpfs = [] }) => tmpfs);
    expect(folders).toContain('/tmp');
    for (const folder of folders) expect(folder).toMatch(/^\/[\w/]+$/);
  });

  it('publishes only the ports of the web', () => {
    const ports = Object.values(compose.services).flatMap((service) => service.ports ?? []);
    expect(ports.every((port) => /^(80:80|443:443)(\/udp)?$/.test(port))).toBe(true);
  });

  it('backs up each night what the site has, to a folder that only the backup reaches', () => {
    const { backup = { image: '' }, ...others } = compose.services;
    expect(backup.command?.join(' ')).toBe(`${scripts.backup} --nightly`);
    expect(backup.environment?.BACKUP_DIR).toBe('/backups');
    const site = others.app ?? others.worker;
    expect(backup).toMatchObject({ image: site?.image, env_file: site?.env_file, read_only: true });
    expect(backup.environment).toMatchObject(site?.environment ?? {});
    // A container that ended would never make a backup again.
    expect(backup.restart).toBe('unless-stopped');
    expect(backup.healthcheck).toEqual({ disable: true });
    // A new site has no tables yet, and after an upgrade they are being changed.
    const conditions = Object.values(backup.depends_on ?? {}).map(({ condition }) => condition);
    expect(conditions).toEqual(['service_healthy']);
    expect(backup.volumes).toEqual([
      ...(site?.volumes ?? []),
      expect.stringMatching(/:\/backups$/),
    ]);
    const reaching = Object.values(others).filter(({ volumes: all = [] }) =>
      all.some((volume) => volume.includes('BACKUP_DIR')),
    );
    expect(reaching).toEqual([]);
  });

  it('keeps every volume that it declares, and declares what it uses', () => {
    const used = Object.values(compose.services)
      .flatMap((service) => service.volumes ?? [])
      .map((volume) => volume.split(':')[0] ?? '')
      .filter((name) => !/^[.$]/.test(name));
    expect(new Set(used)).toEqual(new Set(Object.keys(compose.volumes)));
  });
});

describe('compose.scale.yaml', () => {
  const scale = readCompose('deploy/compose.scale.yaml').services;
  const site = ['app1', 'app2', 'worker'].map((name) => scale[name]);
  const staying = Object.entries(scale).filter(([name]) => name !== 'store-folder');

  it('has two servers and a worker with the same settings, which work', () => {
    const values: Record<string, string> = {
      ...Object.fromEntries(readExample('deploy/env.scale.example')),
      POSTGRES_PASSWORD: 'a1b2',
      METRICS_TOKEN: 'a-token-for-prometheus',
      S3_ACCESS_KEY_ID: 'GK12',
      S3_SECRET_ACCESS_KEY: 'c3d4',
      PAYSTACK_SECRET_KEY: 'sk_live_0123456789',
    };
    const configs = site.map((service) => {
      const { environment = {}, env_file: file } = service ?? {};
      expect(file).toBe('.env');
      expect(Object.keys(environment).filter((name) => !settings.includes(name))).toEqual([]);
      const filled = Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+)[^}]*\}/g, (_, variable: string) => values[variable] ?? ''),
      ]);
      return parseConfig({ ...values, ...(Object.fromEntries(filled) as typeof values) });
    });
    expect(configs[1]).toEqual(configs[0]);
    expect(configs[2]).toEqual(configs[0]);
    expect(configs[0]).toMatchObject({
      demo: false,
      worker: false,
      trustProxy: 1,
      appOrigin: 'https://music.example',
      databaseUrl: 'postgres://weekender:a1b2@database:5432/weekender',
      s3: { endpoint: 'https://music.example', bucket: 'site-files' },
    });
    expect(scale.worker?.command?.join(' ')).toBe(scripts.worker);
  });

  it('runs everything without rights, and again when it ends', () => {
    for (const [name, service] of staying) {
      expect([name, service.restart, service.read_only]).toEqual([name, 'unless-stopped', true]);
      expect(service.cap_drop).toEqual(['ALL']);
      expect(service.security_opt).toEqual(['no-new-privileges:true']);
      // The image of the site has its own user.
      if (!service.build) expect(service.user).toMatch(/^(?!root|0)\w/);
    }
  });

  it('waits for what is needed until it is healthy, and all but the worker say whether they are', () => {
    for (const [name, service] of staying) {
      for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
        const isOnce = needed === 'store-folder';
        expect(condition).toBe(isOnce ? 'service_completed_successfully' : 'service_healthy');
        if (!isOnce) expect(scale[needed]?.healthcheck?.test).toBeDefined();
      }
      const isChecked = Boolean(service.build ?? service.healthcheck?.test);
      expect([name, isChecked]).toEqual([name, true]);
    }
    expect(scale.worker?.healthcheck).toEqual({ disable: true });
  });

  it('agrees with nginx.conf about names, ports and the bucket', () => {
    const nginx = read('deploy/nginx.conf');
    const servers = [...nginx.matchAll(/^ +server (\w+):(\d+)/gm)].map(([, host, port]) => [
      host,
      port,
    ]);
    expect(servers).toEqual([
      ['app1', '3000'],
      ['app2', '3000'],
      ['store', '3900'],
    ]);
    expect(read('deploy/Dockerfile')).toContain(' PORT=3000 ');
    expect(read('deploy/garage.toml')).toContain('api_bind_addr = "0.0.0.0:3900"');
    const bucket = scale.store?.environment?.GARAGE_DEFAULT_BUCKET;
    expect(bucket).toBe(scale.app1?.environment?.S3_BUCKET);
    expect(nginx).toContain(`location ~ ^/${bucket}(/|$)`);
    expect(read('deploy/garage.toml')).toContain(
      `s3_region = "${scale.app1?.environment?.S3_REGION}"`,
    );
  });

  it('tells nginx the engine’s name server before it starts', () => {
    const [, written = ''] = /> (\S+)\n/.exec(scale.nginx?.command?.at(-1) ?? '') ?? [];
    expect(written).toMatch(/^\/tmp\//);
    expect(read('deploy/nginx.conf')).toContain(`\n  include ${written};\n`);
  });

  it('lets nginx close idle connections before the servers do', () => {
    const [, seconds] = /^ +keepalive_timeout (\d+)s;/m.exec(read('deploy/nginx.conf')) ?? [];
    expect(Number(seconds) * 1000).toBeLessThan(Fastify().server.keepAliveTimeout);
  });
});

/** As the sections and lines of a unit, without comments. */
const readUnit = (file: string) =>
  read(`deploy/${file}`)
    .split('\n')
    .filter((line) => /^[A-Z]/.test(line));

describe('the systemd units', () => {
  const unit = read('deploy/weekender.service');
  const backup = readUnit('weekender-backup.service');

  it('start as npm start and npm run backup do', () => {
    const node = 'ExecStart=/opt/weekender/node_modules/.bin/node';
    expect(unit).toContain(`${node} ${startArguments}\n`);
    expect(backup).toContain(`${node} ${scripts.backup.replace(/^node /, '')}`);
  });

  it('keep compiled code in a folder that they may write', () => {
    expect(unit).toContain('\nCacheDirectory=weekender\n');
    expect(unit).toMatch(/^Environment=.* NODE_COMPILE_CACHE=\/var\/cache\/weekender /m);
  });

  it('start the site again when it ends or says nothing for two minutes', () => {
    const lines = readUnit('weekender.service');
    // The process speaks through a program.
    const expected = ['Type=notify', 'NotifyAccess=all', 'WatchdogSec=120', 'Restart=always'];
    expect(lines).toEqual(expect.arrayContaining(expected));
    expect(lines).toContain('RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX');
  });

  it('make backups with the settings, the user and the restrictions of the site', () => {
    const own =
      /^(Description|Type|NotifyAccess|WatchdogSec|ExecStart|Restart|RestartSec|TimeoutSt\w+Sec|LimitNOFILE|WantedBy)=/;
    const shared = readUnit('weekender.service').filter((line) => !own.test(line));
    expect(shared.length).toBeGreaterThan(20);
    expect(backup).toEqual(expect.arrayContaining(shared));
    // The name of the dynamic user is otherwise that of the unit.
    expect(backup).toContain('User=weekender');
    expect(backup).toContain('Type=oneshot');
  });

  it('are valid for systemd', ({ skip }) => {
    const analyze = findProgram('systemd-analyze') ?? '';
    skip(analyze === '', 'systemd-analyze is not installed');
    const folder = mkdtempSync(join(tmpdir(), 'unit-'));
    const names = ['weekender.service', 'weekender-backup.service', 'weekender-backup.timer'];
    for (const name of names) {
      const text = read(`deploy/${name}`);
      const node = text.replace('/opt/weekender/node_modules/.bin/node', process.execPath);
      writeFileSync(join(folder, name), node);
    }
    // It exits with an error, or names what it doesn't understand.
    const files = names.map((name) => join(folder, name));
    const output = execFileSync(analyze, ['verify', ...files], { encoding: 'utf8' });
    expect(output).toBe('');
    rmSync(folder, { recursive: true });
  });
});
