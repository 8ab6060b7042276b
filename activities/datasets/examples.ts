// Warnings that name their first cases and count the rest, so that a million of them stay one line.
import { WARNING_EXAMPLES } from '../../contracts/limits';

export class Examples {
  private readonly shown: string[] = [];
  count = 0;

  add(example: string): void {
    this.count++;
    if (this.shown.length < WARNING_EXAMPLES) this.shown.push(example);
  }

  /** `text: first; second; and 3 more` as a list, empty when nothing was added. */
  warning(text: string): string[] {
    if (this.count === 0) return [];
    const rest = this.count - this.shown.length;
    return [`${text}: ${[...this.shown, ...(rest > 0 ? [`and ${rest} more`] : [])].join('; ')}`];
  }
}
