/** What a message may be made of: JSON's values and nothing else. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

type Limits = { readonly bytes: number; readonly depth: number }

/**
 * Copies a stranger's value into plain ones: no accessors, no prototypes, no cycles, and never more than the limits.
 *
 * What was cloned from another window may refer to itself or be far wider than it is long to write, so the walk itself is
 * what is limited: it ends at the first value beyond.
 *
 * @returns the copy and nothing else; undefined when the value is not plain, too large or too deep
 */
export function copyPlain(value: unknown, { bytes, depth }: Limits): Plain | undefined {
  const purse = { left: bytes }
  const copy = copyInto(purse, value, depth)
  return purse.left < 0 ? undefined : copy
}

/** Undefined stands for "cannot be copied": the caller gives up. */
function copyInto(purse: { left: number }, value: unknown, depth: number): Plain | undefined {
  purse.left -= 2 + (typeof value === 'string' ? value.length : 0)
  if (purse.left < 0) return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  return Array.isArray(value) ? copyList(purse, value, depth - 1) : copyRecord(purse, value, depth - 1)
}

function copyList(purse: { left: number }, list: readonly unknown[], depth: number): Plain | undefined {
  if (list.length > purse.left) return undefined
  const copy: Plain[] = []
  for (const each of list) {
    const item = copyInto(purse, each ?? null, depth)
    if (item === undefined) return undefined
    copy.push(item)
  }
  return copy
}

function copyRecord(purse: { left: number }, record: object, depth: number): Plain | undefined {
  const prototype: unknown = Object.getPrototypeOf(record)
  // Dates, maps, buffers and errors can be cloned, too.
  if (prototype !== null && prototype !== Object.prototype) return undefined
  const copy: Record<string, Plain> = {}
  for (const key of Object.keys(record)) {
    purse.left -= key.length
    // It would not become a property, but the copy's prototype.
    if (key === '__proto__') continue
    const descriptor = Object.getOwnPropertyDescriptor(record, key)
    if (descriptor === undefined || !('value' in descriptor)) return undefined
    const held: unknown = descriptor.value
    if (held === undefined) continue
    const item = copyInto(purse, held, depth)
    if (item === undefined) return undefined
    copy[key] = item
  }
  return copy
}

/** Whether a plain value has properties. */
export function isPlainRecord(value: Plain | undefined): value is { readonly [key: string]: Plain } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
