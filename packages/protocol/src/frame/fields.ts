import { isPlainRecord, type Plain } from './copyPlain.ts'

/** Parses one field of a message. Throws {@link InvalidFieldError} if it is invalid. */
export type Field<value> = (found: Plain | undefined, name: string) => value

/** Describes an invalid field for the developer of the page. */
export class InvalidFieldError extends Error {
  override readonly name: string = 'BadField'

  constructor(field: string, wanted: string) {
    super(`${field} has to be ${wanted}.`)
  }
}

export const undefinedField: Field<undefined> = () => undefined

export const unknownField: Field<unknown> = (found) => found

export const boolean: Field<boolean> = (found, name) => {
  if (typeof found !== 'boolean') throw new InvalidFieldError(name, 'true or false')
  return found
}

export const size: Field<number> = (found, name) => {
  if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < 0)
    throw new InvalidFieldError(name, 'a number')
  return found
}

/** A string of limited length that matches an optional pattern. */
export function text(longest: number, shape?: RegExp): Field<string> {
  return (found, name) => {
    if (typeof found !== 'string' || found.length > longest || (shape !== undefined && !shape.test(found))) {
      throw new InvalidFieldError(
        name,
        `a string of at most ${longest} characters${shape === undefined ? '' : ' in the expected format'}`,
      )
    }
    return found
  }
}

/** A string that equals one of the values. */
export function oneOf<const value extends string>(values: readonly value[]): Field<value> {
  return (found, name) => {
    const value = values.find((each) => each === found)
    if (value === undefined) throw new InvalidFieldError(name, `one of ${values.join(', ')}`)
    return value
  }
}

/** An optional field. Some pages send `null` instead of omitting it. */
export function optional<value>(field: Field<value>): Field<value | undefined> {
  return (found, name) => (found === undefined || found === null ? undefined : field(found, name))
}

/** A list whose elements are fields of one kind. @param most the maximum number of elements */
export function listOf<value>(field: Field<value>, most: number): Field<readonly value[]> {
  return (found, name) => {
    if (!Array.isArray(found) || found.length > most) throw new InvalidFieldError(name, `a list of at most ${most}`)
    return found.map((each: Plain, at) => field(each, `${name}[${at}]`))
  }
}

/** An object of strings, such as theme variables. */
export function textsByName(most: number, longest: number): Field<Readonly<Record<string, string>>> {
  return (found, name) => {
    if (!isPlainRecord(found)) throw new InvalidFieldError(name, 'an object')
    const entries = Object.entries(found)
    if (entries.length > most) throw new InvalidFieldError(name, `an object of at most ${most} entries`)
    return Object.fromEntries(entries.map(([key, value]) => [text(64)(key, name), text(longest)(value, name)]))
  }
}

/** An object with the given fields. Drops all others. */
export function fields<shape extends Record<string, Field<unknown>>>(
  shape: shape,
): Field<{ [key in keyof shape]: ReturnType<shape[key]> }> {
  return (found, name) => {
    if (!isPlainRecord(found)) throw new InvalidFieldError(name, 'an object')
    const read = Object.entries(shape).flatMap(([key, field]) => {
      const value = field(Object.hasOwn(found, key) ? found[key] : undefined, key)
      return value === undefined ? [] : [[key, value] as const]
    })
    // The object contains exactly the fields of the shape.
    return Object.fromEntries(read) as { [key in keyof shape]: ReturnType<shape[key]> }
  }
}

/** An eip155 chain number or a CAIP-2 id. */
export const chain: Field<string | number> = (found, name) => {
  if (typeof found === 'number' && Number.isSafeInteger(found) && found > 0) return found
  return text(41, /^(?:[-a-z0-9]{3,8}:[-_a-zA-Z0-9]{1,32}|[1-9]\d{0,15}|0x[0-9a-fA-F]{1,14})$/)(found, name)
}
