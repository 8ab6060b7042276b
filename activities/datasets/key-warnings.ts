// Says when keys look alike, mix types, or look damaged by a spreadsheet. Never changes an identity.
import type { RowValues } from './dataset-reader';
import { Examples } from './examples';
import { keyIdentity } from './identity';
import { foldKey } from './key-text';
import type { Occurrences } from './occurrences';
import type { Places } from './places';

const SCIENTIFIC = /^\d\.\d+E\+\d+$/i;

export class KeyWarnings {
  private readonly confusable = new Examples();
  private readonly scientific = new Examples();
  private readonly types = new Map<string, Set<string>>();
  /** Folded identity to first place, only of keys that differ from their folded form. */
  private readonly folded = new Map<string, number>();

  constructor(
    private readonly key: readonly string[],
    private readonly places: Places,
  ) {
    for (const column of key) this.types.set(column, new Set());
  }

  /** Looks at the values of a row before duplicates are dropped. */
  noteValues(values: RowValues, place: number): void {
    for (const column of this.key) {
      const value = values[column];
      this.types.get(column)!.add(typeof value);
      if (typeof value === 'string' && SCIENTIFIC.test(value))
        this.scientific.add(`${this.places.text(place)}: ${value}`);
    }
  }

  /** Looks at a key when it is seen first; `occurrences` holds the earlier ones and this one. */
  noteKey(texts: readonly string[], identity: string, place: number, occurrences: Occurrences): void {
    const foldedTexts = texts.map(foldKey);
    const differs = foldedTexts.some((text, at) => text !== texts[at]);
    const meeting = differs ? keyIdentity(foldedTexts) : identity;
    const other = (differs ? occurrences.placeOf(meeting) : null) ?? this.folded.get(meeting) ?? null;
    if (other !== null) this.confusable.add(`${this.places.pair(other, place)} (${shown(texts)})`);
    else if (differs) this.folded.set(meeting, place);
  }

  warnings(): string[] {
    const mixed = this.key.filter((column) => this.types.get(column)!.size > 1).map((column) => JSON.stringify(column));
    return [
      ...this.confusable.warning(
        'W_KEY_CONFUSABLE: keys that differ only in case, outer spaces or composition are separate rows; set keyNormalize to join them',
      ),
      ...mixed.map((column) => `W_KEY_MIXED_TYPES: key column ${column} holds numbers and text; 1 and "1" are one key`),
      ...this.scientific.warning(
        'W_KEY_SCIENTIFIC: keys look like long numbers that a spreadsheet has rounded, so several rows may have become one key',
      ),
    ];
  }
}

const shown = (texts: readonly string[]): string => texts.map((text) => JSON.stringify(text.slice(0, 80))).join(', ');
