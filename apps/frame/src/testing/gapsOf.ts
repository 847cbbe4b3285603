/**
 * The texts that a translation lacks, by path: missing or empty ones, and those that leave out an argument that the
 * English text uses.
 */
export function gapsOf(english: unknown, translation: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof english === 'object' && english !== null) {
    return Object.entries(english).flatMap(([name, text]) =>
      gapsOf(text, getProperty(translation, name), [...path, name]),
    )
  }
  return isTranslationOf(english, translation) ? [] : [path.join('.')]
}

function getProperty(translation: unknown, name: string): unknown {
  if (typeof translation !== 'object' || translation === null) return undefined
  return Object.entries(translation).find(([candidate]) => candidate === name)?.[1]
}

function isTranslationOf(english: unknown, text: unknown): boolean {
  if (typeof text === 'string') return typeof english === 'string' && text.trim() !== ''
  if (typeof english !== 'function' || typeof text !== 'function') return false
  const used = argumentsOf(text)
  return [...argumentsOf(english)].every((name) => used.has(name))
}

/** The names of the arguments that a text uses. */
function argumentsOf(text: Function): ReadonlySet<string> {
  const used = new Set<string>()
  const args = new Proxy({}, { get: (_, name) => (used.add(String(name)), 7) })
  text(args)
  return used
}
