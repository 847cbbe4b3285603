/** A reason to refuse a recovery password. */
export type PasswordWeakness = 'short' | 'easy'

export const minPasswordLength = 10

/** Common first guesses. Digits, repetitions and leetspeak don't make them stronger. */
const firstGuesses = [
  'password',
  'passwort',
  'passphrase',
  'qwerty',
  'qwertz',
  'azerty',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  'iloveyou',
  'letmein',
  'welcome',
  'monkey',
  'dragon',
  'football',
  'baseball',
  'basketball',
  'superman',
  'batman',
  'princess',
  'sunshine',
  'master',
  'shadow',
  'michael',
  'jennifer',
  'jordan',
  'hunter',
  'killer',
  'pokemon',
  'starwars',
  'trustno',
  'admin',
  'administrator',
  'login',
  'secret',
  'changeme',
  'default',
  'guest',
  'test',
  'testing',
  'hello',
  'helloworld',
  'bitcoin',
  'ethereum',
  'solana',
  'crypto',
  'wallet',
  'mywallet',
  'blockchain',
  'satoshi',
  'latchkey',
  'recovery',
  'mypassword',
  'thepassword',
  'newpassword',
  'google',
  'facebook',
  'computer',
  'internet',
  'samsung',
  'liverpool',
  'chelsea',
  'arsenal',
  'barcelona',
  'america',
  'charlie',
  'jessica',
  'ashley',
  'daniel',
  'summer',
  'winter',
  'spring',
  'autumn',
  'abcdef',
  'abcdefgh',
  'abcdefghij',
  'abcabc',
  'correcthorsebatterystaple',
  'whatever',
  'freedom',
  'cheese',
  'pass',
  'word',
  'love',
  'god',
  'sex',
  'abc',
  'xyz',
  'qaz',
  'wsx',
  'edc',
  'my',
  'the',
  'i',
  'me',
  'you',
  'is',
  'it',
] as const

const figures: { readonly [figure: string]: string } = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '8': 'b',
  '@': 'a',
  $: 's',
  '!': 'i',
  '€': 'e',
}

const runs = [
  '01234567890',
  '09876543210',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiop',
  'asdfghjkl',
  'zxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]

/**
 * Finds out whether a password is among the first guesses. The auth service limits the number of guesses, so this check
 * only has to catch what some hundred guesses would find.
 *
 * @param known public facts about the user: the login's e-mail address
 * @returns the weakness, or `undefined`
 * @example passwordWeaknessOf('P4ssword2024!', []) // 'easy'
 */
export function passwordWeaknessOf(password: string, known: readonly string[]): PasswordWeakness | undefined {
  const letters = [...password.normalize('NFKC')]
  if (letters.length < minPasswordLength) return 'short'
  const plain = letters.join('').toLowerCase()
  if (new Set(plain).size < 5 || isRun(plain)) return 'easy'
  const names = known.flatMap((each) => each.toLowerCase().split(/[^\p{L}\p{N}]+/u)).filter((name) => name.length > 2)
  const words = [...firstGuesses, ...names]
  const inner = plain.replaceAll(/^[^\p{L}$@€]+|[^\p{L}$@€]+$/gu, '')
  return [plain, withLetters(plain), withLetters(inner)].some((form) => restOf(form, words) === '') ? 'easy' : undefined
}

function withLetters(plain: string): string {
  return [...plain].map((letter) => figures[letter] ?? letter).join('')
}

/** Removes all common words, longest first, and returns the remaining letters. */
function restOf(plain: string, words: readonly string[]): string {
  const longestFirst = words.toSorted((one, other) => other.length - one.length)
  return longestFirst.reduce((rest, word) => rest.replaceAll(word, ' '), plain).replaceAll(/[^\p{L}]/gu, '')
}

/** True for at least six consecutive characters of a keyboard row or the alphabet, with little else. */
function isRun(plain: string): boolean {
  const long = (letters: string) => runs.some((run) => run.includes(letters))
  for (let from = 0; from + 6 <= plain.length; from++) {
    let to = from + 6
    if (!long(plain.slice(from, to))) continue
    while (to < plain.length && long(plain.slice(from, to + 1))) to++
    if (plain.length - (to - from) < 6) return true
  }
  return false
}
