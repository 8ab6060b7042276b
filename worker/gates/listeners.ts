// Those who are told of each event of one kind.

export class Listeners<Event> {
  private readonly all = new Set<(event: Event) => void>();

  /** Returns how to stop listening. */
  add(listener: (event: Event) => void): () => void {
    this.all.add(listener);
    return () => this.all.delete(listener);
  }

  tell(event: Event): void {
    for (const listener of this.all) listener(event);
  }
}
