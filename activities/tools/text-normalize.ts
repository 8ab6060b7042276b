// Code tool: one spelling for texts that people typed, so that equal things get equal keys and equal calls.
import { z } from 'zod';
import { defineTool } from './define-tool';

export const textNormalize = defineTool({
  name: 'text-normalize',
  effect: 'read',
  price: 0,
  version: '1',
  idempotent: true,
  input: z.strictObject({
    text: z.string(),
    /** `lower` and `upper` follow Unicode without a language: the Turkish i is not special. */
    case: z.enum(['keep', 'lower', 'upper']).default('keep'),
  }),
  output: z.string(),
  run: async ({ text, case: wanted }) => {
    const plain = text.normalize('NFKC').replace(/\s+/g, ' ').trim();
    if (wanted === 'keep') return plain;
    return wanted === 'lower' ? plain.toLowerCase() : plain.toUpperCase();
  },
});
