import { Type, type TLiteral, type TString, type TUnion } from '@sinclair/typebox'

/** Host and the rest of a URL, with optional credentials and port. */
const afterScheme = String.raw`(?:[^\s/?#@]+@)?(?:[^\s/?#@:\[\]]+|\[[0-9a-fA-F:.]+\])(?::\d{1,5})?(?:[/?#]\S*)?`

/**
 * The schema of a URL with one of some schemes.
 *
 * @example urlSchema(['https', 'http'])
 */
export function urlSchema(schemes: readonly string[]): TString {
  return Type.String({
    pattern: `^(?:${schemes.join('|')})://${afterScheme}$`,
    message: `must begin with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
  })
}

/** A URL that a browser or `fetch` can open. */
export const webUrlSchema: TString = urlSchema(['http', 'https'])

/** The address of an EVM contract. */
export const contractSchema: TString = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$', message: 'must be a contract' })

/**
 * The schema of one of the given strings.
 *
 * @example choiceSchema(['public', 'local'])
 */
export function choiceSchema<const choice extends string>(
  choices: readonly choice[],
  message = `must be one of: ${choices.join(', ')}`,
): TUnion<TLiteral<choice>[]> {
  return Type.Union(
    choices.map((choice) => Type.Literal(choice)),
    { message },
  )
}
