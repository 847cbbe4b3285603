import { onTestFinished } from 'vitest'

/** Counts the byte arrays that still contain a secret. */
export type CountCopies = (secret: Uint8Array) => number

/**
 * Keeps all byte arrays that scripts create until the test ends: new ones, copies, and views of the results of WebCrypto.
 *
 * @returns a count of those that still contain the secret. Node buffers are not counted.
 */
export function trackCopies(): CountCopies {
  const { count, stop } = startTracking()
  onTestFinished(stop)
  return count
}

/** Runs an action, and counts the byte arrays that scripts created meanwhile, as `trackCopies`. */
export async function trackCopiesOf(act: () => Promise<unknown>): Promise<CountCopies> {
  const { count, stop } = startTracking()
  try {
    await act()
  } finally {
    stop()
  }
  return count
}

function startTracking(): { count: CountCopies; stop(): void } {
  const original = globalThis.Uint8Array
  const { prototype } = original
  const created: Uint8Array[] = []
  const tracking = new Proxy(original, {
    construct(target, values, newTarget) {
      const bytes: Uint8Array = Reflect.construct(target, values, newTarget === tracking ? target : newTarget)
      created.push(bytes)
      return bytes
    },
  })
  const setGlobal = (type: typeof original): void => {
    globalThis.Uint8Array = type
    // Copies by `slice` use this constructor.
    prototype.constructor = type
  }
  setGlobal(tracking)
  return {
    count: (secret) => created.filter((bytes) => asBuffer(bytes).includes(asBuffer(secret))).length,
    stop: () => setGlobal(original),
  }
}

/** A buffer of the same memory. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
