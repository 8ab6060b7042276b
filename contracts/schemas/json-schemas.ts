// JSON Schemas of the two formats that people write, made from the zod schemas.
import { z } from 'zod';
import { mapSpecSchema } from './map-spec';
import { providerFileSchema } from './provider-file';

/** Schema by the file it is written to, beside this one. */
export const JSON_SCHEMAS: { [fileName: string]: z.ZodType } = {
  'map-spec.schema.json': mapSpecSchema,
  'provider-file.schema.json': providerFileSchema,
};

/** JSON Schema text of what an author may write: defaults are optional. Values of any JSON type are `{}` with a description. */
export function jsonSchemaText(schema: z.ZodType): string {
  return `${JSON.stringify(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }), null, 2)}\n`;
}
