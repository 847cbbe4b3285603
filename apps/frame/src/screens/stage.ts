/** Something that only the visitor may answer. Drawn with the DOM's own functions: no markup is ever parsed. */
export type Screen<answer> = {
  /** Fills the root; returns what cleans up. `finish` is heard once. */
  draw(root: HTMLElement, finish: (answer: answer) => void): () => void
  /**
   * Whether its main buttons count only while the browser proves that nothing covers them: buttons that carry
   * `data-guarded` are armed by the stage; until then they do nothing and say so (`aria-disabled`).
   */
  readonly guarded: boolean
  /**
   * How a window of this site's own draws the same, where the frame cannot be trusted to be seen: by the name of a drawing
   * that `windowDrawings` knows, and its facts as plain data. Answers are plain data too. Without it a guarded screen can
   * only be turned away in such a browser.
   */
  readonly window?: { readonly drawing: string; readonly facts: unknown }
}

/**
 * Where screens are shown, one after the other. The page that embeds is told that there is something to see; where the
 * browser cannot prove that it is seen, guarded screens are shown in a window of this site's own.
 */
export type Stage = {
  /**
   * @returns undefined when it was turned away: Escape, the window closed, or aborted by the page
   */
  show<answer>(screen: Screen<answer>, options?: { signal?: AbortSignal }): Promise<answer | undefined>
}
