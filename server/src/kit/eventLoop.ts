import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Tells when a process has more to do than it can. */
export type EventLoopWatch = {
  /** Whether the event loop was late for some seconds in a row. */
  isOverloaded(): boolean
  stop(): void
}

/** Milliseconds that half of all turns were late, and for how many looks in a row, before it counts as overloaded. */
const overload = { late: 200, looks: 5 } as const
const lookMilliseconds = 1_000

/** Watches the event loop of this process. */
export function watchEventLoop(): EventLoopWatch {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  const judge = createOverloadJudge()
  delay.enable()
  const timer = setInterval(() => {
    judge.look(delay.percentile(50) / 1e6)
    delay.reset()
  }, lookMilliseconds)

  return {
    isOverloaded: judge.isOverloaded,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}

/** Judges by what each look found, in milliseconds. One good look ends an overload. */
export function createOverloadJudge(): { look(late: number): void; isOverloaded(): boolean } {
  let lateLooks = 0
  return {
    look(late) {
      lateLooks = late > overload.late ? lateLooks + 1 : 0
    },
    isOverloaded: () => lateLooks >= overload.looks,
  }
}
