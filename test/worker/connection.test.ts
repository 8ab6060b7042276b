// Where the worker finds the server; what is wrong with that is told without a secret.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ConfigError } from '../../worker/config';
import { readConnection } from '../../worker/connection';
import { useTemporaryFolder } from '../helpers/temporary-folder';

const folder = useTemporaryFolder();

async function profileFile(text: string): Promise<{ TEMPORAL_CONFIG_FILE: string }> {
  const path = join(folder(), 'temporal.toml');
  await writeFile(path, text);
  return { TEMPORAL_CONFIG_FILE: path };
}

test('the environment wins over the profile, and the local dev server is what is left', async () => {
  expect(readConnection({ TEMPORAL_CONFIG_FILE: join(folder(), 'none.toml') })).toMatchObject({
    connectionOptions: { address: '127.0.0.1:7233' },
    namespace: 'default',
  });
  const file = await profileFile('[profile.default]\naddress = "from-file:1"\nnamespace = "file"\n');
  expect(readConnection({ ...file, TEMPORAL_NAMESPACE: 'env' })).toMatchObject({
    connectionOptions: { address: 'from-file:1' },
    namespace: 'env',
  });
});

test('a profile that is not there is a wrong setting', async () => {
  const file = await profileFile('');
  const read = () => readConnection({ ...file, TEMPORAL_PROFILE: 'nope' });
  expect(read).toThrow(ConfigError);
  expect(read).toThrow(/CONFIG_INVALID: .*nope.*temporal\.toml/);
});

test('a mistake in the profile file is told by its line, without the key that stands there', async () => {
  const file = await profileFile('[profile.default]\napi_key = "geheim\n');
  const read = () => readConnection(file);
  expect(read).toThrow(/in line 2;/);
  expect(read).not.toThrow('geheim');
});
