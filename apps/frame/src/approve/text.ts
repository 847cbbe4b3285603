/** A piece of a text: as it stands, or a character that would not be seen, by its name. */
export type Piece = string | { readonly hidden: string }

/**
 * Characters that are nothing to look at, or that turn the order of what is: controls, marks of direction, what joins and
 * what has no width, tags, private use and what is not assigned. Joiners inside emoji and scripts that need them are
 * letters there.
 */
const unseen = /(?![\n\t])[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\u2028\u2029\u115f\u1160\u3164\uffa0\u2800]|\u{34f}/u
const joiner = /^[\u200c\u200d]$/

/** What turns the order of letters, or hides between them: no message needs it, and each can make another one of it. */
const deceiving = /[\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u2069\ufeff\u{e0000}-\u{e007f}]/u

/** Scripts with letters that look like Latin ones. */
const alike = /[\p{sc=Cyrillic}\p{sc=Greek}\p{sc=Armenian}\p{sc=Cherokee}\p{sc=Lisu}\p{sc=Coptic}]/u
const latin = /\p{sc=Latin}/u

/** How much of a text is drawn; what follows is counted. */
export const longestShown = 20_000

/**
 * Cuts a text into what can be shown as it stands and what has to be named, so that nothing of it is invisible [G-05].
 *
 * @param options.lines whether line breaks are part of it; else they are named too
 */
export function pieces(text: string, { lines = false }: { lines?: boolean } = {}): readonly Piece[] {
  const found: Piece[] = []
  let run = ''
  let before = ''
  for (const character of text.slice(0, longestShown)) {
    const isSeen = joiner.test(character) ? joins(before) : !unseen.test(character) && (lines || character !== '\n')
    if (isSeen) {
      run += character
    } else {
      if (run !== '') found.push(run)
      found.push({ hidden: nameOf(character) })
      run = ''
    }
    before = character
  }
  return run === '' ? found : [...found, run]
}

/** After these a joiner is part of how they are written. */
function joins(before: string): boolean {
  return /[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f\p{sc=Arabic}\p{sc=Devanagari}\p{sc=Bengali}\p{sc=Tamil}]/u.test(
    before,
  )
}

function nameOf(character: string): string {
  const number = (character.codePointAt(0) ?? 0).toString(16).toUpperCase()
  return `U+${number.padStart(4, '0')}`
}

/** Whether a text has marks in it that make it look like another one. */
export function deceives(text: string): boolean {
  return deceiving.test(text)
}

/** Whether a name is one that nobody would choose who does not want to look like somebody else. */
export function isOddName(name: string): boolean {
  return pieces(name).some((piece) => typeof piece !== 'string') || name.split(/[\s\p{P}]+/u).some(mixes)
}

function mixes(word: string): boolean {
  return latin.test(word) && alike.test(word)
}
