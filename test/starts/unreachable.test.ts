// Commands and workers that cannot begin: no server, no namespace, no worker, provider files that cannot be used, bad YAML.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { freePort } from '../../scripts/ports.js';
import { connectionOf, runCommand, sluiceCommand } from '../helpers/command';
import { type MapLab, openMapLab } from '../helpers/map-lab';

const ROOT = join(__dirname, '../..');
let lab: MapLab;
let nowhere: string;

beforeAll(async () => {
  lab = await openMapLab({ sim: { providers: { acme: {} } }, providers: { acme: {} } });
  nowhere = `127.0.0.1:${await freePort()}`;
  await writeFile(join(lab.folder, 'in.csv'), 'domain\na.example\n');
  await writeFile(
    join(lab.folder, 'ok.yaml'),
    'name: ok\ndataset: { csv: in.csv }\ncolumns: [{ name: x, value: 1 }]\noutput: { csv: ok.out.csv }\n',
  );
});
afterAll(() => lab.close());

const worker = (environment: { [name: string]: string }) =>
  runCommand(process.execPath, [join(ROOT, 'worker/sluice-worker.js')], {
    cwd: ROOT,
    environment: { ...connectionOf(lab), SLUICE_PROVIDERS: join(lab.folder, 'providers'), ...environment },
  });

describe('sluice start', () => {
  const start = (file: string, environment = {}) => sluiceCommand(lab, ['start', file, '--id', 'm1'], environment);

  test('with no server names the address and how to start one', async () => {
    const { exitCode, stderr, stdout } = await start('ok.yaml', { TEMPORAL_ADDRESS: nowhere });
    expect(stderr).toMatch(
      new RegExp(`^SERVER_UNREACHABLE: no Temporal server answers at ${nowhere} .*temporal-dev.sh`),
    );
    expect([exitCode, stdout]).toEqual([5, '']);
  });

  test('with a namespace that does not exist lists those that do', async () => {
    const { exitCode, stderr } = await start('ok.yaml', { TEMPORAL_NAMESPACE: 'nope' });
    expect(stderr).toMatch(/^NAMESPACE_NOT_FOUND: .* has no namespace "nope"; it has .*default/);
    expect(exitCode).toBe(5);
  });

  test('with no worker starts the map and says that it waits', async () => {
    const { exitCode, stderr, stdout } = await start('ok.yaml');
    expect(stderr).toMatch(/^NO_WORKER: no worker polls task queue "sluice"; the map waits until a worker starts/);
    expect(stdout).toContain('started m1');
    expect(exitCode).toBe(0);
  });

  test('with bad YAML names file, line and column', async () => {
    await writeFile(join(lab.folder, 'bad.yaml'), 'name: bad\ncolumns: [{ name: x\n');
    const { exitCode, stderr } = await start('bad.yaml');
    expect(stderr).toMatch(/^INVALID_SPEC: bad.yaml has \d problems?, nothing was started .*\n {2}bad\.yaml:\d+:\d+: /);
    expect(exitCode).toBe(2);
  });
});

describe('a worker', () => {
  test('with no server ends with the address', async () => {
    const { exitCode, stderr } = await worker({ TEMPORAL_ADDRESS: nowhere });
    expect(stderr).toMatch(new RegExp(`^SERVER_UNREACHABLE: no Temporal server answers at ${nowhere}`, 'm'));
    expect(exitCode).toBe(1);
  });

  test('with a namespace that does not exist names it', async () => {
    const { exitCode, stderr } = await worker({ TEMPORAL_NAMESPACE: 'nope' });
    expect(stderr).toMatch(new RegExp(`^NAMESPACE_NOT_FOUND: ${lab.address} has no namespace "nope"`, 'm'));
    expect(exitCode).toBe(1);
  });

  test('lists every problem of its provider files by file and line: not readable, not valid, a secret that is not set', async () => {
    const folder = join(lab.folder, 'broken');
    await mkdir(join(folder, 'folder.provider.yaml'), { recursive: true });
    await writeFile(join(folder, 'syntax.provider.yaml'), 'provider: syntax\ntools: [\n');
    await writeFile(
      join(folder, 'secret.provider.yaml'),
      [
        'provider: secret',
        'baseUrl: http://127.0.0.1:9',
        'accounts: { default: { secret: { env: SLUICE_TEST_NEVER_SET } } }',
        'auth: { header: Authorization, value: "Bearer {secret}" }',
        'tools: { t: { effect: read, price: 0, request: { method: GET, path: / }, response: { value: "{{ body }}" } } }',
      ].join('\n'),
    );
    const { exitCode, stderr } = await worker({ SLUICE_PROVIDERS: folder });
    expect(exitCode).toBe(2);
    expect(stderr).toContain('folder.provider.yaml: the file cannot be read (EISDIR)');
    expect(stderr).toMatch(/syntax\.provider\.yaml:\d+: /);
    expect(stderr).toMatch(/secret\.provider\.yaml:3 accounts\.default\.secret: .*SLUICE_TEST_NEVER_SET.*is not set/);
  });

  test('without a folder of provider files names the folder', async () => {
    const folder = join(lab.folder, 'no-such-folder');
    const { exitCode, stderr } = await worker({ SLUICE_PROVIDERS: folder });
    expect(stderr).toContain(`${folder}: the folder cannot be read (ENOENT)`);
    expect(exitCode).toBe(2);
  });

  test('with settings out of bounds lists all of them', async () => {
    const { exitCode, stderr } = await worker({ SLUICE_HEARTBEAT_TIMEOUT: '1s', SLUICE_CACHED_WORKFLOWS: 'many' });
    expect(stderr).toMatch(/^CONFIG_INVALID: SLUICE_HEARTBEAT_TIMEOUT=1s: .*3s to 10m\nSLUICE_CACHED_WORKFLOWS=many: /);
    expect(exitCode).toBe(2);
  });
});
