import { isLabel } from './nameForm.ts'

export const mostSuggestions = 5

/** Words that go with anybody's name. */
const after = [
  'key',
  'keys',
  'vault',
  'wallet',
  'home',
  'onchain',
  'pay',
  'hq',
  'world',
  'one',
  'club',
  'here',
] as const
const before = ['its', 'the', 'hey', 'call'] as const

/** Labels made of what somebody typed, best first, the typed one not among them. */
export function labelsLike(typed: string): readonly string[] {
  const plain = typed.replaceAll('.', '-').replace(/^-+|-+$/g, '')
  const made = [
    ...after.map((word) => `${plain}-${word}`),
    ...before.map((word) => `${word}-${plain}`),
    ...after.map((word) => `${plain}${word}`),
    ...Array.from({ length: 20 }, (_, index) => `${plain}${index + 1}`),
  ]
  return made.filter((label) => label !== typed && isLabel(label))
}
