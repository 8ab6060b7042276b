// sha256 for workflow code: the sandbox has no node:crypto.
import { sha256 as digest } from '@noble/hashes/sha2';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils';

/** sha256 of UTF-8 text as 64 lower-case hex digits. */
export const sha256 = (text: string): string => bytesToHex(digest(utf8ToBytes(text)));
