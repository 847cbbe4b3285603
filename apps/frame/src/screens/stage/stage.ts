/** A screen that only the user can complete. Drawn with DOM functions, never parsed from markup. */
export type Screen<result> = {
  /** Draws into the root. Returns a function that cleans up. `finish` takes effect once. */
  draw(root: HTMLElement, finish: (choice: result) => void): () => void
  /**
   * True if the buttons with `data-guarded` work only while the browser proves that nothing covers them. Until then
   * they are `aria-disabled`. `steps` if only some steps of the screen have such buttons.
   */
  readonly guarded: boolean | 'steps'
  /**
   * The same screen in a window of this site, for browsers that can't prove the frame's visibility: the name of a drawing
   * and its facts as plain data. Results are plain data, too. Without it, a guarded screen can only be cancelled in such
   * a browser.
   */
  readonly window?: { readonly drawing: string; readonly facts: unknown }
  /**
   * URL of a top-level page with the same actions. A screen with guarded steps is replaced by a link to it if the
   * browser can't prove the frame's visibility.
   */
  readonly page?: string
}

/**
 * Shows screens one after the other and tells the embedding page. If the browser can't prove visibility, guarded
 * screens open in a window.
 */
export type Stage = {
  /** @returns `undefined` if the screen was cancelled: by Escape, by closing the window, or by the page */
  show<result>(screen: Screen<result>, options?: { signal?: AbortSignal }): Promise<result | undefined>
}
