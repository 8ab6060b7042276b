import { createHash } from 'node:crypto';
import {
  billingRequestId,
  canonicalJson,
  forcedKey,
  providerOperationKey,
  refreshedKey,
  resultReceiptKey,
  sharedReceiptKey,
} from '../../contracts/keys';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');
const parts = { tool: 'acme.company', toolVersion: '1', account: 'default', input: { domain: 'a.example', size: 1 } };
const scope = { runId: 'run-1', rowIdentity: 'k:00', occurrence: 0 };

test('property order does not change an operation, a changed input, tool, version or account does', () => {
  const key = providerOperationKey(parts, sha256);
  expect(providerOperationKey({ ...parts, input: { size: 1, domain: 'a.example' } }, sha256)).toBe(key);
  const others = [
    { ...parts, tool: 'acme.person' },
    { ...parts, toolVersion: '2' },
    { ...parts, account: 'second' },
    { ...parts, input: { domain: 'a.example', size: '1' } },
  ];
  for (const other of others) expect(providerOperationKey(other, sha256)).not.toBe(key);
});

test('golden vectors: the keys of a call never change between releases', () => {
  const operation = providerOperationKey(parts, sha256);
  const receipt = resultReceiptKey(operation, scope, sha256);
  expect([operation, receipt, billingRequestId(receipt, 0, sha256)]).toMatchSnapshot();
});

test('each row, occurrence and billing number has a billing id of its own', () => {
  const operation = providerOperationKey(parts, sha256);
  const receipts = [
    scope,
    { ...scope, rowIdentity: 'k:01' },
    { ...scope, occurrence: 1 },
    { ...scope, runId: 'run-2' },
  ].map((one) => resultReceiptKey(operation, one, sha256));
  const ids = receipts.flatMap((receipt) => [0, 1].map((n) => billingRequestId(receipt, n, sha256)));
  expect(new Set(ids).size).toBe(8);
});

test('parts are joined by length: ("a","bc") and ("ab","c") are different operations', () => {
  const first = providerOperationKey({ ...parts, tool: 'a', toolVersion: 'bc' }, sha256);
  expect(providerOperationKey({ ...parts, tool: 'ab', toolVersion: 'c' }, sha256)).not.toBe(first);
});

test('canonical JSON sorts by UTF-16 unit, drops undefined members and keeps null', () => {
  expect(canonicalJson({ b: undefined, a: [undefined, null, -0], B: 'é' })).toBe('{"B":"é","a":[null,null,0]}');
});

test('golden vectors: the keys of shared receipts never change between releases', () => {
  const receipt = sharedReceiptKey(providerOperationKey(parts, sha256), sha256);
  expect([
    receipt,
    billingRequestId(receipt, 0, sha256),
    billingRequestId(receipt, 1, sha256),
    refreshedKey(receipt, 'run-1', sha256),
    forcedKey(receipt, 'run-1', sha256),
  ]).toMatchSnapshot();
});

test.each([
  ['property order at any depth', { a: 1, b: { c: 1, d: 2 } }, { b: { d: 2, c: 1 }, a: 1 }],
  ['number forms', [1, 0.1, 100, 0], [1.0, 1e-1, 1e2, -0]],
  ['escapes of a text', 'é\n', JSON.parse('"\\u00e9\\u000a"')],
])('equal inputs have one key: %s', (_, one, other) => {
  const keyOf = (input: unknown) => providerOperationKey({ ...parts, input }, sha256);
  expect(keyOf(other)).toBe(keyOf(one));
});

test.each([
  ['a number and its text', 1, '1'],
  ['composed and decomposed letters', 'é', 'e\u0301'],
  ['null and a missing property', { a: null }, {}],
  ['the order of a list', [1, 2], [2, 1]],
  ['upper and lower case', 'a', 'A'],
])('different inputs have different keys: %s', (_, one, other) => {
  const keyOf = (input: unknown) => providerOperationKey({ ...parts, input }, sha256);
  expect(keyOf(other)).not.toBe(keyOf(one));
});
