import type { FastifyInstance } from 'fastify'

/** Registers routes that accept HTML forms. All other routes of a service accept JSON.
 *
 * @param maxBytes largest body; the server's default if omitted
 */
export function registerFormRoutes(
  app: FastifyInstance,
  mount: (forms: FastifyInstance) => void,
  maxBytes?: number,
): void {
  app.register(async (forms) => {
    forms.removeAllContentTypeParsers()
    forms.addContentTypeParser(
      'application/x-www-form-urlencoded',
      { parseAs: 'string', ...(maxBytes !== undefined && { bodyLimit: maxBytes }) },
      async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
    )
    mount(forms)
  })
}

/** Parses short strings of a query or a form: at most 64 characters each, empty if missing. */
export function parseShortTexts<name extends string>(input: unknown, names: readonly name[]): Record<name, string> {
  const entries = names.map((name) => {
    const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined
    return [name, typeof value === 'string' ? value.slice(0, 64) : '']
  })
  // One entry for each name.
  return Object.fromEntries(entries) as Record<name, string>
}

/** Keeps text parameters that occur once. Repeated parameters are dropped. */
export function toSearchParams(parameters: unknown): URLSearchParams {
  const entries = Object.entries(typeof parameters === 'object' && parameters !== null ? parameters : {})
  return new URLSearchParams(entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'))
}
