import type { SimulatedSafe } from './simulatedSafe.ts'

/** A parent window that acts as a Safe, for tests without a browser. */
export type SafeWindow = { postMessage(message: unknown, targetOrigin: string): void }

/**
 * Opens a page in a simulated Safe by replacing its `parent` window.
 *
 * @param origin the origin of the Safe's page
 * @example openInSafe(page, safe)
 */
export function openInSafe(
  page: EventTarget,
  safe: Pick<SimulatedSafe, 'respond'>,
  origin = 'https://safe.test',
): SafeWindow {
  const parent: SafeWindow = {
    postMessage(message, targetOrigin) {
      if (targetOrigin !== '*' && targetOrigin !== origin) return
      // Posted messages are cloned and arrive asynchronously.
      const copy: unknown = structuredClone(message)
      void safe.respond(copy).then((response) => {
        if (response !== undefined) page.dispatchEvent(messageFrom(parent, origin, structuredClone(response)))
      })
    },
  }
  Object.defineProperty(page, 'parent', { value: parent, configurable: true })
  return parent
}

/**
 * Creates a message event from any window and origin.
 *
 * @example window.dispatchEvent(messageFrom(parent, 'https://safe.test', { id: '1' }))
 */
export function messageFrom(source: unknown, origin: string, data: unknown): Event {
  return Object.defineProperties(new Event('message'), {
    source: { value: source },
    origin: { value: origin },
    data: { value: data },
  })
}
