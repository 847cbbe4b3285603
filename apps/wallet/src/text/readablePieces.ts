/**
 * A piece of untrusted text with its position: visible text, or a character that is invisible or changes the writing
 * direction.
 */
export type TextPiece = { at: number } & (
  | { kind: 'text'; text: string }
  | { kind: 'mark'; codePoint: string; name: string }
)

/** Names of invisible characters that are used in attacks. */
const names: Readonly<Record<number, string>> = {
  0x00: 'null',
  0x08: 'backspace',
  0x0b: 'vertical tab',
  0x0c: 'form feed',
  0x0d: 'carriage return',
  0x1b: 'escape',
  0x7f: 'delete',
  0xad: 'soft hyphen',
  0x061c: 'Arabic letter mark',
  0x200b: 'zero-width space',
  0x200c: 'zero-width non-joiner',
  0x200d: 'zero-width joiner',
  0x200e: 'left-to-right mark',
  0x200f: 'right-to-left mark',
  0x2028: 'line separator',
  0x2029: 'paragraph separator',
  0x202a: 'left-to-right embedding',
  0x202b: 'right-to-left embedding',
  0x202c: 'end of direction',
  0x202d: 'left-to-right override',
  0x202e: 'right-to-left override',
  0x2060: 'word joiner',
  0x2066: 'left-to-right isolate',
  0x2067: 'right-to-left isolate',
  0x2068: 'first-strong isolate',
  0x2069: 'end of isolate',
  0xfeff: 'byte order mark',
}

// Line feeds, tabs and joiners inside emoji are harmless.
const hidden =
  /(?![\n\t])(?!(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\uFE0F])\u200D(?=\p{Extended_Pictographic}))[\p{Cc}\p{Cf}\p{Co}\p{Cs}\u2028\u2029]/gu

/**
 * Splits untrusted text into pieces, so that the view can mark characters that are invisible or change the writing
 * direction. Converts all line ends to line feeds.
 *
 * @example readablePieces('a\u202Eb') // text 'a', mark 'U+202E' "right-to-left override", text 'b'
 */
export function readablePieces(text: string): readonly TextPiece[] {
  const lines = text.replace(/\r\n?/g, '\n')
  const pieces: TextPiece[] = []
  let at = 0
  for (const { 0: character, index } of lines.matchAll(hidden)) {
    if (index > at) pieces.push({ at, kind: 'text', text: lines.slice(at, index) })
    pieces.push(toMark(character.codePointAt(0) ?? 0, index))
    at = index + character.length
  }
  if (at < lines.length) pieces.push({ at, kind: 'text', text: lines.slice(at) })
  return pieces
}

function toMark(codePoint: number, at: number): TextPiece {
  const written = `U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}`
  return { at, kind: 'mark', codePoint: written, name: names[codePoint] ?? 'invisible character' }
}

/**
 * Cleans an untrusted name for display in one line: no hidden characters, no line ends, at most `longest` characters.
 *
 * @returns `otherwise` if no visible character is left
 * @example toPlainName('Swap\u202E  pawS', 'An app') // 'Swap pawS'
 */
export function toPlainName(name: string, otherwise: string, longest: number = 48): string {
  const visible = name.replace(/\s+/gu, ' ').replace(hidden, '').trim()
  const characters = [...visible]
  if (characters.length === 0) return otherwise
  return characters.length <= longest
    ? visible
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/**
 * Parses the host of a web address for display. International names stay in their ASCII form, so that none can imitate
 * another.
 *
 * @returns undefined if the string is not a web address
 */
export function parseHost(url: string): string | undefined {
  if (!URL.canParse(url)) return undefined
  const { host, protocol } = new URL(url)
  return protocol === 'https:' || protocol === 'http:' ? host : undefined
}
