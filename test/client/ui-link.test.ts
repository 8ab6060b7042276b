// Links to the Temporal UI, where its address follows from the server's.
import { uiLink } from '../../client/ui-link';

test.each([
  ['127.0.0.1:7233', 'http://127.0.0.1:8233/namespaces/default/workflows/m'],
  ['localhost', 'http://localhost:8233/namespaces/default/workflows/m'],
  ['ns.acct.tmprl.cloud:7233', 'https://cloud.temporal.io/namespaces/default/workflows/m'],
  ['eu-west-1.aws.api.temporal.io:7233', 'https://cloud.temporal.io/namespaces/default/workflows/m'],
  ['temporal.internal:7233', null],
])('%s', (address, link) => expect(uiLink(address, 'default', 'm')).toBe(link));

test('ids are encoded', () => {
  expect(uiLink('localhost:7233', 'a b', 'x/y')).toBe('http://localhost:8233/namespaces/a%20b/workflows/x%2Fy');
});
