import { isRecord } from '@latchkey/protocol'

/** The window around the page. */
export type SafeWindow = { postMessage(message: unknown, targetOrigin: string): void }

/** Requests to a Safe in the message format of the Safe Apps SDK. */
export type SafeChannel = {
  /** @throws Error with code 4001 if the owner of the Safe declined, with the Safe's own message otherwise. */
  request(method: string, params?: unknown): Promise<unknown>
  /** Stops listening. Pending requests never settle. */
  close(): void
}

/** The version of the message format in requests. Responses contain their own. */
const sdkVersion = '9.1.0'

type PendingRequest = { resolve(data: unknown): void; reject(error: Error): void }

/**
 * Opens a channel to the Safe that the page may be opened in. It accepts messages only from the window around the page and
 * only from an allowed origin. After the first response, it sends and accepts messages only for that origin.
 *
 * @param origins the allowed origins; any if `undefined`
 */
export function openSafeChannel(
  page: EventTarget,
  parent: SafeWindow,
  origins: readonly string[] | undefined,
): SafeChannel {
  const pending = new Map<string, PendingRequest>()
  let safeOrigin: string | undefined

  function onMessage(event: Event): void {
    const [source, origin, data] = ['source', 'origin', 'data'].map((key): unknown => Reflect.get(event, key))
    if (source !== parent || typeof origin !== 'string') return
    if (!(origins?.includes(origin) ?? true) || (safeOrigin ?? origin) !== origin) return
    const response = parseSafeResponse(data)
    const request = response && pending.get(response.id)
    if (response === undefined || request === undefined) return
    safeOrigin = origin
    pending.delete(response.id)
    if (response.success) request.resolve(response.data)
    else request.reject(toSafeRejection(response.error))
  }

  page.addEventListener('message', onMessage)
  return {
    request(method, params) {
      const id = randomId()
      const target = safeOrigin === undefined || safeOrigin === 'null' ? undefined : safeOrigin
      return new Promise((resolve, reject) => {
        pending.set(id, { resolve, reject })
        // The origin is unknown before the first response. Until then, only the first request is sent.
        parent.postMessage({ id, method, params, env: { sdkVersion } }, target ?? '*')
      })
    },
    close: () => page.removeEventListener('message', onMessage),
  }
}

type SafeResponse = { id: string } & ({ success: true; data: unknown } | { success: false; error: string })

/** Parses a response. Any site can frame the page and post any message. */
function parseSafeResponse(data: unknown): SafeResponse | undefined {
  if (!isRecord(data)) return undefined
  const { id, success, version, error } = data
  if (typeof id !== 'string' || typeof version !== 'string' || !(Number.parseInt(version, 10) >= 1)) return undefined
  if (success === true) return { id, success, data: data['data'] }
  return success === false ? { id, success, error: typeof error === 'string' ? error : '' } : undefined
}

/** A Safe reports only by its message that the owner declined. */
function toSafeRejection(message: string): Error {
  const isDeclined = /reject|denied|declined|cancel/i.test(message)
  return safeError(isDeclined ? 4001 : -32_603, message === '' ? 'The Safe gave no reason.' : message)
}

/** Creates an error in the form of EIP-1193. */
export function safeError(code: number, message: string): Error {
  return Object.assign(new Error(message), { code })
}

function randomId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
