// Where the server is: flags over environment over profile file over the local default.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { connectionSettings, repeatedFlags } from '../../client/connection-settings';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

const PROFILES = `
[profile.default]
address = "from-file:7233"
namespace = "file"
[profile.cloud]
address = "ns.acct.tmprl.cloud:7233"
namespace = "ns.acct"
api_key = "key-of-the-file"
`;

async function profileFile(): Promise<{ TEMPORAL_CONFIG_FILE: string }> {
  const path = join(folder(), 'temporal.toml');
  await writeFile(path, PROFILES);
  return { TEMPORAL_CONFIG_FILE: path };
}

test('without any setting it is the local dev server', () => {
  expect(connectionSettings({}, {})).toEqual({
    address: '127.0.0.1:7233',
    namespace: 'default',
    taskQueue: 'sluice',
    options: { address: '127.0.0.1:7233' },
  });
});

test('flags win over the environment, and the environment over the profile', async () => {
  const env = { ...(await profileFile()), TEMPORAL_ADDRESS: 'from-env:1' };
  expect(connectionSettings({}, env)).toMatchObject({ address: 'from-env:1', namespace: 'file' });
  expect(connectionSettings({ address: 'from-flag:2', namespace: 'flag' }, env)).toMatchObject({
    address: 'from-flag:2',
    namespace: 'flag',
    options: { address: 'from-flag:2' },
  });
});

test('a profile with an API key turns TLS on', async () => {
  expect(connectionSettings({ profile: 'cloud' }, await profileFile())).toMatchObject({
    address: 'ns.acct.tmprl.cloud:7233',
    options: { apiKey: 'key-of-the-file', tls: true },
  });
});

test('TLS certificates are read from the files that the environment names', async () => {
  const file = join(folder(), 'ca.pem');
  await writeFile(file, 'certificate');
  const { options } = connectionSettings({}, { TEMPORAL_TLS_SERVER_CA_CERT_PATH: file });
  expect(options.tls).toMatchObject({ serverRootCACertificate: Uint8Array.from(Buffer.from('certificate')) });
});

test.each([
  ['a profile that does not exist', { profile: 'nope' }, {}],
  ['a certificate that does not exist', {}, { TEMPORAL_TLS_CLIENT_CERT_PATH: '/nowhere/cert.pem' }],
])('%s is refused with the place to look at', async (_, flags, env) => {
  const file = await profileFile();
  const read = () => connectionSettings(flags, { ...file, ...env });
  expect(read).toThrow(expect.objectContaining({ code: 'CONFIG_INVALID', exitCode: 2 }));
  expect(read).toThrow(file.TEMPORAL_CONFIG_FILE);
});

test('a mistake in the profile file is told by its line, without what is written there', async () => {
  const path = join(folder(), 'temporal.toml');
  await writeFile(path, '[profile.default]\naddress = "a:1"\napi_key = "key-of-the-file\n');
  const read = () => connectionSettings({}, { TEMPORAL_CONFIG_FILE: path });
  expect(read).toThrow(/connection settings cannot be read: Invalid TOML document: .* in line 3;/);
  expect(read).not.toThrow('key-of-the-file');
});

test('shown commands repeat the flags that were given', () => {
  expect(repeatedFlags({ address: 'host:1', namespace: 'n' })).toBe(' --address host:1 --namespace n');
  expect(repeatedFlags({})).toBe('');
});
