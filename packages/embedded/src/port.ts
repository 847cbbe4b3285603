/** The line to the frame's document, wherever that is: what is said through it, and what comes back. */
export type FramePort = {
  /** @throws LatchkeyError `embedded/unreachable` when there is nobody to say it to */
  post(message: { readonly type: string }): void
  /** Puts the frame over an element and follows it; `outside` hears of Escape. Returns what takes it away. */
  place(element: HTMLElement, outside: () => void): () => void
  end(): void
}

/** Who listens to a line. */
export type FramePortListener = {
  /** Something came from the frame's own window and origin, or through the port that it was given; unread so far. */
  heard(data: unknown): void
  /** The document was loaded, whatever it is: a browser also says so of its own page about a refusal. */
  loaded(): void
}

/** Opens a line to the document at an address. */
export type OpenFrame = (url: URL, listener: FramePortListener) => FramePort
