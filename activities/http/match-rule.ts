// Finds the first rule of a profile that an answer fulfils.
import type { AnswerView } from './answer-view';
import { textsAt, xmlText } from './body-view';
import { headerLines } from './headers';
import type { FieldTest, Meaning, StatusTest } from './profiles/profile';

/** What the first matching rule says the answer is; null when none matches. */
export function matchRule(view: AnswerView): Meaning | null {
  const rule = view.profile.rules.find(
    ({ when }) =>
      (when.status === undefined || when.status.some((test) => statusIs(view.status, test))) &&
      (when.fields ?? []).every((field) => fieldHolds(view, field)),
  );
  return rule?.means ?? null;
}

function statusIs(status: number, test: StatusTest): boolean {
  return typeof test === 'number' ? status === test : Math.floor(status / 100) === Number(test[0]);
}

function fieldHolds(view: AnswerView, field: FieldTest): boolean {
  const texts = textsOf(view, field);
  if (field.is) return texts.some((text) => field.is?.includes(text.trim()));
  if (field.like === undefined) return texts.length > 0;
  const pattern = new RegExp(field.like, 'i');
  return texts.some((text) => pattern.test(text));
}

function textsOf(view: AnswerView, field: FieldTest): readonly string[] {
  if (field.path !== undefined) return textsAt(view.body, field.path);
  if (field.header !== undefined) return headerLines(view.headers, field.header);
  if (field.xml !== undefined) return [xmlText(view.body, field.xml)].filter((text) => text !== null);
  return field.text ? [view.body.text] : [];
}
