import { onTestFinished } from 'vitest'

/**
 * Keeps all byte arrays that are created by copying or at random until the test ends.
 *
 * @returns a function that counts those that still contain the secret
 */
export function trackCopies(): (secret: Uint8Array) => number {
  const { prototype } = Uint8Array
  const [slice, from] = [prototype.slice, Uint8Array.from]
  const random = crypto.getRandomValues.bind(crypto)
  const created: Uint8Array[] = []
  const track = <bytes>(bytes: bytes): bytes => {
    if (bytes instanceof Uint8Array) created.push(bytes)
    return bytes
  }
  prototype.slice = function (this: Uint8Array, ...range) {
    return track(Reflect.apply(slice, this, range))
  } as typeof slice
  Uint8Array.from = ((...values: Parameters<typeof from>) =>
    track(Reflect.apply(from, Uint8Array, values))) as typeof from
  crypto.getRandomValues = (bytes) => track(random(bytes))
  onTestFinished(() => {
    prototype.slice = slice
    Uint8Array.from = from
    crypto.getRandomValues = random
  })
  return (secret) => {
    const text = String(secret)
    return created.filter((bytes) => bytes.length === secret.length && String(bytes) === text).length
  }
}
