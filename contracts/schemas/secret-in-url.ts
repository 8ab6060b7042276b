// Finds in a URL what opens its file to whoever reads it: a user name, or a parameter such as the signature of a presigned URL.

const URL_WITH_USER = /^https?:\/\/[^/?#]*@/i;
const URL_WITH_QUERY = /^https?:\/\/[^?#]*\?([^#]*)/i;

/** Names of parameters that object stores, file shares and APIs give their signatures, tokens and keys. */
const SECRET_PARAMETER =
  /signature|token|secret|passw|credential|api[-_]?key|access[-_]?key|^(?:sig|sign|key|auth|authorization|pwd|jwt|hmac|sas)$/i;

export const USER_IN_URL = 'user name and password';

/** What the URL should be without, in words and never its value; null for a URL without a secret, and for a path. */
export function secretInUrl(url: string): string | null {
  if (URL_WITH_USER.test(url)) return USER_IN_URL;
  const parameters = URL_WITH_QUERY.exec(url)?.[1]?.split('&') ?? [];
  const name = parameters.map((one) => decoded(one.split('=')[0]!)).find((one) => SECRET_PARAMETER.test(one));
  return name === undefined ? null : `the parameter "${name}", whose value opens the file`;
}

function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
