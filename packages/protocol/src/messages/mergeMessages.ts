/** Texts of which any may be missing. */
export type PartialMessages<messages> = {
  readonly [key in keyof messages]?: messages[key] extends string | ((...args: never) => unknown)
    ? messages[key]
    : PartialMessages<messages[key]>
}

/**
 * Lays texts over others, key by key: a translation over English, or an app's own texts over a translation. A key that
 * the base does not have is ignored.
 *
 * @param base complete texts
 * @param own undefined for the unchanged base
 * @returns complete texts
 * @example mergeMessages({ title: 'Send', hint: 'Enter an amount' }, { title: 'Senden' }) // hint stays English
 */
export function mergeMessages<messages extends object>(
  base: messages,
  own: PartialMessages<messages> | undefined,
): messages {
  if (own === undefined) return base
  const entries = Object.entries(base).map(([key, text]) => [key, mergeValue(text, Reflect.get(own, key))])
  // The keys of the base, each with a text of the same type.
  return Object.fromEntries(entries) as messages
}

function mergeValue(text: unknown, own: unknown): unknown {
  if (own === undefined) return text
  if (typeof text !== 'object' || text === null || typeof own !== 'object' || own === null) return own
  return mergeMessages(text, own)
}
