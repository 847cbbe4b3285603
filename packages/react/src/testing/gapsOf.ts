/**
 * What a language leaves unsaid, by the paths of its texts: missing or empty ones, and those that say the same whatever
 * they are told where the model does not.
 */
export function gapsOf(model: unknown, language: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof model === 'object' && model !== null) {
    return Object.entries(model).flatMap(([name, part]) => gapsOf(part, partOf(language, name), [...path, name]))
  }
  return says(model, language) ? [] : [path.join('.')]
}

function partOf(language: unknown, name: string): unknown {
  if (typeof language !== 'object' || language === null) return undefined
  return Object.entries(language).find(([candidate]) => candidate === name)?.[1]
}

function says(model: unknown, text: unknown): boolean {
  if (typeof text === 'string') return text.trim() !== ''
  if (typeof model !== 'function' || typeof text !== 'function') return false
  return [0, 1].every((place) => !listensTo(model, place) || listensTo(text, place))
}

/** Whether what is said depends on what is told at a place. */
function listensTo(text: Function, place: number): boolean {
  const told = ['Seven', 'Seven']
  return String(text(...told)) !== String(text(...told.with(place, 'Nine')))
}
