import { isRecord } from '@latchkey/protocol'

/** A struct of typed data. Its members were parsed along their types. */
export type TypedStruct = Readonly<Record<string, unknown>>

/** Lists a struct and all structs within it. A wrapper (ERC-7739, a bulk order) must not hide what it contains. */
export function listStructs(value: unknown): readonly TypedStruct[] {
  if (Array.isArray(value)) return value.flatMap(listStructs)
  return isRecord(value) ? [value, ...Object.values(value).flatMap(listStructs)] : []
}

/** Reads a number of typed data. */
export function getNumber(struct: TypedStruct, name: string): bigint | undefined {
  const written = Object.hasOwn(struct, name) ? String(struct[name]) : ''
  return /^(?:\d{1,78}|0x[\da-f]{1,64})$/i.test(written) ? BigInt(written) : undefined
}

/** Lists a member that is one struct or an array of structs. */
export function listMembers(struct: TypedStruct, name: string): readonly TypedStruct[] {
  const value = struct[name]
  return (Array.isArray(value) ? value : [value]).filter(isRecord)
}
