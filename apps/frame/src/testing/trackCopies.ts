import { onTestFinished } from 'vitest'

/**
 * Keeps all byte arrays that scripts create until the test ends: new ones, copies, and views of the results of WebCrypto.
 *
 * @returns a function that counts those that still contain the secret. A Node buffer of the secret is not counted itself.
 */
export function trackCopies(): (secret: Uint8Array) => number {
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
  onTestFinished(() => setGlobal(original))
  return (secret) => created.filter((bytes) => asBuffer(bytes).includes(asBuffer(secret))).length
}

/** A buffer of the same memory. */
const asBuffer = ({ buffer, byteOffset, byteLength }: Uint8Array): Buffer => Buffer.from(buffer, byteOffset, byteLength)
