/** The shortest time between two calls for one topic. */
const pauseMs = 1_000

/**
 * Limits the calls of a function to one a second for each topic. The first call of a topic is passed on at once. Calls within the
 * following second become one at its end, so that the last one is never lost.
 *
 * @example const announce = throttleByTopic((topic) => bus.publish('gaps', { topic }))
 */
export function throttleByTopic(act: (topic: string) => void): (topic: string) => void {
  /** The topics whose pause has not ended, and whether they were called meanwhile. */
  const paused = new Map<string, { isCalled: boolean }>()

  return function call(topic) {
    const pause = paused.get(topic)
    if (pause !== undefined) {
      pause.isCalled = true
      return
    }
    const started = { isCalled: false }
    paused.set(topic, started)
    setTimeout(() => {
      paused.delete(topic)
      if (started.isCalled) call(topic)
    }, pauseMs).unref()
    act(topic)
  }
}
