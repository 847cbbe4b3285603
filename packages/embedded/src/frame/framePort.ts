/** The channel to the frame's document. */
export type FramePort = {
  /** @throws LatchkeyError `embedded/unreachable` if the frame is not in the page */
  post(message: { readonly type: string }): void
  /** Shows the frame over an element and follows it. Calls `outside` on Escape. Returns a function that removes it. */
  place(element: HTMLElement, outside: () => void): () => void
  end(): void
}

/** Receives the events of a channel. */
export type FramePortListener = {
  /** A message arrived from the frame's window and origin, or through its port. It is not parsed yet. */
  onMessage(data: unknown): void
  /** A document was loaded. Browsers also report their own error pages. */
  loaded(): void
}

/** Opens a channel to the document of a URL. */
export type OpenFrame = (url: URL, listener: FramePortListener) => FramePort
