/** What a language leaves unsaid, by the paths of its texts: missing or empty ones, and those that forget what they are told. */
export function gapsOf(model: unknown, language: unknown, path: readonly string[] = []): readonly string[] {
  if (typeof model === 'object' && model !== null) {
    return Object.entries(model).flatMap(([name, part]) => gapsOf(part, partOf(language, name), [...path, name]))
  }
  return says(model, language) ? [] : [path.join('.')]
}

function partOf(language: unknown, name: string): unknown {
  return typeof language === 'object' && language !== null ? Reflect.get(language, name) : undefined
}

function says(model: unknown, text: unknown): boolean {
  if (typeof text === 'string') return typeof model === 'string' && text.trim() !== ''
  if (typeof model !== 'function' || typeof text !== 'function') return false
  return Array.from({ length: model.length }, (_, place) => listensTo(text, place)).every(Boolean)
}

/** Whether what is said depends on what is told at a place. */
function listensTo(text: Function, place: number): boolean {
  const told = ['Seven', 'Seven', 'Seven']
  return String(text(...told)) !== String(text(...told.with(place, 'Nine')))
}
