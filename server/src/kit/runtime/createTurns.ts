/** Lets pieces of work take turns with everything else that the process does. */
export type Turns = {
  /** Resolves in a turn of the event loop that no other caller gets, in the order of the calls. */
  next(): Promise<void>
}

/**
 * Creates turns of the event loop. Work that arrives all at once, such as the handshakes of clients that lost their relay, then
 * runs a piece at a time, and the responses to other clients in between.
 *
 * @example
 *   const turns = createTurns()
 *   await turns.next()
 *   verify(token)
 */
export function createTurns(): Turns {
  let waiting: (() => void)[] = []
  let position = 0

  function takeOne(): void {
    waiting[position]?.()
    position += 1
    if (position < waiting.length) return void setImmediate(takeOne)
    waiting = []
    position = 0
  }

  return {
    next: () =>
      new Promise((resolve) => {
        if (waiting.push(resolve) === 1) setImmediate(takeOne)
      }),
  }
}
