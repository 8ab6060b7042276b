// The code tools, one line each. Tools of provider files need no line here.
import type { DefinedTool } from './define-tool';
import { textNormalize } from './text-normalize';

export const codeTools: readonly DefinedTool[] = [textNormalize];
