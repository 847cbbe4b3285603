/** The window around the page, and the page's ears. */
export type SafeWindow = { postMessage(message: unknown, targetOrigin: string): void }

/** Questions to a Safe and their answers, in the message format of the Safe Apps SDK. */
export type SafeLine = {
  /** @throws Error with code 4001 when the Safe's owner declined, with the Safe's own words otherwise. */
  ask(method: string, params?: unknown): Promise<unknown>
  /** Hears nothing any more; what was asked stays unanswered. */
  close(): void
}

/** The version of the message format that is spoken; answers name theirs. */
const sdkVersion = '9.1.0'

type Waiting = { resolve(data: unknown): void; reject(error: Error): void }

/**
 * Opens a line to the Safe that the page may be shown in. Only the window around the page is heard, from an allowed
 * origin, and once it answered nobody but that origin is heard or told anything.
 *
 * @param origins those that are allowed; any when undefined
 */
export function openSafeLine(page: EventTarget, parent: SafeWindow, origins: readonly string[] | undefined): SafeLine {
  const waiting = new Map<string, Waiting>()
  let safeOrigin: string | undefined

  function hear(event: Event): void {
    const [source, origin, data] = ['source', 'origin', 'data'].map((key): unknown => Reflect.get(event, key))
    if (source !== parent || typeof origin !== 'string') return
    if (!(origins?.includes(origin) ?? true) || (safeOrigin ?? origin) !== origin) return
    const answer = readAnswer(data)
    const asker = answer && waiting.get(answer.id)
    if (answer === undefined || asker === undefined) return
    safeOrigin = origin
    waiting.delete(answer.id)
    if (answer.success) asker.resolve(answer.data)
    else asker.reject(refusal(answer.error))
  }

  page.addEventListener('message', hear)
  return {
    ask(method, params) {
      const id = randomId()
      const target = safeOrigin === undefined || safeOrigin === 'null' ? undefined : safeOrigin
      return new Promise((resolve, reject) => {
        waiting.set(id, { resolve, reject })
        // Who is around the page is not known before it answered. Until then only the first question is asked.
        parent.postMessage({ id, method, params, env: { sdkVersion } }, target ?? '*')
      })
    },
    close: () => page.removeEventListener('message', hear),
  }
}

type Answer = { id: string } & ({ success: true; data: unknown } | { success: false; error: string })

/** Reads an answer; anybody may frame the page and post what he likes. */
function readAnswer(data: unknown): Answer | undefined {
  if (typeof data !== 'object' || data === null) return undefined
  const { id, success, version, error } = data as Readonly<Record<string, unknown>>
  if (typeof id !== 'string' || typeof version !== 'string' || !(Number.parseInt(version, 10) >= 1)) return undefined
  if (success === true) return { id, success, data: Reflect.get(data, 'data') }
  return success === false ? { id, success, error: typeof error === 'string' ? error : '' } : undefined
}

/** A Safe says in words alone that its owner declined. */
function refusal(said: string): Error {
  const declined = /reject|denied|declined|cancel/i.test(said)
  return safeError(declined ? 4001 : -32_603, said === '' ? 'The Safe gave no reason.' : said)
}

/** An error as a wallet of EIP-1193 tells it. */
export function safeError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
