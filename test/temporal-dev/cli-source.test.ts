// Where the Temporal CLI comes from: PATH, cache, download, go install. Each test runs the real script on a made-up machine.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { checksumLine, type ReleaseFile, type ReleaseServer, serveRelease } from './release-server';
import { fakeCli, Sandbox } from './sandbox';

const ARCHIVE = `temporal_cli_1.5.1_${process.platform}_${process.arch === 'x64' ? 'amd64' : process.arch}.tar.gz`;
// Nothing listens on port 9: the download is refused at once.
const NO_NETWORK = 'http://127.0.0.1:9';

let machine: Sandbox;
let release: ReleaseServer | undefined;

beforeEach(async () => {
  machine = await Sandbox.create();
  machine.env.SLUICE_CLI_DOWNLOAD_BASE = NO_NETWORK;
});

afterEach(async () => {
  await release?.close();
  release = undefined;
  await machine.remove();
});

const cliPath = () => machine.run(['--cli-path']);

async function archiveWith(name: string, text: string): Promise<Buffer> {
  await machine.write(`pack/${name}`, text);
  execFileSync('tar', ['-czf', machine.path('pack.tar.gz'), '-C', machine.path('pack'), name]);
  return readFile(machine.path('pack.tar.gz'));
}

async function serve(files: Record<string, ReleaseFile>): Promise<ReleaseServer> {
  release = await serveRelease(files);
  machine.env.SLUICE_CLI_DOWNLOAD_BASE = release.url;
  return release;
}

/** Runs the script with these release files and returns the reason that it gives for not using the download. */
async function refusal(files: Record<string, ReleaseFile>): Promise<string> {
  await serve(files);
  const { status, stderr } = await cliPath();
  expect(status).toBe(1);
  expect(readdirSync(dirname(machine.cachedCli))).toEqual([]);
  return /^ {2}download: (.*)$/m.exec(stderr)?.[1] ?? `no reason in:\n${stderr}`;
}

describe('a CLI on PATH', () => {
  test.each([
    ['1.5.0', '1.29.0'],
    ['1.10.2', '1.31.0'],
    ['2.0.0', '1.40.0'],
    ['0.0.0-DEV', '1.29.1'],
  ])('is used at version %s with server %s', async (version, server) => {
    await machine.write('bin/temporal', fakeCli(version, server));
    expect(await cliPath()).toMatchObject({ status: 0, stdout: `${machine.path('bin/temporal')}\n`, stderr: '' });
  });

  test.each([
    ['1.4.9', fakeCli('1.4.9'), 'version 1.4.9 with server 1.29.1, needs 1.5 or later'],
    ['a build of an old server', fakeCli('0.0.0-DEV', '1.28.3'), 'with server 1.28.3, needs server 1.29 or later'],
    ['another program', '#!/bin/sh\necho tempo 9.1\n', '--version prints no version of the Temporal CLI: tempo 9.1'],
    ['a broken one', '#!/bin/sh\necho no luck >&2; exit 3\n', 'does not run: no luck'],
  ])('is passed over when it is %s', async (_what, program, reason) => {
    await machine.write('bin/temporal', program);
    await machine.write(machine.cachedCli, fakeCli('1.5.1'));
    expect((await cliPath()).stdout).toBe(`${machine.cachedCli}\n`);
    expect((await machine.run(['--which'])).stdout).toContain(reason);
  });
});

describe('the cache', () => {
  test('is used when PATH has no CLI', async () => {
    await machine.write(machine.cachedCli, fakeCli('1.5.1'));
    expect(await cliPath()).toMatchObject({ status: 0, stdout: `${machine.cachedCli}\n` });
  });

  test('lies under XDG_CACHE_HOME when that is set', async () => {
    machine.env.XDG_CACHE_HOME = machine.path('elsewhere');
    await machine.write('elsewhere/sluice/temporal-1.5.1/temporal', fakeCli('1.5.1'));
    expect((await cliPath()).stdout).toBe(`${machine.path('elsewhere/sluice/temporal-1.5.1/temporal')}\n`);
  });
});

