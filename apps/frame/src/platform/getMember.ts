import { isRecord } from '@latchkey/protocol'

/** Reads a member of an unknown value. Returns `undefined` if the value is neither an object nor an array. */
export function getMember(value: unknown, name: string | number): unknown {
  return isRecord(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined
}
