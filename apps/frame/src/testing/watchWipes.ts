import { onTestFinished } from 'vitest'

/** Records the bytes that are overwritten with zeros until the test ends, as they were before. */
export function watchWipes(): readonly Uint8Array[] {
  const { prototype } = Uint8Array
  const { fill } = prototype
  const wiped: Uint8Array[] = []
  prototype.fill = function (this: Uint8Array, value: number, start?: number, end?: number) {
    if (value === 0) wiped.push(Uint8Array.from(this))
    return Reflect.apply(fill, this, [value, start, end])
  } as typeof fill
  onTestFinished(() => {
    prototype.fill = fill
  })
  return wiped
}