describe('the download', () => {
  test('is checked, unpacked into the cache, and not repeated', async () => {
    const archive = await archiveWith('temporal', fakeCli('1.5.1'));
    const other = checksumLine(Buffer.from('other'), 'temporal_cli_1.5.1_windows_amd64.zip');
    const server = await serve({
      [ARCHIVE]: archive,
      'checksums.txt': Buffer.from(other + checksumLine(archive, ARCHIVE)),
    });
    expect(await cliPath()).toMatchObject({ status: 0, stdout: `${machine.cachedCli}\n` });
    expect(await cliPath()).toMatchObject({ status: 0, stdout: `${machine.cachedCli}\n`, stderr: '' });
    expect(server.requests).toEqual(['checksums.txt', ARCHIVE]);
    expect(readdirSync(dirname(machine.cachedCli))).toEqual(['temporal']);
  });

  test('is refused with a wrong checksum', async () => {
    const archive = await archiveWith('temporal', fakeCli('1.5.1'));
    const wrong = checksumLine(Buffer.from('something else'), ARCHIVE);
    expect(await refusal({ [ARCHIVE]: archive, 'checksums.txt': Buffer.from(wrong) })).toMatch(
      /is refused: its SHA-256 is [0-9a-f]{64}, the release's checksums.txt says [0-9a-f]{64}$/,
    );
  });

  test('is refused when the file is cut off', async () => {
    const archive = await archiveWith('temporal', fakeCli('1.5.1'));
    const checksums = Buffer.from(checksumLine(archive, ARCHIVE));
    expect(await refusal({ [ARCHIVE]: { truncated: archive }, 'checksums.txt': checksums })).toContain(
      `/${ARCHIVE}: curl: (18)`,
    );
  });

  test('is refused when a cut-off file claims to be whole', async () => {
    const archive = await archiveWith('temporal', fakeCli('1.5.1'));
    const checksums = Buffer.from(checksumLine(archive, ARCHIVE));
    expect(await refusal({ [ARCHIVE]: archive.subarray(0, 60), 'checksums.txt': checksums })).toContain('is refused');
  });

  test.each([
    ['the archive is missing', { 'checksums.txt': Buffer.from(`00  ${ARCHIVE}\n`) }, '404'],
    ['the checksums are missing', { [ARCHIVE]: Buffer.from('x') }, '404'],
    [
      'the checksums do not name the archive',
      { 'checksums.txt': Buffer.from('00  other\n'), [ARCHIVE]: Buffer.from('x') },
      `no line for ${ARCHIVE}`,
    ],
  ])('is refused when %s', async (_what, files, reason) => {
    expect(await refusal(files)).toContain(reason);
  });

  test('is refused when the archive holds no temporal, or one that does not run', async () => {
    const empty = await archiveWith('README', 'nothing');
    expect(await refusal({ [ARCHIVE]: empty, 'checksums.txt': Buffer.from(checksumLine(empty, ARCHIVE)) })).toContain(
      'holds no file named temporal',
    );
    await release?.close();
    const broken = await archiveWith('temporal', '#!/bin/sh\nexit 1\n');
    expect(await refusal({ [ARCHIVE]: broken, 'checksums.txt': Buffer.from(checksumLine(broken, ARCHIVE)) })).toContain(
      'does not run',
    );
  });
});

describe('go install', () => {
  // Stands for Go: writes down what it was asked for and "builds" a CLI.
  const fakeGo = (build: string) => `#!/bin/sh
if [ "$1" = version ]; then echo 'go version go1.25.1 test/test'; exit 0; fi
printf '%s\\n' "$CGO_ENABLED" "$@" >"$HOME/go-arguments"
${build}
`;

  test('builds the pinned tag into the cache when there is no network', async () => {
    await machine.write('built', fakeCli('1.5.1'));
    await machine.write('bin/go', fakeGo(`cat '${machine.path('built')}' >"$GOBIN/temporal"`));
    expect(await cliPath()).toMatchObject({ status: 0, stdout: `${machine.cachedCli}\n` });
    expect((await readFile(machine.path('home/go-arguments'), 'utf8')).split('\n')).toEqual([
      '0',
      'install',
      '-ldflags',
      '-s -w -X github.com/temporalio/cli/temporalcli.Version=1.5.1',
      'github.com/temporalio/cli/cmd/temporal@v1.5.1',
      '',
    ]);
  });

  test('that fails is said, with what to install instead', async () => {
    await machine.write('bin/go', fakeGo('echo "dial tcp: no route" >&2; exit 1'));
    const { status, stdout, stderr } = await cliPath();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('dial tcp: no route');
    expect(stderr).toContain('go install github.com/temporalio/cli/cmd/temporal@v1.5.1 failed');
  });
});

describe('a machine with nothing', () => {
  test('is told why each step failed and exactly what to install', async () => {
    const { status, stdout, stderr } = await cliPath();
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toContain('path: no temporal on PATH');
    expect(stderr).toContain(`cache: ${machine.cachedCli} is not there`);
    expect(stderr).toMatch(/download: http:\/\/127\.0\.0\.1:9\/checksums\.txt: curl: \(7\)/);
    expect(stderr).toContain('go: no go on PATH');
    expect(stderr).toContain(
      'the Temporal CLI 1.5 or later: `brew install temporal`, or see https://docs.temporal.io/cli',
    );
    expect(stderr).toContain('Go 1.25 or later, from https://go.dev/dl');
  });

  test('without curl goes on to Go', async () => {
    await machine.unlink('bin/curl');
    const { stderr } = await cliPath();
    expect(stderr).toContain('download: curl is not installed');
  });
});

describe('--which', () => {
  test('names what would be used and changes nothing', async () => {
    const server = await serve({});
    await machine.write('bin/go', '#!/bin/sh\necho go version go1.25.1 test/test\n');
    const { status, stdout } = await machine.run(['--which']);
    expect(status).toBe(0);
    expect(stdout).toBe(`path      no: no temporal on PATH
cache     no: ${machine.cachedCli} is not there
download  ${server.url}/${ARCHIVE}
go        go install github.com/temporalio/cli/cmd/temporal@v1.5.1 with go version go1.25.1 test/test
used:     the download, else go install; kept in ${dirname(machine.cachedCli)}
`);
    expect(server.requests).toEqual([]);
    expect(existsSync(machine.path('home/.cache'))).toBe(false);
  });

  test('prefers PATH to the cache', async () => {
    await machine.write('bin/temporal', fakeCli('1.6.0'));
    await machine.write(machine.cachedCli, fakeCli('1.5.1'));
    expect((await machine.run(['--which'])).stdout).toContain(`used:     ${machine.path('bin/temporal')}\n`);
  });
});
