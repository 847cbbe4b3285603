/** A JSON value, the only kind of value allowed in messages. */
export type Plain = null | boolean | number | string | readonly Plain[] | { readonly [key: string]: Plain }

type Limits = { readonly bytes: number; readonly depth: number }

/**
 * Copies an untrusted value into plain JSON values without accessors, prototypes or cycles.
 *
 * A structured clone can contain cycles, or be much wider than its source text. The traversal itself is therefore
 * limited and stops at the first value beyond the limits.
 *
 * @returns the copy, or `undefined` if the value is not plain, too large or too deep
 */
export function copyPlain(value: unknown, { bytes, depth }: Limits): Plain | undefined {
  const budget = { left: bytes }
  const copy = copyInto(budget, value, depth)
  return budget.left < 0 ? undefined : copy
}

/** Returns `undefined` if the value cannot be copied. */
function copyInto(budget: { left: number }, value: unknown, depth: number): Plain | undefined {
  budget.left -= 2 + (typeof value === 'string' ? value.length : 0)
  if (budget.left < 0) return undefined
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : undefined
  if (typeof value !== 'object' || depth === 0) return undefined
  return Array.isArray(value) ? copyList(budget, value, depth - 1) : copyRecord(budget, value, depth - 1)
}

function copyList(budget: { left: number }, list: readonly unknown[], depth: number): Plain | undefined {
  if (list.length > budget.left) return undefined
  const copy: Plain[] = []
  for (const each of list) {
    const item = copyInto(budget, each ?? null, depth)
    if (item === undefined) return undefined
    copy.push(item)
  }
  return copy
}

function copyRecord(budget: { left: number }, record: object, depth: number): Plain | undefined {
  const prototype: unknown = Object.getPrototypeOf(record)
  // Structured clones can also contain dates, maps, buffers and errors.
  if (prototype !== null && prototype !== Object.prototype) return undefined
  const copy: Record<string, Plain> = {}
  for (const key of Object.keys(record)) {
    budget.left -= key.length
    // Assigning this key would set the copy's prototype instead of a property.
    if (key === '__proto__') continue
    const descriptor = Object.getOwnPropertyDescriptor(record, key)
    if (descriptor === undefined || !('value' in descriptor)) return undefined
    const held: unknown = descriptor.value
    if (held === undefined) continue
    const item = copyInto(budget, held, depth)
    if (item === undefined) return undefined
    copy[key] = item
  }
  return copy
}

/** True if a plain value is an object and not a list. */
export function isPlainRecord(value: Plain | undefined): value is { readonly [key: string]: Plain } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
