// The first map of the README, followed word by word: its files, a simulator, a worker, a start, and the table.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { startWorkerProcess } from '../../examples/demo/worker-process';
import { loadSimConfig } from '../../examples/provider-sim/load-config';
import { startProviderSim } from '../../examples/provider-sim/start';
import { sluice } from '../client/fixtures/captured-shell';
import { useTemporaryFolder } from '../helpers/temporary-folder';
import { openTestNamespace } from '../helpers/test-namespace';
import { blocksOf, readPage } from './markdown';

const folder = useTemporaryFolder();

test('it ends with a whole table, though the provider closes on the way', async () => {
  const cwd = folder();
  for (const { file, text } of blocksOf('README.md')) {
    if (file === null) continue;
    mkdirSync(dirname(join(cwd, file)), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  const server = await openTestNamespace();
  const env = { TEMPORAL_ADDRESS: server.address, TEMPORAL_NAMESPACE: server.namespace };
  const sim = await startProviderSim(loadSimConfig(join(cwd, 'sim.yaml'), { LOOKUP_KEY: 'my-key' }));
  const worker = await startWorkerProcess({
    ...process.env,
    ...env,
    LOOKUP_KEY: 'my-key',
    LOOKUP_URL: `${sim.url}/lookup`,
    SLUICE_PROVIDERS: join(cwd, 'providers'),
    SLUICE_DATA_ROOT: cwd,
  });
  try {
    const doctor = await sluice(['doctor'], { env, cwd });
    expect(doctor).toMatchObject({ exitCode: 0, stdout: expect.stringContaining('serves lookup.default') });

    const run = await sluice(['start', 'leads.map.yaml', '--id', 'leads-1', '--watch'], { env, cwd });
    expect(run).toMatchObject({ exitCode: 0, stderr: '' });
    expect(run.stdout).toMatch(/lookup\.default closed until [\d:]+ \(429 throttled, Retry-After: \d+\)/);
    expect(readPage('README.md')).toContain('rows  done 11 · missed 1 · failed 0 · unknown 0 · of 12');
    expect(run.stdout).toContain('rows  done 11 · missed 1 · failed 0 · unknown 0 · of 12');
    const table = readFileSync(join(cwd, 'out', 'leads.csv'), 'utf8');
    expect(table.split('\r\n')[0]).toBe('domain,owner,firm,size,_status,_error');
    expect(table.match(/,(done|missed),\r\n/g)).toHaveLength(12);
    expect(sim.summary()).toMatchObject({ duplicateCharges: 0 });
  } finally {
    await worker.stop();
    await sim.close();
    await server.close();
  }
}, 120_000);
