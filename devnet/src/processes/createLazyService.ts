import { setTimeout as sleep } from 'node:timers/promises'
import type { ChildEvents } from './startChild.ts'

/** A service of the local world that is started when it is first needed. */
export type LazyService<service> = {
  state(): 'stopped' | 'starting' | 'running'
  /** Starts the service, once. The next call restarts a service that failed to start or exited. */
  start(): Promise<service>
  /**
   * Starts the service and waits for it.
   *
   * @throws Error if it is not ready in time; it continues to start
   */
  wait(): Promise<service>
  close(): Promise<void>
}

export type LazyServiceOptions<service> = ChildEvents & {
  /** The name in sentences: `bundler`. */
  name: string
  start(events: ChildEvents): Promise<service>
  /** Timeout of `wait`, in milliseconds. */
  startTimeoutMs?: number
  /** Called with a sentence if the service fails to start. */
  onProgress?: ((sentence: string) => void) | undefined
}

/**
 * Creates a service that is started when it is first needed.
 *
 * @example const bundler = createLazyService({ name: 'bundler', start: (events) => startBundler({ ...options, ...events }) })
 */
export function createLazyService<service extends { close(): Promise<void> }>({
  name,
  start,
  startTimeoutMs = 20_000,
  onProgress,
  ...events
}: LazyServiceOptions<service>): LazyService<service> {
  const stop = new AbortController()
  const signal = events.signal === undefined ? stop.signal : AbortSignal.any([events.signal, stop.signal])
  let starting: Promise<service> | undefined
  let isReady = false
  const forget = (): void => {
    starting = undefined
    isReady = false
  }
  const begin = async (): Promise<service> => {
    const onExit = (part: string, reason: string): void => {
      forget()
      events.onExit?.(part, reason)
    }
    try {
      const service = await start({ onProcess: events.onProcess, onExit, signal })
      isReady = true
      return service
    } catch (error) {
      forget()
      if (!signal.aborted) onProgress?.(error instanceof Error ? error.message : String(error))
      throw error
    }
  }
  const startOnce = (): Promise<service> => (starting ??= begin())
  return {
    state: () => (isReady ? 'running' : starting === undefined ? 'stopped' : 'starting'),
    start: startOnce,
    async wait() {
      const service = await Promise.race([startOnce(), sleep(startTimeoutMs, undefined, { ref: false })])
      if (service === undefined) throw new Error(`The ${name} is being set up, try again in a minute.`)
      return service
    },
    async close() {
      stop.abort()
      const service = await starting?.catch(() => undefined)
      await service?.close()
    },
  }
}
