import { readFileSync } from 'node:fs'
import { Type, type ArrayOptions, type Static, type TSchema } from '@sinclair/typebox'
import { InvalidValueError, parseWithSchema, type SchemaProblem } from './parseWithSchema.ts'

/** Environment variables by name, such as `process.env`. */
export type Environment = Readonly<Record<string, string | undefined>>

/** Parses the text of an environment variable. Throws InvalidValueError. */
export type TextParser<value> = (text: string) => value

/** Parses an environment variable that may be absent. Throws InvalidValueError. */
export type Variable<value> = (text: string | undefined) => value

/** The variables of one part of the configuration, by name. */
export type VariableDefinitions = { readonly [name: string]: Variable<unknown> }

/** The values of parsed variables. */
export type VariableValues<definitions extends VariableDefinitions> = {
  [name in keyof definitions]: ReturnType<definitions[name]>
}

/** A variable that is `undefined` when absent. */
export function optional<value>(parse: TextParser<value>): Variable<value | undefined> {
  return (text) => (text === undefined ? undefined : parse(text))
}

/** A variable with a default value. */
export function withDefault<value>(parse: TextParser<value>, fallback: NoInfer<value>): Variable<value> {
  return (text) => (text === undefined ? fallback : parse(text))
}

/**
 * Parses a string with a TypeBox schema of a string, a number or a choice.
 *
 * @example const port = withDefault(fromText(Type.Integer({ minimum: 0 })), 4602)
 */
export function fromText<schema extends TSchema>(schema: schema): TextParser<Static<schema>> {
  const isNumeric = schema['type'] === 'integer' || schema['type'] === 'number'
  return (text) => parseWithSchema(schema, isNumeric ? Number(text) : text)
}

/**
 * Parses a list with commas between its items, and ignores empty items.
 *
 * @param itemSchema the TypeBox schema of one item, which is a string
 */
export function fromList<schema extends TSchema>(
  itemSchema: schema,
  options: ArrayOptions = {},
): TextParser<readonly Static<schema>[]> {
  const schema = Type.Array(itemSchema, options)
  return (text) => {
    const items = text.split(',').map((item) => item.trim())
    return parseWithSchema(
      schema,
      items.filter((item) => item !== ''),
    )
  }
}

/**
 * Parses JSON with a TypeBox schema.
 *
 * @param findProblems lists mistakes that the schema cannot express
 */
export function fromJson<schema extends TSchema>(
  schema: schema,
  findProblems: (value: Static<schema>) => readonly SchemaProblem[] = () => [],
): TextParser<Static<schema>> {
  return (text) => {
    const value = parseWithSchema(schema, parseJsonText(text))
    const problems = findProblems(value)
    if (problems.length > 0) throw new InvalidValueError(problems)
    return value
  }
}

/** Parses the contents of the file that a variable names. */
export function fromFile<value>(parse: TextParser<value>): TextParser<value> {
  return (file) => {
    let text: string
    try {
      text = readFileSync(file, 'utf8')
    } catch {
      throw invalidValue(`${file} cannot be read`)
    }
    return parse(text)
  }
}

/** The error of a value that is wrong as a whole. */
export function invalidValue(message: string): InvalidValueError {
  return new InvalidValueError([{ path: '', message }])
}

/**
 * Parses all variables of a configuration.
 *
 * @returns the values, or every mistake as `NAME.path: message`
 */
export function parseVariables<definitions extends VariableDefinitions>(
  definitions: definitions,
  environment: Environment,
): { values: VariableValues<definitions> } | { problems: readonly string[] } {
  const values: Record<string, unknown> = {}
  const problems: string[] = []
  for (const [name, parse] of Object.entries(definitions)) {
    try {
      values[name] = parse(environment[name])
    } catch (error) {
      if (!(error instanceof InvalidValueError)) throw error
      for (const { path, message } of error.problems) {
        problems.push(`${path === '' ? name : `${name}.${path}`}: ${message}`)
      }
    }
  }
  // Every definition was parsed.
  return problems.length > 0 ? { problems } : { values: values as VariableValues<definitions> }
}

function parseJsonText(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw invalidValue('is not JSON')
  }
}
