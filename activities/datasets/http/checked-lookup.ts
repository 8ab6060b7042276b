// Which hosts a dataset may come from: public addresses, and hosts that the worker's settings name. Checked where the connection is made.
import { lookup as systemLookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import ipaddr from 'ipaddr.js';
import { DatasetError } from '../dataset-error';

export interface Address {
  address: string;
  family: number;
}

/** All addresses of a name. */
export type Resolve = (host: string) => Promise<Address[]>;

export interface HostRules {
  /** Hosts, as a URL names them, that may have private addresses. */
  privateHosts: readonly string[];
  /** Default: the resolver of the system. */
  resolve?: Resolve;
}

const resolveBySystem: Resolve = (host) => systemLookup(host, { all: true });

/** `process` takes an IPv4 address out of its IPv6 form, so that every spelling of one address is judged alike. */
const isPublic = (address: string): boolean => ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';

/** The host of a URL without the brackets of IPv6. */
const bare = (host: string): string => host.replace(/^\[|\]$/g, '');

const refusal = (host: string, address: string): DatasetError => {
  const what = host === address ? address : `${host}, which is ${address},`;
  const advice = 'set SLUICE_PRIVATE_HOSTS on the worker if datasets may come from there';
  return new DatasetError('E_SOURCE_NOT_ALLOWED', 'file', `${what} is no public address; ${advice}`);
};

/** Names of this machine (RFC 6761), which not every resolver knows. */
const LOCALHOST = /^(?:.*\.)?localhost\.?$/i;

/** An address that is written in the URL is never looked up, so it is judged here. */
export function checkLiteral(host: string, { privateHosts }: HostRules): void {
  const literal = bare(host);
  if (privateHosts.includes(literal)) return;
  if (LOCALHOST.test(literal)) throw refusal(literal, 'this machine');
  if (!ipaddr.isValid(literal) || isPublic(literal)) return;
  throw refusal(literal, literal);
}

/** A lookup for connections: the addresses that are checked are those that are connected to, and one private one spoils all. */
export function checkedLookup({ privateHosts, resolve = resolveBySystem }: HostRules): LookupFunction {
  return (host, options, done) => {
    const answer = async () => {
      const addresses = await resolve(host);
      const bad = privateHosts.includes(host) ? undefined : addresses.find(({ address }) => !isPublic(address));
      if (bad) throw refusal(host, bad.address);
      return addresses;
    };
    answer().then(
      (addresses) => {
        const [first] = addresses;
        if (options.all || !first) done(null, addresses);
        else done(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => done(error, []),
    );
  };
}
