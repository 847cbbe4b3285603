import type { SimulatedSafe } from './simulatedSafe.ts'

/** The window around a page in which a Safe answers, for tests without a browser. */
export type SafeWindow = { postMessage(message: unknown, targetOrigin: string): void }

/**
 * Puts a page into a Safe: its `parent` is a window that answers it.
 *
 * @param origin where the Safe's page is from
 * @example openInSafe(page, safe)
 */
export function openInSafe(
  page: EventTarget,
  safe: Pick<SimulatedSafe, 'answer'>,
  origin = 'https://safe.test',
): SafeWindow {
  const parent: SafeWindow = {
    postMessage(message, targetOrigin) {
      if (targetOrigin !== '*' && targetOrigin !== origin) return
      // What is posted is copied, and arrives later.
      const copy: unknown = structuredClone(message)
      void safe.answer(copy).then((answer) => {
        if (answer !== undefined) page.dispatchEvent(messageFrom(parent, origin, structuredClone(answer)))
      })
    },
  }
  Object.defineProperty(page, 'parent', { value: parent, configurable: true })
  return parent
}

/** A message as a window hears it, from any window and origin. */
export function messageFrom(source: unknown, origin: string, data: unknown): Event {
  return Object.defineProperties(new Event('message'), {
    source: { value: source },
    origin: { value: origin },
    data: { value: data },
  })
}
