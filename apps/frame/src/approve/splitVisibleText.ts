/** A piece of text: literal, or an invisible character by its code point. */
export type TextPiece = string | { readonly hidden: string }

/**
 * Invisible characters, and those that change the order of others: controls, direction marks, joiners, zero-width
 * characters, tags, private use and unassigned code points. Joiners inside emoji, and in scripts that need them, are
 * visible.
 */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]|\u{34f}/u
const joiner = /^[\u200c\u200d]$/

/** Characters that reorder or hide text. No message needs them, and each can disguise a message. */
const deceiving = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Scripts with letters that look like Latin letters. */
const alike = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Lisu}\p{sc=Coptic}]/u
const latin = /\p{sc=Latin}/u

/** Number of characters that are drawn. The rest is counted. */
export const longestShown = 20_000

/**
 * Splits text into visible pieces and spelled-out characters, so that nothing in it is invisible [G-05].
 *
 * @param options.lines true if line breaks are part of the text. Otherwise they are spelled out, too.
 */
export function splitVisibleText(text: string, { lines = false }: { lines?: boolean } = {}): readonly TextPiece[] {
  const found: TextPiece[] = []
  let run = ''
  let before = ''
  for (const character of text.slice(0, longestShown)) {
    const isSeen = joiner.test(character)
      ? allowsJoiner(before)
      : !unseen.test(character) && (lines || character !== '\n')
    if (isSeen) {
      run += character
    } else {
      if (run !== '') found.push(run)
      found.push({ hidden: codePointName(character) })
      run = ''
    }
    before = character
  }
  return run === '' ? found : [...found, run]
}

/** After these characters a joiner is part of the spelling. */
function allowsJoiner(before: string): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}]/u.test(
    before,
  )
}

function codePointName(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${number.padStart(4, '0')}`
}

/** True if text has characters that disguise it as another text. */
export function hasDeceptiveCharacters(text: string): boolean {
  return deceiving.test(text)
}

/** True for names with invisible characters or mixed scripts, which imitate other names. */
export function isSuspiciousName(name: string): boolean {
  return (
    splitVisibleText(name).some((piece) => typeof piece !== 'string') || name.split(/[\s\p{P}]+/u).some(mixesScripts)
  )
}

function mixesScripts(word: string): boolean {
  return latin.test(word) && alike.test(word)
}
