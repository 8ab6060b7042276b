// The activity that evaluates an expression of a spec which workflow code must not run. It refuses by value: trying again changes nothing.
import type { EvaluateInput, Evaluation } from '../../contracts/activity-io';
import { PAYLOAD_CHARACTERS } from '../../contracts/limits';
import { evaluateApart } from './evaluate-apart';

export const evaluateExpression = ({ expression, scope }: EvaluateInput): Promise<Evaluation> =>
  evaluateApart({ expression, scope, maxCharacters: PAYLOAD_CHARACTERS });
