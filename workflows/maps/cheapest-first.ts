// Asks the cheaper tool first and pays for the better one only when the first found nothing.
import { defineMap } from '../define-map';
import { ToolCallError } from '../tool-call-error';

defineMap('cheapest-first', async (row, ctx) => {
  const domain = row.domain ?? null;
  try {
    const cheap = await ctx.tool('beacon.email', { domain }, { column: 'cheap' });
    if (!cheap.missed) return { email: cheap.value, source: 'beacon' };
  } catch (error) {
    // A call that may have been charged must not be bought a second time elsewhere.
    if (!(error instanceof ToolCallError) || error.unknown) throw error;
    ctx.log('beacon failed, asking acme', { code: error.code });
  }
  const firm = await ctx.tool('acme.company', { domain }, { column: 'firm' });
  return { email: null, firm: firm.value, source: firm.missed ? null : 'acme' };
});
