// Two calls at the same time and one that needs both; plain Promise.all over durable calls.
import { defineMap } from '../define-map';

defineMap('verified-email', async (row, ctx) => {
  const domain = row.domain ?? null;
  const [firm, email] = await Promise.all([
    ctx.tool('acme.company', { domain }, { column: 'firm' }),
    ctx.tool('beacon.email', { domain }, { column: 'email' }),
  ]);
  return { firm: firm.value, email: email.value, complete: !firm.missed && !email.missed };
});
