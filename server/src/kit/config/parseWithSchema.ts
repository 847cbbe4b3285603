import type { Static, TSchema } from '@sinclair/typebox'
import { Value, ValueErrorType, type ValueError } from '@sinclair/typebox/value'

/** One mistake in a value. */
export type SchemaProblem = {
  /** Dotted path inside the value, such as `1.rpcUrls.0`; empty for the value itself. */
  path: string
  message: string
}

/** A value that does not match its schema. The message never contains the value, which may be a secret. */
export class InvalidValueError extends Error {
  override readonly name: string = 'InvalidValueError'
  readonly problems: readonly SchemaProblem[]

  constructor(problems: readonly SchemaProblem[]) {
    super(problems.map(({ path, message }) => (path === '' ? message : `${path}: ${message}`)).join('; '))
    this.problems = problems
  }
}

/**
 * Parses unknown input with a TypeBox schema and fills in the defaults of the schema.
 *
 * @throws InvalidValueError with one problem for each wrong field
 * @example const { port } = parseWithSchema(Type.Object({ port: Type.Integer() }), JSON.parse(text))
 */
export function parseWithSchema<schema extends TSchema>(schema: schema, value: unknown): Static<schema> {
  const filled = Value.Default(schema, value)
  const problems = findSchemaProblems(schema, filled)
  if (problems.length > 0) throw new InvalidValueError(problems)
  // The schema was just checked.
  return filled as Static<schema>
}

/**
 * Lists the fields of a value that do not match a TypeBox schema, with the `message` of the failing schema where it has one.
 *
 * @returns one problem per path
 */
export function findSchemaProblems(schema: TSchema, value: unknown): readonly SchemaProblem[] {
  const problems = new Map<string, string>()
  for (const error of Value.Errors(schema, value)) {
    const path = error.path.slice(1).replaceAll('/', '.')
    // An intersection repeats the errors of its members.
    if (error.type === ValueErrorType.Intersect || problems.has(path)) continue
    problems.set(path, describeError(error))
  }
  return [...problems].map(([path, message]) => ({ path, message }))
}

function describeError({ type, schema, message }: ValueError): string {
  if (type === ValueErrorType.ObjectAdditionalProperties) return 'is not a known key'
  if (typeof schema['message'] === 'string') return schema['message']
  return type === ValueErrorType.ObjectRequiredProperty ? 'is missing' : message.toLowerCase()
}
