import { monitorEventLoopDelay } from 'node:perf_hooks'

/** Detects an overloaded process. */
export type EventLoopMonitor = {
  /** True if the event loop was delayed for some seconds in a row. */
  isOverloaded(): boolean
  stop(): void
}

/** The median delay in milliseconds, in how many consecutive samples, that counts as an overload. */
const overload = { delayMs: 200, samples: 5 } as const
const sampleIntervalMs = 1_000

/** Monitors the event loop of this process. */
export function monitorEventLoop(): EventLoopMonitor {
  const delay = monitorEventLoopDelay({ resolution: 20 })
  const judge = createOverloadDetector()
  delay.enable()
  const timer = setInterval(() => {
    judge.record(delay.percentile(50) / 1e6)
    delay.reset()
  }, sampleIntervalMs)

  return {
    isOverloaded: judge.isOverloaded,
    stop() {
      clearInterval(timer)
      delay.disable()
    },
  }
}

/** Creates a detector for samples of the delay in milliseconds. One sample below the limit ends an overload. */
export function createOverloadDetector(): { record(delayMs: number): void; isOverloaded(): boolean } {
  let delayedSamples = 0
  return {
    record(delayMs) {
      delayedSamples = delayMs > overload.delayMs ? delayedSamples + 1 : 0
    },
    isOverloaded: () => delayedSamples >= overload.samples,
  }
}
